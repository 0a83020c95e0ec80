/** Explores one question of the tree: looks it up, judges what was found, and divides it where that is not enough. */

import type { ReportSources } from '../report/sources.ts'
import { EXTRACTIVE, MOST_CHILDREN, type RunSettings, type Stage } from '../settings.ts'
import { type Allotment, allotmentOf, less } from './allotment.ts'
import { DIGESTED } from './bind.ts'
import type { DigestItem, EvidencePassage, Sufficiency } from './evidence.ts'
import type { Journal } from './journal.ts'
import {
  type LookupPlaces,
  type LookupResult,
  lookUpCollections,
  mergeHits,
  type PageCache,
  searchWeb,
} from './lookup.ts'
import { answeredOf } from './question-evidence.ts'
import { readPages, tellUsedUp, webBefore } from './read-pages.ts'
import { settle } from './settle.ts'
import type { ChildTask, Done, NodeTask, TaskOf, ValueOf, Workers } from './stages.ts'

import type { OpenedFiles } from './text-thread.ts'
import { FOUND_ADDED, type NodeState, ROUTED_ADDED } from './tree.ts'

export interface ExploreParts {
  readonly journal: Journal
  readonly settings: RunSettings
  readonly workers: Workers
  readonly places: LookupPlaces & PageCache
  readonly sources: ReportSources
  readonly files: OpenedFiles
  readonly signal: AbortSignal
}

/** Explores a node. Gives its children; `planned`: a person is to look at them first. */
export async function explore(parts: ExploreParts, id: string): Promise<readonly string[] | 'planned'> {
  const { journal, settings } = parts
  if (nodeOf(parts, id).isAdded) await routeAdded(parts, id)
  await begin(parts, nodeOf(parts, id))
  const passages = await lookUp(parts, id)
  const { findings, sufficiency, isAnswered } = await judgeEvidence(parts, id, passages)
  const isPlan = settings.plan && id === '1'
  if (!sufficiency.is_sufficient || isPlan) {
    await divideQuestion(parts, id, sufficiency)
    if (isPlan && !journal.state.isPlanApproved) {
      await journal.tell('plan_ready', { node: id, told: { children: questionsOf(parts, id) } })
      return 'planned'
    }
    const { children } = nodeOf(parts, id)
    if (children.length > 0) {
      await routeToChildren(parts, id, sufficiency.gaps)
      return children
    }
  }
  const status = sufficiency.is_sufficient || isAnswered ? 'answered' : findings.length > 0 ? 'partial' : 'unresolved'
  await settle(journal, id, status)
  return []
}

async function begin({ journal }: ExploreParts, { id, question, depth, parent, slice }: NodeState): Promise<void> {
  await journal.tell('node_started', { node: id, told: { question, depth, parent } })
  const selected_items_count = slice?.selected_items.length ?? 0
  await journal.tell('context_for_node_ready', {
    node: id,
    told: { depth, selected_items_count, mode: slice?.mode ?? 'none' },
  })
}

function nodeOf({ journal }: ExploreParts, id: string): NodeState {
  const node = journal.state.nodes.get(id)
  if (!node) throw new Error(`There is no node ${id}.`)
  return node
}

function taskOf(parts: ExploreParts, id: string): NodeTask {
  const { question, depth, slice } = nodeOf(parts, id)
  const none = { node_id: id, selection_reason: '', selected_items: [], coverage_note: '', dropped_items_count: 0 }
  const headingsOf = (ref: string) => parts.sources.span(ref)?.headings ?? []
  return { task: parts.journal.state.question, question, depth, slice: slice ?? { ...none, mode: 'none' }, headingsOf }
}

interface StageOfNode<One extends Stage> {
  readonly id: string
  readonly stage: One
  readonly task: TaskOf<One>
  /** What it is kept by; default the stage. */
  readonly name?: string
}

/** Has a stage done for a node, within what the node may take; tells when that is used up. */
async function runStage<One extends Stage>(
  { journal, settings, workers, signal }: ExploreParts,
  { id, stage, task, name = stage }: StageOfNode<One>,
): Promise<Done<ValueOf<One>>> {
  const left = leftFor({ journal, settings }, id)
  const most = { calls: left.calls, input: left.tokens, output: left.tokens, cost: left.cost }
  const done: Done<ValueOf<One>> = await journal.work(id, name, () => workers[stage](task, signal, most))
  const { exhausted } = done
  if (exhausted) await journal.tell('budget_exhausted', { node: id, key: exhausted, told: { what: exhausted } })
  return done
}

