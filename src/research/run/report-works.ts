/** What a model does for a report beside writing it, within what the run has left. */

import { Deadline } from '../../core/steps.ts'
import { bareClaim } from '../report/claim-check.ts'
import { checkClaims, claimKey } from '../report/claims.ts'
import { isQuoted } from '../report/quotes.ts'
import type { ReportSources } from '../report/sources.ts'
import { rankPlaces, relevance } from '../routing/terms.ts'
import { EXTRACTIVE, type RunSettings } from '../settings.ts'
import { less } from './allotment.ts'
import type { Journal } from './journal.ts'
import { addSpent, type Done, NOTHING_SPENT, type Spent, type Staff } from './stages.ts'

export type ReportEnd = 'run_completed' | 'run_aborted'

export interface ReportWork {
  readonly journal: Journal
  readonly settings: RunSettings
  readonly workers: Staff
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

  /** `substitute`: what there is instead when the time of the run is over. What is used up is told. */
  async run<Value>(
    name: string,
    work: (signal: AbortSignal, most: Spent) => Promise<Done<Value>>,
    substitute: Done<Value>,
  ): Promise<Done<Value>> {
    const { journal, signal, again = 0 } = this.#parts
    const key = ['report', ...(again > 0 ? [again] : []), ...(name === '' ? [] : [name])].join('-')
    const done = await journal.work('', key, () =>
      work(this.#late.or(signal), this.#left()).catch((error: unknown) => {
        if (!this.#late.isOver || signal.aborted) throw error
        return { ...substitute, exhausted: 'ms' as const }
      }),
    )
    this.#done.set(`/${key}`, done)
    const { exhausted: what } = done
    // The time is told once of a run, whichever stage it ended.
    if (what) await journal.tell('budget_exhausted', { key: what === 'ms' ? what : `${key}-${what}`, told: { what } })
    return done
  }

  /** What was taken for it, and is not in the state. */
  get spent(): Spent {
    const { made } = this.#parts.journal.state
    const fresh = [...this.#done].flatMap(([key, { spent }]) => (made.has(key) ? [] : [spent]))
    return fresh.reduce(addSpent, NOTHING_SPENT)
  }

  /** Who has judged its statements and written paragraphs of it again. */
  get makers(): Readonly<Record<string, readonly string[]>> {
    const makers = ['judge', 'repair'].map((name) => {
      const done = [...this.#done].filter(([key, { by }]) => by !== EXTRACTIVE && key.includes(`-${name}`))
      return [name, [...new Set(done.map(([, { by }]) => by))]] as const
    })
    return Object.fromEntries(makers.filter(([, by]) => by.length > 0))
  }

  #left(): Spent {
    const { journal, settings } = this.#parts
    const { calls, tokens, cost = Number.POSITIVE_INFINITY } = settings.budget
    const whole = { calls, tokens, cost, nodes: 0, searches: 0, pages: 0 }
    const left = less(whole, addSpent(journal.state.spent, this.spent))
    return { calls: left.calls, input: left.tokens, output: left.tokens, cost: left.cost }
  }
}

/** Statements of one request to a judge, and characters of the passages of each. */
const JUDGED_AT_ONCE = 12
const MOST_PASSAGE = 4000

const UNEXPLAINED = 'A model that was given the passage alone does not agree.'

interface OpenClaim {
  readonly key: string
  readonly claim: string
  readonly passage: string
}

/** Asks of each statement whether the passages that it cites bear it out: of those that their words do not settle. */
export class ClaimJudge {
  readonly refuted = new Map<string, string>()
  readonly #parts: ReportWork
  readonly #works: ReportWorks
  readonly #judged = new Set<string>()
  #requests = 0

  constructor(parts: ReportWork, works: ReportWorks) {
    this.#parts = parts
    this.#works = works
  }

  /** Judges what was not judged before, as long as something is left for it. */
  async judge(body: string): Promise<void> {
    const { judge } = this.#parts.workers
    const open = judge ? this.#openClaims(body) : []
    for (let from = 0; judge && from < open.length; from += JUDGED_AT_ONCE) {
      const asked = open.slice(from, from + JUDGED_AT_ONCE)
      const claims = asked.map(({ claim, passage }, at) => ({ id: String(at + 1), claim, passage }))
      const nothing = { value: [], spent: NOTHING_SPENT, by: EXTRACTIVE }
      const name = `judge-${++this.#requests}`
      const done = await this.#works.run(name, (signal, most) => judge({ claims }, signal, most), nothing)
      for (const { key } of asked) this.#judged.add(key)
      for (const { id, isSupported, why } of done.value) {
        const key = asked[Number(id) - 1]?.key
        if (key !== undefined && !isSupported) this.refuted.set(key, why === '' ? UNEXPLAINED : why)
      }
      if (done.exhausted) return
    }
  }

  #openClaims(body: string): OpenClaim[] {
    const { sources } = this.#parts
    const { claims } = checkClaims(body, sources.claimSource, { refuted: this.refuted })
    const open = new Map<string, OpenClaim>()
    for (const claim of claims) {
      const key = claimKey(claim)
      const texts = claim.citations.flatMap((ref) => sources.textOf(ref) ?? [])
      const isSettled = claim.verdict !== 'supported' || texts.some((text) => isQuoted(bareClaim(claim.text), text))
      if (isSettled || this.#judged.has(key)) continue
      const passage = texts.map((text) => cutPassage(text, claim.text)).join('\n\n')
      open.set(key, { key, claim: claim.text, passage })
    }
    return [...open.values()]
  }
}

/** Of a long text what stands around the words of a claim. */
function cutPassage(text: string, claim: string): string {
  if (text.length <= MOST_PASSAGE) return text
  const paragraphs = text.split(/\n\s*\n/)
  const best = rankPlaces(relevance(paragraphs, claim)).slice(0, 3)
  const near = best.sort((a, b) => a - b).map((at) => paragraphs[at] ?? '')
  return near.join('\n\n').slice(0, MOST_PASSAGE).toWellFormed()
}
