/** Checks statements by code against their cited passages: a passage may contain the statement, and must contain its numbers. */

import { cachePerObject } from '../../core/cache-per-object.ts'
import { unescapeMarkdown } from '../../text/code.ts'
import { plainHeading } from '../../text/headings.ts'
import { displayText } from '../../text/markdown.ts'
import { replaceRanges } from '../../text/replace-ranges.ts'
import { sentencesOf } from '../../text/sentences.ts'
import { foldTypography, LINE_HYPHEN } from '../../text/typography.ts'
import { findUnsupportedNumber, type NumberedPassage } from './numbers.ts'
import { quotationsIn } from './quotations.ts'

/** A cited passage. */
export interface ClaimSource extends NumberedPassage {
  /** Its context: title, headings, names of columns. */
  readonly context: string
  /** For a row of a table: the row as written. Its `text` names the columns, too. */
  readonly rawRow?: string
}

/** What a statement may rest on besides its cited passages. */
export interface ClaimContext {
  readonly question: string
  /** Results of computations, as texts. */
  readonly computed: readonly string[]
  /** The day of the question, ISO 8601. */
  readonly today?: string | undefined
}

/**
 * Why a statement is unsupported: a sentence that names a quotation or number that no source contains. Undefined if all are
 * found.
 */
export function whyUnsupported(
  claim: string,
  quotes: readonly string[],
  { sources, question, computed, today = '' }: ClaimContext & { readonly sources: readonly ClaimSource[] },
): string | undefined {
  const missing = quotes.find((quote) => !isQuotable(quote, sources, question))
  if (missing !== undefined) return `No cited passage contains the words “${missing.slice(0, 100).toWellFormed()}”.`
  if (sources.length === 0) return undefined
  const number = findUnsupportedNumber(claim, {
    passages: sources,
    otherTexts: [...sources.map(({ context }) => context), ...computed, today],
    question,
  })
  return number === undefined ? undefined : `No cited passage, computation or question contains ${number}.`
}

/** Whether a quotation is in a text that may be quoted: a passage, its context, or the question. */
function isQuotable(quote: string, sources: readonly ClaimSource[], question: string): boolean {
  const forms = sources.map(readSource).flatMap(({ folded, context }) => [...folded, ...context])
  return containsQuote(quote, [...forms, ...foldText(question)])
}

/** Whether a passage contains the statement: as whole sentences, as a row, or as words that the statement quotes. */
export function isVerbatim(claim: string, sources: readonly ClaimSource[]): boolean {
  const quote = /^[“"„«](?<inner>[^“”„«»]+)[”"»“][.,;:!?]?$/u.exec(claim.trim())?.groups?.inner
  // An ellipsis may hide a negation, which only the judge can notice.
  const isWhole = quote !== undefined && !/\.{3}|…/.test(quote)
  if (isWhole && sources.some((one) => containsQuote(quote, readSource(one).folded))) return true
  const words = plainWordsOf(claim)
  if (!/\p{L}.*\p{L}/su.test(words)) return false
  return sources.some((source) => {
    const { parts, whole } = readSource(source)
    return parts.includes(`|${words}|`) || whole === words
  })
}

/**
 * The forms of a source that statements are compared with, cached per source. `parts`: the plain words of its sentences
 * and lines, between bars (`|`).
 */
const readSource = cachePerObject(({ text, context, isRow = false, rawRow = '' }: ClaimSource) => {
  const parts = isRow ? [text] : [...sentencesOf(text).map((sentence) => sentence.text), ...text.split('\n')]
  const folded = [text, rawRow].flatMap(foldText)
  const words = { parts: `|${parts.map(plainWordsOf).join('|')}|`, whole: plainWordsOf(text) }
  return { folded, context: foldText(context), ...words }
})

