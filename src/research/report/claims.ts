/** Checks each statement (sentence, list item or table row) of a report's body against the sources that it cites. */

import { unescapeMarkdown } from '../../text/code.ts'
import { neutralise } from '../../text/invisible.ts'
import { sentencesOf } from '../../text/sentences.ts'
import type { ResearchReport } from '../answers.ts'
import { findCalculations } from '../explore/tables.ts'
import type { ClaimVerdict } from '../run/stages.ts'
import { type CitationNumbers, NUMBERED, withoutCode } from './citations.ts'
import { type ClaimContext, type ClaimSource, isVerbatim, whyUnsupported } from './claim-check.ts'
import { LARGEST_SMALL_NUMBER } from './numbers.ts'
import { quotationsIn } from './quotations.ts'
import { saysNothing } from './report-words.ts'
import { numbersIn } from './written-numbers.ts'

export type ReportClaim = ResearchReport['claims'][number]

/** `unchecked`: code found nothing wrong, and no model judged it. */
type StatementVerdict = ReportClaim['verdict']

/** A statement with its context. */
export interface PlacedClaim extends ReportClaim {
  /** The heading above the statement. */
  readonly section: string
  /** For a row of a table: the row that names the columns. */
  readonly columns?: string | undefined
  /** The neighbouring statements in the section; `''` if there are none. */
  readonly before: string
  readonly after: string
  /** All citations of its paragraph or item; if there are none, all citations of its section. */
  readonly nearbyCitations: readonly string[]
  /** Calculations in earlier statements, if this statement uses their results. */
  readonly usedCalculations: readonly string[]
  /** Whether the text has a mark after the statement already. */
  readonly isMarked: boolean
  /** Whether code refused the statement only because of a number. The number may follow from the sources by several steps. */
  readonly lacksCalculation?: boolean
}

const MARKS: Readonly<Partial<Record<StatementVerdict, string>>> = {
  unsupported: ' *(not borne out by its source)*',
  partly: ' *(borne out in part)*',
  uncited: ' *(no source)*',
}
const ANY_MARK =
  /\s?\*\((?:not borne out by its source|borne out in part|no source|not found in its source|quotation without a source|no such source: [^\n)]*)\)\*/g
const UNKNOWN_SOURCE_MARK = /\*\(no such source: [^\n)]*\)\*/

/** A judge's verdict on a statement. `edit`: the sentence to write instead. */
export type JudgedClaim = Omit<ClaimVerdict, 'id'>

export interface ClaimBasis extends ClaimContext {
  /** Sources of the numbers in the text. */
  readonly numbers: Pick<CitationNumbers, 'refOf'>
  /** The passage of a citation; undefined if its source was never read. */
  sourceOf(ref: string): ClaimSource | undefined
  /** Verdicts by `claimKey`. */
  readonly judged?: ReadonlyMap<string, JudgedClaim> | undefined
  /** Whether only statements that cite something are checked. Default: all. */
  readonly citedOnly?: boolean
}

/** A statement in the form of a report's JSON. `at`: the offset of the checked text in the report. */
export function toReportClaim({ text, start, end, citations, verdict, why }: PlacedClaim, at = 0): ReportClaim {
  return { text, start: start + at, end: end + at, citations, verdict, ...(why !== undefined && { why }) }
}

/** Identifies a statement by its text and citations, so that a judge's verdict can be found again. */
export function claimKey({ text, citations }: Pick<ReportClaim, 'text' | 'citations'>): string {
  return [text, ...citations].join('\0')
}

/** Checks a text whose citations are numbers, and marks unsupported statements. Checking the result again adds no mark. */
export function checkClaims(text: string, basis: ClaimBasis) {
  let [marked, copiedUntil] = ['', 0]
  const claims = statementsIn(text, basis).map((claim): PlacedClaim => {
    const shift = marked.length - copiedUntil
    const mark = claim.isMarked ? '' : (MARKS[claim.verdict] ?? '')
    marked += text.slice(copiedUntil, claim.end) + mark
    copiedUntil = claim.end
    return { ...claim, start: claim.start + shift, end: claim.end + shift }
  })
  return { claims, text: marked + text.slice(copiedUntil) }
}

