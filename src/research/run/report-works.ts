/** The pieces of work of one report, within what the run has left. */

import { Deadline } from '../../core/steps.ts'
import type { ReportSources } from '../report/sources.ts'
import { EXTRACTIVE, type RunSettings } from '../settings.ts'
import { less } from './allotment.ts'
import type { Journal } from './journal.ts'
import { addSpent, type Done, type Spent, type StageLimits, type Stages } from './stages.ts'

export type ReportEnd = 'run_completed' | 'run_aborted'

export interface ReportWork {
  readonly journal: Journal
  readonly settings: RunSettings
  readonly stages: Stages
  readonly sources: ReportSources
  readonly end: ReportEnd
  /** Of a report that is made again: the entry after which. Default: 0. */
  readonly again?: number
  readonly signal: AbortSignal
}

/** Milliseconds that a report may take in any case. */
const LEAST_MS = 500

/** The pieces of work of one report: each is kept in the log, and begins with what those before it left. */
export class ReportWorks implements Disposable {
  readonly #parts: ReportWork
  readonly #late: Deadline
  readonly #done = new Map<string, Done<unknown>>()

  constructor(parts: ReportWork) {
    const { journal, settings } = parts
    this.#parts = parts
    this.#late = new Deadline(Math.max(LEAST_MS, settings.budget.ms - journal.state.workedMs))
  }

  [Symbol.dispose](): void {
    this.#late[Symbol.dispose]()
  }

  /** `substitute`: what there is instead when the time of the run is over. What is used up becomes an event. */
  async run<Value>(
    name: string,
    work: (limits: StageLimits) => Promise<Done<Value>>,
    substitute: Done<Value>,
  ): Promise<Done<Value>> {
    const { journal, signal, again = 0 } = this.#parts
    const key = ['report', ...(again > 0 ? [again] : []), ...(name === '' ? [] : [name])].join('-')
    const done = await journal.work('', key, () =>
      work({ signal: this.#late.or(signal), most: this.#left() }).catch((error: unknown) => {
        if (!this.#late.isOver || signal.aborted) throw error
        return { ...substitute, exhausted: 'ms' as const }
      }),
    )
    this.#done.set(`/${key}`, done)
    const { exhausted: what } = done
    // The time ends once in a run, whichever stage it ends.
    if (what)
      await journal.tell('budget_exhausted', { key: what === 'ms' ? what : `${key}-${what}`, payload: { what } })
    return done
  }

  /** What was taken for it, and is not in the state. */
  get spent(): Spent {
    return this.#parts.journal.pendingSpent('')
  }

  /** Who has judged its statements and written paragraphs of it again. */
  get makers(): Readonly<Record<string, readonly string[]>> {
    const makers = ['judge', 'repair', 'grade'].map((name) => {
      const done = [...this.#done].filter(([key, { by }]) => by !== EXTRACTIVE && key.includes(`-${name}`))
      return [name, [...new Set(done.map(([, { by }]) => by))]] as const
    })
    return Object.fromEntries(makers.filter(([, by]) => by.length > 0))
  }

  /** Why parts of it were not done by their models. */
  get failures(): readonly string[] {
    const reasons = [...this.#done].flatMap(([key, { failed }]) =>
      failed === undefined ? [] : [`${key.replace(/^\/|-\d+$/g, '')}: ${failed}`],
    )
    return [...new Set(reasons)]
  }

  #left(): Spent {
    const { journal, settings } = this.#parts
    const { calls, tokens, cost = Number.POSITIVE_INFINITY } = settings.budget
    const whole = { calls, tokens, cost, nodes: 0, searches: 0, pages: 0 }
    const left = less(whole, addSpent(journal.state.spent, this.spent))
    return { calls: left.calls, input: left.tokens, output: left.tokens, cost: left.cost }
  }
}
