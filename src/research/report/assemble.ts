import { countNoun } from '../../text/counts.ts'
import { answeredOf } from '../run/question-evidence.ts'
import { addSpent, type Branch, type Done, NOTHING_SPENT } from '../run/stages.ts'
import type { RunState } from '../run/state.ts'
import { branchesOf } from './branches.ts'
import { checkClaims } from './claims.ts'
import { CITATION, plainLine } from './plain.ts'
import { checkQuotes } from './quotes.ts'
import type { Grade, ReportBranch, ReportSource, ResearchReport } from './report.ts'
import { type ReportSources, sourceCaption } from './sources.ts'

/** What a report is made of. */
export interface ReportParts {
  readonly session: string
  readonly state: RunState
  readonly sources: ReportSources
  /** The answer and its sections, as a model or the extractive stage wrote them. */
  readonly body: Done<string>
  /** Why it is not whole: sentences. */
  readonly missing: readonly string[]
}

/** Puts a report together: what it says is held against its sources first, and what it rests on is told by the run itself. */
export function assembleReport({ session, state, sources, body, missing }: ReportParts): ResearchReport {
  const checked = checkQuotes(body.value, sources.textOf)
  const branches = branchesOf(state)
  const computed = branches.flatMap(({ findings }) => findings.flatMap(({ text, sql }) => (sql ? [text] : [])))
  const marked = checkClaims(checked.text.trim(), sources.claimSource, computed)
  const refs = [...new Set(refsIn(marked.text))]
  const cited = refs.flatMap((ref) => sources.of(ref) ?? [])
  const gaps = [...missing, ...gapsOf(branches)]
  const grade = gradeOf(branches)
  // The last of them, though a run that was interrupted then may have kept it before.
  const { report: _, ...before } = state.stages
  const stages = { ...before, report: [body.by] }
  const told = {
    state,
    grade,
    gaps,
    cited,
    branches,
    stages,
    unproven: checked.unproven.length,
    unknown: marked.unknown.length,
    unsupported: marked.claims.filter(({ verdict }) => verdict !== 'supported').length,
  }
  const { markdown, bodyAt } = reportText(marked.text, told)
  return {
    session_id: session,
    question: state.question,
    grade,
    is_partial: missing.length > 0,
    markdown,
    sources: cited,
    branches: branches.map(toReportBranch),
    conflicts: [],
    gaps,
    quotes: { proven: checked.proven, unproven: checked.unproven },
    claims: marked.claims.map((claim) => ({ ...claim, start: claim.start + bodyAt, end: claim.end + bodyAt })),
    unknown_refs: marked.unknown,
    stages,
    spent: addSpent(state.spent, state.spentBy('').calls > 0 ? NOTHING_SPENT : body.spent),
  }
}

function toReportBranch({ id, question, status, evidence, gaps }: Branch): ReportBranch {
  return { id, question, status, evidence: evidence as ReportBranch['evidence'], gaps }
}

function refsIn(text: string): string[] {
  return [...text.matchAll(CITATION)].map(([, ref = '']) => ref)
}

function gapsOf(branches: readonly Branch[]): string[] {
  const open = branches.filter(({ status }) => status === 'unresolved' || status === 'partial')
  const leaves = open.filter(({ id }) => !branches.some((other) => other.id.startsWith(`${id}.`)))
  return leaves.flatMap(({ id, gaps, question }) => {
    const own = gaps.length > 0 ? gaps : [`There is no whole answer to: ${question}`]
    return own.map((gap) => `${id}: ${gap}`)
  })
}

/** `full`: each part of each question has evidence above the threshold. */
function gradeOf(branches: readonly Branch[]): Grade {
  if (branches.every(({ findings }) => findings.length === 0)) return 'none'
  return branches.every(({ parts }) => answeredOf(parts) === 'yes') ? 'full' : 'partial'
}

interface ReportFacts {
  readonly state: RunState
  readonly grade: Grade
  readonly gaps: readonly string[]
  readonly cited: readonly ReportSource[]
  readonly branches: readonly Branch[]
  readonly stages: ResearchReport['stages']
  readonly unproven: number
  readonly unknown: number
  readonly unsupported: number
}

const GRADES: Readonly<Record<Grade, string>> = {
  full: 'Every question has an answer in the evidence.',
  partial: 'Some questions have no answer, or not a whole one; see Gaps.',
  none: 'Nothing was found.',
}

/** The report, and where its body begins. */
function reportText(body: string, { state, grade, ...told }: ReportFacts): { markdown: string; bodyAt: number } {
  const doubts = [
    ...(told.unproven > 0 ? [`${told.unproven} quotations could not be verified, and are marked.`] : []),
    ...(told.unknown > 0 ? [`${told.unknown} citations led to no source that was read, and are marked.`] : []),
    ...(told.unsupported > 0
      ? [`${countNoun(told.unsupported, 'statement')} not borne out by what is cited: each is marked.`]
      : []),
  ]
  const title = `# ${state.question.replace(/\s+/g, ' ')}`
  const head = `${[title, `*${GRADES[grade]}*`, ...doubts.map((doubt) => `*${doubt}*`)].join('\n\n')}\n\n`
  const sections = [
    body,
    reportSection(
      'Gaps',
      told.gaps.map((gap) => `- ${plainLine(gap)}`),
    ),
    reportSection('Questions', told.branches.map(questionLine)),
    reportSection(
      'Sources',
      told.cited.map((source) => `- [${source.ref}] ${sourceCaption(source)}`),
    ),
    `## How it was made\n\n${madeBy(told.stages)}\n\n${filesTold(state)}`,
  ]
  const markdown = `${head}${sections.filter((section) => section !== '').join('\n\n')}\n`
  return { markdown, bodyAt: head.length }
}

function reportSection(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `## ${title}\n\n${lines.join('\n')}`
}

function questionLine({ id, question, status, evidence }: Branch): string {
  const mix = evidence.length > 0 ? `; evidence: ${evidence.join(', ')}` : ''
  return `${'  '.repeat(id.split('.').length - 1)}- ${id} ${plainLine(question)} (${status}${mix})`
}

function madeBy(stages: ResearchReport['stages']): string {
  const makers = [...new Set(Object.values(stages).flat())].sort()
  const doneBy = (maker: string) => Object.keys(stages).filter((stage) => stages[stage]?.includes(maker))
  return makers.map((maker) => `- ${maker}: ${doneBy(maker).join(', ')}`).join('\n')
}

function filesTold({ files }: RunState): string {
  if (files.length === 0) return 'No files were given.'
  const lines = files.map(({ alias, status, reason, warnings, spans, items }) => {
    const told =
      status === 'ready' ? `${countNoun(items, 'item')} from ${countNoun(spans, 'span')}` : `not read: ${reason}`
    return `- ${plainLine(`${alias}: ${[told, ...warnings].join(' ')}`)}`
  })
  return `Files:\n\n${lines.join('\n')}`
}
