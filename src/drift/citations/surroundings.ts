import { lineStarts } from '../../text/lines.ts'
import { nestedLines } from './nesting.ts'

/** What stands around a line of a Markdown text, and says how the line is meant. */
export interface CitationSurroundings {
  /** The headings that the line stands below, the nearest first, without their marks. */
  readonly headings: readonly string[]
  /**
   * The lines that introduce it, the nearest first: list items and paragraphs that end with a colon, the head of its
   * table, and for a line in a fence the comment before it and the line before the fence.
   */
  readonly leads: readonly string[]
  /** The lines of its paragraph or list item that come before it, joined by spaces. */
  readonly before: string
  /** Those that come after it. */
  readonly after: string
  /** The task that it states, or that states it: the text of the list item after its checkbox. */
  readonly task?: { readonly isDone: boolean; readonly text: string }
  /** Whether it is in a fence that goes on after an inner fence, which Markdown does not know. */
  readonly isNested: boolean
}

interface Heading {
  readonly level: number
  readonly text: string
  readonly above: Heading | undefined
}

interface Item {
  readonly indent: number
  readonly text: string
  readonly above: Item | undefined
}

/** What is known of one line. Lines of one block share `block`, the index of its first. */
interface Place {
  readonly block: number
  readonly heading: Heading | undefined
  readonly item: Item | undefined
  readonly leads: readonly string[]
}

const HEADING = /^[ \t>]*(#{1,6})[ \t]+(.*)/s
const ITEM = /^([ \t>]*)(?:[-*+]|\d{1,9}[.)])[ \t]+(.*)/s
const FENCE = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,}(?!~))([^`]*)$/
const ROW = /^[ \t>]*\|/
const COMMENT = /^[ \t>]*(?:\$[ \t]+)?(?:#|\/\/)+[ \t]*(.*)/s
const CHECKBOX = /^\[([ xX])\][ \t]+(.*)/s
const INTRODUCES = /[:\uff1a][\s*_]*$/

/** Characters of a line that are read, and of a block on each side of a line. */
const LONGEST_LINE = 500
const LONGEST_BLOCK = 1000

/** Says what stands around the lines of a text, by their numbers from 1. The text is read once, when first asked of. */
export function surroundingsOf(text: string): (line: number) => CitationSurroundings {
  let read: Reading | undefined
  return (line) => {
    read ??= readLines(text)
    return around(read, line - 1)
  }
}

interface Reading {
  readonly lines: readonly string[]
  readonly places: readonly Place[]
  readonly nested: ReadonlySet<number>
}

function readLines(text: string): Reading {
  const starts = lineStarts(text)
  const lines = starts.map((start, index) =>
    text.slice(start, Math.min(start + LONGEST_LINE, starts[index + 1] ?? text.length)).trimEnd(),
  )
  const scan = new Scan()
  return { lines, places: lines.map((line, index) => scan.next(line, index)), nested: nestedLines(lines) }
}

function around({ lines, places, nested }: Reading, index: number): CitationSurroundings {
  const place = places[index]
  const task = taskOf(place?.item)
  return {
    headings: place ? [...headingsOf(place.heading)] : [],
    leads: place ? [...introductions(place.item?.above), ...place.leads] : [],
    before: blockPart(places, lines, { index, step: -1 }),
    after: blockPart(places, lines, { index, step: 1 }),
    ...(task && { task }),
    isNested: nested.has(index),
  }
}

function* headingsOf(heading: Heading | undefined): Generator<string> {
  for (let at = heading; at; at = at.above) yield at.text
}

function* introductions(item: Item | undefined): Generator<string> {
  for (let at = item; at; at = at.above) if (INTRODUCES.test(at.text)) yield at.text
}

function taskOf(item: Item | undefined): CitationSurroundings['task'] {
  for (let at = item; at; at = at.above) {
    const [, mark, text = ''] = CHECKBOX.exec(at.text) ?? []
    if (mark !== undefined) return { isDone: mark !== ' ', text }
  }
  return undefined
}

/** The lines of the same block on one side of a line. */
function blockPart(
  places: readonly Place[],
  lines: readonly string[],
  { index, step }: { readonly index: number; readonly step: 1 | -1 },
): string {
  const found: string[] = []
  let length = 0
  for (let at = index + step; places[at]?.block === places[index]?.block && length < LONGEST_BLOCK; at += step) {
    const line = lines[at]?.trim() ?? ''
    length += line.length + 1
    found.push(line)
  }
  return (step < 0 ? found.reverse() : found).join(' ')
}

/** Reads line after line; what it knows of those before is enough for the next. */
class Scan {
  #heading: Heading | undefined
  #item: Item | undefined
  /** The last paragraph's last line, where it introduces what comes next. */
  #introduction: string | undefined
  #table: string | undefined
  #block: number | undefined
  #fence: { readonly marks: string; readonly before: string } | undefined
  #comment: string | undefined
  #last = ''

  next(line: string, index: number): Place {
    if (this.#fence) return this.#inFence(line, index)
    const marks = FENCE.exec(line)?.[1]
    if (marks !== undefined) this.#fence = { marks, before: this.#last }
    else if (line.trim() === '') this.#end()
    else this.#read(line, index)
    if (line.trim() !== '') this.#last = line
    return this.#place(index, [this.#table, this.#introduction])
  }

  #inFence(line: string, index: number): Place {
    const { marks = '', before = '' } = this.#fence ?? {}
    const comment = COMMENT.exec(line)?.[1]
    if (comment !== undefined) this.#comment = comment
    if (line.trim() === '') this.#comment = undefined
    const place = this.#place(index, [this.#comment, before, this.#introduction])
    const run = line.replace(/^[ \t>]+/, '')
    if (run.startsWith(marks) && run === marks.charAt(0).repeat(run.length)) {
      this.#fence = undefined
      this.#comment = undefined
      this.#block = undefined
    }
    return { ...place, block: index }
  }

  #place(index: number, leads: readonly (string | undefined)[]): Place {
    return {
      block: this.#block ?? index,
      heading: this.#heading,
      item: this.#item,
      leads: leads.filter((lead) => lead !== undefined),
    }
  }

  #end(): void {
    this.#block = undefined
    this.#table = undefined
  }

  #read(line: string, index: number): void {
    const [, marks, title = ''] = HEADING.exec(line) ?? []
    const [, indent, text = ''] = ITEM.exec(line) ?? []
    if (marks !== undefined) this.#open(marks.length, title)
    else if (indent !== undefined) this.#enter(widthOf(indent), text, index)
    else if (ROW.test(line)) {
      this.#table ??= line
      this.#block = index
    } else this.#continue(line, index)
  }

  #open(level: number, text: string): void {
    let above = this.#heading
    while (above && above.level >= level) above = above.above
    this.#heading = { level, text, above }
    this.#item = undefined
    this.#introduction = undefined
    this.#end()
  }

  #enter(indent: number, text: string, index: number): void {
    this.#leave(indent)
    this.#item = { indent, text, above: this.#item }
    this.#table = undefined
    this.#block = index
  }

  /** Leaves the list items that a line at that column is not in. */
  #leave(indent: number): void {
    while (this.#item && this.#item.indent >= indent) this.#item = this.#item.above
  }

  #continue(line: string, index: number): void {
    this.#table = undefined
    if (this.#block === undefined) {
      this.#leave(widthOf(/^[ \t>]*/.exec(line)?.[0] ?? ''))
      this.#block = index
    }
    if (this.#item === undefined) this.#introduction = INTRODUCES.test(line) ? line : undefined
  }
}

function widthOf(indent: string): number {
  return indent.replaceAll('\t', '    ').length
}
