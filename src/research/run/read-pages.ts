/** The pages of a node: of what its searches gave, as many as can be read. */

import type { WebResult } from '../../internet/web-search.ts'
import { termsIn } from '../routing/terms.ts'
import type { RunSettings } from '../settings.ts'
import { publishedDay } from '../web/page-dates.ts'
import type { EvidencePassage } from './evidence.ts'
import type { Journal } from './journal.ts'
import { type PageCache, type PageRead, pageAddress } from './lookup.ts'

interface PageReading {
  readonly journal: Journal
  readonly places: PageCache
  readonly settings: RunSettings
  /** Pages that the node may read still. */
  readonly most: number
  /** Number of the first of them; what was read for the node before. */
  readonly first: number
  readonly before: readonly PageRead[]
  readonly signal: AbortSignal
}

/** Pages that are read for a node, and those that are tried where some cannot be. */
const MOST_PAGES = 4
const MOST_TRIED = 10

/** Tells that a node may ask the web no more. */
export function tellUsedUp(journal: Journal, id: string, what: 'searches' | 'pages'): Promise<void> {
  return journal.tell('budget_exhausted', { node: id, key: what, told: { what } })
}

/** How many of the searches before one are of the web. */
export function webBefore(searches: readonly { readonly source: string }[], at: number): number {
  return searches.slice(0, at).filter(({ source }) => source === 'web').length
}

/** Words of a piece by which texts are compared, pieces of a text at most, and the share of them that copies have in common. */
const PIECE = 5
const MOST_PIECES = 5000
const COPIED = 0.8

/**
 * By its URL, of each page that says what another says, that one. `before`: pages that were read before, whose passages are used
 * already. Of the others the original is the one that the copies name as their own address, then the one of the earliest day.
 */
export function copiesAmong(read: readonly PageRead[], before: readonly PageRead[] = []): ReadonlyMap<string, string> {
  const originals: { readonly url: string; readonly pieces: ReadonlySet<string> }[] = []
  const copies = new Map<string, string>()
  for (const { url, passages } of [...before, ...originalsFirst(read)]) {
    const pieces = piecesOf(passages.map(({ text }) => text).join('\n'))
    const original = originals.find((one) => shareOfPieces(one.pieces, pieces) >= COPIED)
    if (original) copies.set(url, original.url)
    else if (pieces.size > 0) originals.push({ url, pieces })
  }
  return copies
}

function originalsFirst(read: readonly PageRead[]): PageRead[] {
  const known = new Set(read.flatMap(({ url, passages }) => [url, ...passages.map(({ ref }) => ref)]).map(pageAddress))
  const ranked = read.map((page) => ({
    page,
    isCopy: page.canonical !== undefined && known.has(pageAddress(page.canonical)),
    // No day comes last.
    day: publishedDay(page.passages[0]?.dates ?? []) ?? 'z',
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

/** Reads pages until enough were read: in place of one that cannot be, the next. */
export async function readPages(
  { journal, places, settings, signal, most, first, before }: PageReading,
  id: string,
  hits: readonly WebResult[],
): Promise<{ readonly read: readonly PageRead[]; readonly passages: readonly EvidencePassage[] }> {
  const wanted = hits.slice(0, Math.min(MOST_TRIED, most))
  if (hits.length > 0 && most < Math.min(MOST_PAGES, hits.length)) await tellUsedUp(journal, id, 'pages')
  const read: PageRead[] = []
  for (let missing = MOST_PAGES; missing > 0 && read.length < wanted.length; ) {
    const next = wanted.slice(read.length, read.length + missing)
    const begun = next.map((hit, at) => {
      return journal.work(id, `page-${first + read.length + at}`, () => places.readPage(hit, { settings, signal }))
    })
    read.push(...(await Promise.all(begun)))
    missing = MOST_PAGES - read.filter(({ error }) => error === undefined).length
  }
  const copies = copiesAmong(read, before)
  for (const { url, passages, error, is_kept } of read) {
    const [title = '', copy_of] = [passages[0]?.title, copies.get(url)]
    const told = {
      url,
      title,
      ok: error === undefined,
      ...(error !== undefined && { error }),
      ...(copy_of && { copy_of }),
      ...(is_kept && { is_kept }),
    }
    await journal.tell('page_read', { node: id, key: url, told })
  }
  return { read, passages: read.flatMap(({ url, passages }) => (copies.has(url) ? [] : passages)) }
}
