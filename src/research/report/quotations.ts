/** The quotations of a Markdown report, each with its citations. The citations must be numbers. */

import { NUMBERED, withoutCode } from './citations.ts'

export interface Quotation {
  /** Without its quotation marks. */
  readonly quote: string
  /** The numbers of the citations after the quotation. */
  readonly numbers: readonly number[]
  /** Offset of the end of the quotation. */
  readonly end: number
}

/** A block: a paragraph, an item of a list, a row of a table, a heading, a block quote. */
interface Block {
  readonly start: number
  readonly end: number
  readonly isQuote: boolean
}

/** The marks that close a quotation, by the mark that opens it. */
const CLOSERS: Readonly<Record<string, string>> = {
  '“': '”“"',
  '„': '“”"',
  '«': '»',
  '»': '«',
  '‹': '›',
  '‘': '’',
  '‚': '‘’',
  '"': '"”',
  "'": "'",
  '「': '」',
  '『': '』',
}

/** Maximum words of a term in quotation marks. A term needs no citation. */
const MAX_TERM_WORDS = 3

/** The quotations in the order of the report. Code contains none. */
export function quotationsIn(report: string): Quotation[] {
  const masked = withoutCode(report)
  const blocks = blocksOf(masked)
  return blocks.flatMap((block, at) => {
    return block.isQuote ? blockQuote(masked, block, blocks[at + 1]) : findQuotations(masked, block)
  })
}

function blocksOf(text: string): Block[] {
  const blocks: Block[] = []
  let start = 0
  let open: { start: number; isQuote: boolean } | undefined
  const close = (end: number) => {
    if (open) blocks.push({ ...open, end })
    open = undefined
  }
  for (const line of text.split('\n')) {
    const isQuote = /^ {0,3}>/.test(line)
    const begins = /^\s*(?:[-*+]|\d+[.)]|#{1,6}|\|)(?:\s|$)/.test(line) || (open && open.isQuote !== isQuote)
    if (line.trim() === '' || begins) close(start)
    if (line.trim() !== '') open ??= { start, isQuote }
    start += line.length + 1
  }
  close(text.length)
  return blocks.map((block) => ({ ...block, end: block.start + text.slice(block.start, block.end).trimEnd().length }))
}

/** The mark that an earlier check added at the end of a block. */
const CHECK_MARK = / \*\((?:not found in its source|quotation without a source)\)\*$/

/** The quotation of a block quote. Its citations are at its end, or at the beginning of the next block. */
function blockQuote(text: string, block: Block, next: Block | undefined): Quotation[] {
  const unmarked = text.slice(block.start, block.end).replace(CHECK_MARK, '')
  const lines = unmarked.replace(/^ {0,3}> ?/gm, '')
  const below = next && !next.isQuote ? text.slice(next.start, next.end) : ''
  const inside = citationsIn(lines)
  const isBelow = inside.length === 0 && /^\s*(?:[-–—]+\s*)?[^[\n]{0,40}\[/.test(below)
  const bare = lines
    .replace(/\n[-–—][^\n]*$/, '')
    .replace(NUMBERED, '')
    .trim()
  const quote = bare.replace(/^["“„«]([\s\S]*)["”“»][.,]?$/, '$1').trim()
  const end = block.start + unmarked.length
  return quote === '' ? [] : [{ quote, numbers: numbersAt(isBelow ? citationsIn(below) : inside, 0), end }]
}

function findQuotations(text: string, block: Block): Quotation[] {
  const cited = citationsIn(text.slice(block.start, block.end))
  const unclosed = new Set<string>()
  const quotations: Quotation[] = []
  let next = 0
  for (let at = block.start; at < block.end; at++) {
    const mark = text.charAt(at)
    if (!(mark in CLOSERS) || unclosed.has(mark) || !opens(text, at)) continue
    const end = endOfQuotation(text, at, block.end)
    if (end === undefined) unclosed.add(mark)
    if (end === undefined) continue
    const quote = text.slice(at + 1, end - 1)
    while ((cited[next]?.start ?? end) < end - block.start) next++
    const numbers = numbersAt(cited, next)
    const isTerm = quote.trim().split(/\s+/, MAX_TERM_WORDS + 1).length <= MAX_TERM_WORDS
    if (numbers.length > 0 || !isTerm) quotations.push({ quote, numbers, end })
    at = end - 1
  }
  return quotations
}

/** The end of the quotation that a mark opens; undefined if the mark opens none. */
function endOfQuotation(text: string, at: number, until: number): number | undefined {
  const closers = CLOSERS[text.charAt(at)] ?? ''
  for (let end = at + 2; end < until; end++) {
    if (closers.includes(text.charAt(end)) && closes(text, end)) return end + 1
  }
  return undefined
}

/** Quotation marks that may have spaces inside, as in French. */
const SPACED_MARKS = /[«»‹›]/

/** Characters that may precede a quotation: no letters or digits, except letters of scripts without spaces. */
const BEFORE =
  /[^\p{L}\p{N}]|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

function opens(text: string, at: number): boolean {
  const isFree = at === 0 || BEFORE.test(text.charAt(at - 1))
  return isFree && (SPACED_MARKS.test(text.charAt(at)) || /\S/.test(text.charAt(at + 1)))
}

/** Whether a mark closes a quotation. An apostrophe or an inch mark does not. */
function closes(text: string, at: number): boolean {
  if (SPACED_MARKS.test(text.charAt(at))) return true
  if (!/\S/.test(text.charAt(at - 1))) return false
  return !/['’"]/.test(text.charAt(at)) || !/[\p{L}\p{N}]/u.test(text.charAt(at + 1))
}

function citationsIn(text: string) {
  const cited = [...text.matchAll(NUMBERED)].map(({ 0: whole, 1: number, index }) => {
    return { start: index, end: index + whole.length, number: Number(number) }
  })
  return cited.map((one, at) => ({ ...one, joins: /^[\s,;]*$/.test(text.slice(cited[at - 1]?.end ?? 0, one.start)) }))
}

/** The numbers of the citation at index `first`, and of the citations directly after it. */
function numbersAt(cited: ReturnType<typeof citationsIn>, first: number): number[] {
  let last = first + 1
  while (cited[last]?.joins) last++
  return cited.slice(first, last).map(({ number }) => number)
}
