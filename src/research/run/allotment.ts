/**
 * The limits of each node. They are divided down the tree, regardless of speed: a branch gets the same whichever of its
 * siblings was faster, so the tree does not depend on concurrency.
 */

import { Deadline } from '../../core/steps.ts'
import type { ReportSources } from '../report/sources.ts'
import { type Budget, RESERVE, type RunSettings } from '../settings.ts'
import type { Journal } from './journal.ts'
import {
  addSpent,
  type Done,
  leftOf,
  NOTHING_SPENT,
  type Spent,
  type StageLimits,
  type Stages,
  type UsageLimits,
  withoutCost,
} from './stages.ts'
import type { RunState } from './state.ts'
import type { NodeState } from './tree.ts'

export interface Allotment extends UsageLimits {
  /** Maximum nodes below it. */
  readonly nodes: number
  /** Maximum web searches, and pages to read. */
  readonly searches: number
  readonly pages: number
}

/** Share of the time of a run for the tree; the rest is for the report. */
export const TREE_SHARE = 0.9

/** The part of the limits of a run that is reserved for its report. */
export function reserveOf({ calls, tokens, cost = Number.POSITIVE_INFINITY }: Budget): UsageLimits {
  const most = (all: number) => (Number.isFinite(all) ? all * RESERVE.share : all)
  const kept = Math.min(RESERVE.calls, Math.max(1, Math.floor(calls / 4)))
  return { calls: Math.min(calls, kept), tokens: Math.floor(most(tokens)), cost: most(cost) }
}

/** Limits of a node and all below it, before any use. */
export function allotmentOf(state: RunState, budget: Budget, id: string): Allotment {
  const node = state.nodes.get(id)
  const parent = node?.parent == null ? undefined : state.nodes.get(node.parent)
  if (node?.isAdded) return shareOfRound(state, budget, id)
  return parent ? shareOf(state, budget, { parent, id }) : wholeOf(state, budget)
}

function wholeOf(state: RunState, budget: Budget): Allotment {
  const files = [...state.made.keys()].flatMap((key) =>
    key.startsWith('file-') ? [key.slice(0, key.indexOf('/'))] : [],
  )
  const bound = [...new Set(files)].map((owner) => state.spentBy(owner)).reduce(addSpent, NOTHING_SPENT)
  return less(beforeReport(budget), bound)
}

/** An equal share of what the run had left when the questions were added. */
function shareOfRound({ round }: RunState, budget: Budget, id: string): Allotment {
  const { ids = [id], spent = NOTHING_SPENT, nodes = 1 } = round ?? {}
  const left = less({ ...beforeReport(budget), nodes: budget.nodes - nodes - ids.length }, spent)
  return divideAllotment(left, ids.length, Math.max(0, ids.indexOf(id)))
}

/** The limits of a run without the reserve for its report. */
function beforeReport(budget: Budget): Allotment {
  const reserve = reserveOf(budget)
  return {
    calls: budget.calls - reserve.calls,
    tokens: budget.tokens - reserve.tokens,
    cost: budget.cost === undefined ? Number.POSITIVE_INFINITY : budget.cost - reserve.cost,
    nodes: budget.nodes - 1,
    searches: budget.searches ?? Number.POSITIVE_INFINITY,
    pages: budget.pages ?? Number.POSITIVE_INFINITY,
  }
}

/** An equal share of what the parent left; the remainder of a division goes to the first. */
function shareOf(
  state: RunState,
  budget: Budget,
  { parent, id }: { readonly parent: NodeState; readonly id: string },
): Allotment {
  const left = less(allotmentOf(state, budget, parent.id), state.spentBy(parent.id))
  const ids = parent.children.filter((child) => !state.nodes.get(child)?.isAdded)
  const [nodes, at] = [Math.max(0, left.nodes - ids.length), ids.indexOf(id)]
  const share = divideAllotment({ ...left, nodes }, ids.length, at)
  // A question is divided into at least two: if there are too few nodes, the first questions get two each.
  return nodes < 2 * ids.length ? { ...share, nodes: Math.min(2, Math.max(0, nodes - 2 * at)) } : share
}

function divideAllotment(left: Allotment, count: number, at: number): Allotment {
  const whole = (all: number) => (Number.isFinite(all) ? Math.floor(all / count) + (at < all % count ? 1 : 0) : all)
  return {
    calls: whole(left.calls),
    tokens: whole(left.tokens),
    cost: left.cost / count,
    nodes: whole(Math.max(0, left.nodes)),
    searches: whole(left.searches),
    pages: whole(left.pages),
  }
}

/** Limits minus usage. */
export function less(all: Allotment, spent: Spent): Allotment {
  const left = (limit: number, used = 0) => Math.max(0, limit - used)
  const web = { searches: left(all.searches, spent.searches), pages: left(all.pages, spent.pages) }
  return { ...all, ...leftOf(all, spent), ...web }
}

export type ReportEnd = 'run_completed' | 'run_aborted'

export interface ReportWork {
  readonly journal: Journal
  readonly settings: RunSettings
  readonly stages: Stages
  readonly sources: ReportSources
  readonly end: ReportEnd
  /** For a report that is written again: the number of the last entry before. Default: 0. */
  readonly again?: number
  readonly signal: AbortSignal
}

/** Minimum milliseconds for a report. */
const LEAST_MS = 500

/** The pieces of work of one report. Each result is stored in the log; each piece has the limits that earlier ones left. */
export class ReportWorks implements Disposable {
  readonly #parts: ReportWork
  readonly #late: Deadline
  readonly #key: string
  readonly #done = new Set<string>()

  constructor(parts: ReportWork) {
    const { journal, settings, again = 0 } = parts
    this.#parts = parts
    this.#key = again > 0 ? `report-${again}` : 'report'
    this.#late = new Deadline(Math.max(LEAST_MS, settings.budget.ms - journal.state.workedMs))
  }

  [Symbol.dispose](): void {
    this.#late[Symbol.dispose]()
  }

  /** `substitute`: the value if the time of the run is over. A limit that is reached becomes an event. */
  async run<Value>(
    name: string,
    work: (limits: StageLimits) => Promise<Done<Value>>,
    substitute: Value,
  ): Promise<Done<Value>> {
    const { journal, signal } = this.#parts
    const key = name === '' ? this.#key : `${this.#key}-${name}`
    const done = await journal.work('', key, () =>
      work({ signal: this.#late.or(signal), most: this.#left() }).catch((error: unknown): Done<Value> => {
        if (!this.#late.isOver || signal.aborted) throw error
        const failed = name === '' ? { failed: 'The time of the run was over.' } : {}
        return { ...withoutCost(substitute), ...failed, exhausted: 'ms' }
      }),
    )
    this.#done.add(`/${key}`)
    const { exhausted: what } = done
    // The end of the time is one event per run, whichever stage it ends.
    if (what)
      await journal.tell('budget_exhausted', { key: what === 'ms' ? what : `${key}-${what}`, payload: { what } })
    return done
  }

  /** All results, without those of other reports. */
  get made(): ReadonlyMap<string, unknown> {
    const { journal } = this.#parts
    const all = [...journal.state.made, ...Object.entries(journal.pending(''))]
    return new Map(all.filter(([key]) => !key.startsWith('/report') || this.#done.has(key)))
  }

  /** Usage that is not in the state. */
  get spent(): Spent {
    return this.#parts.journal.pendingSpent('')
  }

  #left(): UsageLimits {
    const { journal, settings } = this.#parts
    const whole = { cost: Number.POSITIVE_INFINITY, ...settings.budget }
    return leftOf(whole, addSpent(journal.state.spent, this.spent))
  }
}
