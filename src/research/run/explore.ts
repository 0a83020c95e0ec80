/** Explores one question of the tree: searches, judges the findings, and divides the question if they are not enough. */

import { MAX_CHILDREN } from '../settings.ts'
import { allotmentOf } from './allotment.ts'
import { type Sufficiency, uniqueKinds } from './evidence.ts'
import { completeNode, completeParents, type ExploreParts, NodeLookup, nodeOf, runStage, taskOf } from './node-work.ts'
import type { RouterTask } from './stages.ts'
import type { RunState } from './state.ts'
import { type NodeState, ROUTED_ADDED } from './tree.ts'

/** Explores a node. Returns its children, which are explored next; empty if a person may change the plan first. */
export async function explore(parts: ExploreParts, id: string): Promise<readonly string[]> {
  const { journal, settings } = parts
  const { isAdded, question } = nodeOf(parts, id)
  // A question that was added to a finished run gets the items of the root that fit it.
  if (isAdded)
    await routeItems(parts, id, { from: '1', name: ROUTED_ADDED, key: 'added', gaps: [], children: [{ id, question }] })
  await beginNode(parts, id)
  const { findings, sufficiency } = await exploreQuestion(parts, id)
  let failure: string | undefined
  const isPlan = settings.plan && id === '1'
  if (!sufficiency.is_sufficient || isPlan) {
    failure = await divideQuestion(parts, id, sufficiency)
    if (isPlan && !journal.hasEvent('plan_ready', { node: id })) {
      await journal.append('plan_ready', { node: id, payload: { children: questionsOf(parts, id) } })
      return []
    }
    const { children } = nodeOf(parts, id)
    if (children.length > 0) {
      const { gaps } = sufficiency
      await routeItems(parts, id, { from: id, name: 'router', gaps, children: questionsOf(parts, id) })
      return children
    }
  }
  const status = sufficiency.is_sufficient ? 'answered' : findings.length > 0 ? 'partial' : 'unresolved'
  await completeNode(journal, id, { status, fallback_reason: failure })
  await completeParents(journal)
  return []
}

async function beginNode(parts: ExploreParts, id: string): Promise<void> {
  const { journal } = parts
  const { question, depth, slice } = taskOf(parts, id)
  await journal.append('node_started', { node: id, payload: { question, depth, parent: nodeOf(parts, id).parent } })
  const payload = { depth, selected_items_count: slice.selected_items.length, mode: slice.mode }
  await journal.append('context_for_node_ready', { node: id, payload })
}

/** Searches for a question, lets its stage work on the evidence, and writes the events. */
async function exploreQuestion(from: ExploreParts, id: string) {
  const { journal, files, stages, sources } = from
  const lookup = new NodeLookup(from, id)
  const passages = await lookup.searchFirst()
  const task = taskOf(from, id)
  const parts = await journal.work(id, 'parts', () => files.assess(task.question, passages))
  const { state } = journal
  const above = ancestryOf(state, id).filter((other) => other.id !== id)
  const exploreTask = {
    ...task,
    node: id,
    parts,
    passages,
    sources,
    assess: files.assess,
    known: above.flatMap(({ findings }) => findings),
    today: state.today,
    ...(id === '1' && state.brief && { brief: state.brief }),
    ...(lookup.isPossible && { search: (text: string) => lookup.searchMore(text), unread: () => lookup.unread() }),
  }
  const done = await runStage(from, { id, name: 'synthesis' }, (limits) => stages.explore(exploreTask, limits))
  const { value: findings, sufficiency, failed } = done
  const evidence = uniqueKinds(findings.map(({ kind }) => kind))
  const payload = { findings_count: findings.length, evidence, fallback_reason: failed }
  await journal.append('node_synthesized', { node: id, payload })
  await journal.append('node_sufficiency', { node: id, payload: { ...sufficiency } })
  return { findings, sufficiency }
}

/** Divides a question if the tree may still grow. Returns why the model failed; undefined if it did not fail. */
async function divideQuestion(parts: ExploreParts, id: string, { gaps }: Sufficiency): Promise<string | undefined> {
  const { journal, settings } = parts
  const { depth, isPinned } = nodeOf(parts, id)
  const maximum = Math.min(MAX_CHILDREN, allotmentOf(journal.state, settings.budget, id).nodes)
  // A pinned question is never divided into subquestions.
  if (isPinned || depth >= settings.budget.depth) return undefined
  if (maximum < 2) {
    await journal.append('budget_exhausted', { node: id, key: 'nodes', payload: { what: 'nodes' } })
    return undefined
  }
  const asked = ancestryOf(journal.state, id).map(({ question }) => question)
  const task = { ...taskOf(parts, id), gaps, asked, maximum }
  const decomposed = await runStage(parts, { id, name: 'decompose' }, (limits) => parts.stages.decompose(task, limits))
  const questions = decomposed.value.filter((question) => !asked.includes(question)).slice(0, maximum)
  if (questions.length > 0) {
    const children = questions.map((question, at) => ({ id: `${id}.${at + 1}`, question }))
    await journal.append('node_decomposed', { node: id, payload: { children, fallback_reason: decomposed.failed } })
  }
  return decomposed.failed
}

/** A node and its ancestors. Siblings are left out, because which of them exist already depends on timing. */
function ancestryOf({ nodes }: RunState, id: string): NodeState[] {
  return [...nodes.values()].filter((other) => other.id === id || id.startsWith(`${other.id}.`))
}

function questionsOf(parts: ExploreParts, id: string) {
  return nodeOf(parts, id).children.map((child) => ({ id: child, question: nodeOf(parts, child).question }))
}

interface ItemRouting extends Pick<RouterTask, 'gaps' | 'children'> {
  /** Id of the node that divides its items. */
  readonly from: string
  /** Key of the result in the log. */
  readonly name: string
  readonly key?: string
}

/** Divides the items of a node among questions, with one call for all questions. */
async function routeItems(parts: ExploreParts, id: string, routing: ItemRouting): Promise<void> {
  const { from, name, key, gaps, children } = routing
  const { journal, stages } = parts
  await journal.append('context_routing_started', { node: id, key, payload: { children_count: children.length } })
  const index = journal.state.bundle?.routing_index
  const task = { ...taskOf(parts, from), gaps, children, ...(index && { index }) }
  const { value, failed } = await runStage(parts, { id, name }, (limits) => stages.router(task, limits))
  const { selected_items: items } = task.slice
  for (const child of children) {
    const isFallback = failed !== undefined || value.choices[child.id]?.isFallback === true
    const reason = failed ?? 'The router left out this question.'
    if (isFallback) await journal.append('context_routing_failed', { node: child.id, payload: { reason } })
    const chosen = new Set(value.choices[child.id]?.item_ids)
    const selected_items_count = items.filter((item) => chosen.has(item.id)).length
    const payload = {
      mode: items.length === 0 ? 'none' : isFallback ? 'fallback' : 'routed',
      selected_items_count,
      dropped_items_count: items.length - selected_items_count,
      unknown_ids_count: value.unknown,
    }
    await journal.append('context_routing_completed', { node: child.id, payload })
  }
}
