/** Cuts texts into spans that can be cited, and packs spans as arrays of numbers. */

import { type Block, blocksOf, plainBlocksOf } from '../../text/blocks.ts'
import { plainHeading } from '../../text/headings.ts'
import { lineAt, lineStarts } from '../../text/lines.ts'
import { sentencesOf } from '../../text/sentences.ts'
import { splitRecords } from '../../text/tables.ts'
import type { Span } from './evidence.ts'

/** Target length of a span, and maximum length of an uncut block, in characters. */
const TARGET_LENGTH = 900
const MAX_BLOCK_LENGTH = 1800

/** Maximum characters of a Markdown text that is parsed. A longer text is cut at empty lines. */
const MAX_PARSED_LENGTH = 2_000_000

interface SpanText {
  readonly text: string
  readonly syntax: 'markdown' | 'plain'
  /** Whether the text is CSV. Its records are rows of a table. */
  readonly isCsv?: boolean
  /** The first line of each page, from 1. */
  readonly pages?: readonly number[] | undefined
}

/** A future span, before neighbouring pieces are joined. */
interface Piece extends Pick<Span, 'start' | 'end' | 'headings'> {
  readonly page: number | undefined
  readonly header?: string | undefined
}

/**
 * Cuts a text into spans that can be cited: neighbouring paragraphs, never across a heading or a page; each row of a table is
 * a span.
 */
export function spansOf({ text, syntax, pages, isCsv = false }: SpanText): Span[] {
  const starts = lineStarts(text)
  const pageAt = (offset: number) => pageOf(pages, lineAt(starts, offset) + 1)
  const isMarkdown = syntax === 'markdown' && text.length <= MAX_PARSED_LENGTH
  const blocks = isMarkdown ? blocksOf(text) : plainBlocksOf(text)
  return (isCsv ? recordPieces(text) : joinPieces(piecesOf(text, blocks, pageAt))).map((piece, at) => {
    const lines = { start: lineAt(starts, piece.start) + 1, end: lineAt(starts, piece.end - 1) + 1 }
    return toSpan(text, at, { ...piece, lines })
  })
}

function toSpan(text: string, at: number, { page, header, ...piece }: Piece & Pick<Span, 'lines'>): Span {
  const named = { id: `S${at + 1}`, text: text.slice(piece.start, piece.end), ...piece }
  return { ...named, ...(page !== undefined && { page }), ...(header !== undefined && { header }) }
}

function recordPieces(text: string): Piece[] {
  const [first, ...rows] = splitRecords(text)
  if (!first) return []
  const header = text.slice(first.start, first.end)
  const shared = { page: undefined, headings: [] }
  return [first, ...rows].map(({ start, end }, at) => ({ start, end, ...shared, header: at > 0 ? header : undefined }))
}

function pageOf(pages: readonly number[] | undefined, line: number): number | undefined {
  if (!pages) return undefined
  const next = pages.findIndex((start) => start > line)
  return next === -1 ? pages.length : Math.max(1, next)
}

function piecesOf(text: string, blocks: readonly Block[], pageAt: (offset: number) => number | undefined): Piece[] {
  const openHeadings: { readonly level: number; readonly title: string }[] = []
  const pieces: Piece[] = []
  let headings: readonly string[] = []
  for (const { kind, start, end, level = 1, title = '' } of blocks) {
    if (kind === 'heading') {
      while ((openHeadings.at(-1)?.level ?? 0) >= level) openHeadings.pop()
      openHeadings.push({ level, title: plainHeading(title) })
      headings = openHeadings.map((one) => one.title)
    } else if (kind === 'table' || TABLE_START.test(text.slice(start, start + TABLE_SEARCH_LENGTH)))
      pieces.push(...rowPieces(text, { start, end, page: pageAt(start), headings }))
    else if (kind !== 'rule')
      for (const part of splitBlock(text, start, end)) pieces.push({ ...part, page: pageAt(part.start), headings })
  }
  return pieces
}

/** Matches the beginning of a table in a text that is not parsed. Number of characters in which a table may begin. */
const TABLE_START = /^\s*\|[^\n]*\n\|(?=[ \t:|]*-)[ \t:|-]*(?:\n|$)/
const TABLE_SEARCH_LENGTH = 4000

