/** The quotations of a Markdown report, and what is cited for each. */

import { fillBlank, UNESCAPED, withoutSpans } from '../../text/code.ts'

export interface Quotation {
  /** Without its quotation marks. */
  readonly quote: string
  /** What the citations say that follow it. */
  readonly refs: readonly string[]
  /** Offset behind it. */
  readonly end: number
}

/** A block: a paragraph, an item of a list, a row of a table, a heading, a block quote. */
interface Block {
  readonly start: number
  readonly end: number
  readonly isQuote: boolean
}

/** What closes each quotation mark. */
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

/** Words in quotation marks that may be a term, where nothing is cited for them. */
const MOST_OF_TERM = 3

/** In the order of the report. `isKnown`: whether something can be cited by a name. Code holds no quotations. */
export function quotationsIn(report: string, isKnown: (ref: string) => boolean): Quotation[] {
  const masked = withoutCode(report)
  const blocks = blocksOf(masked)
  return blocks.flatMap((block, at) => {
    if (block.isQuote) return blockQuote(masked, { block, next: blocks[at + 1], isKnown })
    return findQuotations(masked, { block, isKnown })
  })
}

/** An address in angle brackets, or a tag as HTML has it: what only begins like one is shown, and may quote. */
const TAG = new RegExp(
  String.raw`${UNESCAPED}(?:<[a-z][\w+.-]*:[^<>\s]*>|<\/?[a-z][\w-]*(?:\s+[\w:.-]+(?:=(?:"[^"<>\n]*"|'[^'<>\n]*'|[^\s"'=<>\`“”„«»‹›‘’‚]+))?)*\s*\/?>)`,
  'gi',
)

