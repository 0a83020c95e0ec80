/** Work on one node (a question of the tree) within its limits: stages, searches, pages, and completion. */

import type { WebResult } from '../../internet/web-search.ts'
import type { ReportSources } from '../report/sources.ts'
import { copiesAmong, pageAddress } from '../web/page-dates.ts'
import { type Allotment, allotmentOf, type RunWork } from './allotment.ts'
import { byPosition, type EvidencePassage, uniqueKinds } from './evidence.ts'
import type { Journal } from './journal.ts'
import { type cachePages, lookUp, mergeHits, type PageRead } from './lookup.ts'
import { rootSlice } from './slices.ts'
import { type NodeTask, type StageLimits, type StageResult, subtractUsage, type UnreadPage } from './stages.ts'
import type { OpenedFiles } from './text-thread.ts'
import { isNodeOver, type NodeState, subquestionsOf } from './tree.ts'

export interface ExploreParts extends RunWork {
  readonly places: ReturnType<typeof cachePages>
  readonly sources: ReportSources
  readonly files: OpenedFiles
}

export function nodeOf({ journal }: Pick<ExploreParts, 'journal'>, id: string): NodeState {
  const node = journal.state.nodes.get(id)
  if (!node) throw new Error(`There is no node ${id}.`)
  return node
}

export function taskOf(parts: ExploreParts, id: string): NodeTask {
  const { question, depth, slice } = nodeOf(parts, id)
  return { task: parts.journal.state.question, question, depth, slice: slice ?? rootSlice(id, []) }
}

/** Runs `work` within the limits of a node. A reached limit becomes an event. `name`: key of the result in the log. */
export async function runStage<Value extends Pick<StageResult<unknown>, 'exhausted'>>(
  { journal, settings, signal }: ExploreParts,
  { id, name }: { readonly id: string; readonly name: string },
  work: (limits: StageLimits) => Promise<Value>,
): Promise<Value> {
  const limits = remainingLimits({ journal, settings }, id)
  const done = await journal.work(id, name, () => work({ signal, limits }))
  const { exhausted } = done
  if (exhausted) await journal.append('budget_exhausted', { node: id, key: exhausted, payload: { what: exhausted } })
  return done
}

/** The limits of a node minus its usage. */
function remainingLimits({ journal, settings }: Pick<ExploreParts, 'journal' | 'settings'>, id: string): Allotment {
  const { state } = journal
  return subtractUsage(allotmentOf(state, settings.budget, id), state.spentBy(id))
}

/** Maximum searches of one round, and maximum pages. The keys of round N begin at N times this number. */
const KEYS_PER_ROUND = 100

/** Searches the collections and the web for one question, and reads pages. */
export class NodeLookup {
  readonly #parts: ExploreParts
  readonly #id: string
  readonly #sources: readonly ('collections' | 'web')[]
  #round = 0
  #read: readonly PageRead[] = []
  #hits: readonly WebResult[] = []
  #passages: readonly EvidencePassage[]
  #queue: Promise<unknown> = Promise.resolve()

  constructor(parts: ExploreParts, id: string) {
    const { places, settings } = parts
    const hasCollections = places.collections !== undefined && settings.collections !== false
    this.#parts = parts
    this.#id = id
    this.#sources = [...(hasCollections ? ['collections' as const] : []), ...(places.web ? ['web' as const] : [])]
    // Evidence of the session that this session follows.
    const earlier = parts.journal.state.results.get('earlier') as { passages: readonly EvidencePassage[] } | undefined
    this.#passages = id === '1' ? (earlier?.passages ?? []) : []
  }

  /** Whether anything can be searched. */
  get isPossible(): boolean {
    return this.#sources.length > 0
  }