/** The statements of a text, with the verdicts of code and of a judge. Offsets refer to the given text. */
export function statementsIn(text: string, basis: ClaimBasis): readonly PlacedClaim[] {
  const raw = claimsIn(text, basis).filter((claim) => {
    return !basis.citedOnly || claim.citations.length > 0 || claim.citesUnread
  })
  const citationsBy = (keyOf: (one: RawClaim) => string | number) => {
    const groups = [...Map.groupBy(raw, keyOf)]
    return new Map(groups.map(([key, all]) => [key, [...new Set(all.flatMap((one) => one.citations))]] as const))
  }
  const [bySection, byBlock] = [citationsBy(({ section }) => section), citationsBy(({ block }) => block)]
  // Later statements may use results that a statement derives from its sources.
  const calculations: ReturnType<typeof findCalculations> = []
  return raw.flatMap((claim, at): PlacedClaim[] => {
    const { quotes: _, citesUnread: __, isQuestion, block, ...placed } = claim
    // A question asserts nothing, but is context for the next statements.
    if (isQuestion) return []
    const values = new Set(numbersIn(claim.text).flatMap(({ readings }) => readings))
    const used = calculations.filter(({ result }) => values.has(result))
    const computed = [...basis.computed, ...used.map(({ result }) => String(result))]
    const judged = verdictOf(claim, { ...basis, computed })
    if (claim.citations.length > 0 && judged.verdict !== 'unsupported')
      calculations.push(...findCalculations(claim.text).filter(({ result }) => result > LARGEST_SMALL_NUMBER))
    const ownBlock = byBlock.get(block) ?? []
    const nearbyCitations = ownBlock.length > 0 ? ownBlock : (bySection.get(claim.section) ?? [])
    const textIn = (near?: RawClaim) => (near?.section === claim.section ? near.text : '')
    const [before, after] = [textIn(raw[at - 1]), textIn(raw[at + 1])]
    const usedCalculations = used.map(({ calculation }) => calculation)
    return [{ ...placed, ...judged, before, after, nearbyCitations, usedCalculations }]
  })
}

function verdictOf(claim: RawClaim, basis: ClaimBasis): Pick<PlacedClaim, 'verdict' | 'why' | 'lacksCalculation'> {
  const { text, citations, citesUnread } = claim
  const sources = citations.flatMap((ref) => basis.sourceOf(ref) ?? [])
  if (citesUnread) return { verdict: 'unsupported', why: 'The cited source was never read.' }
  if (isVerbatim(text, sources)) return { verdict: 'supported' }
  const judged = basis.judged?.get(claimKey({ text, citations }))
  // A refusal by code is final, whatever the judge says.
  const why = whyUnsupported(text, claim.quotes, { ...basis, sources })
  // A statement without citations: only the judge can compare it with the citations near it.
  if (citations.length === 0) {
    if (judged?.verdict === 'supported') return { verdict: 'supported' }
    return { verdict: 'uncited', why: judged?.why || 'It cites nothing.' }
  }
  if (why !== undefined) {
    const isByNumber = whyUnsupported('', claim.quotes, { ...basis, sources }) === undefined
    return { verdict: 'unsupported', why, ...(isByNumber && { lacksCalculation: true }) }
  }
  if (judged === undefined) return { verdict: 'unchecked' }
  return judged.verdict === 'supported' ? { verdict: 'supported' } : { verdict: judged.verdict, why: judged.why }
}

type RawClaim = ReturnType<typeof claimsIn>[number]

