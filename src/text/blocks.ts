import type { Token } from 'markdown-it'
import { splitFrontMatter } from './front-matter.ts'
import { lineStarts, trimLines } from './lines.ts'
import { parseBlocks } from './markdown.ts'

const KINDS: Readonly<Record<string, Block['kind']>> = {
  heading_open: 'heading',
  paragraph_open: 'paragraph',
  reference_definition: 'paragraph',
  list_item_open: 'list-item',
  fence: 'code',
  code_block: 'code',
  table_open: 'table',
  html_block: 'html',
  blockquote_open: 'quote',
  hr: 'rule',
}

const NO_RANGES: Block['whole'] = []

/**
 * The top-level blocks of a Markdown text. Joined, the blocks are the text, byte for byte. Front matter is a block;
 * each top-level item of a list is a block. Never throws.
 */
export function blocksOf(text: string): readonly Block[] {
  if (text === '') return []
  const { body: start } = splitFrontMatter(text)
  const blocks = bodyBlocks(text, start || (text.startsWith('\uFEFF') ? 1 : 0))
  const [first] = blocks
  if (start > 0) blocks.unshift({ kind: 'front-matter', start: 0, end: first?.start ?? text.length, whole: NO_RANGES })
  else if (first) blocks[0] = { ...first, start: 0 }
  else blocks.push({ kind: 'paragraph', start: 0, end: text.length, whole: NO_RANGES })
  return blocks
}

/** The blocks from the offset on; each extends to the start of the next block. Leaves out text before the first. */
function bodyBlocks(text: string, offset: number): Block[] {
  const body = text.slice(offset)
  const lines = lineStarts(body)
  const offsetOfLine = (line: number) => (lines[line] ?? body.length) + offset
  let end = text.length
  const { tokens } = parseBlocks(body)
  const blocks: Block[] = []
  for (const found of blockStarts(tokens).reverse()) {
    const start = offsetOfLine(found.line)
    blocks.push(blockAt(tokens, found, { start, end, offsetOfLine }))
    end = start
  }
  return blocks.reverse()
}

type BlockStart = { readonly index: number; readonly token: Token; readonly line: number }

/** The tokens that start a block: the tokens at level 0; for a list at level 0, the items instead. */
function blockStarts(tokens: readonly Token[]): BlockStart[] {
  const starts: BlockStart[] = []
  let isInList = false
  for (const [index, token] of tokens.entries()) {
    if (token.level > 1 || token.nesting < 0 || !token.map) continue
    if (token.level === 0) isInList = token.tag === 'ul' || token.tag === 'ol'
    if (isInList === token.level > 0) starts.push({ index, token, line: token.map[0] })
  }
  return starts
}

type BlockOffsets = Pick<Block, 'start' | 'end'> & { offsetOfLine(line: number): number }

function blockAt(tokens: readonly Token[], found: BlockStart, { start, end, offsetOfLine }: BlockOffsets): Block {
  const { index, token } = found
  const kind = KINDS[token.type] ?? 'paragraph'
  if (kind === 'heading') {
    const title = trimLines(tokens[index + 1]?.content ?? '', ' ')
    return { kind, start, end, level: Number(token.tag.slice(1)), title, whole: NO_RANGES }
  }
  if (kind !== 'list-item' && kind !== 'quote') return { kind, start, end, whole: NO_RANGES }
  const ranges = uncuttableRanges(tokens, found, offsetOfLine)
  const hasText = kind === 'list-item' && tokens[index + 1]?.type === 'paragraph_open'
  const status = hasText ? checkbox(tokens[index + 2]?.content ?? '') : undefined
  return status ? { kind, start, end, status, whole: ranges } : { kind, start, end, whole: ranges }
}

/** The ranges in a list item or a quote that must not be cut: code, HTML, the head of a table. */
function uncuttableRanges(
  tokens: readonly Token[],
  container: BlockStart,
  offsetOf: (line: number) => number,
): Block['whole'] {
  const ranges: (readonly [number, number])[] = []
  for (let inner = container.index + 1; inner < tokens.length; inner++) {
    const token = tokens[inner]
    if (!token || token.level <= container.token.level) break
    if (!token.map) continue
    const [first, last] = token.map
    if (token.type === 'fence' || token.type === 'code_block' || token.type === 'html_block') {
      ranges.push([offsetOf(first), offsetOf(last)])
    } else if (token.type === 'thead_open') ranges.push([offsetOf(first), offsetOf(first + 2)])
  }
  return ranges.length > 0 ? ranges : NO_RANGES
}

/** A paragraph, heading, list item or the like, which makes sense alone. Blocks follow each other without a gap. */
export interface Block {
  readonly kind: 'front-matter' | 'heading' | 'paragraph' | 'list-item' | 'code' | 'table' | 'html' | 'quote' | 'rule'
  /** Offsets in the text, in UTF-16 units; a block includes the blank lines after it. */
  readonly start: number
  readonly end: number
  /** For a heading: its level, 1 to 6. */
  readonly level?: number
  /** For a heading: its text as written, on one line. */
  readonly title?: string
  /** For a list item with a checkbox: its status. */
  readonly status?: Status
  /** Ranges of a list item or quote that must not be cut, as offsets: code, HTML, the head of a table. */
  readonly whole: readonly (readonly [start: number, end: number])[]
}

export type Status = 'todo' | 'done' | 'blocked'

const CHECKBOX = /^\[([ xX!-])\](?=\s|$)/

/** The status of a list item, from the checkbox at the start of its inline text; undefined without a checkbox. */
export function checkbox(inline: string): Status | undefined {
  const mark = CHECKBOX.exec(inline)?.[1]
  if (mark === undefined) return undefined
  if (mark === ' ') return 'todo'
  return mark === 'x' || mark === 'X' ? 'done' : 'blocked'
}

/** The paragraphs of a plain text, as blocks. Blank lines separate paragraphs. */
export function plainBlocksOf(text: string): readonly Block[] {
  const starts = [0]
  for (const gap of text.matchAll(/(?:\r\n?|\n)(?:[ \t]*(?:\r\n?|\n))+/g)) {
    const next = gap.index + gap[0].length
    if (gap.index > 0 && next < text.length) starts.push(next)
  }
  if (text === '') return []
  return starts.map((start, index) => ({ kind: 'paragraph', start, end: starts[index + 1] ?? text.length, whole: [] }))
}
