/** Scores files and units for a task by words, defined names, paths and stack frames. */

import { inverseFrequency } from '../../retrieval/rank.ts'
import { byCodeUnit, lastPathSegment } from '../../text/paths.ts'
import { type FileMatches, matchRecords, type RecordMatches, TermTable } from '../index/file-record.ts'
import { hashOf } from '../index/identifiers.ts'
import type { IndexedFile } from '../index/index-file.ts'
import type { TaskQuery } from '../task-query.ts'

/** Weights of the signals. Tuned on fix commits of public repositories: see `bench/task/`. */
export const FILE_WEIGHTS = {
  fields: 1,
  units: 0.5,
  path: 0.3,
  definitions: 0.3,
  phrases: 0.5,
  named: 0.6,
  frames: 0.4,
}

/**
 * The signals of a file. A signal above 1 counts as 1 in a score. In a `FileScore`, `fields`, `units`, `path` and `definitions` are shares of the
 * highest value of any file.
 */
export type FileSignals = Record<keyof typeof FILE_WEIGHTS, number>

/** A file with its score for a task. */
export interface FileScore {
  readonly file: IndexedFile
  readonly score: number
  readonly signals: FileSignals
  /** The score of each unit, at most 1. */
  readonly units: readonly number[]
  /** Names in the task that this file and at most two others define. Spelled as in the task, the rarest first. */
  readonly defines: readonly string[]
  /** The words of the task that count most for this file. */
  readonly words: readonly string[]
  /**
   * `messages`: relevance of its commit messages, 0 to 1. `together`: number of its commits that also changed one of the best files, or a file that
   * the caller named as near.
   */
  readonly commits?: { readonly messages: number; readonly together: number } | undefined
}

/** A score of 0, for a file without any word of the task. */
export function zeroScore(file: IndexedFile): FileScore {
  return { file, score: 0, signals: { ...NO_SIGNALS }, units: [], defines: [], words: [] }
}

const NO_SIGNALS: FileSignals = { fields: 0, units: 0, path: 0, definitions: 0, phrases: 0, named: 0, frames: 0 }

/** A name that at least this many files define does not count. */
const MAX_DEFINERS = 40
/** A name is shown as a reason only if at most this many files define it. */
const MAX_SHOWN_DEFINERS = 3
/** Maximum words in a reason. */
const MAX_WORDS = 3

/** Parameters of BM25: `…_SATURATION` is k1, `…_LENGTH_NORM` is b, and `…_BOOST` is the weight of a field. */
const FIELD_SATURATION = 1.8
const BODY_LENGTH_NORM = 0.6
const NAME_LENGTH_NORM = 0.5
const NAME_BOOST = 3
const PATH_BOOST = 6
const UNIT_SATURATION = 1.2
const UNIT_LENGTH_NORM = 0.75

/** For each term of a task, its gain in a tree: the weight of the term times its rarity in the tree. */
export type TermGains = ReadonlyMap<number, number>

/** Scores every matching file, best first. The caller adds the signal `phrases`, which needs the texts of the files. */
export function scoreFiles(
  files: readonly IndexedFile[],
  query: TaskQuery,
): { readonly scores: FileScore[]; readonly gains: TermGains } {
  const table = new TermTable(query.terms)
  const names = new Map([...query.identifiers].map(([key, { name, weight }]) => [hashOf(key), { name, weight }]))
  const matches = matchRecords(files, table, new Set(names.keys()))
  const units = unitScores(matches, table)
  const definitions = definitionScores(matches, names, files.length)
  const mentions = mentionScores(files, query)
  const raw = files.map((file, index) => {
    const unitScoresOfFile = units[index] ?? []
    const [best = 0, second = 0, third = 0] = unitScoresOfFile.toSorted((a, b) => b - a)
    return {
      file,
      units: unitScoresOfFile,
      defines: definitions.names.get(index) ?? [],
      words: [] as string[],
      signals: {
        ...NO_SIGNALS,
        units: best + second / 2 + third / 4,
        definitions: definitions.scores.get(index) ?? 0,
        named: mentions.paths.get(index) ?? 0,
        frames: mentions.frames.get(index) ?? 0,
      },
      matches: matches.files[index],
    }
  })
  const gains = addFieldScores(raw, matches, { table, words: query.words })
  return { scores: combineScores(raw), gains: new Map(gains.map((gain, number) => [table.terms[number] ?? 0, gain])) }
}

