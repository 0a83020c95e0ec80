/** What is done for one question of the tree, within what that may take. */

import type { ReportSources } from '../report/sources.ts'
import type { RunSettings, Stage } from '../settings.ts'
import { type Allotment, allotmentOf, less } from './allotment.ts'
import type { Journal } from './journal.ts'
import type { LookupPlaces, PageCache } from './lookup.ts'
import type { ModelStaff } from './staff.ts'
import { addSpent, type Done, type NodeTask, type Spent, type TaskOf, type ValueOf, type Workers } from './stages.ts'
import type { OpenedFiles } from './text-thread.ts'
import type { NodeState } from './tree.ts'

export interface ExploreParts {
  readonly journal: Journal
  readonly settings: RunSettings
  readonly workers: ModelStaff
  readonly places: LookupPlaces & PageCache
  readonly sources: ReportSources
  readonly files: OpenedFiles
  readonly signal: AbortSignal
}

export function nodeOf({ journal }: ExploreParts, id: string): NodeState {
  const node = journal.state.nodes.get(id)
  if (!node) throw new Error(`There is no node ${id}.`)
  return node
}

export function taskOf(parts: ExploreParts, id: string): NodeTask {
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
export function runStage<One extends Stage>(
  parts: ExploreParts,
  { id, stage, task, name = stage }: StageOfNode<One>,
): Promise<Done<ValueOf<One>>> {
  const workers: Workers = parts.workers
  return runWork(parts, { id, name }, (signal, most) => workers[stage](task, signal, most))
}

/** As `runStage`, for a piece of work that is no stage by itself. */
export async function runWork<Value extends Pick<Done<unknown>, 'exhausted'>>(
  { journal, settings, signal }: ExploreParts,
  { id, name }: { readonly id: string; readonly name: string },
  work: (signal: AbortSignal, most: Spent) => Promise<Value>,
): Promise<Value> {
  const left = leftFor({ journal, settings }, id)
  const most = { calls: left.calls, input: left.tokens, output: left.tokens, cost: left.cost }
  const done = await journal.work(id, name, () => work(signal, most))
  const { exhausted } = done
  if (exhausted) await journal.tell('budget_exhausted', { node: id, key: exhausted, told: { what: exhausted } })
  return done
}

/** What a node may take still. */
export function leftFor({ journal, settings }: Pick<ExploreParts, 'journal' | 'settings'>, id: string): Allotment {
  const { state } = journal
  return less(allotmentOf(state, settings.budget, id), addSpent(state.spentBy(id), journal.pendingSpent(id)))
}

/** Why a stage was not done by its model. */
export function fallbackOf({ failed }: Done<unknown>): object {
  return failed === undefined ? {} : { fallback_reason: failed }
}

/** By which something is kept that is done in each round of looking a question up. */
export function roundName(name: string, round: number): string {
  return round === 0 ? name : `${name}-${round}`
}
