import { answeredOf } from '../run/evidence.ts'
import { addSpent, type Branch, type Done, type Spent } from '../run/stages.ts'
import type { RunState } from '../run/state.ts'
import { EXTRACTIVE } from '../settings.ts'
import { copiesAmong } from '../web/copies.ts'
import { branchesOf } from './branches.ts'
import { type Captions, captionsIn, kindTold, statusTold } from './captions.ts'
import { checkClaims } from './claims.ts'
import { CITATION, plainLine } from './plain.ts'
import { checkQuotes } from './quotes.ts'
import type { ReportBranch, ReportChart, ReportSource, ResearchReport } from './report.ts'
import { fillWords, type Grade, type ReportWords, reportLanguage, reportWords } from './report-words.ts'
import { type ReportSources, sourceCaption } from './sources.ts'

/** What a report is made of. */
export interface ReportParts {
  readonly session: string
  readonly state: RunState
  readonly sources: ReportSources
  /** The answer and its sections, as a model or the extractive stage wrote them. */
  readonly body: Done<string>
  /** The language that was asked for; default that of the question. */
  readonly language?: string | undefined
  /** As in `ClaimKnowledge`. */
  readonly refuted?: ReadonlyMap<string, string> | undefined
  /** By whom its parts were made, beside its body: `judge`, `repair`. */
  readonly makers: Readonly<Record<string, readonly string[]>>
  /** What it took, and is not in the state yet. */
  readonly spent: Spent
  /** Why it is not whole: sentences. */
  readonly missing: readonly string[]
}

/** Puts a report together: what it says is held against its sources first, and what it rests on is told by the run itself. */
export function assembleReport({
  session,
  state,
  sources,
  body,
  language,
  spent,
  refuted,
  makers,
  missing,
}: ReportParts): ResearchReport {
  const checked = checkQuotes(body.value, sources.textOf)
  const branches = branchesOf(state)
  const computed = branches.flatMap(({ findings }) => findings.flatMap(({ text, sql }) => (sql ? [text] : [])))
  const trimmed = checked.text.trim()
  // Passages alone assert nothing: each is checked as a quotation.
  const marked =
    body.by === EXTRACTIVE
      ? { text: trimmed, claims: [], unknown: [] }
      : checkClaims(trimmed, sources.claimSource, { computed, ...(refuted && { refuted }) })
  const refs = [...new Set(refsIn(marked.text))]
  const cited = refs.flatMap((ref) => sources.of(ref) ?? [])
  const gaps = [...missing, ...gapsOf(branches, language)]
  const grade = gradeOf(branches)
  // The last of them, though a run that was interrupted then may have kept it before.
  const { report: _, judge: __, repair: ___, ...before } = state.stages
  const stages = { ...before, report: [body.by], ...makers }
  const told = {
    state,
    words: reportWords(state.question, language),
    captions: captionsIn(reportLanguage(state.question, language)),
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
    charts: chartsOf(branches, refs),
    claims: marked.claims.map((claim) => ({ ...claim, start: claim.start + bodyAt, end: claim.end + bodyAt })),
    unknown_refs: marked.unknown,
    stages,
    spent: addSpent(state.spent, spent),
  }
}

/** Of computed answers that the report cites, each once. */
function chartsOf(branches: readonly Branch[], refs: readonly string[]): ReportChart[] {
  const found = branches.flatMap(({ findings }) =>
    findings.flatMap(({ text, ref, groups }): (readonly [string, ReportChart])[] => {
      const title = text.slice(0, text.indexOf(': '))
      return groups && refs.includes(ref) ? [[text, { title, ref, rows: groups }]] : []
    }),
  )
  return [...new Map(found).values()]
}

function toReportBranch({ id, question, status, evidence, gaps }: Branch): ReportBranch {
  return { id, question, status, evidence: evidence as ReportBranch['evidence'], gaps }
}

function refsIn(text: string): string[] {
  return [...text.matchAll(CITATION)].map(([, ref = '']) => ref)
}

