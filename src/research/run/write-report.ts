/** The end of a run: its report, held against its sources. */

import { reportBody } from '../extractive/synthesis.ts'
import { assembleReport } from '../report/assemble.ts'
import { branchesOf } from '../report/branches.ts'
import { checkClaims } from '../report/claims.ts'
import type { ReportSources } from '../report/sources.ts'
import { EXTRACTIVE, type RunSettings } from '../settings.ts'
import { less } from './allotment.ts'
import type { DigestItem } from './evidence.ts'
import type { Journal } from './journal.ts'
import { type Done, NOTHING_SPENT, type ReportTask, type Staff } from './stages.ts'
import type { RunState } from './state.ts'

export type ReportEnd = 'run_completed' | 'run_aborted'

interface ReportWork {
  readonly journal: Journal
  readonly settings: RunSettings
  readonly workers: Staff
  readonly sources: ReportSources
  readonly end: ReportEnd
  /** Of a report that is made again: how often one was made. Default: 0. */
  readonly again?: number
  readonly signal: AbortSignal
}

/** Milliseconds that a report may take in any case. */
const LEAST_MS = 500

/** The body of a report that asserts nothing. */
const SAYS_NOTHING = /^## Answer\s+Not found/

export async function writeReport(parts: ReportWork): Promise<void> {
  const { journal, sources, end, again = 0 } = parts
  const { state } = journal
  const key = again === 0 ? end : `${end}-${again}`
  const isStopped = end === 'run_aborted'
  await journal.tell('report_generation_started', { key, told: { is_partial: isStopped } })
  const items = itemsOf(state)
  const told = { context_available: items.length > 0, items_count: items.length }
  await journal.tell('report_context_attached', { key, told })
  const missing = missingIn(parts, isStopped)
  const task = reportTask(parts, missing)
  const body = isStopped ? extractiveBody(task) : await writtenBody(parts, task)
  const report = assembleReport({ session: journal.session, state, sources, body, missing })
  const { grade, quotes } = report
  await journal.tell('report_generation_completed', {
    key,
    told: {
      grade,
      chars: report.markdown.length,
      sources_count: report.sources.length,
      quotes_proven: quotes.proven,
      quotes_unproven: quotes.unproven.length,
    },
    made: { report },
  })
}

function extractiveBody(task: ReportTask): Done<string> {
  return { value: reportBody(task), spent: NOTHING_SPENT, by: EXTRACTIVE }
}

/** By the stage's worker. What asserts things of which none is borne out by what it cites is no report. */
async function writtenBody(parts: ReportWork, task: ReportTask): Promise<Done<string>> {
  const { journal, workers, settings, signal, sources, again = 0 } = parts
  const { calls, tokens, cost = Number.POSITIVE_INFINITY } = settings.budget
  const left = less({ calls, tokens, cost, nodes: 0, searches: 0, pages: 0 }, journal.state.spent)
  const most = { calls: left.calls, input: left.tokens, output: left.tokens, cost: left.cost }
  const late = AbortSignal.timeout(Math.max(LEAST_MS, settings.budget.ms - journal.state.workedMs))
  const write = () => workers.report(task, AbortSignal.any([signal, late]), most)
  const body = await journal.work('', again === 0 ? 'report' : `report-${again}`, () =>
    write().catch((error: unknown) => {
      if (!late.aborted || signal.aborted) throw error
      return { ...extractiveBody(task), failed: 'The time of the run was over.' }
    }),
  )
  if (body.by === EXTRACTIVE) return body
  const { claims } = checkClaims(body.value, sources.claimSource)
  const isReport =
    claims.length === 0 ? SAYS_NOTHING.test(body.value) : claims.some(({ verdict }) => verdict === 'supported')
  if (isReport) return body
  return {
    ...body,
    value: reportBody(task),
    by: EXTRACTIVE,
    failed: 'No statement of the report is borne out by a source.',
  }
}

/** The whole digest, with what the questions needed of the files. */
function itemsOf({ nodes }: RunState): readonly DigestItem[] {
  return nodes.get('1')?.slice?.selected_items ?? []
}

/** Characters of findings in the task of the report: each branch has its fair share of them. */
const FINDINGS = 60_000

function reportTask({ journal, settings }: ReportWork, missing: readonly string[]): ReportTask {
  const { state } = journal
  const items = itemsOf(state)
  const branches = branchesOf(state)
  const share = Math.max(1200, Math.floor(FINDINGS / Math.max(1, branches.length)))
  return {
    task: state.question,
    language: settings.language,
    items,
    files: state.files.map(({ alias, title = alias }) => ({
      alias,
      title,
      items: items.flatMap(({ id, sources }) => (sources.some((ref) => ref.startsWith(`${alias}::`)) ? [id] : [])),
    })),
    branches: branches.map((branch) => ({ ...branch, findings: takeWithin(branch.findings, share) })),
    missing,
  }
}

/** The first that are not more characters than this together; one in any case. */
function takeWithin<One extends { readonly text: string }>(findings: readonly One[], most: number): One[] {
  let sum = 0
  return findings.filter(({ text }, at) => {
    sum += text.length
    return at === 0 || sum <= most
  })
}

/** In the order of a report, whichever was used up first: that differs from run to run where questions are worked on at once. */
const USED_UP: Readonly<Record<string, string>> = {
  calls: 'The requests to models that the run may take were used up: stages after that are extractive.',
  tokens: 'The tokens that the run may take were used up: stages after that are extractive.',
  cost: 'The cost that the run may have was reached: stages after that are extractive.',
  ms: 'The time of the run was over before the whole tree was explored.',
  searches: 'The searches of the web that the run may make were used up.',
  pages: 'The web pages that the run may read were used up.',
  nodes: 'The tree could not grow further: it has as many questions as it may.',
}

function missingIn({ journal: { state } }: ReportWork, isStopped: boolean): string[] {
  const open = [...state.nodes.values()].filter(({ status }) => status === 'pending' || status === 'running').length
  return [
    ...(isStopped
      ? [`The run was stopped before it was done: ${open} of ${state.nodes.size} questions were not explored.`]
      : []),
    ...Object.entries(USED_UP).flatMap(([what, sentence]) => (state.exhausted.has(what) ? [sentence] : [])),
    ...(state.processing.status === 'error' ? ['None of the files could be read.'] : []),
  ]
}
