import { join, resolve } from 'node:path'
import { type CodeIndex, openCodeIndex } from '../../code/code-index.ts'
import { rankForTask, type TaskRanking } from '../../code/rank.ts'
import { parseTask } from '../../code/task-query.ts'
import type { Run, Source } from '../../core/flow.ts'
import { digestFiles } from '../../files/file-version.ts'
import { relativeTo } from '../../text/paths.ts'
import type { DiskPlace } from '../load/place.ts'
import { codeFragment, consideredFile } from './code-fragments.ts'

/** Files that are told of, shown or not. */
export const MOST_TOLD = 20

/** The code that fits a task, of all that the tree holds. */
export interface TaskCode {
  readonly index: CodeIndex
  readonly ranking: TaskRanking
  /** Files worth showing, the best first, and others that were considered. */
  readonly source: Source
  /** What it took to bring the index up to date. */
  readonly ms: number
}

export interface TaskCodeRequest {
  readonly task: string
  /** Absolute path of the tree. */
  readonly root: string
  readonly place: DiskPlace
  /** Most files worth showing. */
  readonly files?: number | undefined
  /** A directory, absolute, to keep the index in. */
  readonly cache: string | undefined
}

/** Brings the index of a tree up to date, and ranks its files for a task. */
export async function findTaskCode({ task, root, place, files, cache }: TaskCodeRequest, run: Run): Promise<TaskCode> {
  const started = performance.now()
  const index = await openCodeIndex(root, { cacheFile: cache && cacheFileOf(cache, root), run })
  const ms = Math.round(performance.now() - started)
  const ranking = rankForTask(index, parseTask(task), { most: files, near: nearOf(place, root) })
  return { index, ranking, source: codeSource(index, ranking), ms }
}

/** One file for each tree. */
function cacheFileOf(cache: string, root: string): string {
  return join(cache, 'code', digestFiles([{ name: root, content: '' }]).slice(0, 32))
}

/** What is at the place comes before the rest; a file that it names, before all. */
function nearOf({ directory, file }: DiskPlace, root: string): string | undefined {
  const near = relativeTo(root, file === undefined ? directory : resolve(directory, file))
  return near === '' ? undefined : near
}

function codeSource({ root, isCut, files }: CodeIndex, { shown, files: scored }: TaskRanking): Source {
  const best = scored[0]?.score ?? 0
  const isShown = new Set(shown.map(({ file }) => file.path))
  const others = scored.slice(0, MOST_TOLD).filter(({ file }) => !isShown.has(file.path))
  const message = `The tree has more than the ${files.length} files that are looked at.`
  return {
    name: 'code',
    scope: 'project',
    gather: async () => ({
      kept: shown.map((file) => codeFragment(root.path, file, best)),
      left: others.map((file) => consideredFile(root.path, file, best)),
      warnings: isCut ? [{ path: root.path, message }] : [],
    }),
  }
}
