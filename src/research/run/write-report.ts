/** Writes the report of a run, and checks it against its sources. */

import { reportBody } from '../extractive/stages.ts'
import { assembleReport, computedIn, type ReportParts } from '../report/assemble.ts'
import { CitationNumbers, numberCitations } from '../report/citations.ts'
import { passageTitle, type ReportSources, sourceAddress } from '../report/sources.ts'
import { nearestParagraphs, takeWithin } from '../routing/route.ts'
import { EXTRACTIVE } from '../settings.ts'
import { type ReportEnd, type ReportStages, type ReportWork, reportStages } from './allotment.ts'
import { ReportCheck } from './check-report.ts'
import { failuresIn } from './done-work.ts'
import type { EvidenceItem } from './evidence.ts'
import { type CitableEvidence, type ReportTask, type StageResult, withoutModel } from './stages.ts'
import { branchesOf } from './tree.ts'

/** Identifies a report among the reports of a run. `previousSeq`: as in `ReportWork`. */
export function reportKey(end: ReportEnd, previousSeq: number): string {
  return previousSeq === 0 ? end : `${end}-${previousSeq}`
}

export async function writeReport(parts: ReportWork): Promise<void> {
  const { journal, sources, settings, end, previousSeq = 0 } = parts
  const { state } = journal
  const { language } = settings
  const key = reportKey(end, previousSeq)
  const isStopped = end === 'run_aborted'
  await journal.append('report_generation_started', { key, payload: { is_partial: isStopped } })
  const { items } = state
  const payload = { context_available: items.length > 0, items_count: items.length }
  await journal.append('report_context_attached', { key, payload })
  const task = reportTask(parts, missingSentences(parts, isStopped))
  using work = reportStages(parts)
  const draft = isStopped ? numberReport(parts, withoutModel(reportBody(task))) : await writeByModel(parts, work, task)
  const results = work.results()
  const failures = failuresIn(new Map([...results].filter(([key]) => key.startsWith('/report'))))
  // Limits that the report itself reached are named, too.
  const missing = missingSentences(parts, isStopped)
  const { session } = journal
  const report = assembleReport({ session, state, sources, language, results, missing, ...draft })
  const { grade, quotes, claims } = report
  await journal.append('report_generation_completed', {
    key,
    payload: {
      grade,
      fallback_reason: failures.length > 0 ? failures.join(' ') : undefined,
      chars: report.markdown.length,
      sources_count: report.sources.length,
      quotes_proven: quotes.proven,
      quotes_unproven: quotes.unproven.length,
      claims_unsupported: claims.filter(({ verdict }) => verdict !== 'supported' && verdict !== 'unchecked').length,
    },
    made: { report },
  })
}

type WrittenReport = Pick<
  ReportParts,
  'body' | 'numbers' | 'unknown' | 'judged' | 'corrections' | 'rewritten' | 'graded'
>

function numberReport({ sources }: ReportWork, body: StageResult<string>, numbers = new CitationNumbers()) {
  const { text, unknown } = numberCitations(body.value, sources.resolveName, numbers)
  return { body: { ...body, value: text }, numbers, unknown }
}