/** What a node may take still. */
function leftFor({ journal: { state }, settings }: Pick<ExploreParts, 'journal' | 'settings'>, id: string): Allotment {
  return less(allotmentOf(state, settings.budget, id), state.spentBy(id))
}

/** Why a stage was not done by its model. */
function fallbackOf({ failed }: Done<unknown>): object {
  return failed === undefined ? {} : { fallback_reason: failed }
}

/** The passages that speak of a node's question. */
async function lookUp(parts: ExploreParts, id: string): Promise<readonly EvidencePassage[]> {
  const { journal, settings, places, signal } = parts
  const earlier = id === '1' ? earlierOf(parts) : []
  const hasCollections = places.collections !== undefined && settings.collections !== false
  if (!hasCollections && settings.web === false) return earlier
  const { slice, ...asked } = taskOf(parts, id)
  const task = settings.contextInQueries ? { ...asked, slice } : asked
  const planned = await runStage(parts, { id, stage: 'queries', task })
  const queries = planned.value
  await journal.tell('queries_planned', { node: id, told: { queries, ...fallbackOf(planned) } })
  const sources = [
    ...(hasCollections ? ['collections' as const] : []),
    ...(settings.web === false ? [] : ['web' as const]),
  ]
  const { searches: most } = leftFor(parts, id)
  const searches = queries
    .flatMap((query) => sources.map((source) => ({ query, source })))
    .filter(({ source }, at, all) => source !== 'web' || webBefore(all, at) < most)
  if (searches.length < queries.length * sources.length) await tellUsedUp(journal, id, 'searches')
  const options = { settings, question: journal.state.question, signal }
  const found = await Promise.all(
    searches.map(({ query, source }, at) => {
      const search = source === 'web' ? searchWeb : lookUpCollections
      return journal.work(id, `search-${at}`, () => search(places, query, options))
    }),
  )
  for (const [at, one] of found.entries()) await tellSearch(journal, id, { ...one, at })
  const hits = mergeHits(found.map((one) => one.hits))
  const pages = await readPages({ ...parts, most: leftFor(parts, id).pages }, id, hits)
  return [...earlier, ...found.flatMap(({ passages }) => passages), ...pages]
}

async function tellSearch(
  journal: Journal,
  id: string,
  { at, source, query, passages, hits, error }: LookupResult & { readonly at: number },
) {
  const told = { query, source, results_count: passages.length + hits.length, ...(error !== undefined && { error }) }
  await journal.tell('search_completed', { node: id, key: String(at), told })
}

/** What the session before found out. */
function earlierOf({ journal }: ExploreParts): readonly EvidencePassage[] {
  const earlier = journal.state.made.get('earlier') as { readonly passages: readonly EvidencePassage[] } | undefined
  return earlier?.passages ?? []
}

async function judgeEvidence(from: ExploreParts, id: string, passages: readonly EvidencePassage[]) {
  const { journal, files } = from
  const task = taskOf(from, id)
  const parts = await journal.work(id, 'parts', () => files.assess(task.question, passages))
  const synthesis = await runStage(from, { id, stage: 'synthesis', task: { ...task, parts, passages } })
  const findings = synthesis.value
  const evidence = [...new Set(findings.map(({ kind }) => kind))].sort()
  await journal.tell('node_synthesized', {
    node: id,
    told: { findings_count: findings.length, evidence, ...fallbackOf(synthesis) },
  })
  const judging = await runStage(from, { id, stage: 'sufficiency', task: { ...task, parts, findings } })
  const sufficiency = judging.value
  await journal.tell('node_sufficiency', { node: id, told: { ...sufficiency, ...fallbackOf(judging) } })
  // Of a question that could be divided no further each part may have its answer all the same.
  const isAnswered = judging.by === EXTRACTIVE && answeredOf(parts) === 'yes'
  return { findings, sufficiency, isAnswered }
}

