/** The pages of a node: of what its searches gave, as many as can be read. */

import type { WebResult } from '../../internet/web-search.ts'
import type { RunSettings } from '../settings.ts'
import { copiesAmong, type ReadText } from '../web/copies.ts'
import type { EvidencePassage } from './evidence.ts'
import type { Journal } from './journal.ts'
import type { PageCache, PageRead } from './lookup.ts'

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
export function reportUsedUp(journal: Journal, id: string, what: 'searches' | 'pages'): Promise<void> {
  return journal.tell('budget_exhausted', { node: id, key: what, payload: { what } })
}

/** How many of the searches before one are of the web. */
export function webBefore(searches: readonly { readonly source: string }[], at: number): number {
  return searches.slice(0, at).filter(({ source }) => source === 'web').length
}

/** Reads pages until enough were read: in place of one that cannot be, the next. */
export async function readPages(
  { journal, places, settings, signal, most, first, before }: PageReading,
  id: string,
  hits: readonly WebResult[],
): Promise<{ readonly read: readonly PageRead[]; readonly passages: readonly EvidencePassage[] }> {
  const wanted = hits.slice(0, Math.min(MOST_TRIED, most))
  if (hits.length > 0 && most < Math.min(MOST_PAGES, hits.length)) await reportUsedUp(journal, id, 'pages')
  const read: PageRead[] = []
  for (let missing = MOST_PAGES; missing > 0 && read.length < wanted.length; ) {
    const next = wanted.slice(read.length, read.length + missing)
    const begun = next.map((hit, at) => {
      return journal.work(id, `page-${first + read.length + at}`, () => places.readPage(hit, { settings, signal }))
    })
    read.push(...(await Promise.all(begun)))
    missing = MOST_PAGES - read.filter(({ error }) => error === undefined).length
  }
  const copies = copiesAmong(read.map(toReadText), before.map(toReadText))
  for (const { url, passages, error, is_kept } of read) {
    const [title = '', copy_of] = [passages[0]?.title, copies.get(url)]
    const payload = {
      url,
      title,
      ok: error === undefined,
      ...(error !== undefined && { error }),
      ...(copy_of && { copy_of }),
      ...(is_kept && { is_kept }),
    }
    await journal.tell('page_read', { node: id, key: url, payload })
  }
  return { read, passages: read.flatMap(({ url, passages }) => (copies.has(url) ? [] : passages)) }
}

function toReadText({ url, canonical, passages }: PageRead): ReadText {
  const dates = passages.flatMap(({ dates = [] }) => dates)
  const text = passages.map(({ text }) => text).join('\n')
  return { urls: [url, ...passages.map(({ ref }) => ref)], text, dates, ...(canonical !== undefined && { canonical }) }
}
