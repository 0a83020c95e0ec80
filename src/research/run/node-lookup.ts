/** Looks up what a question of the tree needs: once, and again for what is missing then. */

import type { WebResult } from '../../internet/web-search.ts'
import { pageAddress } from '../web/copies.ts'
import type { EvidencePassage, PartEvidence } from './evidence.ts'
import type { Journal } from './journal.ts'
import { type LookupResult, lookUpCollections, mergeHits, type PageRead, searchWeb } from './lookup.ts'
import { type ExploreParts, fallbackOf, leftFor, roundName, runStage, taskOf } from './node-work.ts'
import { readPages, tellUsedUp, webBefore } from './read-pages.ts'

/** What was looked up for a node until now. */
export interface NodeLookup {
  readonly passages: readonly EvidencePassage[]
  readonly queries: readonly string[]
  /** Pages that were asked for, and what came of each. */
  readonly read: readonly PageRead[]
}

/** A further round of looking up: what is missing, and what was looked up before. */
export interface LookupRound {
  /** From 1. */
  readonly round: number
  readonly before: NodeLookup
  readonly gaps: readonly string[]
  readonly parts: readonly PartEvidence[]
}

const NOTHING: NodeLookup = { passages: [], queries: [], read: [] }

/** Numbers of searches and pages of one round: each is kept by its number. */
const NUMBERS = 100

/** With what a round adds to what was looked up before. */
export async function lookUp(parts: ExploreParts, id: string, again?: LookupRound): Promise<NodeLookup> {
  const { journal, settings, places, signal } = parts
  const { round = 0, before = NOTHING } = again ?? {}
  const earlier = again ? before.passages : id === '1' ? earlierOf(parts) : []
  const hasCollections = places.collections !== undefined && settings.collections !== false
  if (!hasCollections && settings.web === false) return { ...before, passages: earlier }
  const queries = await planQueries(parts, id, again)
  const sources = [
    ...(hasCollections ? ['collections' as const] : []),
    ...(settings.web === false ? [] : ['web' as const]),
  ]
  const all = queries.flatMap((query) => sources.map((source) => ({ query, source })))
  const most = await mostOf(parts, id, roundName('may-search', round))
  const searches = all.filter(({ source }, at) => source !== 'web' || webBefore(all, at) < most.searches)
  if (searches.length < all.length) await tellUsedUp(journal, id, 'searches')
  const options = { settings, question: journal.state.question, signal }
  const found = await Promise.all(
    searches.map(({ query, source }, at) => {
      const search = source === 'web' ? searchWeb : lookUpCollections
      return journal.work(id, `search-${round * NUMBERS + at}`, () => search(places, query, options))
    }),
  )
  for (const [at, one] of found.entries()) await tellSearch(journal, id, { ...one, at: round * NUMBERS + at })
  const hits = newHits(mergeHits(found.map((one) => one.hits)), before.read)
  const { pages } = await mostOf(parts, id, roundName('may-read', round))
  const read = await readPages({ ...parts, most: pages, first: round * NUMBERS, before: before.read }, id, hits)
  const looked = [...found.flatMap((one) => one.passages), ...read.passages]
  return {
    passages: [...earlier, ...newPassages(looked, earlier)],
    queries: [...before.queries, ...queries],
    read: [...before.read, ...read.read],
  }
}

/** What to search for: nothing that was searched for before. */
async function planQueries(
  parts: ExploreParts,
  id: string,
  again: LookupRound | undefined,
): Promise<readonly string[]> {
  const { journal, settings } = parts
  const { slice, ...asked } = taskOf(parts, id)
  const { round = 0, before = NOTHING, gaps = [], parts: assessed = [] } = again ?? {}
  const more = again ? { gaps, searched: before.queries, parts: assessed } : {}
  const task = { ...asked, ...more, ...(settings.contextInQueries && { slice }) }
  const planned = await runStage(parts, { id, stage: 'queries', task, name: roundName('queries', round) })
  const known = new Set(before.queries.map((query) => query.toLowerCase()))
  const queries = planned.value.filter((query) => !known.has(query.toLowerCase()))
  if (again && queries.length === 0) return []
  const told = { queries, ...(round > 0 && { round }), ...fallbackOf(planned) }
  await journal.tell('queries_planned', { node: id, ...(round > 0 && { key: String(round) }), told })
  return queries
}

/**
 * What a node may ask of the web when a round of it begins. It is kept with the first event of the round: what the round itself
 * has taken by then would be counted twice where a run goes on in the middle of it.
 */
function mostOf(parts: ExploreParts, id: string, name: string): Promise<{ searches: number; pages: number }> {
  return parts.journal.work(id, name, async () => {
    const { searches, pages } = leftFor(parts, id)
    // JSON has no infinity.
    return { searches: Math.min(searches, NUMBERS), pages: Math.min(pages, NUMBERS) }
  })
}

async function tellSearch(
  journal: Journal,
  id: string,
  { at, source, query, passages, hits, error }: LookupResult & { readonly at: number },
) {
  const told = { query, source, results_count: passages.length + hits.length, ...(error !== undefined && { error }) }
  await journal.tell('search_completed', { node: id, key: String(at), told })
}

function newHits(hits: readonly WebResult[], read: readonly PageRead[]): WebResult[] {
  const known = new Set(read.map(({ url }) => pageAddress(url)))
  return hits.filter(({ url }) => !known.has(pageAddress(url)))
}

function newPassages(looked: readonly EvidencePassage[], known: readonly EvidencePassage[]): EvidencePassage[] {
  return looked.filter(({ ref, text }) => !known.some((one) => one.ref === ref && one.text === text))
}

/** What the session before found out. */
function earlierOf({ journal }: ExploreParts): readonly EvidencePassage[] {
  const earlier = journal.state.made.get('earlier') as { readonly passages: readonly EvidencePassage[] } | undefined
  return earlier?.passages ?? []
}