  /** The evidence of the earlier session, and the results of the first queries. */
  async searchFirst(): Promise<readonly EvidencePassage[]> {
    if (!this.isPossible) return this.#passages
    const { journal, settings, stages } = this.#parts
    const { slice, ...asked } = taskOf(this.#parts, this.#id)
    const task = { ...asked, ...(settings.contextInQueries && { slice }) }
    const stage = { id: this.#id, name: 'queries' }
    const { value: queries, failed } = await runStage(this.#parts, stage, (limits) => stages.queries(task, limits))
    await journal.append('queries_planned', { node: this.#id, payload: { queries, fallback_reason: failed } })
    await this.#search(queries)
    return this.#passages
  }

  /** Pages that were found but not read. */
  unread(): readonly UnreadPage[] {
    const errors = new Map(this.#read.map(({ url, error }) => [pageAddress(url), error]))
    const pages = this.#hits.map(({ url, title }) => ({ url, title, error: errors.get(pageAddress(url)) }))
    return pages.filter(({ url, error }) => error !== undefined || !errors.has(pageAddress(url))).slice(0, MAX_UNREAD)
  }

  /** Searches once more; returns the new passages. Searches of one question run in sequence. */
  searchMore(query: string): Promise<readonly EvidencePassage[]> {
    const searching = this.#queue.then(async () => {
      while (this.#isUsedRound(query)) this.#round++
      const payload = { queries: [query], round: this.#round }
      await this.#parts.journal.append('queries_planned', { node: this.#id, key: String(this.#round), payload })
      return await this.#search([query])
    })
    this.#queue = searching.catch(() => {})
    return searching
  }

  /** Whether an interrupted run used this round for another query. */
  #isUsedRound(query: string): boolean {
    const { results } = this.#parts.journal.state
    return this.#sources.some((_, at) => {
      const before = results.get(`${this.#id}/search-${this.#round * KEYS_PER_ROUND + at}`)
      return before !== undefined && Object(before).query !== query
    })
  }

  async #search(queries: readonly string[]): Promise<readonly EvidencePassage[]> {
    const { journal, settings, places, signal } = this.#parts
    const [node, round] = [this.#id, this.#round++]
    const first = round * KEYS_PER_ROUND
    const all = queries.flatMap((query) => this.#sources.map((source) => ({ query, source })))
    const { searches: maximum, pages } = await this.#webLimits(round)
    let remaining = maximum
    const searches = all.filter(({ source }) => source !== 'web' || remaining-- > 0)
    if (searches.length < all.length) await this.#writeExhausted('searches')
    const options = { settings, question: journal.state.question, signal }
    const results = await Promise.all(
      searches.map((search, at) => journal.work(node, `search-${first + at}`, () => lookUp(places, search, options))),
    )
    for (const [at, { query, source, passages, hits, error }] of results.entries()) {
      const payload = { query, source, results_count: passages.length + hits.length, error }
      await journal.append('search_completed', { node, key: String(first + at), payload })
    }
    const hits = mergeHits(results.map((one) => one.hits))
    this.#hits = mergeHits([[...hits, ...this.#hits]])
    const read = await this.#readPages(hits, round, pages)
    const latest = [...results.flatMap(({ passages }) => passages), ...read]
    const fresh = latest.filter(({ ref, text }) => !this.#passages.some((one) => one.ref === ref && one.text === text))
    this.#passages = [...this.#passages, ...fresh]
    return fresh
  }

  /** Reads pages until there are enough. An unreadable page is replaced by the next hit. */
  async #readPages(hits: readonly WebResult[], round: number, maxPages: number): Promise<readonly EvidencePassage[]> {
    const { journal, places, settings, signal } = this.#parts
    const node = this.#id
    const readBefore = new Set(this.#read.map(({ url }) => pageAddress(url)))
    const fresh = hits.filter(({ url }) => !readBefore.has(pageAddress(url)))
    const candidates = fresh.slice(0, Math.min(MAX_TRIED, maxPages))
    if (maxPages < Math.min(MAX_PAGES, fresh.length)) await this.#writeExhausted('pages')
    const reads: PageRead[] = []
    for (let missing = MAX_PAGES; missing > 0 && reads.length < candidates.length; ) {
      const next = candidates.slice(reads.length, reads.length + missing)
      const reading = next.map((hit, at) => {
        const name = `page-${round * KEYS_PER_ROUND + reads.length + at}`
        return journal.work(node, name, () => places.readPage(hit, { settings, signal }))
      })
      reads.push(...(await Promise.all(reading)))
      missing = MAX_PAGES - reads.filter(({ error }) => error === undefined).length
    }
    const all = [...this.#read, ...reads]
    const copies = copiesAmong(
      all.map(({ url, passages }) => ({ url, text: passages.map(({ text }) => text).join('\n') })),
    )
    for (const { url, passages, error } of reads) {
      const payload = { url, title: passages[0]?.title ?? '', ok: error === undefined, error, copy_of: copies.get(url) }
      await journal.append('page_read', { node, key: url, payload })
    }
    this.#read = [...this.#read, ...reads]
    return reads.flatMap(({ url, passages }) => (copies.has(url) ? [] : passages))
  }

  /** Writes the event that the node has used up its web requests. */
  #writeExhausted(what: 'searches' | 'pages'): Promise<void> {
    return this.#parts.journal.append('budget_exhausted', { node: this.#id, key: what, payload: { what } })
  }

  /**
   * The number of web requests that the node may make in a round. It is stored with the first event of the round.
   * Otherwise, a run that is resumed within the round would subtract the requests of the round twice.
   */
  #webLimits(round: number): Promise<{ searches: number; pages: number }> {
    return this.#parts.journal.work(this.#id, round === 0 ? 'may-search' : `may-search-${round}`, async () => {
      const { searches, pages } = remainingLimits(this.#parts, this.#id)
      // Finite, because JSON has no infinity.
      return { searches: Math.min(searches, KEYS_PER_ROUND), pages: Math.min(pages, KEYS_PER_ROUND) }
    })
  }
}

/** Per round: maximum pages to read, and to try if some fail. Maximum unread pages to show to the model. */
const MAX_PAGES = 4
const MAX_TRIED = 10
const MAX_UNREAD = 10

/** Writes the event that a node is complete. `end`: fields of the event. */
export async function completeNode(
  journal: Journal,
  id: string,
  end: { readonly status: NodeState['status']; readonly fallback_reason?: string | undefined },
): Promise<void> {
  const node = nodeOf({ journal }, id)
  const evidence = uniqueKinds([...node.evidence, ...childrenIn(journal, node).flatMap((child) => child.evidence)])
  const { round } = journal.state
  // Each round of questions ends with an event of the root.
  const key = id === '1' && round ? { key: String(round.seq) } : {}
  await journal.append('node_completed', { node: id, ...key, payload: { ...end, evidence } })
}

/** Completes each node whose children are complete, the deepest first. */
export async function completeParents(journal: Journal): Promise<void> {
  const { nodes } = journal.state
  const parents = [...nodes.values()].filter(({ children }) => children.length > 0)
  for (const parent of parents.sort((a, b) => b.depth - a.depth || byPosition(a.id, b.id))) {
    const isOpen = !isNodeOver(parent.status) && childrenIn(journal, parent).every(({ status }) => isNodeOver(status))
    if (isOpen) await completeNode(journal, parent.id, { status: parentStatus(parent, subquestionsOf(parent, nodes)) })
  }
}

function childrenIn(journal: Journal, { children }: NodeState): NodeState[] {
  return children.map((child) => nodeOf({ journal }, child))
}

function parentStatus(parent: NodeState, children: readonly NodeState[]): NodeState['status'] {
  const isAnswered = children.length > 0 && children.every(({ status }) => status === 'answered')
  if (parent.sufficiency?.is_sufficient || isAnswered) return 'answered'
  const isNothing = parent.findings.length === 0 && children.every(({ status }) => status === 'unresolved')
  return isNothing ? 'unresolved' : 'partial'
}