/** Runs the stage `report`. A model's text is checked and corrected. Refused statements that stay get a mark later. */
async function writeByModel(parts: ReportWork, work: ReportStages, task: ReportTask): Promise<WrittenReport> {
  const { stages, sources } = parts
  const cited = new CitationNumbers()
  for (const { ref } of task.evidence ?? []) cited.numberOf(ref)
  const first = await work.run('', (limits) => stages.report(task, limits), reportBody(task))
  if (first.by === EXTRACTIVE) return numberReport(parts, first)
  const { body, numbers, unknown } = numberReport(parts, first, cited)
  const { task: question, today } = task
  const basis = { numbers, sourceOf: sources.claimSource, question, today, computed: computedIn(task.branches) }
  const check = new ReportCheck(parts, work, basis)
  const corrected = await check.correct(body.value)
  const { grade } = stages
  const gradeTask = task.brief && { question, parts: task.brief.parts, report: corrected }
  const graded = grade && gradeTask && (await work.run('grade', (limits) => grade(gradeTask, limits), []))
  return {
    body: { ...body, value: corrected },
    numbers,
    unknown: unknown.filter((ref) => corrected.includes(ref.replace(/^https?:\/\//, ''))),
    judged: check.judged,
    corrections: check.corrections,
    rewritten: check.rewritten,
    graded: graded?.value,
  }
}

/** Maximum characters of findings in the task of the report, divided equally among the branches. */
const MAX_FINDINGS_LENGTH = 60_000

function reportTask({ journal, settings, sources }: ReportWork, missing: readonly string[]): ReportTask {
  const { state } = journal
  const { items, brief } = state
  const branches = branchesOf(state)
  const share = Math.max(1200, Math.floor(MAX_FINDINGS_LENGTH / Math.max(1, branches.length)))
  const limited = branches.map((branch) => ({
    ...branch,
    findings: takeWithin(branch.findings, share, ({ text }) => text.length),
  }))
  return {
    task: state.question,
    today: state.today,
    language: settings.language,
    ...(brief && { brief }),
    evidence: citableEvidence(sources, [
      ...limited.flatMap(({ findings }) =>
        findings.flatMap((one) => (one.refs ?? [one.ref]).map((ref) => ({ ...one, ref }))),
      ),
      ...items.flatMap((item) => item.sources.map((ref) => ({ ...item, ref }))),
    ]),
    items,
    branches: limited,
    missing,
  }
}

/** Maximum characters of a passage for the writer, and minimum characters for each text that cites it. */
const PASSAGE_LENGTH = 1500
const MIN_PASSAGE_LENGTH = 600

/** The cited sources, each once. A long passage is reduced to the paragraphs nearest to the texts that cite it. */
function citableEvidence(sources: ReportSources, cited: readonly CitingText[]): CitableEvidence[] {
  return [...Map.groupBy(cited, ({ ref }) => ref)].flatMap(([ref, all]) => {
    const source = sources.sourceOf(ref)
    if (!source) return []
    const { headings = [], file, text } = source
    const texts = all.map((one) => one.text)
    const length = Math.max(MIN_PASSAGE_LENGTH, PASSAGE_LENGTH / texts.length)
    // The title of an absence says what was searched. Only the judge needs its text.
    const isTextless = file !== undefined || ref.startsWith('absence:')
    const excerpt = isTextless ? '' : nearestParagraphs(text, texts, length)
    const where = file === undefined ? sourceAddress(ref) : headings.join(' > ')
    return [{ ref, title: file ?? passageTitle(source), where, text: excerpt }]
  })
}

type CitingText = Pick<EvidenceItem, 'ref' | 'text'>

/** A sentence for each limit. The order is fixed: concurrency changes which limit is reached first. */
const EXHAUSTED_SENTENCES: Readonly<Record<string, string>> = {
  calls: 'The requests to models that the run may take were used up: stages after that are extractive.',
  tokens: 'The tokens that the run may take were used up: stages after that are extractive.',
  cost: 'The cost that the run may have was reached: stages after that are extractive.',
  ms: 'The time of the run was over: questions that were open then were not explored, and stages after that are extractive.',
  searches: 'The searches of the web that the run may make were used up.',
  pages: 'The web pages that the run may read were used up.',
  nodes: 'The tree could not grow further: it has as many questions as it may.',
}

function missingSentences({ journal: { state } }: ReportWork, isStopped: boolean): string[] {
  const open = [...state.nodes.values()].filter(({ status }) => status === 'pending' || status === 'running').length
  const stopNotice = `The run was stopped before it was done: ${open} of ${state.nodes.size} questions were not explored.`
  return [
    ...(isStopped ? [stopNotice] : []),
    ...Object.entries(EXHAUSTED_SENTENCES).flatMap(([what, sentence]) => (state.exhausted.has(what) ? [sentence] : [])),
    ...(state.processing.status === 'error' ? ['None of the files could be read.'] : []),
  ]
}