type RawScore = Omit<FileScore, 'score' | 'words'> & {
  readonly matches: FileMatches | undefined
  readonly words: string[]
}

/**
 * Divides each relative signal by its maximum over all files; the quotient is at most 1. In the maximum, the signal of
 * a file with a factor below 0.5 counts less, so that a file of little weight does not lower the other files. The score
 * is the weighted sum of the signals, times the factor of the file.
 */
function combineScores(raw: readonly RawScore[]): FileScore[] {
  const maximums: FileSignals = { ...NO_SIGNALS }
  for (const { signals, file } of raw) {
    for (const name of RELATIVE_SIGNALS)
      maximums[name] = Math.max(maximums[name], signals[name] * Math.min(1, file.factor * 2))
  }
  const highest = raw.reduce((max, { units }) => units.reduce((a, b) => Math.max(a, b), max), 0) || 1
  const scored = raw.flatMap(({ file, signals, units, defines, words, matches }): FileScore[] => {
    if (!matches && signals.named === 0 && signals.frames === 0 && signals.definitions === 0) return []
    const relative = { ...signals }
    for (const name of RELATIVE_SIGNALS)
      relative[name] = maximums[name] === 0 ? 0 : Math.min(1, signals[name] / maximums[name])
    const score = scoreOf(relative, file.factor)
    return [{ file, score, signals: relative, units: units.map((unit) => unit / highest), defines, words }]
  })
  return scored.sort(byScore)
}

const RELATIVE_SIGNALS = ['fields', 'units', 'path', 'definitions'] as const

/** The weighted sum of the signals, times the factor. */
export function scoreOf(signals: FileSignals, factor: number): number {
  let sum = 0
  for (const name of Object.keys(FILE_WEIGHTS) as (keyof FileSignals)[]) {
    sum += FILE_WEIGHTS[name] * Math.min(1, signals[name])
  }
  return sum * factor
}

/** Sorts best first, then by path. */
export function byScore(a: FileScore, b: FileScore): number {
  return b.score - a.score || byCodeUnit(a.file.path, b.file.path)
}

/** BM25F over path, definitions and body; BM25 over the path alone. Returns the gain of each term. */
function addFieldScores(
  raw: readonly RawScore[],
  { files }: RecordMatches,
  { table, words: writtenWords }: { readonly table: TermTable; readonly words: ReadonlyMap<number, string> },
): readonly number[] {
  const { weights, terms } = table
  const frequencies = weights.map(() => 0)
  let [length, nameLength, matchedFiles] = [0, 0, 0]
  for (const fileMatches of files) {
    if (!fileMatches) continue
    matchedFiles++
    length += fileMatches.length
    nameLength += fileMatches.nameLength
    for (const { term } of fileMatches.matches) frequencies[term] = (frequencies[term] ?? 0) + 1
  }
  const averages = { body: length / matchedFiles || 1, names: nameLength / matchedFiles || 1 }
  const gains = weights.map((weight, term) => weight * inverseFrequency(frequencies[term] ?? 0, files.length))
  for (const { matches, signals, words } of raw) {
    if (!matches) continue
    const fieldScores: (readonly [number, number])[] = []
    const bodyFactor = 1 / (1 - BODY_LENGTH_NORM + (BODY_LENGTH_NORM * matches.length) / averages.body)
    const nameFactor = NAME_BOOST / (1 - NAME_LENGTH_NORM + (NAME_LENGTH_NORM * matches.nameLength) / averages.names)
    for (const match of matches.matches) {
      const gain = gains[match.term] ?? 0
      const weightedCount = match.body * bodyFactor + match.names * nameFactor + match.path * PATH_BOOST
      const field = (gain * weightedCount) / (FIELD_SATURATION + weightedCount)
      signals.fields += field
      fieldScores.push([match.term, field])
      signals.path += (gain * match.path) / (UNIT_SATURATION + match.path)
    }
    fieldScores.sort(([, a], [, b]) => b - a)
    const reasons = fieldScores.slice(0, MAX_WORDS * 2).flatMap(([term]) => writtenWords.get(terms[term] ?? 0) ?? [])
    words.push(...[...new Set(reasons)].slice(0, MAX_WORDS))
  }
  return gains
}

