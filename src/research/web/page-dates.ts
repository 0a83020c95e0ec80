/** The days of a page: what it, its server and the search service say of them, and whether that agrees. */

import type { PageDate } from '../../ingest/extracted.ts'

/** Where a server says of a page when it was changed. */
export const HEADER = 'Last-Modified'

/** Where the search service that found a page says of when it is. */
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
