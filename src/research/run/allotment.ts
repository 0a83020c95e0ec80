/**
 * The allotment of each node: its limits, divided down the tree of questions. The limits of a branch do not depend on
 * which sibling finishes first, so the tree does not depend on concurrency.
 */

import { Deadline } from '../../core/steps.ts'
import type { ReportSources } from '../report/sources.ts'
import { type Budget, REPORT_RESERVE, type RunSettings } from '../settings.ts'
import { ownerOf } from './done-work.ts'
import type { Journal } from './journal.ts'
import {
  addUsage,
  mapLimits,
  NO_USAGE,
  type StageLimits,
  type StageResult,
  type Stages,
  subtractUsage,
  withoutModel,
} from './stages.ts'
import type { RunState } from './state.ts'

/** Limits of a node. `nodes`: maximum nodes below it. Infinity: no limit. */
export type Allotment = Required<Omit<Budget, 'ms' | 'depth'>>

/** Share of a run's time for the tree of questions. The remaining time is for the report. */
export const TREE_SHARE = 0.9

/** Limits of a node and all nodes below it, before any use. */
export function allotmentOf(state: RunState, budget: Budget, id: string): Allotment {
  const node = state.nodes.get(id)
  const parent = node?.parent == null ? undefined : state.nodes.get(node.parent)
  if (node?.isAdded) return addedAllotment(state, budget, id)
  if (!parent) return rootAllotment(state, budget)
  const left = subtractUsage(allotmentOf(state, budget, parent.id), state.spentBy(parent.id))
  const ids = parent.children.filter((child) => !state.nodes.get(child)?.isAdded)
  return childAllotment(left, ids.length, ids.indexOf(id))
}

function rootAllotment(state: RunState, budget: Budget): Allotment {
  const fileOwners = [...state.results.keys()].filter((key) => key.startsWith('file-')).map(ownerOf)
  const fileUsage = [...new Set(fileOwners)].map((owner) => state.spentBy(owner)).reduce(addUsage, NO_USAGE)
  return subtractUsage(withoutReserve(budget), fileUsage)
}

/** The limits of a question added to a finished run: an equal share of what the run had left before the round. */
function addedAllotment({ round }: RunState, budget: Budget, id: string): Allotment {
  const { ids = [id], spent = NO_USAGE, nodes = 1 } = round ?? {}
  const left = subtractUsage({ ...withoutReserve(budget), nodes: budget.nodes - nodes - ids.length }, spent)
  return divideAllotment(left, ids.length, Math.max(0, ids.indexOf(id)))
}

/** The limits of a run, less the reserve for its report. */
export function withoutReserve({ calls, tokens, nodes, ...budget }: Budget): Allotment {
  const unlimited = Number.POSITIVE_INFINITY
  const { cost = unlimited, searches = unlimited, pages = unlimited } = budget
  const { share } = REPORT_RESERVE
  const reservedCalls = Math.min(calls, REPORT_RESERVE.calls, Math.max(1, Math.floor(calls / 4)))
  const left = { calls: calls - reservedCalls, tokens: tokens - Math.floor(tokens * share), cost: cost * (1 - share) }
  return { ...left, nodes: nodes - 1, searches, pages }
}

/** An equal share of the limits that the parent did not use. The remainder of a division goes to the first children. */
function childAllotment(left: Allotment, count: number, at: number): Allotment {
  const nodes = Math.max(0, left.nodes - count)
  const share = divideAllotment({ ...left, nodes }, count, at)
  // A question is divided into at least two questions. If there are too few nodes, the first questions get two each.
  return nodes < 2 * count ? { ...share, nodes: Math.min(2, Math.max(0, nodes - 2 * at)) } : share
}

function divideAllotment(left: Allotment, count: number, at: number): Allotment {
  const shareOf = (all: number) => Math.floor(all / count) + (at < all % count ? 1 : 0)
  return mapLimits(left, (all, name) => (name === 'cost' ? all / count : shareOf(all)))
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
  /** For a later report of the same run: the number of the last log entry before it. Default: 0. */
  readonly previousSeq?: number
}

/** Minimum milliseconds for a report. */
const MIN_REPORT_MS = 500

export type ReportStages = ReturnType<typeof reportStages>

/** Runs the stages of one report. Each result is stored in the log. Each stage has the limits that earlier stages left. */
export function reportStages({ journal, settings, signal, previousSeq = 0 }: ReportWork) {
  const { state } = journal
  const reportKey = previousSeq > 0 ? `report-${previousSeq}` : 'report'
  const deadline = new Deadline(Math.max(MIN_REPORT_MS, settings.budget.ms - state.workedMs))
  const doneKeys = new Set<string>()
  return {
    [Symbol.dispose]: () => deadline[Symbol.dispose](),
    /** `substitute`: the value to return if the time of the run is over. A limit that is reached becomes an event. */
    run: async <Value>(name: string, work: (limits: StageLimits) => Promise<StageResult<Value>>, substitute: Value) => {
      const key = name === '' ? reportKey : `${reportKey}-${name}`
      const limits = subtractUsage({ cost: Number.POSITIVE_INFINITY, ...settings.budget }, state.spent)
      const result = await journal.work('', key, () =>
        work({ signal: deadline.or(signal), limits }).catch((error: unknown): StageResult<Value> => {
          if (!deadline.isOver || signal.aborted) throw error
          const failed = name === '' ? { failed: 'The time of the run was over.' } : {}
          return { ...withoutModel(substitute), ...failed, exhausted: 'ms' }
        }),
      )
      doneKeys.add(`/${key}`)
      const { exhausted: what } = result
      // A run has a single event for the end of its time, whichever stage the time ends.
      if (what)
        await journal.append('budget_exhausted', { key: what === 'ms' ? what : `${key}-${what}`, payload: { what } })
      return result
    },
    /** The results of the run, without results of its other reports. */
    results: () => new Map([...state.results].filter(([key]) => !key.startsWith('/report') || doneKeys.has(key))),
  }
}