function gapsOf(branches: readonly Branch[], language: string | undefined): string[] {
  const open = branches.filter(({ status }) => status === 'unresolved' || status === 'partial')
  const leaves = open.filter(({ id }) => !branches.some((other) => other.id.startsWith(`${id}.`)))
  const told = leaves.flatMap(({ id, gaps, question }) => {
    const own = gaps.length > 0 ? gaps : [fillWords(reportWords(question, language).perhaps, question)]
    return own.map((gap) => `${id}: ${gap}`)
  })
  return [...new Set(told)]
}

/** `full`: each part of each question has evidence above the threshold. */
function gradeOf(branches: readonly Branch[]): Grade {
  if (branches.every(({ findings }) => findings.length === 0)) return 'none'
  return branches.every(({ parts }) => answeredOf(parts) === 'yes') ? 'full' : 'partial'
}

interface ReportFacts {
  readonly words: ReportWords
  readonly captions: Captions
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

/** The report, and where its body begins. */
function reportText(body: string, facts: ReportFacts): { markdown: string; bodyAt: number } {
  const { state, grade, words, captions, ...told } = facts
  const doubts = [
    ...(told.unproven > 0 ? [fillWords(words.unproven, told.unproven)] : []),
    ...(told.unknown > 0 ? [fillWords(words.unknown, told.unknown)] : []),
    ...(told.unsupported > 0 ? [fillWords(words.unsupported, told.unsupported)] : []),
  ]
  const title = `# ${state.question.replace(/\s+/g, ' ')}`
  const head = `${[title, `*${words.grades[grade]}*`, ...doubts.map((doubt) => `*${doubt}*`)].join('\n\n')}\n\n`
  const sections = [
    body,
    reportSection(
      words.gaps,
      told.gaps.map((gap) => `- ${plainLine(gap)}`),
    ),
    reportSection(
      words.questions,
      told.branches.map((branch) => questionLine(branch, captions)),
    ),
    reportSection(words.sources, sourceLines(told.cited, captions)),
    `## ${words.method}\n\n${madeBy(told.stages)}\n\n${filesTold(state, captions)}`,
  ]
  const markdown = `${head}${sections.filter((section) => section !== '').join('\n\n')}\n`
  return { markdown, bodyAt: head.length }
}

/** Pages that say the same are read for different questions: they are several addresses, and one source. */
function sourceLines(cited: readonly ReportSource[], captions: Captions): string[] {
  const pages = cited.filter(({ kind }) => kind === 'web')
  const copies = copiesAmong(pages.map(({ ref, text, dates = [] }) => ({ urls: [ref], text, dates })))
  return cited.map((source) => {
    const original = copies.get(source.ref)
    const told = original === undefined ? [] : [fillWords(captions.copy, original)]
    return `- [${source.ref}] ${[sourceCaption(source, captions), ...told].join(', ')}`
  })
}

function reportSection(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `## ${title}\n\n${lines.join('\n')}`
}

function questionLine({ id, question, status, evidence }: Branch, captions: Captions): string {
  const kinds = evidence.map((kind) => kindTold(kind, captions)).join(', ')
  const mix = kinds === '' ? '' : `; ${fillWords(captions.evidence, kinds)}`
  const told = statusTold(status, captions)
  return `${'  '.repeat(id.split('.').length - 1)}- ${id} ${plainLine(question)} (${told}${mix})`
}

function madeBy(stages: ResearchReport['stages']): string {
  const makers = [...new Set(Object.values(stages).flat())].sort()
  const doneBy = (maker: string) => Object.keys(stages).filter((stage) => stages[stage]?.includes(maker))
  return makers.map((maker) => `- ${maker}: ${doneBy(maker).join(', ')}`).join('\n')
}

function filesTold({ files }: RunState, captions: Captions): string {
  if (files.length === 0) return captions.noFiles
  const lines = files.map(({ alias, status, reason, warnings, spans, items }) => {
    const told = status === 'ready' ? captions.read(items, spans) : fillWords(captions.unread, reason ?? '')
    return `- ${plainLine(`${alias}: ${[told, ...warnings].join(' ')}`)}`
  })
  return `${captions.files}\n\n${lines.join('\n')}`
}
