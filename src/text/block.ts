/** A piece of a text that stands by itself. The blocks of a text follow each other without a gap. */
export interface Block {
  readonly kind: 'front-matter' | 'heading' | 'paragraph' | 'list-item' | 'code' | 'table' | 'html' | 'quote' | 'rule'
  /** Offsets in the text; the blank lines that follow a block belong to it. */
  readonly start: number
  readonly end: number
  /** Of a heading: 1 to 6. */
  readonly level?: number
  /** Of a heading: its text as written, on one line. */
  readonly title?: string
  /** Of a list item with a checkbox. */
  readonly status?: Status
  /** Offsets within a list item or a quote between which it must not be cut: code, HTML, the head of a table. */
  readonly whole: readonly (readonly [start: number, end: number])[]
}

export type Status = 'todo' | 'done' | 'blocked'

const CHECKBOX = /^\[([ xX!-])\](?=\s|$)/

/** The status that a checkbox at the start of a list item's inline text gives it. */
export function checkbox(inline: string): Status | undefined {
  const mark = CHECKBOX.exec(inline)?.[1]
  if (mark === undefined) return undefined
  if (mark === ' ') return 'todo'
  return mark === 'x' || mark === 'X' ? 'done' : 'blocked'
}

/** Plain text as paragraphs: a block for each stretch between blank lines. */
export function plainBlocksOf(text: string): readonly Block[] {
  const starts = [0]
  for (const gap of text.matchAll(/(?:\r\n?|\n)(?:[ \t]*(?:\r\n?|\n))+/g)) {
    const next = gap.index + gap[0].length
    if (gap.index > 0 && next < text.length) starts.push(next)
  }
  if (text === '') return []
  return starts.map((start, index) => ({
    kind: 'paragraph',
    start,
    end: starts[index + 1] ?? text.length,
    whole: [],
  }))
}
