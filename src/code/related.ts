/** Finds files that likely change with the files of a task, although the found files share few words with the task. */

import { readText } from '../files/text-file.ts'
import type { CodeIndex } from './code-index.ts'
import { type CommitHistory, changedTogether } from './commit-history.ts'
import type { FileScore } from './rank.ts'

export interface RelatedFile {
  readonly path: string
  /** The reason, as a short phrase. */
  readonly why: string
}

export interface RelatedRequest {
  readonly index: CodeIndex
  /** The files that fit the task, best first. */
  readonly files: readonly FileScore[]
  /** Paths that the answer shows already. */
  readonly shown: ReadonlySet<string>
  readonly history: CommitHistory | undefined
}

const MAX_RELATED = 5
/** Number of best files. Files that changed with these files are related. */
const SEED_COUNT = 5
/** Minimum commits that changed both a file and one of the best files. Fewer common commits may be chance. */
const MIN_COMMITS = 2
/** Minimum factor (`factorOf`) of a related file. The minimum excludes tests, because tests change with everything. */
const MIN_FACTOR = 0.3
const IMPORT_LINE =
  /^[ \t]{0,20}(?:import|from|mod|require|use|#include)\b.{1,300}|\b(?:from|require\() ?['"][^'"\n]{1,200}/gm
const IMPORTED = /[\w@$.-]+(?:(?:\/|::|\.)[\w@$-]+)*/g

/** Files that changed with the best files, then files that the best files import, without shown files. */
export function relatedFiles({ index, files, shown, history }: RelatedRequest): RelatedFile[] {
  const bestScore = files[0]?.score || 1
  const seeds = files.slice(0, SEED_COUNT).map(({ file, score }) => ({ path: file.path, weight: score / bestScore }))
  const others = index.files.filter(({ path, factor }) => factor >= MIN_FACTOR && !shown.has(path))
  const candidates = new Set(others.map(({ path }) => path))
  const companions = history ? [...changedTogether(history, seeds)] : []
  const reasons = new Map<string, string>()
  const companionsByScore = companions.sort(([, a], [, b]) => b.score - a.score)
  for (const [path, { commits }] of companionsByScore)
    if (commits >= MIN_COMMITS && candidates.has(path)) reasons.set(path, `changed with these in ${commits} commits`)
  const pathsByModule = Map.groupBy(candidates, moduleName)
  for (const { path: seed } of seeds)
    for (const path of importedBy(index, seed, pathsByModule))
      if (!reasons.has(path)) reasons.set(path, `imported by ${seed}`)
  return [...reasons].slice(0, MAX_RELATED).map(([path, why]) => ({ path, why }))
}

/** The files that a file imports. An imported name that fits several files is ignored. */
function importedBy({ root }: CodeIndex, path: string, pathsByModule: ReadonlyMap<string, string[]>): string[] {
  const read = readText(root, path)
  const lines = read.ok ? [...read.text.matchAll(IMPORT_LINE)].map(([line]) => line) : []
  const names = lines.flatMap((line) => [...line.matchAll(IMPORTED)].map(([name]) => name))
  return [...new Set(names)].flatMap((name) => {
    const [target, ...others] = pathsByModule.get(moduleName(name.replaceAll('::', '/'))) ?? []
    return target === undefined || others.length > 0 ? [] : [target]
  })
}

/** The last part of a path or of a module's name, without extension. */
function moduleName(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const stem = path.includes('/') ? name.replace(/\.[a-z]{1,5}$/, '') : name
  return stem.slice(stem.lastIndexOf('.') + 1).toLowerCase()
}
