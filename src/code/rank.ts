/** The files of a tree and their units, in the order of how well they fit a task. */

import type { LocalRoot } from '../files/disk.ts'
import { readText } from '../files/text-file.ts'
import { isWithin } from '../text/paths.ts'
import type { CodeIndex } from './code-index.ts'
import { type ParsedFile, parseCode } from './definitions.ts'
import { isTest } from './index/file-role.ts'
import type { Unit } from './parse/units.ts'
import { byScore, type FileScore, scoreFiles, scoreOf, type TermGains } from './ranking/file-scores.ts'
import { scoreOfUnit, unitSignals } from './ranking/unit-scores.ts'
import type { TaskQuery } from './task-query.ts'

export type { FileScore } from './ranking/file-scores.ts'

/** A unit and how well it fits a task. */
export interface RankedUnit extends Unit {
  readonly score: number
}

/** A file that may be shown. */
export interface RankedFile extends FileScore {
  readonly parsed: ParsedFile
  /** In the order of the file. */
  readonly ranked: readonly RankedUnit[]
}

/** What fits a task. */
export interface TaskRanking {
  /** All files that have something of it, the best first. */
  readonly files: readonly FileScore[]
  /** Those worth showing, the best first: within `RELATIVE_CUT` of the best, at most `MOST_SHOWN`. */
  readonly shown: readonly RankedFile[]
  readonly gains: TermGains
}

/** How much is wanted, and where. */
export interface RankOptions {
  /** Files shown. Default: `MOST_SHOWN`. */
  readonly most?: number | undefined
  /** A path in the tree: what is at or below it counts for more. */
  readonly near?: string | undefined
}

/** To show files that score less than this part of the best costs more than it brings. */
export const RELATIVE_CUT = 0.7
export const MOST_SHOWN = 6
/** Of the units of tests. */
const TEST_FACTOR = 0.3
/** What is near the reader is more likely meant. */
const NEAR = 1.3
/** Quotations are looked for in the texts of the best files only. */
const PHRASE_CANDIDATES = 150

/**
 * Ranks what an index holds for a task. Reads the texts of some of the best files.
 */
export function rankForTask({ root, files }: CodeIndex, query: TaskQuery, options: RankOptions = {}): TaskRanking {
  const { most = MOST_SHOWN, near } = options
  const { scores, gains } = scoreFiles(files, query)
  const scored = nearFirst(withPhrases(root, scores, { query, all: files.length }), near)
  const best = scored[0]?.score ?? 0
  const shown = scored.filter(({ score }) => score > 0 && score >= best * RELATIVE_CUT).slice(0, most)
  return { files: scored, shown: shown.flatMap((file) => rankedFile(root, file, { query, best }) ?? []), gains }
}

function nearFirst(scored: readonly FileScore[], near: string | undefined): readonly FileScore[] {
  if (near === undefined) return scored
  const weighed = scored.map((file) => (isWithin(near, file.file.path) ? { ...file, score: file.score * NEAR } : file))
  return weighed.sort(byScore)
}

/** Adds what quotations say, and sorts again. One that many files hold says nothing. */
function withPhrases(
  root: LocalRoot,
  scored: readonly FileScore[],
  { query, all }: { readonly query: TaskQuery; readonly all: number },
): readonly FileScore[] {
  if (query.phrases.length === 0) return scored
  const texts = scored.slice(0, PHRASE_CANDIDATES).map(({ file }) => {
    const read = readText(root, file.path)
    return read.ok ? read.text.toLowerCase() : ''
  })
  const most = Math.max(3, all / 20)
  const rare = query.phrases.filter((phrase) => texts.filter((text) => text.includes(phrase)).length <= most)
  if (rare.length === 0) return scored
  const found = scored.map((file, index) => {
    const hits = rare.filter((phrase) => texts[index]?.includes(phrase)).length
    if (hits === 0) return file
    const signals = { ...file.signals, phrases: Math.min(1, hits / Math.min(3, rare.length)) }
    return { ...file, signals, score: scoreOf(signals, file.file.factor) }
  })
  return found.sort(byScore)
}

/** Undefined for a file that was taken away meanwhile. */
function rankedFile(
  root: LocalRoot,
  scored: FileScore,
  { query, best }: { readonly query: TaskQuery; readonly best: number },
): RankedFile | undefined {
  const { path } = scored.file
  const read = readText(root, path)
  if (!read.ok) return undefined
  const parsed = parseCode(path, read.text)
  const factor = isTest(path) ? TEST_FACTOR : 1
  const signals = unitSignals(parsed, { ...scored, part: best === 0 ? 0 : scored.score / best }, query)
  const ranked = parsed.units.flatMap((unit, index) => {
    const found = signals[index]
    return found ? [{ ...unit, score: scoreOfUnit(found) * factor }] : []
  })
  return { ...scored, parsed, ranked }
}
