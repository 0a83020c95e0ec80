/** Checks statements by code against their cited passages: a passage may contain the statement, and must contain its numbers. */

import { oncePer } from '../../core/once-per.ts'
import { unescapedOf } from '../../text/code.ts'
import { replaceRanges } from '../../text/replace-ranges.ts'
import { sentencesOf } from '../../text/sentences.ts'
import { LINE_HYPHEN, typewritten } from '../../text/typography.ts'
import { findUnsupportedNumber, type NumberedPassage } from './numbers.ts'
import { quotationsIn } from './quotations.ts'

/** A cited passage. */
export interface ClaimSource extends NumberedPassage {
  /** Its context: title, headings, names of columns. */
  readonly context: string
}

/** Evidence for a statement besides its cited passages. */
export interface ClaimContext {
  readonly question: string
  /** Results of computations. */
  readonly computed: readonly string[]
  /** ISO 8601. */
  readonly today?: string | undefined
}

/** A sentence that names a quotation or number that no source contains; undefined if all are found. */
export function whyUnsupported(
  claim: string,
  quotes: readonly string[],
  { sources, question, computed, today = '' }: ClaimContext & { readonly sources: readonly ClaimSource[] },
): string | undefined {
  const contexts = [...sources.map(({ context }) => context), question]
  const isFound = (quote: string) =>
    sources.some((source) => containsQuote(quote, readSource(source).folded)) ||
    contexts.some((one) => isQuoted(quote, one))
  const missing = quotes.find((quote) => !isFound(quote))
  if (missing !== undefined) return `No cited passage contains the words “${missing.slice(0, 100).toWellFormed()}”.`
  if (sources.length === 0) return undefined
  const number = findUnsupportedNumber(claim, {
    passages: sources,
    otherTexts: [...sources.map(({ context }) => context), ...computed, today],
    question,
  })
  return number === undefined ? undefined : `No cited passage, computation or question contains ${number}.`
}

/** Whether a passage contains the statement: as whole sentences, as a row, or as words that the statement quotes. */
export function isVerbatim(claim: string, sources: readonly ClaimSource[]): boolean {
  const quote = /^[“"„«](?<inner>[^“”„«»]+)[”"»“][.,;:!?]?$/u.exec(claim.trim())?.groups?.inner
  if (quote !== undefined && sources.some((source) => containsQuote(quote, readSource(source).folded))) return true
  const words = plainWordsOf(claim)
  if (!/\p{L}.*\p{L}/su.test(words)) return false
  return sources.some((source) => {
    const { parts, whole } = readSource(source)
    return parts.includes(`|${words}|`) || whole === words
  })
}

/**
 * The forms of a source that statements are compared with, made once per source. `parts`: the plain words of its
 * sentences and lines, between bars.
 */
const readSource = oncePer(({ text, isRow = false }: ClaimSource) => {
  const parts = isRow ? [text] : [...sentencesOf(text).map((sentence) => sentence.text), ...text.split('\n')]
  return { folded: foldText(text), parts: `|${parts.map(plainWordsOf).join('|')}|`, whole: plainWordsOf(text) }
})

