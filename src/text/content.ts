import type { Status } from './blocks.ts'
import { lineStarts } from './lines.ts'

/** A task, a decision, a rule: what an H3 or a top-level list item says. */
export interface Item {
  /** Its first paragraph as written, on one line, without checkbox, tags, and the fields on lines of their own. */
  readonly title: string
  /** `**Key**: value` lines; a value goes on to the next field of its paragraph. */
  readonly fields: Readonly<Record<string, string>>
  /** Without `#`, each once, in order. */
  readonly tags: readonly string[]
  readonly status?: Status
  /** The texts of its sub-bullets, those of deeper ones in their place. */
  readonly children: readonly string[]
}

export type LineRange = readonly [first: number, last: number]

/** Lines from the first to before the last; without a last one, to the end. */
export type LineSpan = readonly [first: number, last?: number | undefined]

/** What a line is for: prose, until it is marked as a title or heading, or as a line that items say all of. */
const [PROSE, HEADING, ITEM] = [0, 1, 2] as const

/** The lines of a text, and what each is for. Line ends are LF. */
export class ContentLines {
  readonly #text: string
  /** Offsets of the lines. */
  readonly #starts: readonly number[]
  /** By line. */
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

  /** Prose of these lines as written, without the blank lines around each run of it. */
  proseIn(lines: LineSpan): string[] {
    return this.#runs(lines, (kind) => kind === PROSE)
      .map(trimBlankLines)
      .filter((run) => run !== '')
  }

  /** All lines but titles and headings, without the blank lines around. */
  contentIn(lines: LineSpan): string {
    return trimBlankLines(this.#runs(lines, (kind) => kind !== HEADING).join(''))
  }

  #runs([start, end = this.#starts.length]: LineSpan, isWanted: (kind: number | undefined) => boolean): string[] {
    const runs: string[] = []
    for (let first = start; first < end; ) {
      const kind = this.#kinds[first]
      let last = first + 1
      while (last < end && this.#kinds[last] === kind) last++
      if (isWanted(kind)) runs.push(this.slice(first, last))
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