/** The pieces of a table: the header with the line below it, and each row. */
function rowPieces(text: string, { start, end, ...place }: Piece): Piece[] {
  const lines = lineStarts(text.slice(start, end)).map((at) => start + at)
  const below = lines[2] ?? end
  const header = text.slice(start, lines[1] ?? end).trim()
  const rows = lines.slice(2).map((from, at) => ({ from, to: lines[at + 3] ?? end, header }))
  return [{ from: start, to: below }, ...rows].flatMap(({ from, to, ...row }) => {
    const bare = text.slice(from, to).trim()
    const first = from + text.slice(from, to).indexOf(bare)
    return bare === '' ? [] : [{ start: first, end: first + bare.length, ...place, ...row }]
  })
}

/** A block without surrounding white space. A long block is split into parts of whole sentences. */
function splitBlock(text: string, from: number, to: number): Pick<Piece, 'start' | 'end'>[] {
  const whole = text.slice(from, to)
  const start = from + (whole.length - whole.trimStart().length)
  const end = to - (whole.length - whole.trimEnd().length)
  if (end <= start) return []
  if (end - start <= MAX_BLOCK_LENGTH) return [{ start, end }]
  const parts: { start: number; end: number }[] = []
  for (const sentence of sentencesOf(text.slice(start, end))) {
    const [first, last] = [start + sentence.start, start + sentence.end]
    const open = parts.at(-1)
    if (open && last - open.start <= TARGET_LENGTH) open.end = last
    else
      for (let at = first; at < last; at += MAX_BLOCK_LENGTH)
        parts.push({ start: at, end: Math.min(last, at + MAX_BLOCK_LENGTH) })
  }
  return parts
}

/** Joins short pieces under one heading, on one page. */
function joinPieces(pieces: readonly Piece[]): Piece[] {
  const joined: Piece[] = []
  for (const piece of pieces) {
    const last = joined.at(-1)
    const isTogether = last?.page === piece.page && last?.headings.join('\0') === piece.headings.join('\0')
    const isRow = piece.header !== undefined || last?.header !== undefined
    if (last && isTogether && !isRow && piece.end - last.start <= TARGET_LENGTH)
      joined[joined.length - 1] = { ...last, end: piece.end }
    else joined.push(piece)
  }
  return joined
}

/** Spans in the order of their text. An array of spans is a `SpanList`, too. */
export type SpanList = Iterable<Span> & Pick<readonly Span[], 'length' | 'at'>

export type PackedSpans = ReturnType<typeof packSpans>

/**
 * Numbers of a packed span: start, end, first line, last line, page (or 0), position of its headings in `headings` from
 * 1, and position of its header in `headers` from 1 (or 0).
 */
const FIELDS_PER_SPAN = 7

/**
 * Spans without their text, as numbers: the million spans of a large CSV file would take seconds to pass between threads as
 * objects.
 *
 * @returns `numbers`: `FIELDS_PER_SPAN` numbers for each span, in memory that threads share. `headings`: the headings above
 * spans. `headers`: the rows that name columns. Neighbouring spans share their headings and header.
 */
export function packSpans(spans: readonly Span[]) {
  const numbers = new Uint32Array(new SharedArrayBuffer(spans.length * FIELDS_PER_SPAN * Uint32Array.BYTES_PER_ELEMENT))
  const headings: (readonly string[])[] = []
  const headers: string[] = []
  for (const [at, { start, end, lines, page = 0, headings: path, header }] of spans.entries()) {
    if (path !== headings.at(-1)) headings.push(path)
    if (header !== undefined && header !== headers.at(-1)) headers.push(header)
    const headerPlace = header === undefined ? 0 : headers.length
    numbers.set([start, end, lines.start, lines.end, page, headings.length, headerPlace], at * FIELDS_PER_SPAN)
  }
  return { numbers, headings, headers }
}

/** Spans that are created when they are requested. */
export class SpanTable implements SpanList {
  readonly text: string
  readonly packed: PackedSpans

  constructor(text: string, packed: PackedSpans) {
    this.text = text
    this.packed = packed
  }

  get length(): number {
    return this.packed.numbers.length / FIELDS_PER_SPAN
  }

  at(index: number): Span | undefined {
    const at = index < 0 ? this.length + index : index
    const { numbers, headings, headers } = this.packed
    const [start = 0, end = 0, first = 0, last = 0, page = 0, titles = 0, named] = numbers.subarray(
      at * FIELDS_PER_SPAN,
      (at + 1) * FIELDS_PER_SPAN,
    )
    if (at < 0 || named === undefined) return undefined
    const own = { lines: { start: first, end: last }, headings: headings[titles - 1] ?? [], header: headers[named - 1] }
    return toSpan(this.text, at, { start, end, page: page || undefined, ...own })
  }

  *[Symbol.iterator](): Generator<Span> {
    for (let at = 0; at < this.length; at++) {
      const span = this.at(at)
      if (span) yield span
    }
  }
}