/** Words in lower case without punctuation; a number keeps its signs. */
function plainWordsOf(text: string): string {
  return typewritten(text)
    .toLowerCase()
    .replace(/[*_`|]/g, ' ')
    .replace(/(?<!\d)[.,:;!?()"'[\]#>-]+|[.,:;!?()"'[\]-]+(?!\d)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

const MARKS = { absent: ' *(not found in its source)*', unsourced: ' *(quotation without a source)*' }

/**
 * Checks each quotation of a Markdown report, in quotation marks or as a block quote, against the source that the citation after it
 * names. Up to three words in quotation marks without a citation are a term, not a quotation. `sourceOf`: the text of the source
 * with a number. Returns the text with a mark after each unproven quotation; another check adds no mark.
 */
export function checkQuotes(report: string, sourceOf: (number: number) => string | undefined) {
  const found = quotationsIn(report)
  const numbers = new Set(found.flatMap((one) => one.numbers))
  const folded = new Map([...numbers].map((number) => [number, foldText(sourceOf(number) ?? '')]))
  const missing = found.filter((one) => {
    // The report escapes characters that would be marks.
    const quotes = one.quote.includes('\\') ? [one.quote, unescapedOf(one.quote)] : [one.quote]
    return !one.numbers.some((number) => quotes.some((quote) => containsQuote(quote, folded.get(number) ?? '')))
  })
  const marks = missing.flatMap(({ numbers: { length }, end }) => {
    const by = length > 0 ? MARKS.absent : MARKS.unsourced
    return report.startsWith(by, end) ? [] : [{ start: end, end, by }]
  })
  /** `number`: the first citation after the quotation. */
  const unproven = missing.map(({ quote, numbers: [number] }) => ({ quote, number }))
  return { proven: found.length - unproven.length, unproven, text: replaceRanges(report, marks) }
}

/**
 * Whether a source contains the quote word for word. Only typography may differ, and no word or number may be cut at
 * either end. In scripts without spaces, a cut word is not detected.
 */
export function isQuoted(quote: string, source: string): boolean {
  return containsQuote(quote, foldText(source))
}

/** A source as quotations are searched in it: unchanged, and without the marks of list items, which look like signs of numbers. */
function foldText(source: string): string {
  const text = withoutQuoteMarks(source)
  const bare = withoutBullets(text)
  return bare === text ? typewritten(text) : `${typewritten(text)}\n${typewritten(bare)}`
}

function withoutBullets(text: string): string {
  return text.replace(/^[ \t]*[-+*•][ \t]+/gm, '')
}

/** Removes the mark of a Markdown block quote from all its lines but the first, because it is not part of the text. */
function withoutQuoteMarks(source: string): string {
  const lines = source.split('\n')
  const isQuote = (line = '') => /^[ \t]*>/.test(line)
  return lines
    .map((line, at) => (isQuote(line) && isQuote(lines[at - 1]) ? line.replace(/^[ \t]*>[ \t>]*/, '') : line))
    .join('\n')
}

function containsQuote(quote: string, source: string): boolean {
  return [...new Set([quote, withoutBullets(quote)])].some((one) => {
    const wanted = typewritten(one)
    if (!/[\p{L}\p{N}]/u.test(wanted)) return false
    return containsWhole(source, wanted) || containsDivided(source, wanted)
  })
}

function containsWhole(source: string, wanted: string): boolean {
  for (let at = source.indexOf(wanted); at >= 0; at = source.indexOf(wanted, at + 1)) {
    if (isWhole(source, at, at + wanted.length)) return true
  }
  return false
}

/** Maximum characters of a quote that is searched across divided words, because it becomes a pattern: a longer one overflows the stack. */
const MAX_DIVIDED_LENGTH = 2000

/** As `containsWhole`, but a hyphen at the end of a line may belong to the word, or only divide it. */
function containsDivided(source: string, wanted: string): boolean {
  if (wanted.length > MAX_DIVIDED_LENGTH || !(source + wanted).includes(LINE_HYPHEN)) return false
  const hyphens: Readonly<Record<string, string>> = { '-': `[-${LINE_HYPHEN}]`, [LINE_HYPHEN]: `[-${LINE_HYPHEN}]?` }
  const patternOf = (sign: string) => hyphens[sign] ?? sign.replace(/[$()*+./?[\\\]^{|}]/, '\\$&')
  const pattern = new RegExp([...wanted].map(patternOf).join(`${LINE_HYPHEN}?`), 'gu')
  return [...source.matchAll(pattern)].some(({ 0: found, index }) => isWhole(source, index, index + found.length))
}

/** Letters of scripts that put spaces between words. */
const SPACED_LETTER = String.raw`(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}])[\p{L}\p{M}])`

/** Cuts within a word or a number. `\0` is the place of the cut. */
const CUTS: readonly RegExp[] = [
  // un|able, 1|15, B|2, cannot
  new RegExp(String.raw`(?:${SPACED_LETTER}|\p{N})\0(?:${SPACED_LETTER}|\p{N})`, 'u'),
  // long-|term, can|'t
  new RegExp(String.raw`(?:${SPACED_LETTER}|\p{N})[-'${LINE_HYPHEN}]\0(?:${SPACED_LETTER}|\p{N})`, 'u'),
  new RegExp(String.raw`(?:${SPACED_LETTER}|\p{N})\0[-'${LINE_HYPHEN}](?:${SPACED_LETTER}|\p{N})`, 'u'),
  // 1.|5, 1|,500, -|5, 15|%
  /\p{N}[.,:/]\0\p{N}|\p{N}\0[.,:/]\p{N}|[-+±~<>≤≥]\s?\0\p{N}|\p{N}\0\s?[%‰°]/u,
]

function isWhole(source: string, start: number, end: number): boolean {
  const isCut = (at: number) => {
    const around = `${source.slice(Math.max(0, at - 4), at)}\0${source.slice(at, at + 4)}`
    return CUTS.some((cut) => cut.test(around))
  }
  return !isCut(start) && !isCut(end)
}