/** Headings, and short lines in bold type that serve as headings. */
const HEADINGS = /^ {0,3}(?:#{1,6}\s|(?=\*\*[^*\n[]{0,60}[^*\n.!?]\*\*:?[^\S\n]*$)\*\*)(?<title>[^*\n]*)/gm

/** The statements of a body, without headings, code, and lines that only introduce a list. */
function claimsIn(text: string, { numbers }: Pick<ClaimBasis, 'numbers'>) {
  const prose = withoutCode(text)
  const headings = [...prose.matchAll(HEADINGS)].map(({ index, groups }) => ({ index, title: groups?.title ?? '' }))
  return sentenceSpans(prose).flatMap(({ start, end, columns, block }) => {
    const whole = prose.slice(start, end)
    const cited = [...whole.matchAll(NUMBERED)].flatMap(([, number]) => numbers.refOf(Number(number)) ?? [])
    const citations = [...new Set(cited)]
    const statement = plainClaim(unescapeMarkdown(whole.replace(ANY_MARK, '').replace(NUMBERED, '')))
    const introducesList = /[:：]$/.test(statement) && citations.length === 0
    const isQuestion = /[?？؟]["”’»)]*$/.test(statement)
    if (!/[\p{L}\p{N}]{2}/u.test(statement) || saysNothing(statement) || introducesList) return []
    const quotes = quotationsIn(whole.replace(ANY_MARK, '')).map(({ quote }) => quote)
    const section = headings.findLast(({ index }) => index < start)?.title ?? ''
    const isMarked = whole.replace(new RegExp(UNKNOWN_SOURCE_MARK, 'g'), '').search(ANY_MARK) >= 0
    const citesUnread = citations.length === 0 && UNKNOWN_SOURCE_MARK.test(whole)
    const placed = { text: statement, start, end, citations, quotes, section, columns, block }
    return [{ ...placed, isMarked: isMarked || citesUnread, citesUnread, isQuestion }]
  })
}

/** The statement as people read it: without invisible characters, bold type and extra spaces. */
function plainClaim(text: string): string {
  return neutralise(text)
    .text.replace(/\*\*|__/g, '')
    .replace(/\s+/g, ' ')
    .replace(/\s(?=[.,;!?])/g, '')
    .trim()
}

/** Sentences with the citations after them. A quotation is never split. */
function sentenceSpans(text: string): (TextRange & { block: number })[] {
  const spans: ReturnType<typeof sentenceSpans> = []
  for (const [block, paragraph] of paragraphsIn(text).entries()) {
    const offset = paragraph.start
    for (const { start, end } of sentencesOf(maskSentenceEnds(text.slice(offset, paragraph.end)))) {
      const [from, to] = [offset + start, offset + end]
      const lead = LEADING_CITATIONS.exec(text.slice(from, to))?.[0].length ?? 0
      const last = spans.at(-1)
      if (lead > 0 && last?.block === block) last.end = from + text.slice(from, from + lead).trimEnd().length
      if (from + lead < to) spans.push({ ...paragraph, start: from + lead, end: to, block })
    }
  }
  return spans
}

/** Citations and marks at the beginning of a sentence. They belong to the previous sentence. */
const LEADING_CITATIONS = /^\s*(?:(?:\[[^[\]\n]+\](?:\([^()\s]*\))?|\*\([^\n)]*\)\*)[\s,;.]*)+/

interface TextRange {
  start: number
  end: number
  columns?: string | undefined
}

/** Paragraphs, list items and table rows, without their marks. Headings and the rows that name columns are left out. */
function paragraphsIn(text: string): TextRange[] {
  const ranges: TextRange[] = []
  let columns: string | undefined
  const lines = [...text.matchAll(/[^\n]+/g)]
  let isOpen = false
  let previousEnd = -2
  for (const [at, { 0: line, index }] of lines.entries()) {
    const isAfterGap = index !== previousEnd + 1
    previousEnd = index + line.length
    const mark = /^\s*(?:>\s?)*(?:(?:[-*+]|\d{1,3}[.)])(?=\s))?\s*/.exec(line)?.[0] ?? ''
    const isRow = line.trimStart().startsWith('|')
    const isHead = isRow && /^(?=[\s:|]*-)[\s:|-]*$/.test(lines[at + 1]?.[0] ?? '')
    const isSkipped = line.trim() === '' || line.search(HEADINGS) === 0 || isHead || /^[\s:|*_-]+$/.test(line)
    const begins = isAfterGap || !isOpen || isRow || /^\s*(?:>|(?:[-*+]|\d{1,3}[.)])\s)/.test(line)
    const open = ranges.at(-1)
    if (isHead) columns = line.replace(NUMBERED, '').trim()
    if (isSkipped) isOpen = false
    else if (begins || !open) {
      ranges.push({ start: index + mark.length, end: index + line.length, columns: isRow ? columns : undefined })
      isOpen = !isRow
    } else open.end = index + line.length
  }
  return ranges
}

/** A bold lead belongs to the sentence after it: `**Childcare.** The plan has none.` */
const LEAD = /^\*\*[^*[\]\n]{1,80}\*\*(?=\s+\S)/

/** Masks a text, at the same length, so that no sentence ends or begins in a lead, quotation marks or brackets. */
function maskSentenceEnds(text: string): string {
  const mask = (inner: string) => inner.replace(/[.!?。!?\n]/g, ',')
  // Citations become capital letters: after a full stop, a small letter would continue the sentence, and a bracket
  // would belong to the sentence before the bracket.
  return text
    .replace(LEAD, mask)
    .replace(/\[[^[\]\n]*\](?:\([^()\s]*\))?/g, (cited) => 'X'.repeat(cited.length))
    .replace(/“[^“”]*”/g, (quote) => `${mask(quote.slice(0, -2))}${quote.slice(-2)}`)
    .replace(/\*\([^\n)]*\)\*/g, mask)
    .replaceAll('\n', ' ')
    .replaceAll('|', ' ')
}
