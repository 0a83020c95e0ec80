import { quotationsLine, statementsLine } from '../../text/own-reports.ts'
import type { ReportSource, ResearchReport } from '../answers.ts'
import { failuresIn, stagesIn } from '../run/done-work.ts'
import { answeredOf } from '../run/evidence.ts'
import type { GradedPart, StageResult } from '../run/stages.ts'
import type { RunState } from '../run/state.ts'
import { type Branch, branchesOf } from '../run/tree.ts'
import { EXTRACTIVE } from '../settings.ts'
import { copiesAmong } from '../web/page-dates.ts'
import { type CitationNumbers, plainLine, renumber } from './citations.ts'
import { checkQuotes } from './claim-check.ts'
import { checkClaims, claimKey, type JudgedClaim, toReportClaim } from './claims.ts'
import { fillWords, type Grade, type ReportWords, reportWords } from './report-words.ts'
import { type ReportSources, sourceCaption } from './sources.ts'

/** A statement that was replaced, and why. */
export type Correction = Readonly<Record<'text' | 'why', string>>

export interface ReportParts {
  readonly session: string
  readonly state: RunState
  readonly sources: ReportSources
  /** The answer and its sections, as a model or the extractive stage wrote them. Its citations are numbers. */
  readonly body: StageResult<string>
  readonly numbers: CitationNumbers
  /** Citations of sources that were never read. */
  readonly unknown: readonly string[]
  /** The requested language; default: the language of the question. */
  readonly language?: string | undefined
  /** Verdicts of a judge on the statements of the body, by `claimKey`. */
  readonly judged?: ReadonlyMap<string, JudgedClaim> | undefined
  /** The statements that a judge replaced, by the `claimKey` of the new statement. */
  readonly corrections?: ReadonlyMap<string, Correction> | undefined
  /** The refused statements of paragraphs that were rewritten. */
  readonly rewritten?: readonly Correction[] | undefined
  /** For each part of the question, whether the report answers it, as a model judged. */
  readonly graded?: readonly GradedPart[] | undefined
  /** Results of earlier stages. */
  readonly results: ReadonlyMap<string, unknown>
  /** Why the report is incomplete: sentences. */
  readonly missing: readonly string[]
}

/** Assembles a report: checks its body against its sources, and adds sections from the state of the run. */
export function assembleReport(parts: ReportParts): ResearchReport {
  const { session, state, sources, body, language, results, missing, unknown, graded = [] } = parts
  const branches = branchesOf(state)
  const { text, refs, claims, quotes } = checkBody(parts, branches)
  const cited = refs.flatMap((ref) => sources.sourceOf(ref) ?? [])
  const gaps = [...missing, ...openParts(graded, language), ...gapsOf(branches, language)]
  const grade = gradeOf(branches, graded)
  const stages = { ...stagesIn(results), report: [body.by] }
  const words = reportWords(state.question, language)
  const unsupportedCount = claims.filter(({ verdict }) => verdict !== 'supported' && verdict !== 'unchecked').length
  const doubts = [
    [words.unproven, quotes.unproven.length],
    [words.unknown, unknown.length],
    [words.unsupported, unsupportedCount],
  ] as const
  const marks = doubts.flatMap(([sentence, count]) => (count > 0 ? [`*${fillWords(sentence, count)}*`] : []))
  const head = [`# ${state.question.replace(/\s+/g, ' ')}`, `*${words.grades[grade]}*`, ...marks].join('\n\n')
  const gapLines = gaps.map((gap) => `- ${plainLine(gap)}`)
  const failures = failuresIn(results).map((one) => `- ${plainLine(one)}`)
  const counts = countsLine({ body, claims, quotes })
  const corrected = [...new Set(claims.flatMap((claim) => parts.corrections?.get(claimKey(claim)) ?? []))]
  const sections = [
    head,
    text,
    reportSection(words.gaps, gapLines),
    // In a run without subquestions, the title is the only question.
    reportSection(words.questions, branches.length > 1 ? branches.map((branch) => questionLine(branch, words)) : []),
    reportSection(words.sources, sourceLines(cited, words)),
    `## ${words.method}\n\n${makerLines(stages)}`,
    failures.join('\n'),
    counts,
    correctionLines('Corrected by the judge', corrected),
    correctionLines('Rewritten after the check', parts.rewritten ?? []),
    fileLines(state, words),
  ]
  return {
    session_id: session,
    question: state.question,
    grade,
    is_partial: missing.length > 0,
    markdown: `${sections.filter((section) => section !== '').join('\n\n')}\n`,
    sources: cited,
    branches: branches.map(({ id, question: asked, status, evidence, gaps: open }) => {
      return { id, question: asked, status, evidence, gaps: open }
    }),
    // Contradictions between sources, from the digest.
    conflicts: state.items.flatMap(({ kind, text, sources }) => (kind === 'conflict' ? [{ text, refs: sources }] : [])),
    gaps,
    ...(graded.length > 0 && { parts: graded }),
    quotes,
    claims: claims.map((claim) => toReportClaim(claim, head.length + 2)),
    unknown_refs: unknown,
    stages,
    spent: state.spent,
  }
}

/** The statements as they were before, each with the reason; `''` for none. */
function correctionLines(label: string, corrections: readonly Correction[]): string {
  if (corrections.length === 0) return ''
  const lines = corrections.map(({ text, why }) => `- ${plainLine(`${text.replaceAll(' | ', ', ')} (${why})`)}`)
  return `${label}: ${corrections.length}. Before:\n\n${lines.join('\n')}`
}

type CheckedCounts = Pick<ReturnType<typeof checkBody>, 'claims' | 'quotes'>

