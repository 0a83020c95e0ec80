/** Selects lines of ranked files, as pieces of units such as functions. Their order does not depend on the budget. */

import { bytes4 } from '../core/tokens.ts'
import type { RankedFile, RankedUnit } from './rank.ts'

/** Lines of a file: numbers from 0; `end` is the line after the last line. */
export type ExcerptLines = Readonly<Record<'start' | 'end', number>>

/** Lines of one unit that appear together. */
export interface ExcerptPiece extends ExcerptLines {
  /** The index of the file in the ranked files. */
  readonly file: number
  readonly unit: RankedUnit
}

/** Maximum lines of a piece. A longer unit is several pieces. */
const PIECE_LINES = 12
/** Maximum lines of a gap between two pieces that is shown in full: so few lines cost no more than the mark for a gap. */
const MAX_FILLED_GAP = 2
/** Minimum score of a unit in a precise answer, as a share of the best score of a unit. */
const MIN_UNIT_SHARE = 0.82
/** A precise answer of fewer than `SHORT_EXCERPT_TOKENS` tokens also shows units with this share. */
const MIN_UNIT_SHARE_OF_SHORT = 0.76
const SHORT_EXCERPT_TOKENS = 300

/** Each round shows the best `units` of the first `files`: breadth first, then depth. */
const ROUNDS = [
  { files: 5, units: 2 },
  { files: 10, units: 1 },
  { files: 5, units: 6 },
  { files: 10, units: 6 },
  { files: 20, units: 3 },
] as const
/** Maximum lines of a unit in the first two rounds. Later rounds show its other lines. */
const MAX_EARLY_LINES = 60

type PlacedUnit = Pick<ExcerptPiece, 'file' | 'unit'>

/** The pieces of all files in the order in which they are shown: a few of many files, then more of the first files. */
export function orderPieces(files: readonly RankedFile[]): ExcerptPiece[] {
  const units = files.map(({ ranked, parsed }) => {
    const withContent = ranked.filter(({ start, end }) => !isWithoutContent(parsed.lines.slice(start, end)))
    return withContent.toSorted((a, b) => b.score - a.score)
  })
  const pieces = new Map<string, ExcerptPiece>()
  for (const [round, limits] of ROUNDS.entries()) {
    for (let rank = 0; rank < limits.units; rank++) {
      for (const [file, fileUnits] of units.slice(0, limits.files).entries()) {
        const unit = fileUnits[rank]
        const parts = unit ? cutInPieces([{ file, unit }]) : []
        const count = round < 2 ? MAX_EARLY_LINES / PIECE_LINES : parts.length
        for (const piece of parts.slice(0, count)) pieces.set(`${file}:${piece.start}`, piece)
      }
    }
  }
  return [...pieces.values()]
}

/** Whether lines are only blank lines, headings of Markdown, and horizontal rules. */
export function isWithoutContent(lines: readonly string[]): boolean {
  return lines.every((line) => /^(?:#{1,6} .*|[=\-\s]*)$/.test(line))
}

/** The pieces of the best units over all files, the most important first. The pieces are few, because a reader pays for each token. */
export function orderPrecisePieces(files: readonly RankedFile[]): ExcerptPiece[] {
  const units = files
    .flatMap(({ ranked }, file) => ranked.map((unit) => ({ file, unit })))
    .sort((a, b) => b.unit.score - a.unit.score)
  const bestScore = units[0]?.unit.score ?? 0
  let tokens = 0
  const chosen = units.filter(({ file, unit }) => {
    const isGood = unit.score >= bestScore * MIN_UNIT_SHARE
    if (!isGood && unit.score < bestScore * MIN_UNIT_SHARE_OF_SHORT) return false
    const cost = bytes4((files[file]?.parsed.lines ?? []).slice(unit.start, unit.end).join('\n'))
    if (!isGood && (tokens >= SHORT_EXCERPT_TOKENS || tokens + cost > 1.5 * SHORT_EXCERPT_TOKENS)) return false
    tokens += cost
    return true
  })
  // The best file shows at least one unit.
  const bestOfFirst = chosen.some(({ file }) => file === 0) ? [] : units.filter(({ file }) => file === 0).slice(0, 1)
  return cutInPieces([...chosen, ...bestOfFirst])
}

function cutInPieces(units: readonly PlacedUnit[]): ExcerptPiece[] {
  const pieces: ExcerptPiece[] = []
  for (const { file, unit } of units)
    for (let start = unit.start; start < unit.end; start += PIECE_LINES)
      pieces.push({ start, end: Math.min(unit.end, start + PIECE_LINES), file, unit })
  return pieces
}

/** The lines that pieces of one file cover, in order, with small gaps filled. With more pieces, no line disappears. */
export function mergeRanges(pieces: readonly ExcerptLines[]): ExcerptLines[] {
  const mergedLines: { start: number; end: number }[] = []
  for (const { start, end } of pieces.toSorted((a, b) => a.start - b.start)) {
    const last = mergedLines.at(-1)
    if (last && start - last.end <= MAX_FILLED_GAP) last.end = Math.max(last.end, end)
    else mergedLines.push({ start, end })
  }
  return mergedLines
}