/** BM25 of each unit of each file. */
function unitScores({ files }: RecordMatches, { weights }: TermTable): (readonly number[])[] {
  const frequencies = weights.map(() => 0)
  let [unitCount, length] = [0, 0]
  for (const fileMatches of files) {
    for (const unit of fileMatches?.units ?? []) {
      unitCount++
      length += unit.length
      for (let at = 0; at < unit.counts.length; at += 2) {
        const term = unit.counts[at] ?? 0
        frequencies[term] = (frequencies[term] ?? 0) + 1
      }
    }
  }
  const average = length / unitCount || 1
  const gains = weights.map((weight, term) => weight * inverseFrequency(frequencies[term] ?? 0, unitCount))
  return files.map((fileMatches) =>
    (fileMatches?.units ?? []).map((unit) => {
      const norm = UNIT_SATURATION * (1 - UNIT_LENGTH_NORM + (UNIT_LENGTH_NORM * unit.length) / average)
      let score = 0
      for (let at = 0; at < unit.counts.length; at += 2) {
        const times = unit.counts[at + 1] ?? 0
        score += ((gains[unit.counts[at] ?? 0] ?? 0) * times) / (times + norm)
      }
      return score
    }),
  )
}

/**
 * For each file by its index: the sum of the gains of the task's names that the file defines, and the names to show. A
 * rare name gains more.
 */
function definitionScores(
  { definers }: RecordMatches,
  names: ReadonlyMap<number, { readonly name: string; readonly weight: number }>,
  fileCount: number,
) {
  const scores = new Map<number, number>()
  const namesByFile = new Map<number, string[]>()
  const rarest = [...definers].sort(([, a], [, b]) => a.length - b.length)
  for (const [hash, fileIndexes] of rarest) {
    const mention = names.get(hash)
    if (!mention || fileIndexes.length === 0 || fileIndexes.length >= MAX_DEFINERS) continue
    const gain = (mention.weight * Math.log(1 + fileCount / fileIndexes.length)) / Math.sqrt(fileIndexes.length)
    for (const at of fileIndexes) {
      scores.set(at, (scores.get(at) ?? 0) + gain)
      if (fileIndexes.length <= MAX_SHOWN_DEFINERS) namesByFile.set(at, [...(namesByFile.get(at) ?? []), mention.name])
    }
  }
  return { scores, names: namesByFile }
}

/** Factor for a mentioned path with folders if only its file name matches: the path is usually that of a library. */
const NAME_ONLY_FACTOR = 0.5

/**
 * For each file by its index, the sum of the mentions of the file in the task. An exact path counts 1. A path that
 * matches several files, or only by its file name, counts less.
 */
function mentionScores(files: readonly IndexedFile[], { paths, frames }: TaskQuery) {
  const names = new Set([...paths, ...frames.map(({ path }) => path)].map(lastPathSegment))
  const ends = files.flatMap(({ path }, index) =>
    names.has(lastPathSegment(path)) ? endsOf(path).map((end) => ({ end, index })) : [],
  )
  const byEnd = Map.groupBy(ends, ({ end }) => end)
  const pathScores = new Map<number, number>()
  const frameScores = new Map<number, number>()
  const add = (path: string, sums: Map<number, number>) => {
    const longest = endsOf(path).find((end) => byEnd.has(end)) ?? ''
    const matches = byEnd.get(longest) ?? []
    const share = (longest.includes('/') || !path.includes('/') ? 1 : NAME_ONLY_FACTOR) / Math.sqrt(matches.length)
    for (const { index } of matches) sums.set(index, (sums.get(index) ?? 0) + (files[index]?.path === path ? 1 : share))
  }
  for (const path of paths) add(path, pathScores)
  for (const { path } of frames) add(path, frameScores)
  return { paths: pathScores, frames: frameScores }
}

/** A path, and its ends after each slash, the longest first. */
function endsOf(path: string): string[] {
  return [path, ...[...path.matchAll(/\//g)].map(({ index }) => path.slice(index + 1))]
}