/** Of the same length, with code, addresses and tags as fillers: what is in them is no prose. */
function withoutCode(report: string): string {
  return report
    .replace(/^ {0,3}(`{3,}(?!`)|~{3,}(?!~))[^\n]*\n[\s\S]*?(?:^ {0,3}\1[`~]*[^\S\n]*$|(?![\s\S]))/gm, fillBlank)
    .split('\n')
    .map(withoutSpans)
    .join('\n')
    .replace(TAG, fillBlank)
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
    if (line.trim() === '' || (begins && !(isQuote && open?.isQuote))) close(start)
    if (line.trim() !== '') open ??= { start, isQuote }
    start += line.length + 1
  }
  close(text.length)
  return blocks.map((block) => ({ ...block, end: block.start + text.slice(block.start, block.end).trimEnd().length }))
}

interface Place {
  readonly block: Block
  /** The block after it. */
  readonly next?: Block | undefined
  readonly isKnown: (ref: string) => boolean
}

/** A mark that a checked text has, at the end of a block. */
const MARK = / \*\((?:not found in its source|quotation without a source)\)\*$/

/** What was taken for an address is not given back: else one without end would take the square of its length. */
const CITATION = new RegExp(String.raw`${UNESCAPED}\[\^?([^[\]\n]+)\](?:\(<?(?=([^()\s<>]*))\2>?[^()\n]*\))?`, 'g')

/** A block quote. What is cited stands at its end, or begins the block after it. */
function blockQuote(text: string, { block, next, isKnown }: Place): Quotation[] {
  const lines = text
    .slice(block.start, block.end)
    .replace(MARK, '')
    .replace(/^ {0,3}> ?/gm, '')
  const below = next && !next.isQuote ? text.slice(next.start, next.end) : ''
  const inside = citationsIn(lines, isKnown)
  const cited =
    inside.length > 0 || !/^\s*(?:[-–—]+\s*)?[^[\n]{0,40}\[/.test(below) ? inside : citationsIn(below, isKnown)
  const bare = lines
    .replace(/\n[-–—][^\n]*$/, '')
    .replace(CITATION, (whole, name, url) => (isCitation(name, url, isKnown) ? '' : whole))
    .trim()
  const quote = bare.replace(/^["“„«]([\s\S]*)["”“»][.,]?$/, '$1').trim()
  const end = block.start + text.slice(block.start, block.end).replace(MARK, '').length
  return quote === '' ? [] : [{ quote, refs: refsFrom(cited, 0), end }]
}

/** What stands between quotation marks in a block. */
function findQuotations(text: string, { block, isKnown }: Place): Quotation[] {
  const cited = citationsIn(text.slice(block.start, block.end), isKnown)
  const unclosed = new Set<string>()
  const found: Quotation[] = []
  for (let at = block.start; at < block.end; at++) {
    const mark = text[at] ?? ''
    if (!(mark in CLOSERS) || unclosed.has(mark) || !opens(text, at)) continue
    const end = endOfMarks(text, at, block.end)
    if (end === undefined) unclosed.add(mark)
    if (end === undefined) continue
    const quote = text.slice(at + 1, end - 1)
    const refs = refsFrom(cited, end - block.start)
    if (refs.length > 0 || hasMoreWords(quote)) found.push({ quote, refs, end })
    at = end - 1
  }
  return found
}

function hasMoreWords(quote: string): boolean {
  return quote.trim().split(/\s+/, MOST_OF_TERM + 1).length > MOST_OF_TERM
}

/** Where the quotation ends that a mark opens there; undefined where none does. */
function endOfMarks(text: string, at: number, until: number): number | undefined {
  const closers = CLOSERS[text[at] ?? ''] ?? ''
  for (let end = at + 2; end < until; end++) {
    if (closers.includes(text[end] ?? '') && closes(text, end)) return end + 1
  }
  return undefined
}

/** Marks that stand apart from what they enclose, in French. */
const APART = /[«»‹›]/

/** What may stand before a quotation: no letter, but of scripts that write no spaces. */
const BEFORE =
  /[^\p{L}\p{N}]|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

function opens(text: string, at: number): boolean {
  const isFree = at === 0 || BEFORE.test(text[at - 1] ?? '')
  return isFree && (APART.test(text[at] ?? '') || /\S/.test(text[at + 1] ?? ' '))
}

/** An apostrophe and a mark of inches close nothing. */
function closes(text: string, at: number): boolean {
  if (APART.test(text[at] ?? '')) return true
  if (!/\S/.test(text[at - 1] ?? ' ')) return false
  return !/['’"]/.test(text[at] ?? '') || !/[\p{L}\p{N}]/u.test(text[at + 1] ?? ' ')
}

interface ReportCitation {
  readonly start: number
  readonly refs: readonly string[]
  /** Whether it stands right behind the one before. */
  readonly joins: boolean
}

function citationsIn(text: string, isKnown: (ref: string) => boolean): ReportCitation[] {
  const found: ReportCitation[] = []
  let last = -1
  for (const { 0: whole, 1: name = '', 2: url, index } of text.matchAll(CITATION)) {
    if (!isCitation(name, url, isKnown)) continue
    const joins = last >= 0 && /^[\s,;]*$/.test(text.slice(last, index))
    found.push({ start: index, refs: refsIn(name, url, isKnown), joins })
    last = index + whole.length
  }
  return found
}

/** What the first citation from there on says, and those that join it. */
function refsFrom(cited: readonly ReportCitation[], from: number): string[] {
  const first = firstFrom(cited, from)
  const after = cited.findIndex(({ joins }, at) => at > first && !joins)
  return cited.slice(first, after < 0 ? undefined : after).flatMap(({ refs }) => refs)
}

function firstFrom(cited: readonly ReportCitation[], from: number): number {
  let [low, high] = [0, cited.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((cited[middle]?.start ?? 0) < from) low = middle + 1
    else high = middle
  }
  return low
}

function isCitation(name: string, url: string | undefined, isKnown: (ref: string) => boolean): boolean {
  return Boolean(url) || /::|^\d+$|^https?:/.test(name) || isKnown(name)
}

/** Of `[1](https://…)` what is known of both; of `[a.md::S1, b.md::S2]` each. */
function refsIn(name: string, url: string | undefined, isKnown: (ref: string) => boolean): string[] {
  if (url) return [url, name].filter((ref, at) => at === 0 || isKnown(ref))
  return isKnown(name) ? [name] : name.split(/[,;]\s+/).map((one) => one.trimEnd())
}
