/** Explores one question of the tree: looks it up, judges what was found, and divides it where that is not enough. */

import { isExtractive, MOST_CHILDREN } from '../settings.ts'
import { allotmentOf } from './allotment.ts'
import { DIGESTED } from './bind.ts'
import type { DigestItem, EvidenceItem, EvidencePassage, PartEvidence, Sufficiency } from './evidence.ts'
import { lookUp, type NodeLookup } from './node-lookup.ts'
import { type ExploreParts, fallbackOf, nodeOf, roundName, runStage, runWork, taskOf } from './node-work.ts'
import { settle } from './settle.ts'
import type { Explored, ExploreTask } from './staff.ts'
import { type ChildTask, type Done, NOTHING_SPENT, type TaskOf, type ValueOf } from './stages.ts'
import { FOUND_ADDED, type NodeState, ROUTED_ADDED } from './tree.ts'

/** Explores a node. Gives its children; `planned`: a person is to look at them first. */
export async function explore(parts: ExploreParts, id: string): Promise<readonly string[] | 'planned'> {
  const { journal, settings } = parts
  if (nodeOf(parts, id).isAdded) await routeAdded(parts, id)
  await begin(parts, nodeOf(parts, id))
  const looked = await lookUp(parts, id)
  const judged = await judgeEvidence(parts, id, { passages: looked.passages })
  const { sufficiency } = judged
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
  const { findings, ...last } = await searchAgain(parts, id, { looked, judged })
  const status = last.sufficiency.is_sufficient ? 'answered' : findings.length > 0 ? 'partial' : 'unresolved'
  await settle(journal, id, status)
  return []
}

/** What was found of a question, and whether that is enough. */
interface Judged {
  readonly findings: readonly EvidenceItem[]
  readonly parts: readonly PartEvidence[]
  readonly sufficiency: Sufficiency
}

/** Rounds of searching for what is missing, after the first search of a question. */
const MOST_ROUNDS = 5

/** Searches the web for what is missing of a question that is not divided: until nothing is, or nothing new is found. */
async function searchAgain(
  from: ExploreParts,
  id: string,
  first: { readonly looked: NodeLookup; readonly judged: Judged },
): Promise<Judged> {
  let { looked, judged } = first
  if (from.settings.web === false) return judged
  for (let round = 1; round <= MOST_ROUNDS && !judged.sufficiency.is_sufficient; round++) {
    const { sufficiency, parts } = judged
    const more = await lookUp(from, id, { round, before: looked, gaps: sufficiency.gaps, parts })
    if (more.passages.length === looked.passages.length) return judged
    looked = more
    judged = await judgeEvidence(from, id, { passages: looked.passages, round, gaps: sufficiency.gaps })
  }
  return judged
}

async function begin({ journal }: ExploreParts, { id, question, depth, parent, slice }: NodeState): Promise<void> {
  await journal.tell('node_started', { node: id, told: { question, depth, parent } })
  const selected_items_count = slice?.selected_items.length ?? 0
  await journal.tell('context_for_node_ready', {
    node: id,
    told: { depth, selected_items_count, mode: slice?.mode ?? 'none' },
  })
}

interface JudgedEvidence {
  readonly passages: readonly EvidencePassage[]
  readonly round?: number
  /** What was missing before. */
  readonly gaps?: readonly string[]
}

/** Whoever works on a question says whether what was found is enough. */
function judgedBy({ sufficiency, by }: Explored): Done<Sufficiency> {
  return { value: sufficiency, spent: NOTHING_SPENT, by }
}

function exploreTask(
  from: ExploreParts,
  id: string,
  looking: Omit<ExploreTask, 'node' | 'today' | 'sources' | 'known'>,
): ExploreTask {
  const { state } = from.journal
  const above = [...state.nodes.values()].filter((other) => other.id !== id && isAbove(other.id, id))
  const today = state.startedAt?.slice(0, 10)
  const known = above.flatMap(({ findings }) => findings)
  return { ...looking, node: id, ...(today !== undefined && { today }), sources: from.sources, known }
}

async function judgeEvidence(
  from: ExploreParts,
  id: string,
  { passages, round = 0, gaps = [] }: JudgedEvidence,
): Promise<Judged> {
  const { journal, files } = from
  const task = taskOf(from, id)
  const name = (stage: string) => roundName(stage, round)
  const key = round > 0 ? { key: String(round) } : {}
  const numbered = round > 0 ? { round } : {}
  const parts = await journal.work(id, name('parts'), () => files.assess(task.question, passages))
  const { explore } = from.workers
  const looking = { ...task, parts, passages }
  const explored =
    explore &&
    (await runWork(from, { id, name: name('synthesis') }, (signal, most) =>
      explore(exploreTask(from, id, { ...looking, gaps }), signal, most),
    ))
  const synthesis =
    explored ?? (await runStage(from, { id, stage: 'synthesis', task: looking, name: name('synthesis') }))
  const findings = synthesis.value
  const evidence = [...new Set(findings.map(({ kind }) => kind))].sort()
  await journal.tell('node_synthesized', {
    node: id,
    ...key,
    told: { findings_count: findings.length, evidence, ...numbered, ...fallbackOf(synthesis) },
  })
  const judging = explored
    ? await journal.work(id, name('sufficiency'), async () => judgedBy(explored))
    : await runStage(from, { id, stage: 'sufficiency', task: { ...task, parts, findings }, name: name('sufficiency') })
  const sufficiency = judging.value
  await journal.tell('node_sufficiency', {
    node: id,
    ...key,
    told: { ...sufficiency, ...numbered, ...fallbackOf(judging) },
  })
  return { findings, parts, sufficiency }
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
  { journal, files, settings }: ExploreParts,
  children: readonly ChildTask[],
): Promise<Readonly<Record<string, readonly DigestItem[]>>> {
  // A model chooses by what items say: what words would add is noise.
  if (!isExtractive(settings.models.router)) return {}
  const items = journal.state.bundle?.aggregate_digest.items ?? []
  const digested = Number(journal.state.made.get(DIGESTED) ?? items.length)
  const digest = items.slice(0, digested)
  const needed = children.map(
    async ({ id, question }) => [id, await files.itemsFor(question, digest, digested)] as const,
  )
  return Object.fromEntries(await Promise.all(needed))
}
