/** Splits a text into passages (units) in one linear scan of its lines. */

import { fencesIn } from '../text/fences.ts'
import { splitFrontMatter } from '../text/front-matter.ts'
import { plainHeading, readHeading } from '../text/headings.ts'
import { lineAt, lineStarts } from '../text/lines.ts'
import { splitRecords } from '../text/tables.ts'

/** A passage of a text, which can be understood with its headings. */
export interface TextUnit {
  readonly kind: 'paragraph' | 'item' | 'row' | 'code'
  /** The text, without the white space around it. */
  readonly text: string
  /** Offsets in the whole text, in UTF-16 units. */
  readonly start: number
  readonly end: number
  /** Number of the first line, from 1. */
  readonly line: number
  /** The headings above it, the outermost first. */
  readonly trail: readonly string[]
  /**
   * The text that introduces the passage: the parent item of a list item, the sentence before a list or code, or the
   * header of a table row; `''` without such a text.
   */
  readonly lead: string
  readonly title: string
}

export interface UnitOptions {
  /** Default: `''`. */
  readonly title?: string
  /** The line of the document where the text begins. Default: 1. */
  readonly firstLine?: number
  /** Whether the text is CSV: each record is a row, and the first record is the header. Default: false. */
  readonly isCsv?: boolean
  /** Whether the text is a printed page, where bullets are marks, but `#` and fences are not. Default: false. */
  readonly isPrinted?: boolean
}

export function paragraphOf(text: string, { title = '', trail = [] }: Partial<TextUnit> = {}): TextUnit {
  return { kind: 'paragraph', text, start: 0, end: text.length, line: 1, trail, lead: '', title }
}

/** Maximum UTF-16 units of a paragraph or an item. A longer paragraph is split at the end of a line. */
const MAX_PARAGRAPH_LENGTH = 2000

/** UTF-16 units of a line that are searched for marks. */
const MAX_MARK_SEARCH = 400

const SETEXT_UNDERLINE = /^(?:=+|-+)[ \t]*$/
const LIST_ITEM = /^(?:[-*+]|\d{1,9}[.)])[ \t]+(?=\S)/
const PRINTED_LIST_ITEM = /^(?:[-*+•●▪■◦‣❑❏□–]|\d{1,9}[.)])[ \t]+(?=\S)/
const TABLE_DELIMITER = /^\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*(?:[:-]+[ \t]*)?)*$/
const HORIZONTAL_RULE = /^(?:[-*_][ \t]*){3,}$/
/** Matches a text that consists of tags, such as an anchor for links. */
const ONLY_TAGS = /^(?:<[^<>]*>\s*)+$/
const LEADING_MARKS = /^[ \t>]*/

/** The passages of a text in Markdown, or in plain paragraphs, in order. */
export function splitTextUnits(text: string, options: UnitOptions = {}): TextUnit[] {
  const { title = '', firstLine = 1, isCsv, isPrinted = false } = options
  if (isCsv) return recordUnits(text, title, firstLine)
  return new UnitScanner(text, { title, firstLine, isPrinted }).scan()
}

function recordUnits(text: string, title: string, firstLine: number): TextUnit[] {
  const [header, ...rows] = splitRecords(text)
  const [lead, starts] = [text.slice(header?.start, header?.end), lineStarts(text)]
  return rows.map(({ start, end }): TextUnit => {
    const line = firstLine + lineAt(starts, start)
    return { kind: 'row', text: text.slice(start, end), start, end, line, trail: [], lead, title }
  })
}

interface OpenUnit extends Pick<TextUnit, 'kind' | 'start' | 'line' | 'lead'> {
  end: number
  lines: number
}

class UnitScanner {
  readonly #units: TextUnit[] = []
  readonly #text: string
  readonly #options: Required<Omit<UnitOptions, 'isCsv'>>
  readonly #starts: readonly number[]
  #headings: { readonly level: number; readonly title: string }[] = []
  #trail: readonly string[] = []
  #openUnit: OpenUnit | undefined
  #isInComment = false
  /** The sentence before a list; `''` if the paragraph before it does not end in a colon. */
  #lead = ''
  /** The current list item and its parents, with their indentation in characters, the outermost first. */
  #items: { readonly indent: number; readonly text: string }[] = []
  /** The header of the current table; `''` without a header. */
  #header = ''

  constructor(text: string, options: Required<Omit<UnitOptions, 'isCsv'>>) {
    this.#text = text
    this.#options = options
    this.#starts = lineStarts(text)
  }

