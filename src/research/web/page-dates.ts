/** The days of a page: what it, its server and the search service say of them, and whether that agrees. */

import type { PageDate } from '../../ingest/extracted.ts'
import { composeText, mainTerms } from '../../retrieval/terms.ts'

/** Header with the date of the last change of a page. */
export const HEADER = 'Last-Modified'

/** Name of the search service as the source of a page's date. */
export const SEARCH = 'the search service'

/** Phrases for days in a language. `{}`: what is put in. */
export interface DayWords {
  readonly published: string
  readonly modified: string
  readonly disagree: string
  /** By `PageDate.where`. Any other place is called as it is. */
  readonly places: Readonly<Record<string, string>>
}

/** Days by which two days may differ that are the same one: somewhere it is tomorrow already. */
const SAME_DAY = 1

/** The day that a page was published, where nothing contradicts it. */
export function publishedDay(dates: readonly PageDate[]): string | undefined {
  return areInConflict(dates) ? undefined : dates.find(({ what }) => what === 'published')?.day
}

/** In words, for the line of a source: `published 2024-05-03`; where they do not agree, all of them with their places. */
export function formatDates(dates: readonly PageDate[], words: DayWords): string {
  const phraseOf = ({ what, day }: PageDate) => words[what].replace('{}', day)
  if (areInConflict(dates)) {
    const all = dates.map((date) => `${phraseOf(date)} (${words.places[date.where] ?? date.where})`)
    return words.disagree.replace('{}', () => all.join(', '))
  }
  const first = (what: PageDate['what']) => dates.find((date) => date.what === what && date.where !== HEADER)
  const [published, modified] = [first('published'), first('modified')]
  const shown = [published, modified?.day === published?.day ? undefined : modified]
  return shown.flatMap((date) => (date ? [phraseOf(date)] : [])).join(', ')
}

function areInConflict(dates: readonly PageDate[]): boolean {
  const own = dates.filter(({ where }) => where !== HEADER && where !== SEARCH)
  const daysOf = (what: PageDate['what']) => own.flatMap((date) => (date.what === what ? [date.day] : [])).toSorted()
  const [published, modified] = [daysOf('published'), daysOf('modified')]
  // Something was changed before it was there.
  const isBefore = isEarlier(modified[0], published[0])
  return isSpread(published) || isSpread(modified) || isBefore || isOutside(dates, own)
}

/**
 * A server that changed a page last before the page was: the other way round it changes the page, and the text stays. A search
 * service knows one of the days, and does not say which.
 */
function isOutside(dates: readonly PageDate[], own: readonly PageDate[]): boolean {
  const dayAt = (place: string) => dates.find(({ where }) => where === place)?.day
  const [header, found] = [dayAt(HEADER), dayAt(SEARCH)]
  const days = own.map(({ day }) => day)
  const isElse = found !== undefined && days.length > 0 && days.every((day) => isSpread([day, found].toSorted()))
  return isEarlier(header, days.toSorted().at(-1)) || isElse
}

/** Of days in their order. */
function isSpread(days: readonly string[]): boolean {
  return isEarlier(days[0], days.at(-1))
}

function isEarlier(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && (Date.parse(other) - Date.parse(one)) / 86_400_000 > SAME_DAY
}

/** A page that was read. */
export interface ReadText {
  /** The address that events name, and others of it. */
  readonly urls: readonly string[]
  readonly text: string
  readonly dates: readonly PageDate[]
  /** The address that it says it is a copy of. */
  readonly canonical?: string
}

/** Words of a piece by which texts are compared, pieces of a text at most, and the share of them that copies have in common. */
const PIECE = 5
const MOST_PIECES = 5000
const COPIED = 0.8

/**
 * By its URL, of each page that says what another says, that one. `before`: pages that were read before, whose passages are used
 * already. Of the others the original is the one that the copies name as their own address, then the one of the earliest day.
 */
export function copiesAmong(read: readonly ReadText[], before: readonly ReadText[] = []): ReadonlyMap<string, string> {
  const originals: { readonly url: string; readonly pieces: ReadonlySet<string> }[] = []
  const copies = new Map<string, string>()
  for (const { urls, text } of [...before, ...originalsFirst(read)]) {
    const [url = ''] = urls
    const pieces = piecesOf(text)
    const original = originals.find((one) => shareOfPieces(one.pieces, pieces) >= COPIED)
    if (original) copies.set(url, original.url)
    else if (pieces.size > 0) originals.push({ url, pieces })
  }
  return copies
}

function originalsFirst(read: readonly ReadText[]): ReadText[] {
  const known = new Set(read.flatMap(({ urls }) => urls.map(pageAddress)))
  const ranked = read.map((page) => ({
    page,
    isCopy: page.canonical !== undefined && known.has(pageAddress(page.canonical)),
    // No day comes last.
    day: publishedDay(page.dates) ?? 'z',
  }))
  const inOrder = ranked.toSorted((one, other) => {
    return Number(one.isCopy) - Number(other.isCopy) || (one.day < other.day ? -1 : Number(one.day > other.day))
  })
  return inOrder.map(({ page }) => page)
}

function piecesOf(text: string): Set<string> {
  const words = mainTerms(composeText(text)).slice(0, MOST_PIECES)
  return new Set(
    words.slice(0, Math.max(0, words.length - PIECE + 1)).map((_, at) => words.slice(at, at + PIECE).join(' ')),
  )
}

function shareOfPieces(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const both = [...other].filter((piece) => one.has(piece)).length
  return both / Math.max(1, one.size + other.size - both)
}

/** Without what leads to a place within the page. */
export function pageAddress(url: string): string {
  return url.replace(/#.*/s, '')
}
