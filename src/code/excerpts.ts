/** Selects lines of the ranked files: an order of pieces that does not depend on the budget. */

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
const UNIT_CUT = 0.82
/** Where the result is under `LITTLE` tokens, files down to this share of the best score are added. */
const LITTLE_CUT = 0.76
const LITTLE = 300

/** How many of the first files show how many of their best units, in the order of the rounds: breadth, then depth. */
const ROUNDS = [
  { files: 5, units: 2 },
  { files: 10, units: 1 },
  { files: 5, units: 6 },
  { files: 10, units: 6 },
  { files: 20, units: 3 },
] as const
/** Lines of a unit that the first two rounds show; the others show the rest. */
const MOST_FIRST_LINES = 60

interface PlacedUnit {
  readonly file: number
  readonly unit: RankedUnit
}

/** The pieces of all files in the order in which they are shown: some of many files, then more of the first ones. */
export function orderPieces(files: readonly RankedFile[]): ExcerptPiece[] {
  const units = files.map(({ ranked, parsed }) => {
    const filled = ranked.filter(({ start, end }) => !isBare(parsed.lines.slice(start, end)))
    return filled.toSorted((a, b) => b.score - a.score || a.start - b.start)
  })
  const pieces = new Map<string, ExcerptPiece>()
  for (const [round, wanted] of ROUNDS.entries()) {
    for (let place = 0; place < wanted.units; place++) {
      for (const [file, own] of units.slice(0, wanted.files).entries()) {
        const unit = own[place]
        const parts = unit ? cutInPieces([{ file, unit }]) : []
        const first = round < 2 ? MOST_FIRST_LINES / PIECE_LINES : parts.length
        for (const piece of parts.slice(0, first)) pieces.set(`${file}:${piece.start}`, piece)
      }
    }
  }
  return [...pieces.values()]
}

/** Lines that say nothing by themselves: blank ones and headings of Markdown. */
export function isBare(lines: readonly string[]): boolean {
  return lines.every((line) => /^(?:#{1,6} .*|[=\-\s]*)$/.test(line))
}

/** The pieces of the units that fit best, over all files, the most important first: few, for who pays by the token. */
export function orderPrecisePieces(files: readonly RankedFile[]): ExcerptPiece[] {
  const units = unitsByScore(files)
  const [best] = units
  const most = best?.unit.score ?? 0
  let tokens = 0
  const chosen = units.filter(({ file, unit }) => {
    const isGood = unit.score >= most * UNIT_CUT
    if (!isGood && unit.score < most * LITTLE_CUT) return false
    const cost = bytes4((files[file]?.parsed.lines ?? []).slice(unit.start, unit.end).join('\n'))
    if (!isGood && (tokens >= LITTLE || tokens + cost > 1.5 * LITTLE)) return false
    tokens += cost
    return true
  })
  // The file that fits best is not there by its name alone.
  const first = chosen.some(({ file }) => file === 0) ? [] : units.filter(({ file }) => file === 0).slice(0, 1)
  return cutInPieces([...chosen, ...first])
}

function unitsByScore(files: readonly RankedFile[]): readonly PlacedUnit[] {
  const units = files.flatMap(({ ranked }, file) => ranked.map((unit) => ({ file, unit })))
  return units.sort((a, b) => b.unit.score - a.unit.score || a.file - b.file || a.unit.start - b.unit.start)
}

function cutInPieces(units: readonly PlacedUnit[]): ExcerptPiece[] {
  return units.flatMap(({ file, unit }) => partsOf(unit).map((part) => ({ ...part, file, unit })))
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
