/** Pages that say the same: which of them is the original. */

import type { PageDate } from '../../ingest/extracted.ts'
import { termsIn } from '../routing/terms.ts'
import { publishedDay } from './page-dates.ts'

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
  const words = termsIn(text).slice(0, MOST_PIECES)
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
