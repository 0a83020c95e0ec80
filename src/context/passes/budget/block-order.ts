import type { Block } from '../../../text/blocks.ts'
import { byCodeUnit } from '../../../text/paths.ts'

/**
 * The order of importance of a file's blocks (paragraphs, list items, code). `written`: as written. `open-first`: open
 * tasks before completed tasks. `recent-first`: dated entries, the latest date first; then undated entries, the last in
 * the file first.
 */
export type BlockOrder = 'written' | 'open-first' | 'recent-first'

interface BlockOrderInput {
  readonly text: string
  readonly blocks: readonly Block[]
  readonly order: BlockOrder
}

/** The indices of the blocks except headings, the most important first. */
export function importanceOf(input: BlockOrderInput): number[] {
  const headingAbove = headingsOf(input.blocks)
  const entryOf = input.order === 'recent-first' ? entriesOf(input, headingAbove) : () => undefined
  const ranked = input.blocks.flatMap(({ kind, status }, index) => {
    if (kind === 'heading') return []
    const entry = entryOf(index)
    // Blocks of a lower group come first.
    const group = Number(input.order === 'open-first' ? status === 'done' : entry?.date === '')
    // Later entries first. Blocks of an entry have the same recency.
    const recency = entry ? `${entry.date} ${String(entry.start).padStart(9, '0')}` : ''
    return [{ index, group, recency }]
  })
  const compare = (a: (typeof ranked)[number], b: (typeof ranked)[number]) =>
    a.group - b.group || byCodeUnit(b.recency, a.recency) || a.index - b.index
  return ranked.sort(compare).map(({ index }) => index)
}

/** For each block, the index of the heading that contains it; -1 for a block without a heading. */
export function headingsOf(blocks: readonly Block[]): number[] {
  const openHeadings: { index: number; level: number }[] = []
  return blocks.map(({ level }, index) => {
    while (level !== undefined && (openHeadings.at(-1)?.level ?? 0) >= level) openHeadings.pop()
    const above = openHeadings.at(-1)?.index ?? -1
    if (level !== undefined) openHeadings.push({ index, level })
    return above
  })
}

/** Number of first characters of a list item in which its date is searched. */
const SEARCHED_CHARACTERS = 200

/**
 * Returns a function that finds the entry of a block: its nearest heading, if dated; else the block itself, if it is a
 * dated list item; else the nearest dated heading. Without any date, the entry is the block itself, if it is a list
 * item, else its nearest heading. `date`: sortable digits; `''` without a date. `start`: the index of the block that is
 * the entry.
 */
function entriesOf({ text, blocks }: BlockOrderInput, above: readonly number[]) {
  const fields = dateFields(text, blocks, above)
  const dates = blocks.map(({ title }, index) => (title && dateIn(title)) || fields.get(index) || '')
  return (index: number) => {
    const headings = headingsAbove(index, above)
    const nearest = headings[0] ?? 0
    const { kind, start = 0, end = 0 } = blocks[index] ?? {}
    const searched = text.slice(start, Math.min(end, start + SEARCHED_CHARACTERS))
    const item = kind === 'list-item' ? dateIn(searched) : undefined
    if (item && !dates[nearest]) return { date: item, start: index }
    const dated = headings.find((heading) => dates[heading])
    if (dated !== undefined) return { date: dates[dated] ?? '', start: dated }
    return { date: '', start: item === undefined ? nearest : index }
  }
}

/** The headings above a block, nearest first. */
function headingsAbove(index: number, above: readonly number[]): number[] {
  const headings: number[] = []
  for (let at = above[index] ?? -1; at >= 0; at = above[at] ?? -1) headings.push(at)
  return headings
}

/** For each heading, the first date in a `**Date**` field of a block directly below the heading. */
function dateFields(text: string, blocks: readonly Block[], above: readonly number[]): ReadonlyMap<number, string> {
  const dates = new Map<number, string>()
  blocks.forEach((block, index) => {
    const field = block.kind !== 'heading' && /\*\*date:?\*\*:?[ \t]*(.*)/i.exec(text.slice(block.start, block.end))
    const date = field ? dateIn(field[1] ?? '') : ''
    const heading = above[index] ?? -1
    if (date !== '' && !dates.has(heading)) dates.set(heading, date)
  })
  return dates
}

/** The first ISO date in a text, with its time if it has one, as sortable digits; `''` without a date. */
function dateIn(text: string): string {
  const date = /(?<!\d)(\d{4})-(\d{2})-(\d{2})(?:[-T ](\d{2}):?(\d{2}):?(\d{2})?)?(?!\d)/.exec(text) ?? []
  const digits = date.slice(1).map((part) => part ?? '00')
  return digits.join('')
}
