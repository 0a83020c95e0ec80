/** Which lines of the ranked files are shown: an order of pieces that never looks at a budget. */

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
const FILLED_GAP = 6
/** A unit that scores less than this part of the best of all is not shown. */
export const UNIT_CUT = 0.78

/** The pieces of all files, the most important first. */
export function orderPieces(files: readonly RankedFile[], cut = UNIT_CUT): ExcerptPiece[] {
  const units = files.flatMap(({ ranked }, file) => ranked.map((unit) => ({ file, unit })))
  const best = units.reduce((most, { unit }) => Math.max(most, unit.score), 0)
  const ordered = units
    .filter(({ unit }) => unit.score >= best * cut)
    .sort((a, b) => b.unit.score - a.unit.score || a.file - b.file || a.unit.start - b.unit.start)
  return ordered.flatMap(({ file, unit }) => partsOf(unit).map((part) => ({ ...part, file, unit })))
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