/** Words in lower case without punctuation; a number keeps its signs. */
function plainWordsOf(text: string): string {
  return foldTypography(text)
    .toLowerCase()
    .replace(/[*_`|]/g, ' ')
    .replace(/(?<!\d)[.,:;!?()"'[\]#>-]+|[.,:;!?()"'[\]-]+(?!\d)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

const MARKS = { absent: ' *(not found in its source)*', unsourced: ' *(quotation without a source)*' }

/**
 * Checks each quotation of a Markdown report, in quotation marks or as a block quote, against the question and the
 * sources that are cited after the quotation. Up to three words in quotation marks without a citation are a term, not a
 * quotation. `sourceOf`: the source with a number. Returns the text with a mark after each unproven quotation; checking
 * the result again adds no mark.
 */
export function checkQuotes(report: string, sourceOf: (number: number) => ClaimSource | undefined, question: string) {
  const quotations = quotationsIn(report)
  const cited = new Map([...new Set(quotations.flatMap(({ numbers }) => numbers))].map((one) => [one, sourceOf(one)]))
  const missing = quotations.filter(({ quote, numbers }) => {
    const sources = numbers.flatMap((number) => cited.get(number) ?? [])
    return !isQuotable(quote, sources, question)
  })
  const marks = missing.flatMap(({ numbers: { length }, end }) => {
    const by = length > 0 ? MARKS.absent : MARKS.unsourced
    return report.startsWith(by, end) ? [] : [{ start: end, end, by }]
  })
  /** `number`: the first citation after the quotation. */
  const unproven = missing.map(({ quote, numbers: [number] }) => ({ quote, number }))
  return { proven: quotations.length - unproven.length, unproven, text: replaceRanges(report, marks) }
}

/**
 * Whether a source contains the quote word for word. Only typography may differ, and no word or number may be cut at
 * either end. In scripts without spaces, a cut word is not detected.
 */
export function isQuoted(quote: string, source: string): boolean {
  return containsQuote(quote, foldText(source))
}

/**
 * The forms of a source in which quotations are searched: as written; without the marks of list items, because `-`
 * looks like the sign of a number; and as displayed.
 */
function foldText(source: string): readonly string[] {
  const text = withoutQuoteMarks(source)
  const bare = withoutBullets(text)
  const displayed = displayText(bare).split('\n').map(plainHeading).join('\n')
  return [...new Set([text, bare, displayed].map(foldTypography))]
}

function withoutBullets(text: string): string {
  return text.replace(/^[ \t]*[-+*•][ \t]+/gm, '')
}

/** Removes the marks of a Markdown block quote from all its lines except the first, because they are not part of the text. */
function withoutQuoteMarks(source: string): string {
  return source.replace(/(?<=^[ \t]*>[^\n]*\n)[ \t]*>[ \t>]*/gm, '')
}

function containsQuote(quote: string, forms: readonly string[]): boolean {
  const isPart = (text: string) => /[\p{L}\p{N}]/u.test(text)
  // The report escapes characters that Markdown would read as marks.
  const wholes = [...new Set([quote, unescapeMarkdown(quote)].flatMap(foldText))].filter(isPart)
  const divided = wholes.filter((one) => one.includes('...')).map((one) => one.split(ELLIPSIS).filter(isPart))
  return [...wholes.map((one) => [one]), ...divided].some((parts) => forms.some((form) => containsParts(form, parts)))
}

/** An ellipsis in a folded text, with or without brackets. */
const ELLIPSIS = / ?[[(]?\.{3}[\])]? ?/

/** Whether a text contains the parts in their order. */
function containsParts(source: string, parts: readonly string[]): boolean {
  let at = 0
  return parts.every((part) => {
    at = endOfWhole(source, part, at) ?? endOfDivided(source, part, at) ?? -1
    return at >= 0
  })
}

/** The end of the first occurrence that cuts no word or number at either end; undefined without one. */
function endOfWhole(source: string, wanted: string, from: number): number | undefined {
  for (let at = source.indexOf(wanted, from); at >= 0; at = source.indexOf(wanted, at + 1)) {
    if (isWhole(source, at, at + wanted.length)) return at + wanted.length
  }
  return undefined
}

/**
 * Maximum characters of a quote that is searched across divided words. Such a quote becomes a pattern, and a longer pattern
 * overflows the stack.
 */
const MAX_DIVIDED_LENGTH = 2000

/** As `endOfWhole`, but a hyphen at the end of a line may belong to the word, or just divide it. */
function endOfDivided(source: string, wanted: string, from: number): number | undefined {
  if (wanted.length > MAX_DIVIDED_LENGTH || !(source + wanted).includes(LINE_HYPHEN)) return undefined
  const hyphens: Readonly<Record<string, string>> = { '-': `[-${LINE_HYPHEN}]`, [LINE_HYPHEN]: `[-${LINE_HYPHEN}]?` }
  const patternOf = (sign: string) => hyphens[sign] ?? sign.replace(/[$()*+./?[\\\]^{|}]/, '\\$&')
  const pattern = new RegExp([...wanted].map(patternOf).join(`${LINE_HYPHEN}?`), 'gu')
  pattern.lastIndex = from
  for (const { 0: found, index } of source.matchAll(pattern))
    if (isWhole(source, index, index + found.length)) return index + found.length
  return undefined
}

/** Letters of scripts that put spaces between words. */
const SPACED_LETTER = String.raw`(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}])[\p{L}\p{M}])`

/** Patterns of a cut within a word or a number. `\0` marks the cut. */
const CUTS: readonly RegExp[] = [
  // un|able, 1|15, B|2, cannot
  new RegExp(String.raw`(?:${SPACED_LETTER}|\p{N})\0(?:${SPACED_LETTER}|\p{N})`, 'u'),
  // long-|term, can|'t
  new RegExp(String.raw`(?:${SPACED_LETTER}|\p{N})[-'${LINE_HYPHEN}]\0(?:${SPACED_LETTER}|\p{N})`, 'u'),
  new RegExp(String.raw`(?:${SPACED_LETTER}|\p{N})\0[-'${LINE_HYPHEN}](?:${SPACED_LETTER}|\p{N})`, 'u'),
  // 1.|5, 1|,500, -|5, 15|%
  /\p{N}[.,:/]\0\p{N}|\p{N}\0[.,:/]\p{N}|[-+±~<>≤≥]\s?\0\p{N}|\p{N}\0\s?[%‰°]/u,
]

/** Whether a range of a text cuts no word or number at either end. */
function isWhole(source: string, start: number, end: number): boolean {
  const isCut = (at: number) => {
    const around = `${source.slice(Math.max(0, at - 4), at)}\0${source.slice(at, at + 4)}`
    return CUTS.some((cut) => cut.test(around))
  }
  return !isCut(start) && !isCut(end)
}
