/** One order of files out of two: by words and by meaning. */

import type { IndexedFile } from '../index/index-file.ts'
import { byScore, type FileScore, unfoundFile } from '../ranking/file-scores.ts'

/** How near the files and their units are, by their places among all. */
export interface MeaningShares {
  /** Of files by path: 1 for the nearest, less for each further place. */
  readonly files: ReadonlyMap<string, number>
  /** Of the units of a file, in their order. */
  readonly units: ReadonlyMap<string, readonly number[]>
}

/** How little the first places differ: between the 60 of two lists without scores and the scores that words have. */
const K = 10
/** What the nearest file gets, of the score of the best by words. */
const FILE_WEIGHT = 0.7
const MOST_FILES = 100
const MOST_UNITS = 200

/** The reciprocals of places, by the cosines of the units of each file. */
export function shareByPlace(cosines: ReadonlyMap<string, readonly number[]>): MeaningShares {
  const files = [...cosines].map(([path, own]) => ({
    path,
    cosine: own.reduce((most, each) => Math.max(most, each), -1),
  }))
  files.sort((a, b) => b.cosine - a.cosine || (a.path < b.path ? -1 : 1))
  const nearest = files.slice(0, MOST_FILES).filter(({ cosine }) => cosine > 0)
  const all = nearest.flatMap(({ path }) => cosines.get(path) ?? [])
  const ordered = all.sort((a, b) => b - a).slice(0, MOST_UNITS)
  const places = new Map(ordered.map((cosine, place) => [cosine, place + 1] as const).reverse())
  const shareOfUnit = (cosine: number) => reciprocalOf(places.get(cosine))
  return {
    files: new Map(nearest.map(({ path }, place) => [path, reciprocalOf(place + 1)])),
    units: new Map(nearest.map(({ path }) => [path, (cosines.get(path) ?? []).map(shareOfUnit)])),
  }
}

function reciprocalOf(place: number | undefined): number {
  return place === undefined ? 0 : (K + 1) / (K + place)
}

/**
 * Adds the reciprocal of its place by meaning to the score of each file, and sorts again. A file that has no word of the task
 * can come this way.
 */
export function fuseByMeaning(
  byWords: readonly FileScore[],
  files: readonly IndexedFile[],
  shares: MeaningShares['files'],
): readonly FileScore[] {
  const best = byWords[0]?.score || 1
  const known = new Set(byWords.map(({ file }) => file.path))
  const others = files.filter(({ path }) => shares.has(path) && !known.has(path)).map(unfoundFile)
  const fused = [...byWords, ...others].map((scored) => {
    const meaning = shares.get(scored.file.path)
    if (meaning === undefined) return scored
    return { ...scored, meaning, score: scored.score + best * FILE_WEIGHT * meaning * scored.file.factor }
  })
  return fused.sort(byScore)
}