  scan(): TextUnit[] {
    const { isPrinted } = this.#options
    const body = isPrinted ? 0 : splitFrontMatter(this.#text).body
    const fences = fencesIn(isPrinted ? '' : this.#text.slice(body))
    let next = 0
    for (const [line, start] of this.#starts.entries()) {
      if (start < body) continue
      const span = { line, start, end: this.#starts[line + 1] ?? this.#text.length }
      if (start - body >= (fences[next]?.end ?? Number.POSITIVE_INFINITY)) next++
      const codeStart = body + (fences[next]?.start ?? Number.POSITIVE_INFINITY)
      if (start === codeStart) this.#beginUnit('code', span, this.#lead)
      else if (start > codeStart && this.#openUnit) this.#openUnit.end = span.end
      else {
        if (this.#openUnit?.kind === 'code') this.#closeUnit()
        this.#readLine(span)
      }
    }
    this.#closeUnit()
    return this.#units
  }

  #readLine({ line, start, end }: Omit<LineSpan, 'indent'>): void {
    const head = this.#text.slice(start, Math.min(end, start + MAX_MARK_SEARCH))
    const indent = LEADING_MARKS.exec(head)?.[0].length ?? 0
    const bare = head.slice(indent).trimEnd()
    const span = { line, start, end, indent }
    if (this.#isInComment) this.#isInComment = !this.#text.slice(start, end).includes('-->')
    else if (bare === '') this.#closeUnit()
    else if (!this.#readMark(bare, span)) this.#readProse(bare, span)
  }

  /** Reads a line that begins with a mark. Returns false for other lines. */
  #readMark(bare: string, span: LineSpan): boolean {
    if (this.#options.isPrinted) return false
    if (bare.startsWith('<!--')) {
      this.#closeUnit()
      this.#isInComment = !this.#text.slice(span.start, span.end).includes('-->')
      return true
    }
    const heading = bare.startsWith('#') ? readHeading(bare) : undefined
    if (heading) {
      this.#closeUnit()
      this.#enterSection(heading.level, heading.title)
      return true
    }
    return this.#readRule(bare)
  }

  /** Reads an underline, which makes the line above a heading, or a horizontal rule. Returns false for other lines. */
  #readRule(bare: string): boolean {
    const open = this.#openUnit
    if (open?.kind === 'paragraph' && open.lines === 1 && SETEXT_UNDERLINE.test(bare)) {
      const title = this.#text.slice(open.start, open.end).trim()
      this.#openUnit = undefined
      this.#enterSection(bare.startsWith('=') ? 1 : 2, title)
      return true
    }
    if (!HORIZONTAL_RULE.test(bare)) return false
    this.#closeUnit()
    return true
  }

  #readProse(bare: string, line: LineSpan): void {
    if (bare.startsWith('|')) this.#readRow(bare, line)
    else if ((this.#options.isPrinted ? PRINTED_LIST_ITEM : LIST_ITEM).test(bare)) this.#readItem(line)
    else if (this.#openUnit && this.#openUnit.kind !== 'row') this.#continueUnit(this.#openUnit, line)
    else {
      if (line.indent === 0) this.#leaveList()
      this.#beginUnit('paragraph', line, '')
    }
  }

  #readRow(bare: string, line: LineSpan): void {
    if (this.#openUnit?.kind !== 'row') this.#header = ''
    if (TABLE_DELIMITER.test(bare)) {
      const header = this.#openUnit
      if (header?.kind !== 'row') return
      const names = this.#text.slice(header.start, header.end).trim()
      // The columns of the table may have no names.
      this.#header = /[^|\s]/.test(names) ? names : ''
      this.#openUnit = { ...header, end: header.start }
      return
    }
    this.#beginUnit('row', line, this.#header)
  }

  #readItem(line: LineSpan): void {
    this.#closeUnit()
    this.#items = this.#items.filter(({ indent }) => indent < line.indent)
    const lead = this.#items.at(-1)?.text ?? this.#lead
    this.#beginUnit('item', line, lead)
    const text = this.#text.slice(line.start, Math.min(line.end, line.start + MAX_MARK_SEARCH)).trim()
    this.#items.push({ indent: line.indent, text })
  }

  #continueUnit(open: OpenUnit, span: LineSpan): void {
    if (span.end - open.start > MAX_PARAGRAPH_LENGTH) this.#beginUnit(open.kind, span, open.lead)
    else {
      open.end = span.end
      open.lines++
    }
  }

  #beginUnit(kind: TextUnit['kind'], { line, start, end }: Omit<LineSpan, 'indent'>, lead: string): void {
    this.#closeUnit()
    this.#openUnit = { kind, start, end, line, lead, lines: 1 }
  }

  #leaveList(): void {
    this.#items = []
    this.#lead = ''
  }

  #enterSection(level: number, title: string): void {
    this.#leaveList()
    const above = this.#headings.filter((heading) => heading.level < level)
    this.#headings = [...above, { level, title: plainHeading(title) }]
    this.#trail = this.#headings.map((heading) => heading.title)
  }

  #closeUnit(): void {
    const open = this.#openUnit
    this.#openUnit = undefined
    if (!open) return
    const raw = this.#text.slice(open.start, open.end)
    const text = raw.trim()
    if (text === '' || ONLY_TAGS.test(text)) return
    if (open.kind === 'paragraph') this.#lead = leadOf(text)
    const start = open.start + raw.indexOf(text)
    this.#units.push({
      kind: open.kind,
      text,
      start,
      end: start + text.length,
      line: this.#options.firstLine + open.line,
      trail: this.#trail,
      lead: open.lead,
      title: this.#options.title,
    })
  }
}

interface LineSpan {
  readonly line: number
  readonly start: number
  readonly end: number
  readonly indent: number
}

/** The last sentence of a paragraph that ends in a colon; `''` for other paragraphs. */
function leadOf(paragraph: string): string {
  if (!/[:：]$/.test(paragraph)) return ''
  const tail = paragraph.slice(-MAX_MARK_SEARCH)
  const before = Math.max(tail.lastIndexOf('. '), tail.lastIndexOf('? '), tail.lastIndexOf('! '))
  return tail.slice(before < 0 ? 0 : before + 2)
}
