import type { Status } from './blocks.ts'
import { lineStarts } from './lines.ts'

/** The content of an H3 or a top-level list item: a task, a decision, a rule. */
export interface Item {
  /** The first paragraph as written, on one line, without its checkbox, its tags, and fields on later lines. */
  readonly title: string
  /** Values by key, from `**Key**: value`; a value ends at the next field. */
  readonly fields: Readonly<Record<string, string>>
  /** The tags without `#`, each once, in order. */
  readonly tags: readonly string[]
  readonly status?: Status
  /** The texts of the list items within the item; the text of a deeper list item follows the text of its parent. */
  readonly children: readonly string[]
}

/** Lines from `first` up to, and without, `last`. Line numbers are from 0. */
export type LineRange = readonly [first: number, last: number]

/** As `LineRange`; without `last`, to the end. */
export type LineSpan = readonly [first: number, last?: number | undefined]

/** Kinds of lines: prose; a title or heading; a line that an item contains completely. */
const [PROSE, HEADING, ITEM] = [0, 1, 2] as const

/** The lines of a text with their kinds. Line ends are LF. */
export class ContentLines {
  readonly #text: string
  /** Offsets of the lines. */
  readonly #starts: readonly number[]
  readonly #kinds: Uint8Array

  constructor(text: string) {
    this.#text = text
    this.#starts = lineStarts(text)
    this.#kinds = new Uint8Array(this.#starts.length)
  }

  markHeading([first, last]: LineRange): void {
    this.#kinds.fill(HEADING, first, last)
  }

  markItem([first, last]: LineRange): void {
    this.#kinds.fill(ITEM, first, last)
  }

  slice(first: number, last: number): string {
    return this.#text.slice(this.#starts[first], this.#starts[last] ?? this.#text.length)
  }

  /** The runs of consecutive lines of prose as written, each without the blank lines around it. */
  proseIn(lines: LineSpan): string[] {
    const runs = this.#runs(lines, (kind) => kind === PROSE)
    return runs.map(trimBlankLines).filter((run) => run !== '')
  }

  /** The text of all lines except titles and headings, without the blank lines around the text. */
  contentIn(lines: LineSpan): string {
    return trimBlankLines(this.#runs(lines, (kind) => kind !== HEADING).join(''))
  }

  #runs([start, end = this.#starts.length]: LineSpan, isIncluded: (kind: number | undefined) => boolean): string[] {
    const runs: string[] = []
    for (let first = start; first < end; ) {
      const kind = this.#kinds[first]
      let last = first + 1
      while (last < end && this.#kinds[last] === kind) last++
      if (isIncluded(kind)) runs.push(this.slice(first, last))
      first = last
    }
    return runs
  }
}

/** The text without the blank lines around it. */
function trimBlankLines(text: string): string {
  const first = text.search(/\S/)
  if (first < 0) return ''
  const last = text.indexOf('\n', text.trimEnd().length)
  return text.slice(text.lastIndexOf('\n', first) + 1, last < 0 ? text.length : last)
}
