/** The days of a page, as it and the search service say them; and which pages say the same. */

import type { PageDate } from '../../ingest/extracted.ts'
import { composeText, mainTerms } from '../../retrieval/terms.ts'

/** Name of the search service as the source of a page's date. */
export const SEARCH = 'the search service'

/** Phrases for days in a language. `{}`: what is put in. */
export interface DayWords {
  readonly published: string
  readonly modified: string
}

const DAY_MS = 86_400_000

/** How plainly a source means the publication, the plainest first: another day, such as that of an event, may be a page's `date`. */
function vagueness({ where }: PageDate): number {
  return where === SEARCH ? 2 : /[ .]date$/.test(where) ? 1 : 0
}

/** The day that a page was published, from what says so most plainly. None where that names two, further apart than time zones are. */
export function publishedDay(dates: readonly PageDate[]): string | undefined {
  const published = dates.filter(({ what }) => what === 'published')
  const least = Math.min(...published.map(vagueness))
  const days = published.flatMap((one) => (vagueness(one) === least ? [one.day] : [])).sort()
  const [first = '', last = ''] = [days[0], days.at(-1)]
  return Date.parse(last) - Date.parse(first) <= DAY_MS ? first : undefined
}

/** In words, for the line of a source: `published 2024-05-03, modified 2024-06-01`. */
export function formatDates(dates: readonly PageDate[], words: DayWords): string {
  const published = publishedDay(dates)
  const modified = dates.find(({ what, day }) => what === 'modified' && day > (published ?? ''))?.day
  const phrases = Object.entries({ published, modified }) as [keyof DayWords, string | undefined][]
  return phrases.flatMap(([what, day]) => (day === undefined ? [] : [words[what].replace('{}', day)])).join(', ')
}

/** Words of a piece by which texts are compared, pieces of a text at most, and the share of them that copies have in common. */
const PIECE = 5
const MOST_PIECES = 5000
const COPIED = 0.8

/** By the URL of a page that repeats an earlier one: the earlier one. */
export function copiesAmong(
  pages: readonly { readonly url: string; readonly text: string }[],
): ReadonlyMap<string, string> {
  const originals: { readonly url: string; readonly pieces: ReadonlySet<string> }[] = []
  const copies = new Map<string, string>()
  for (const { url, text } of pages) {
    const pieces = piecesOf(text)
    const original = originals.find((one) => shareOfPieces(one.pieces, pieces) >= COPIED)
    if (original) copies.set(url, original.url)
    else if (pieces.size > 0) originals.push({ url, pieces })
  }
  return copies
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

/** Without the fragment. */
export function pageAddress(url: string): string {
  return url.replace(/#.*/s, '')
}
