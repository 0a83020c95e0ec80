/** What holds of every run that has ended, whatever befell it. */

import type { LogRecord } from '../../../src/research/events.ts'
import { NUMBERED } from '../../../src/research/report/citations.ts'
import type { RunState } from '../../../src/research/run/state.ts'
import type { RunSettings } from '../../../src/research/settings.ts'
import type { StoredSession } from '../../../src/stores/run-store.ts'

export interface Ended {
  readonly seed: number
  readonly isCalm: boolean
  readonly session: StoredSession
  readonly records: readonly LogRecord[]
  readonly state: RunState
  readonly report: string | undefined
  /** What was noticed on the way. */
  readonly broken: readonly string[]
}

const ENDS: Readonly<Record<string, string>> = {
  completed: 'run_completed',
  stopped: 'run_aborted',
  quarantined: 'run_quarantined',
}

/** A sentence for each promise that does not hold. */
export function brokenBy(ended: Ended): string[] {
  return [
    ...ended.broken,
    ...logProblems(ended),
    ...endProblems(ended),
    ...budgetProblems(ended),
    ...reportProblems(ended),
  ]
}

function twice(names: readonly string[]): string[] {
  const seen = new Set<string>()
  return names.filter((name) => seen.size === seen.add(name).size)
}

function logProblems({ records }: Ended): string[] {
  return [
    ...records.filter(({ seq }, at) => seq !== at + 1).map(({ seq }) => `There is a gap before event ${seq}.`),
    ...twice(records.map(({ key }) => key)).map((key) => `${key} was told twice.`),
    ...twice(records.flatMap(({ made }) => Object.keys(made))).map((name) => `${name} was kept twice.`),
  ]
}

function endProblems({ records, state, session, report, isCalm }: Ended): string[] {
  const ends = records.filter(({ type }) => Object.values(ENDS).includes(type))
  const isLast = ends.length === 1 && ends[0] === records.at(-1) && ends[0]?.type === ENDS[state.status]
  const open = [...state.nodes.values()].filter(({ status }) => ['pending', 'running', 'decomposed'].includes(status))
  const isWhole = state.status === 'completed' && !state.exhausted.has('ms')
  return [
    ...(isLast
      ? []
      : [
          `It is ${state.status}, and its ends are ${ends.map(({ seq, type }) => `${seq} ${type}`)} of ${records.length}.`,
        ]),
    ...(session.status === state.status ? [] : [`The session is ${session.status}, and its log ${state.status}.`]),
    ...(isWhole && open.length > 0 ? [`${open.map(({ id }) => id)} are open, and it is completed.`] : []),
    ...(state.status !== 'quarantined' && report === undefined ? ['It has no report.'] : []),
    ...(isCalm && state.status !== 'completed' ? [`It is ${state.status}, and nothing befell it.`] : []),
  ]
}

function budgetProblems({ state, session, records }: Ended): string[] {
  const { budget }: RunSettings = JSON.parse(session.settings)
  const { calls, input, output, searches = 0, pages = 0 } = state.spent
  const depth = Math.max(...[...state.nodes.values()].map((node) => node.depth), 0)
  const within = (what: string, is: number, most: number) =>
    is <= most ? [] : [`${is} ${what} are more than ${most}.`]
  const kinds = state.exhausted.size > 0 && !records.some(({ type }) => type === 'budget_exhausted')
  return [
    ...within('requests', calls, budget.calls),
    ...within('tokens', input + output, budget.tokens),
    ...within('searches', searches, budget.searches ?? searches),
    ...within('pages', pages, budget.pages ?? pages),
    ...within('levels', depth, budget.depth),
    ...within('questions', state.nodes.size, budget.nodes),
    ...(kinds ? ['What is used up is not told.'] : []),
  ]
}

function reportProblems({ state }: Ended): string[] {
  const { report } = state
  if (!report) return []
  const cited = [...report.markdown.matchAll(NUMBERED)].map(([, number]) => Number(number))
  const files = new Set(state.files.map(({ alias }) => alias))
  const lost = report.sources.filter(({ ref, file }) =>
    file === undefined ? !state.passages.has(ref) : !files.has(file),
  )
  return [
    ...cited.filter((number) => number > report.sources.length).map((one) => `${one} is cited, and is not a source.`),
    ...lost.map(({ ref }) => `The source ${ref} leads nowhere.`),
    ...report.sources.filter(({ text }) => text === '').map(({ ref }) => `The source ${ref} is empty.`),
  ]
}