/** Counts the statements of a report by verdict. A report without a model has only quotations, so it counts these. */
function countsLine({ body, claims, quotes }: Pick<ReportParts, 'body'> & CheckedCounts): string {
  if (body.by === EXTRACTIVE) return quotationsLine(quotes.proven, quotes.unproven.length)
  return statementsLine((verdict) => claims.filter((claim) => claim.verdict === verdict).length)
}

/** The body with its final citation numbers, and a mark after each unproven quotation and statement. */
function checkBody({ state, sources, body, numbers, judged }: ReportParts, branches: readonly Branch[]) {
  const { text, refs } = renumber(body.value.trim(), numbers)
  const refOf = (number: number) => refs[number - 1]
  const sourceOf = (number: number) => sources.claimSource(refOf(number) ?? '')
  const { proven, unproven, text: quoted } = checkQuotes(text, sourceOf, state.question)
  const [computed, today] = [computedIn(branches), state.today]
  const basis = { numbers: { refOf }, sourceOf: sources.claimSource, question: state.question, today, computed, judged }
  // A report without a model makes no statements: it shows passages, which are checked as quotations.
  const marked = body.by === EXTRACTIVE ? { text: quoted, claims: [] } : checkClaims(quoted, basis)
  const unprovenQuotes = unproven.map(({ quote, number = 0 }): ResearchReport['quotes']['unproven'][number] => {
    const source = refOf(number)
    return { quote, ...(source !== undefined && { ref: source }) }
  })
  return { text: marked.text, refs, claims: marked.claims, quotes: { proven, unproven: unprovenQuotes } }
}

/** The texts of findings that SQL statements computed. */
export function computedIn(branches: readonly Branch[]): string[] {
  return branches.flatMap(({ findings }) => findings.flatMap(({ text, sql }) => (sql ? [text] : [])))
}

/** The gaps of all questions, except gaps that subquestions took over. */
function gapsOf(branches: readonly Branch[], language: string | undefined): string[] {
  const divided = new Set(branches.flatMap(({ parent, isAdded }) => (isAdded ? [] : [parent])))
  const relevant = branches.filter(({ id, sufficiency }) => sufficiency?.is_sufficient || !divided.has(id))
  const sentences = relevant.flatMap(({ id, gaps, question, status }) => {
    const isOpen = gaps.length === 0 && (status === 'unresolved' || status === 'partial')
    const open = isOpen ? [fillWords(reportWords(question, language).perhaps, question)] : gaps
    return open.map((gap) => (branches.length > 1 ? `${id}: ${gap}` : gap))
  })
  return [...new Set(sentences)]
}

/** `full`: each part has an answer, by a model's grade of the report; without a grade, by the evidence. */
function gradeOf(branches: readonly Branch[], graded: readonly GradedPart[]): Grade {
  if (branches.every(({ findings }) => findings.length === 0)) return 'none'
  const isFull =
    graded.length > 0
      ? graded.every(({ answered }) => answered === 'answered')
      : branches.every(({ parts }) => answeredOf(parts) === 'yes')
  return isFull ? 'full' : 'partial'
}

/** A sentence for each part of the question that the report does not answer completely. */
function openParts(graded: readonly GradedPart[], language: string | undefined): string[] {
  return graded.flatMap(({ text, answered, lacks }) => {
    const words = reportWords(text, language)
    if (answered === 'answered') return []
    const gap = fillWords(answered === 'part' ? words.perhaps : words.unanswered, text)
    return [lacks === undefined ? gap : `${gap} ${lacks}`]
  })
}

/** The lines of the sources. A page that repeats the text of an earlier page is named as a copy. */
function sourceLines(cited: readonly ReportSource[], words: ReportWords): string[] {
  const pages = cited.filter(({ kind }) => kind === 'web')
  const copies = copiesAmong(pages.map(({ ref, text }) => ({ url: ref, text })))
  return cited.map((source, at) => {
    const original = copies.get(source.ref)
    const copy = original === undefined ? [] : [fillWords(words.copy, original)]
    return `- [${at + 1}] ${[plainLine(sourceCaption(source, words)), ...copy].join(', ')}`
  })
}

function reportSection(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `## ${title}\n\n${lines.join('\n')}`
}

function questionLine({ id, question, status, evidence }: Branch, words: ReportWords): string {
  const kinds = evidence.map((kind) => words.kinds[kind]).join(', ')
  const mix = kinds === '' ? '' : `; ${fillWords(words.evidence, kinds)}`
  return `${'  '.repeat(id.split('.').length - 1)}- ${id} ${plainLine(question)} (${words.statuses[status]}${mix})`
}

/** A line for each model (or `extractive`), with the stages that it did. */
function makerLines(stages: ResearchReport['stages']): string {
  const makers = [...new Set(Object.values(stages).flat())].sort()
  const doneBy = (maker: string) => Object.keys(stages).filter((stage) => stages[stage]?.includes(maker))
  return makers.map((maker) => `- ${maker}: ${doneBy(maker).join(', ')}`).join('\n')
}

function fileLines({ files }: RunState, words: ReportWords): string {
  if (files.length === 0) return words.noFiles
  const lines = files.map(({ alias, status, reason, warnings, spans, items }) => {
    const read = `${fillWords(words.items, items)}; ${fillWords(words.spans, spans)}`
    const state = status === 'ready' ? read : fillWords(words.unread, reason ?? '')
    return `- ${plainLine(`${alias}: ${[state, ...warnings].join(' ')}`)}`
  })
  return `${words.files}\n\n${lines.join('\n')}`
}
