/** Looks up what a question of the tree needs: first by queries that are planned for it, then as often as its work asks. */

import type { WebResult } from '../../internet/web-search.ts'
import { copiesAmong, pageAddress, type ReadText } from '../web/copies.ts'
import type { EvidencePassage } from './evidence.ts'
import type { Journal } from './journal.ts'
import { type LookupResult, lookUpCollections, mergeHits, type PageRead, searchWeb } from './lookup.ts'
import { type ExploreParts, fallbackOf, leftFor, runStage, taskOf } from './node-work.ts'

/** Searches and pages of one round at most: each is kept by its number. */
const NUMBERS = 100

export class NodeLookup {
  readonly #parts: ExploreParts
  readonly #id: string
  readonly #sources: readonly ('collections' | 'web')[]
  #round = 0
  #read: readonly PageRead[] = []
  #passages: readonly EvidencePassage[]
  #queue: Promise<unknown> = Promise.resolve()

  constructor(parts: ExploreParts, id: string) {
    const { places, settings } = parts
    const hasCollections = places.collections !== undefined && settings.collections !== false
    this.#parts = parts
    this.#id = id
    this.#sources = [...(hasCollections ? ['collections' as const] : []), ...(settings.web ? ['web' as const] : [])]
    this.#passages = id === '1' ? earlierOf(parts) : []
  }

  /** Whether anything can be searched. */
  get isPossible(): boolean {
    return this.#sources.length > 0
  }

  /** What an earlier session found, and what queries find that are planned for the question. */
  async first(): Promise<readonly EvidencePassage[]> {
    if (!this.isPossible) return this.#passages
    const { journal, settings, stages } = this.#parts
    const { slice, ...asked } = taskOf(this.#parts, this.#id)
    const task = { ...asked, ...(settings.contextInQueries && { slice }) }
    const of = { id: this.#id, name: 'queries' }
    const planned = await runStage(this.#parts, of, (limits) => stages.queries(task, limits))
    await journal.tell('queries_planned', {
      node: this.#id,
      payload: { queries: planned.value, ...fallbackOf(planned) },
    })
    await this.#search(planned.value)
    return this.#passages
  }

  /** Searches once more; gives the passages that are new. Searches of one question are made one after the other. */
  further(query: string): Promise<readonly EvidencePassage[]> {
    const found = this.#queue.then(async () => {
      while (this.#isTaken(query)) this.#round++
      const payload = { queries: [query], round: this.#round }
      await this.#parts.journal.tell('queries_planned', { node: this.#id, key: String(this.#round), payload })
      return await this.#search([query])
    })
    this.#queue = found.catch(() => {})
    return found
  }

  /** Whether the round of a run that was interrupted searched for something else. */
  #isTaken(query: string): boolean {
    const before = this.#parts.journal.state.made.get(`${this.#id}/search-${this.#round * NUMBERS}`)
    return before !== undefined && Object(before).query !== query
  }

  async #search(queries: readonly string[]): Promise<readonly EvidencePassage[]> {
    const { journal, settings, places, signal } = this.#parts
    const id = this.#id
    const [round, first] = [this.#round, this.#round * NUMBERS]
    this.#round++
    const all = queries.flatMap((query) => this.#sources.map((source) => ({ query, source })))
    const most = await this.#mostOf(roundName('may-search', round))
    const searches = all.filter(({ source }, at) => source !== 'web' || webBefore(all, at) < most.searches)
    if (searches.length < all.length) await reportUsedUp(journal, id, 'searches')
    const options = { settings, question: journal.state.question, signal }
    const found = await Promise.all(
      searches.map(({ query, source }, at) => {
        const search = source === 'web' ? searchWeb : lookUpCollections
        return journal.work(id, `search-${first + at}`, () => search(places, query, options))
      }),
    )
    for (const [at, one] of found.entries()) await tellSearch(journal, id, { ...one, at: first + at })
    const hits = newHits(mergeHits(found.map((one) => one.hits)), this.#read)
    const { pages } = await this.#mostOf(roundName('may-read', round))
    const read = await readPages({ ...this.#parts, most: pages, first, before: this.#read }, id, hits)
    const looked = [...found.flatMap((one) => one.passages), ...read.passages]
    const fresh = looked.filter(({ ref, text }) => !this.#passages.some((one) => one.ref === ref && one.text === text))
    this.#read = [...this.#read, ...read.read]
    this.#passages = [...this.#passages, ...fresh]
    return fresh
  }

  /**
   * What the node may ask of the web when a round begins. It is kept with the first event of the round: what the round itself
   * has taken by then would be counted twice where a run resumes in the middle of it.
   */
  #mostOf(name: string): Promise<{ searches: number; pages: number }> {
    return this.#parts.journal.work(this.#id, name, async () => {
      const { searches, pages } = leftFor(this.#parts, this.#id)
      // JSON has no infinity.
      return { searches: Math.min(searches, NUMBERS), pages: Math.min(pages, NUMBERS) }
    })
  }
}

function roundName(name: string, round: number): string {
  return round === 0 ? name : `${name}-${round}`
}

async function tellSearch(
  journal: Journal,
  id: string,
  { at, source, query, passages, hits, error }: LookupResult & { readonly at: number },
) {
  const payload = { query, source, results_count: passages.length + hits.length, ...(error !== undefined && { error }) }
  await journal.tell('search_completed', { node: id, key: String(at), payload })
}

function newHits(hits: readonly WebResult[], read: readonly PageRead[]): WebResult[] {
  const known = new Set(read.map(({ url }) => pageAddress(url)))
  return hits.filter(({ url }) => !known.has(pageAddress(url)))
}

/** What the session before found out. */
function earlierOf({ journal }: ExploreParts): readonly EvidencePassage[] {
  const earlier = journal.state.made.get('earlier') as { readonly passages: readonly EvidencePassage[] } | undefined
  return earlier?.passages ?? []
}

interface PageReading extends ExploreParts {
  /** Pages that the node may read still. */
  readonly most: number
  /** Number of the first of them; what was read for the node before. */
  readonly first: number
  readonly before: readonly PageRead[]
}

/** Pages that are read for a node, and those that are tried where some cannot be. */
const MOST_PAGES = 4
const MOST_TRIED = 10

/** Tells that a node may ask the web no more. */
function reportUsedUp(journal: Journal, id: string, what: 'searches' | 'pages'): Promise<void> {
  return journal.tell('budget_exhausted', { node: id, key: what, payload: { what } })
}

/** How many of the searches before one are of the web. */
function webBefore(searches: readonly { readonly source: string }[], at: number): number {
  return searches.slice(0, at).filter(({ source }) => source === 'web').length
}

/** Reads pages until enough were read: in place of one that cannot be, the next. */
async function readPages(
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
