/** Decides the dates of a page, from the page and from the search service, and finds pages with the same text. */

import type { PageDate } from '../../ingest/extracted.ts'
import { composeText, mainTerms } from '../../retrieval/terms.ts'

/** Name of the search service as the source of a page's date. */
export const SEARCH_SERVICE = 'the search service'

/** Phrases for dates in one language. `{}`: the placeholder of the date. */
export type DayWords = Readonly<Record<'published' | 'modified', string>>

const DAY_MS = 86_400_000

/**
 * How vague a source of a publication date is; 0 is the clearest. A `date` of a page may mean another day, such as the day of an
 * event.
 */
function vagueness({ where }: PageDate): number {
  return where === SEARCH_SERVICE ? 2 : /[ .]date$/.test(where) ? 1 : 0
}

/** The publication day of a page, from its clearest sources. Undefined if they differ by more than time zones explain. */
export function publishedDay(dates: readonly PageDate[]): string | undefined {
  const published = dates.filter(({ what }) => what === 'published')
  const least = Math.min(...published.map(vagueness))
  const days = published.flatMap((one) => (vagueness(one) === least ? [one.day] : [])).sort()
  const [first = '', last = ''] = [days[0], days.at(-1)]
  return Date.parse(last) - Date.parse(first) <= DAY_MS ? first : undefined
}

/** The dates in words, for the line of a source: `published 2024-05-03, modified 2024-06-01`. */
export function formatDates(dates: readonly PageDate[], words: DayWords): string {
  const published = publishedDay(dates)
  const modified = dates.find(({ what, day }) => what === 'modified' && day > (published ?? ''))?.day
  const phrases = Object.entries({ published, modified }) as [keyof DayWords, string | undefined][]
  return phrases.flatMap(([what, day]) => (day === undefined ? [] : [words[what].replace('{}', day)])).join(', ')
}

/**
 * Texts are compared by pieces: runs of consecutive words. Words of a piece; maximum pieces of a text; minimum share of
 * pieces that copies have in common.
 */
const PIECE_WORDS = 5
const MAX_PIECES = 5000
const MIN_COPY_SHARE = 0.8

/** Copies among pages: maps the URL of each copy to the URL of the earlier page. */
export function copiesAmong(pages: readonly { readonly url: string; readonly text: string }[]) {
  const originals: { readonly url: string; readonly pieces: ReadonlySet<string> }[] = []
  const copies = new Map<string, string>()
  for (const { url, text } of pages) {
    // Absences and calculations are not pages: their texts are similar, but say different things.
    if (!/^https?:/.test(url)) continue
    const pieces = piecesOf(text)
    const original = originals.find((one) => shareOfPieces(one.pieces, pieces) >= MIN_COPY_SHARE)
    if (original) copies.set(url, original.url)
    else if (pieces.size > 0) originals.push({ url, pieces })
  }
  return copies
}

function piecesOf(text: string): Set<string> {
  const words = mainTerms(composeText(text)).slice(0, MAX_PIECES)
  const starts = words.slice(0, Math.max(0, words.length - PIECE_WORDS + 1))
  return new Set(starts.map((_, at) => words.slice(at, at + PIECE_WORDS).join(' ')))
}

function shareOfPieces(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const both = [...other].filter((piece) => one.has(piece)).length
  return both / Math.max(1, one.size + other.size - both)
}

/** The URL without its fragment. */
export function pageAddress(url: string): string {
  return url.replace(/#.*/s, '')
}
