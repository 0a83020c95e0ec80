/** What is done for one question of the tree, within what that may take. */

import type { ReportSources } from '../report/sources.ts'
import type { RunSettings } from '../settings.ts'
import { type Allotment, allotmentOf, less } from './allotment.ts'
import type { Journal } from './journal.ts'
import type { LookupPlaces, PageCache } from './lookup.ts'
import { addSpent, type Done, type NodeTask, type StageLimits, type Stages } from './stages.ts'
import type { OpenedFiles } from './text-thread.ts'
import type { NodeState } from './tree.ts'

export interface ExploreParts {
  readonly journal: Journal
  readonly settings: RunSettings
  readonly stages: Stages
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
  return { task: parts.journal.state.question, question, depth, slice: slice ?? { ...none, mode: 'none' } }
}

/** Does a piece of work for a node, within what the node may take; tells when that is used up. `name`: it is kept by. */
export async function runStage<Value extends Pick<Done<unknown>, 'exhausted'>>(
  { journal, settings, signal }: ExploreParts,
  { id, name }: { readonly id: string; readonly name: string },
  work: (limits: StageLimits) => Promise<Value>,
): Promise<Value> {
  const left = leftFor({ journal, settings }, id)
  const most = { calls: left.calls, input: left.tokens, output: left.tokens, cost: left.cost }
  const done = await journal.work(id, name, () => work({ signal, most }))
  const { exhausted } = done
  if (exhausted) await journal.tell('budget_exhausted', { node: id, key: exhausted, payload: { what: exhausted } })
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
