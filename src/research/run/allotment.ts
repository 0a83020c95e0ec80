/**
 * The limits of each node. They are divided down the tree, regardless of speed: a branch gets the same whichever of its
 * siblings was faster, so the tree does not depend on concurrency.
 */

import { Deadline } from '../../core/steps.ts'
import type { ReportSources } from '../report/sources.ts'
import { type Budget, REPORT_RESERVE, type RunSettings } from '../settings.ts'
import { ownerOf } from './done-work.ts'
import type { Journal } from './journal.ts'
import {
  addUsage,
  NO_USAGE,
  type StageLimits,
  type StageResult,
  type Stages,
  type StageUsage,
  subtractUsage,
  type UsageLimits,
  withoutModel,
} from './stages.ts'
import type { RunState } from './state.ts'

/** Limits of a node. `nodes`: maximum nodes below it. Infinity: no limit. */
export type Allotment = Required<Omit<Budget, 'ms' | 'depth'>>

/** Share of the time of a run for the tree; the rest is for the report. */
export const TREE_SHARE = 0.9

/** Limits of a node and all below it, before any use. */
export function allotmentOf(state: RunState, budget: Budget, id: string): Allotment {
  const node = state.nodes.get(id)
  const parent = node?.parent == null ? undefined : state.nodes.get(node.parent)
  if (node?.isAdded) return roundAllotment(state, budget, id)
  if (!parent) return rootAllotment(state, budget)
  const left = remainingOf(allotmentOf(state, budget, parent.id), state.spentBy(parent.id))
  const ids = parent.children.filter((child) => !state.nodes.get(child)?.isAdded)
  return childAllotment(left, ids.length, ids.indexOf(id))
}

function rootAllotment(state: RunState, budget: Budget): Allotment {
  const files = [...state.results.keys()].filter((key) => key.startsWith('file-')).map(ownerOf)
  const bound = [...new Set(files)].map((owner) => state.spentBy(owner)).reduce(addUsage, NO_USAGE)
  return remainingOf(beforeReport(budget), bound)
}

/** An equal share of what the run had left when the questions were added. */
function roundAllotment({ round }: RunState, budget: Budget, id: string): Allotment {
  const { ids = [id], spent = NO_USAGE, nodes = 1 } = round ?? {}
  const left = remainingOf({ ...beforeReport(budget), nodes: budget.nodes - nodes - ids.length }, spent)
  return divideAllotment(left, ids.length, Math.max(0, ids.indexOf(id)))
}

/** The limits of a run without the reserve for its report. */
export function beforeReport({ calls, tokens, nodes, ...budget }: Budget): Allotment {
  const none = Number.POSITIVE_INFINITY
  const { cost = none, searches = none, pages = none } = budget
  const { share } = REPORT_RESERVE
  const reservedCalls = Math.min(calls, REPORT_RESERVE.calls, Math.max(1, Math.floor(calls / 4)))
  const left = { calls: calls - reservedCalls, tokens: tokens - Math.floor(tokens * share), cost: cost * (1 - share) }
  return { ...left, nodes: nodes - 1, searches, pages }
}

/** An equal share of what the parent left; the remainder of a division goes to the first children. */
function childAllotment(left: Allotment, count: number, at: number): Allotment {
  const nodes = Math.max(0, left.nodes - count)
  const share = divideAllotment({ ...left, nodes }, count, at)
  // A question is divided into at least two: if there are too few nodes, the first questions get two each.
  return nodes < 2 * count ? { ...share, nodes: Math.min(2, Math.max(0, nodes - 2 * at)) } : share
}

function divideAllotment(left: Allotment, count: number, at: number): Allotment {
  const shareOf = (all: number) => Math.floor(all / count) + (at < all % count ? 1 : 0)
  return {
    calls: shareOf(left.calls),
    tokens: shareOf(left.tokens),
    cost: left.cost / count,
    nodes: shareOf(Math.max(0, left.nodes)),
    searches: shareOf(left.searches),
    pages: shareOf(left.pages),
  }
}

/** Limits minus usage. */
export function remainingOf(all: Allotment, spent: StageUsage): Allotment {
  const left = (limit: number, used = 0) => Math.max(0, limit - used)
  const web = { searches: left(all.searches, spent.searches), pages: left(all.pages, spent.pages) }
  return { ...all, ...subtractUsage(all, spent), ...web }
}

export const REPORT_ENDS = ['run_completed', 'run_aborted'] as const
export type ReportEnd = (typeof REPORT_ENDS)[number]

/** The log of a run, its settings, its stages, and the signal that ends it. */
export interface RunWork {
  readonly journal: Journal
  readonly settings: RunSettings
  readonly stages: Stages
  readonly signal: AbortSignal
}

export interface ReportWork extends RunWork {
  readonly sources: ReportSources
  readonly end: ReportEnd
  /** For a report that is written again: the number of the last entry before. Default: 0. */
  readonly again?: number
}

/** Minimum milliseconds for a report. */
const MIN_REPORT_MS = 500

/** The pieces of work of one report. Each result is stored in the log; each piece has the limits that earlier ones left. */
export class ReportStages implements Disposable {
  readonly #parts: ReportWork
  readonly #deadline: Deadline
  readonly #key: string
  readonly #doneKeys = new Set<string>()

  constructor(parts: ReportWork) {
    const { journal, settings, again = 0 } = parts
    this.#parts = parts
    this.#key = again > 0 ? `report-${again}` : 'report'
    this.#deadline = new Deadline(Math.max(MIN_REPORT_MS, settings.budget.ms - journal.state.workedMs))
  }

  [Symbol.dispose](): void {
    this.#deadline[Symbol.dispose]()
  }

  /** `substitute`: the value if the time of the run is over. A limit that is reached becomes an event. */
  async run<Value>(name: string, work: (limits: StageLimits) => Promise<StageResult<Value>>, substitute: Value) {
    const { journal, signal } = this.#parts
    const key = name === '' ? this.#key : `${this.#key}-${name}`
    const done = await journal.work('', key, () =>
      work({ signal: this.#deadline.or(signal), limits: this.#left() }).catch((error: unknown): StageResult<Value> => {
        if (!this.#deadline.isOver || signal.aborted) throw error
        const failed = name === '' ? { failed: 'The time of the run was over.' } : {}
        return { ...withoutModel(substitute), ...failed, exhausted: 'ms' }
      }),
    )
    this.#doneKeys.add(`/${key}`)
    const { exhausted: what } = done
    // The end of the time is one event per run, whichever stage it ends.
    if (what)
      await journal.append('budget_exhausted', { key: what === 'ms' ? what : `${key}-${what}`, payload: { what } })
    return done
  }

  /** All results, without results of other reports. */
  get results(): ReadonlyMap<string, unknown> {
    const { journal } = this.#parts
    const all = [...journal.state.results, ...Object.entries(journal.pending(''))]
    return new Map(all.filter(([key]) => !key.startsWith('/report') || this.#doneKeys.has(key)))
  }

  /** Usage that is not in the state. */
  get spent(): StageUsage {
    return this.#parts.journal.pendingSpent('')
  }

  #left(): UsageLimits {
    const { journal, settings } = this.#parts
    const limits = { cost: Number.POSITIVE_INFINITY, ...settings.budget }
    return subtractUsage(limits, addUsage(journal.state.spent, this.spent))
  }
}
