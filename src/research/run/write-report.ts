/** The end of a run: its report, held against its sources. */

import { reportBody } from '../extractive/report.ts'
import { assembleReport } from '../report/assemble.ts'
import { branchesOf } from '../report/branches.ts'
import { checkClaims } from '../report/claims.ts'
import { reportWords } from '../report/report-words.ts'
import { EXTRACTIVE } from '../settings.ts'
import type { DigestItem } from './evidence.ts'
import { failingParagraphs, replaceParagraphs } from './repair-report.ts'
import { ClaimJudge, type ReportEnd, type ReportWork, ReportWorks } from './report-works.ts'
import { type Done, NOTHING_SPENT, type ReportTask } from './stages.ts'
import type { RunState } from './state.ts'

/** The body of a model's report that asserts nothing. */
const SAYS_NOTHING = /^## Answer\s+Not found/

/** By which a report is known among those of a run. `again`: as in `ReportWork`. */
export function reportKey(end: ReportEnd, again: number): string {
  return again === 0 ? end : `${end}-${again}`
}

export async function writeReport(parts: ReportWork): Promise<void> {
  const { journal, sources, settings, end, again = 0 } = parts
  const { state } = journal
  const { language } = settings
  const key = reportKey(end, again)
  const isStopped = end === 'run_aborted'
  await journal.tell('report_generation_started', { key, told: { is_partial: isStopped } })
  const items = itemsOf(state)
  const told = { context_available: items.length > 0, items_count: items.length }
  await journal.tell('report_context_attached', { key, told })
  const task = reportTask(parts, missingIn(parts, isStopped))
  using works = new ReportWorks(parts)
  const { body, refuted } = isStopped ? { body: extractiveBody(task) } : await writtenBody(parts, works, task)
  const { spent, makers } = works
  const session = journal.session
  // What was used up for the report itself is missing, too.
  const used = missingIn(parts, isStopped)
  const report = assembleReport({ session, state, sources, body, language, refuted, makers, spent, missing: used })
  const { grade, quotes, claims } = report
  await journal.tell('report_generation_completed', {
    key,
    told: {
      grade,
      chars: report.markdown.length,
      sources_count: report.sources.length,
      quotes_proven: quotes.proven,
      quotes_unproven: quotes.unproven.length,
      claims_unsupported: claims.filter(({ verdict }) => verdict !== 'supported').length,
    },
    made: { report },
  })
}

function extractiveBody(task: ReportTask): Done<string> {
  return { value: reportBody(task), spent: NOTHING_SPENT, by: EXTRACTIVE }
}

interface WrittenReport {
  readonly body: Done<string>
  /** As in `ClaimKnowledge`. */
  readonly refuted?: ReadonlyMap<string, string>
}

/** By the stage's worker. What asserts things of which none is borne out by what it cites is not a report. */
async function writtenBody(parts: ReportWork, works: ReportWorks, task: ReportTask): Promise<WrittenReport> {
  const { workers, sources } = parts
  const late = { ...extractiveBody(task), failed: 'The time of the run was over.' }
  const first = await works.run('', (signal, most) => workers.report(task, signal, most), late)
  if (first.by === EXTRACTIVE) return { body: first }
  const judge = new ClaimJudge(parts, works)
  await judge.judge(first.value)
  const repaired = await repairedBody({ parts, works, task, judge }, first.value)
  await judge.judge(repaired)
  const { refuted } = judge
  const { claims } = checkClaims(repaired, sources.claimSource, { refuted })
  const isReport =
    claims.length === 0 ? SAYS_NOTHING.test(repaired) : claims.some(({ verdict }) => verdict === 'supported')
  const { answer } = reportWords(task.task, task.language)
  if (isReport) return { body: { ...first, value: repaired.replace(/^## Answer$/m, `## ${answer}`) }, refuted }
  const failed = 'No statement of the report is supported by a source.'
  return { body: { ...first, value: reportBody(task), by: EXTRACTIVE, failed } }
}

interface Repairing {
  readonly parts: ReportWork
  readonly works: ReportWorks
  readonly task: ReportTask
  readonly judge: ClaimJudge
}

/** With the paragraphs that their sources do not bear out written again, once, where something is left for that. */
async function repairedBody({ parts, works, task, judge }: Repairing, body: string): Promise<string> {
  const { repair } = parts.workers
  const basis = { sources: parts.sources, refuted: judge.refuted }
  const paragraphs = failingParagraphs(body, task, basis)
  if (!repair || paragraphs.length === 0) return body
  const asked = { language: task.language, paragraphs }
  const nothing = { value: [], spent: NOTHING_SPENT, by: EXTRACTIVE }
  const { value } = await works.run('repair', (signal, most) => repair(asked, signal, most), nothing)
  return replaceParagraphs(body, value, basis)
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
  ms: 'The time of the run was over: questions that were open then were not explored, and stages after that are extractive.',
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
