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

/** A run of lines of a Markdown text that says one kind of thing. */
export interface ContentNode {
  /** `title`: the first H1, where it stands before the first H2; `heading`: an H2; `item`: what items say all of. */
  readonly kind: 'front-matter' | Kind
  readonly text: string
}

type Kind = 'title' | 'heading' | 'item' | 'prose'

const KINDS: readonly Kind[] = ['prose', 'title', 'heading', 'item']

/** Lines from the first to before the last; without a last one, to the end. */
type Lines = readonly [first: number, last?: number | undefined]

/** The lines of a text, and what each is for: prose, until it is marked as something else. Line ends are LF. */
export class ContentLines {
  /** Offsets of the lines. */
  readonly starts: readonly number[]
  readonly #text: string
  /** For each line the index of its kind. */
  readonly #kinds: Uint8Array

  constructor(text: string) {
    this.#text = text
    this.starts = lineStarts(text)
    this.#kinds = new Uint8Array(this.starts.length)
  }

  mark(kind: Kind, [first, last]: LineRange): void {
    this.#kinds.fill(KINDS.indexOf(kind), first, last)
  }

  /** All lines, those of one kind that follow each other as one node. */
  nodes(): ContentNode[] {
    return [...this.#runs([0])].map(([first, last]) => ({ kind: this.#kindAt(first), text: this.#slice(first, last) }))
  }

  /** Prose of these lines as written, without the blank lines around each run of it. */
  proseIn(lines: Lines): string[] {
    const runs = [...this.#runs(lines)].filter(([first]) => this.#kindAt(first) === 'prose')
    return runs.map(([first, last]) => trimBlankLines(this.#slice(first, last))).filter((run) => run !== '')
  }

  /** All lines but titles and headings, without the blank lines around. */
  contentIn(lines: Lines): string {
    const runs = [...this.#runs(lines)].filter(([first]) => !['title', 'heading'].includes(this.#kindAt(first)))
    return trimBlankLines(runs.map(([first, last]) => this.#slice(first, last)).join(''))
  }

  *#runs([start, end = this.starts.length]: Lines): Generator<LineRange> {
    for (let first = start; first < end; ) {
      let last = first + 1
      while (last < end && this.#kinds[last] === this.#kinds[first]) last++
      yield [first, last]
      first = last
    }
  }

  #kindAt(line: number): Kind {
    return KINDS[this.#kinds[line] ?? 0] ?? 'prose'
  }

  #slice(first: number, last: number): string {
    return this.#text.slice(this.starts[first], this.starts[last] ?? this.#text.length)
  }
}

/** The text without the blank lines around it. */
function trimBlankLines(text: string): string {
  const first = text.search(/\S/)
  if (first < 0) return ''
  const last = text.indexOf('\n', text.trimEnd().length)
  return text.slice(text.lastIndexOf('\n', first) + 1, last < 0 ? text.length : last)
}
