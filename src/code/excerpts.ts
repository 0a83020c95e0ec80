/** Which lines of the ranked files are shown: an order of pieces that never looks at a budget. */

import { bytes4 } from '../core/tokens.ts'
import type { RankedFile, RankedUnit } from './rank.ts'

/** Lines of a file, from 0; `end` is the line after the last. */
export interface ExcerptLines {
  readonly start: number
  readonly end: number
}

/** Some lines of one unit, that are shown together. */
export interface ExcerptPiece extends ExcerptLines {
  /** The index of its file. */
  readonly file: number
  readonly unit: RankedUnit
}

/** A unit is shown bit by bit where it does not fit: so many lines at a time. */
const PIECE_LINES = 12
/** A gap of so few lines costs no more than its mark. */
const FILLED_GAP = 2
/** A unit that scores less than this part of the best of all is not shown. */
const UNIT_CUT = 0.83
/** Where that gives less than `LITTLE` tokens, the next ones follow: down to these parts, in the file of the best and in others. */
const LITTLE_CUT = { best: 0.65, others: 0.78 }
const LITTLE = 300

/** The pieces of all files, the most important first. */
export function orderPieces(files: readonly RankedFile[]): ExcerptPiece[] {
  const units = files.flatMap(({ ranked }, file) => ranked.map((unit) => ({ file, unit })))
  units.sort((a, b) => b.unit.score - a.unit.score || a.file - b.file || a.unit.start - b.unit.start)
  const [best] = units
  const most = best?.unit.score ?? 0
  let tokens = 0
  const chosen = units.filter(({ file, unit }) => {
    const isGood = unit.score >= most * UNIT_CUT
    if (!isGood && unit.score < most * LITTLE_CUT[file === best?.file ? 'best' : 'others']) return false
    const cost = bytes4((files[file]?.parsed.lines ?? []).slice(unit.start, unit.end).join('\n'))
    if (!isGood && (tokens >= LITTLE || tokens + cost > 1.5 * LITTLE)) return false
    tokens += cost
    return true
  })
  // The file that fits best is not there by its name alone.
  const first = chosen.some(({ file }) => file === 0) ? [] : units.filter(({ file }) => file === 0).slice(0, 1)
  return [...chosen, ...first].flatMap(({ file, unit }) => partsOf(unit).map((part) => ({ ...part, file, unit })))
}

function partsOf({ start, end }: ExcerptLines): ExcerptLines[] {
  const parts: ExcerptLines[] = []
  for (let at = start; at < end; at += PIECE_LINES) parts.push({ start: at, end: Math.min(end, at + PIECE_LINES) })
  return parts
}

/** The lines of one file that pieces show, in order, with small gaps filled. More pieces never show less. */
export function mergeRanges(pieces: readonly ExcerptLines[]): ExcerptLines[] {
  const merged: { start: number; end: number }[] = []
  for (const { start, end } of pieces.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1)
    if (last && start - last.end <= FILLED_GAP) last.end = Math.max(last.end, end)
    else merged.push({ start, end })
  }
  return merged
}