/** Divides a question, where the tree may still grow. */
async function divideQuestion(parts: ExploreParts, id: string, { gaps }: Sufficiency): Promise<void> {
  const { journal, settings } = parts
  const { depth, isPinned, parts: assessed } = nodeOf(parts, id)
  const { nodes } = allotmentOf(journal.state, settings.budget, id)
  const most = Math.min(MOST_CHILDREN, nodes)
  // A person who pins a question wants that one answered, and no others in its place.
  if (isPinned || depth >= settings.budget.depth) return
  if (most < 2) {
    await journal.tell('budget_exhausted', { node: id, key: 'nodes', told: { what: 'nodes' } })
    return
  }
  const asked = [...journal.state.nodes.values()]
    .filter((other) => isAbove(other.id, id))
    .map(({ question }) => question)
  const task = { ...taskOf(parts, id), parts: assessed, gaps, asked, most }
  const decomposed = await runStage(parts, { id, stage: 'decompose', task })
  const questions = decomposed.value.filter((question) => !asked.includes(question)).slice(0, most)
  if (questions.length > 0) {
    const children = questions.map((question, at) => ({ id: `${id}.${at + 1}`, question }))
    await journal.tell('node_decomposed', { node: id, told: { children, ...fallbackOf(decomposed) } })
  }
}

/** Itself, and those that it came of: siblings are not asked, since they may not be there yet. */
function isAbove(other: string, id: string): boolean {
  return other === id || id.startsWith(`${other}.`)
}

function questionsOf({ journal }: ExploreParts, id: string) {
  const children = journal.state.nodes.get(id)?.children ?? []
  return children.map((child) => ({ id: child, question: journal.state.nodes.get(child)?.question ?? '' }))
}

/** Divides what a node knows among its children, with one call for all of them. */
async function routeToChildren(parts: ExploreParts, id: string, gaps: readonly string[]): Promise<void> {
  const { journal } = parts
  const children = questionsOf(parts, id)
  const found = await journal.work(id, 'found', async () => neededBy(parts, children))
  await journal.tell('context_routing_started', { node: id, told: { children_count: children.length } })
  const task = { ...taskOf(parts, id), gaps, children }
  await tellRouted(parts, { task, ...(await runStage(parts, { id, stage: 'router', task })), found, owner: id })
}

/** Gives a question that was asked of a run that was over its part of what the root knows. */
async function routeAdded(parts: ExploreParts, id: string): Promise<void> {
  const { journal } = parts
  const children = [{ id, question: nodeOf(parts, id).question }]
  const found = await journal.work(id, FOUND_ADDED, async () => neededBy(parts, children))
  await journal.tell('context_routing_started', { node: id, key: 'added', told: { children_count: 1 } })
  const task = { ...taskOf(parts, '1'), gaps: [], children }
  const routed = await runStage(parts, { id, stage: 'router', task, name: ROUTED_ADDED })
  await tellRouted(parts, { task, ...routed, found, owner: id })
}

interface RoutedChildren extends Pick<Done<ValueOf<'router'>>, 'value' | 'failed'> {
  readonly task: TaskOf<'router'>
  /** What each child needs of the files. */
  readonly found: Readonly<Record<string, readonly DigestItem[]>>
  /** The node whose work it was. */
  readonly owner: string
}

async function tellRouted(
  { journal }: ExploreParts,
  { task, failed, value, found, owner }: RoutedChildren,
): Promise<void> {
  const { selected_items: items } = task.slice
  for (const child of task.children) {
    const isFallback = failed !== undefined || value.choices[child.id]?.isFallback === true
    const reason = failed ?? 'The router forgot this question.'
    if (isFallback) await journal.tell('context_routing_failed', { node: child.id, told: { reason } }, owner)
    const needed = found[child.id]?.map((item) => item.id) ?? []
    const chosen = new Set([...(value.choices[child.id]?.item_ids ?? []), ...needed])
    const selected_items_count = items.filter((item) => chosen.has(item.id)).length
    const told = {
      mode: items.length === 0 ? 'none' : isFallback ? 'fallback' : 'routed',
      selected_items_count,
      dropped_items_count: items.length - selected_items_count,
      unknown_ids_count: value.unknown,
    }
    await journal.tell('context_routing_completed', { node: child.id, told }, owner)
  }
}

/** What each question needs of the files, as items, by its id. */
async function neededBy(
  { journal, files }: ExploreParts,
  children: readonly ChildTask[],
): Promise<Readonly<Record<string, readonly DigestItem[]>>> {
  const items = journal.state.bundle?.aggregate_digest.items ?? []
  const digested = Number(journal.state.made.get(DIGESTED) ?? items.length)
  const digest = items.slice(0, digested)
  const needed = children.map(
    async ({ id, question }) => [id, await files.itemsFor(question, digest, digested)] as const,
  )
  return Object.fromEntries(await Promise.all(needed))
}
