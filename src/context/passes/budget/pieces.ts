import type { Count, Fragment } from '../../../core/flow.ts'
import { type Block, blocksOf, plainBlocksOf } from '../../../text/blocks.ts'
import { countNoun } from '../../../text/counts.ts'
import { lineAt, lineStarts } from '../../../text/lines.ts'
import { splitPoints } from '../../../text/split-points.ts'
import { type BlockOrder, headingsOf, importanceOf } from './block-order.ts'

/** A range of a text that is shown completely or not at all. The pieces of a text cover it without gaps. */
export interface Piece {
  /** Offsets in the text, in UTF-16 units. */
  readonly start: number
  readonly end: number
  /** The lines of the first and of the last character of the piece that is not white space. */
  readonly firstLine: number
  readonly lastLine: number
  /** `whole`: code or HTML, which must not be cut. */
  readonly kind: 'heading' | 'whole' | 'item' | 'text'
  readonly tokens: number
  /** `<!-- … -->`: a comment for maintainers. */
  readonly isComment: boolean
  /** All pieces of the same block, and the index of this piece among them. */
  readonly block: readonly Piece[]
  readonly position: number
  /** The heading above the piece; undefined without a heading. */
  readonly heading: Piece | undefined
}

/** A file in a ladder (the order in which a budget shows pieces). */
export interface LadderFile {
  readonly fragment: Fragment
  readonly order: BlockOrder
  readonly pieces: readonly Piece[]
  /** The pieces except headings, the most important first; then the headings without pieces below. */
  readonly importance: readonly Piece[]
}

const COMMENT = /^\s*<!--(?:(?!-->)[\s\S])*-->\s*$/

/** Marks of the first gap of a file and of later gaps. */
const TRUNCATED = '[truncated]'
const FURTHER_GAP = '…'
/** Maximum characters of a block that is one piece. A longer block is split if its kind permits. */
const SHORT_BLOCK = 256

export function isMaintainersComment({ kind, start, end }: Block, text: string): boolean {
  return kind === 'html' && COMMENT.test(text.slice(start, end))
}

/** The pieces of a fragment in the order of its text, and by importance, as in `LadderFile`. */
export function piecesOf({ text, syntax }: Fragment, { order, count }: { order: BlockOrder; count: Count }) {
  const blocks = syntax === 'markdown' ? blocksOf(text) : plainBlocksOf(text)
  const piecesByBlock: Piece[][] = []
  const headingAbove = headingsOf(blocks)
  const starts = lineStarts(text)
  for (const [index, block] of blocks.entries()) {
    const [heading] = piecesByBlock[headingAbove[index] ?? -1] ?? []
    const kind = KINDS[block.kind] ?? 'text'
    const isComment = isMaintainersComment(block, text)
    const pieces: Piece[] = []
    piecesByBlock.push(pieces)
    for (const [position, [start, end]] of splitBlock(text, block).entries()) {
      const pieceText = text.slice(start, end)
      const firstLine = lineAt(starts, end - pieceText.trimStart().length)
      // A blank piece has no last character.
      const lastLine = Math.max(firstLine, lineAt(starts, start + pieceText.trimEnd().length - 1))
      const lines = { firstLine, lastLine, tokens: count(pieceText) }
      pieces.push({ start, end, ...lines, kind, isComment, block: pieces, position, heading })
    }
  }
  const ranked = importanceOf({ text, blocks, order })
  return { pieces: piecesByBlock.flat(), importance: ranked.flatMap((block) => piecesByBlock[block] ?? []) }
}

const KINDS: Readonly<Partial<Record<Block['kind'], Piece['kind']>>> = {
  heading: 'heading',
  'list-item': 'item',
  code: 'whole',
  html: 'whole',
}

function splitBlock(text: string, block: Block): [number, number][] {
  if (block.end - block.start <= SHORT_BLOCK) return [[block.start, block.end]]
  const ends = [...keepSafePoints(splitPoints(text, block), text, block), block.end]
  return ends.map((end, index) => [ends[index - 1] ?? block.start, end])
}

/**
 * Matches a line of prose that begins with three backticks, and is not a fence because of a later backtick. A cut
 * between the backticks would turn the line into a fence, and the text after it into code.
 */
const FALSE_FENCE = /^[ \t>*+\-\d.)]*`{3,}(?!`)[^`\r\n]*`/gm

/** The points at which a cut creates no fence. */
function keepSafePoints(points: readonly number[], text: string, { start, end }: Block): readonly number[] {
  const spans = [...text.slice(start, end).matchAll(FALSE_FENCE)].map(({ 0: line, index }) => {
    return [start + index, start + index + line.length] as const
  })
  let span = 0
  return points.filter((point) => {
    while ((spans[span]?.[1] ?? Number.POSITIVE_INFINITY) <= point) span++
    return point <= (spans[span]?.[0] ?? point)
  })
}

/**
 * The marked pieces in the order of the text, with the size of each gap: `[truncated] 12 lines` at the first gap, `… 3 lines` at
 * later gaps.
 */
export function shownText(text: string, pieces: readonly Piece[], marked: ReadonlySet<Piece>): string {
  const parts: string[] = []
  let last: Piece | undefined
  let gap: Piece[] = []
  let hasGap = false
  const writeGap = (next?: Piece) => {
    const size = sizeOfGap(text, gap, [last, next])
    gap = []
    if (size === undefined) return
    // Items of a list need no blank line between them.
    const blockEnd = hasGap && last?.kind === 'item' && next?.kind === 'item' ? '\n' : '\n\n'
    trimEnd(parts)
    if (parts.length > 0) parts.push(blockEnd)
    parts.push(`${hasGap ? FURTHER_GAP : TRUNCATED} ${size}${blockEnd}`)
    hasGap = true
  }
  for (const piece of pieces) {
    if (!marked.has(piece)) gap.push(piece)
    else {
      writeGap(piece)
      parts.push(text.slice(piece.start, piece.end))
      last = piece
    }
  }
  writeGap()
  if (hasGap) trimEnd(parts)
  const shown = parts.join('')
  return shown === '' || /[\r\n]/.test(shown.slice(-1)) ? shown : `${shown}\n`
}

/** The size of a gap in lines, or in characters for a gap within a line. Undefined without a gap. */
function sizeOfGap(text: string, gap: readonly Piece[], [before, after]: readonly (Piece | undefined)[]) {
  const [first, last] = [gap[0], gap.at(-1)]
  if (!first || !last) return undefined
  const isPart = before?.lastLine === first.firstLine || after?.firstLine === last.lastLine
  if (isPart && first.firstLine === last.lastLine)
    return countNoun(text.slice(first.start, last.end).trim().length, 'character')
  return countNoun(last.lastLine - first.firstLine + 1, 'line')
}

/** Trims the end of the joined parts. */
function trimEnd(parts: string[]): void {
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    const trimmed = part.trimEnd()
    if (trimmed === '') continue
    parts.push(trimmed)
    return
  }
}

/** Replaces each block that is only an HTML comment by blank lines, so that line numbers stay the same. */
export function withoutComments(text: string): string {
  if (!text.includes('<!--')) return text
  const parts = blocksOf(text).map((block) => {
    const part = text.slice(block.start, block.end)
    return isMaintainersComment(block, text) ? part.replace(/[^\r\n]+/g, '') : part
  })
  return parts.join('')
}
