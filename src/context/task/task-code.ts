import { join, resolve } from 'node:path'
import { type CodeIndex, openCodeIndex } from '../../code/code-index.ts'
import { extendHistory, MAX_KNOWN_COMMITS, readHistory, writeHistory } from '../../code/commit-history.ts'
import { isTestCode } from '../../code/languages.ts'
import { type RankModels, rankForTask, type TaskRanking } from '../../code/rank.ts'
import { relatedFiles } from '../../code/related.ts'
import { parseTask } from '../../code/task-query.ts'
import { ContextError } from '../../core/errors.ts'
import type { Run, Source } from '../../core/flow.ts'
import { commitsOf } from '../../drift/drift.ts'
import { digestFiles } from '../../files/file-version.ts'
import { relativeTo } from '../../text/paths.ts'
import type { DiskPlace } from '../load/place.ts'
import { codeFragment, reasonFor, toLeftFile } from './code-fragments.ts'

/** Maximum listed files of an answer, shown or not. */
export const MAX_LISTED_FILES = 20
const MAX_TESTS = 5

export interface TaskRequest {
  /** The task: a sentence, an issue, a log, a stack trace, a diff. Its first 80,000 characters are parsed. */
  readonly task: string
  /** A path on disk. Files at or below the path rank higher than other files of its project. Default: `.`. */
  readonly place?: string | undefined
  /** Maximum tokens of `text`. A whole number ≥ 1. Default: 8000. */
  readonly budget?: number | undefined
  /** Maximum files with shown lines. A whole number ≥ 1. Default: 10; 6 for a precise answer. */
  readonly files?: number | undefined
  /** Whether to show only the definitions that fit best, with little of the budget. Default: false. */
  readonly precise?: boolean | undefined
  /** Whether to list the signatures and line numbers of definitions that are not shown, in shown files and in further files. Default: false. */
  readonly signatures?: boolean | undefined
  /** Whether to ask the language model once for identifiers of the task. Default: as configured. */
  readonly rewrite?: boolean | undefined
  /** The format of `text`. Default: `markdown`. */
  readonly format?: 'markdown' | 'xml' | undefined
}

export interface TaskCodeRequest extends Pick<TaskRequest, 'task' | 'files' | 'precise' | 'signatures' | 'rewrite'> {
  /** Absolute path of the tree. */
  readonly root: string
  readonly place: DiskPlace
  /** Paths of files that the caller is editing. These files, and files that change with them, rank higher. Default: none. */
  readonly touched?: readonly string[] | undefined
  /** The configured models. They rank files in addition to the words of the task. */
  readonly models?: TaskModels | undefined
  /** Absolute path of the directory for indexes. Undefined: no index is stored, and each call reads the whole tree. */
  readonly cache: string | undefined
}

export interface TaskModels {
  /** Loads the models that rank files. */
  openRanking(): Promise<RankModels>
  /**
   * Identifiers that are likely in the code of a task, by one call of the language model.
   * @throws ContextError without a suitable model.
   */
  identifiers(task: string, signal?: AbortSignal): Promise<readonly string[]>
  /** Whether to ask the language model for identifiers if a request does not say. */
  readonly asks: boolean
}

/**
 * Updates the index of a tree, and ranks its files for a task.
 *
 * @returns `ms`: milliseconds of the update. `source`: the best files, which an answer shows, and other considered
 * files. `related`: files that likely change with the best files. `tests`: the tests that fit the task best, without
 * shown tests.
 */
export async function findTaskCode(request: TaskCodeRequest, run: Run) {
  const { task, root, files, cache, models, signatures = false } = request
  const started = performance.now()
  // The index of each tree has its own file.
  const cacheFile = cache && join(cache, 'code', digestFiles([{ name: root, content: '' }]).slice(0, 32))
  const index = await openCodeIndex(root, { cacheFile, run })
  const ms = Math.round(performance.now() - started)
  const history = await findHistory(root, cacheFile && `${cacheFile}.commits`, run)
  const { names, notices } = await suggestNames(request, run)
  const ranking = await rankForTask(index, parseTask(task, names), {
    maxShown: files,
    isPrecise: request.precise,
    near: nearPaths(request),
    history,
    outlinedFiles: signatures ? MAX_LISTED_FILES : 0,
    models: await models?.openRanking(),
    run,
  })
  const shown = new Set(ranking.shown.map(({ file }) => file.path))
  const related = relatedFiles({ index, files: ranking.files, shown, history })
  const hiddenTests = ranking.files.filter(({ file }) => isTestCode(file.path) && !shown.has(file.path))
  const tests = hiddenTests.slice(0, MAX_TESTS).map((scored) => ({ path: scored.file.path, why: reasonFor(scored) }))
  return { index, ranking, related, tests, source: codeSource(index, ranking, [...notices, ...ranking.notices]), ms }
}

/** Identifiers that a language model suggests for the task. If the model fails, no identifiers and a notice. */
async function suggestNames({ task, models, rewrite = models?.asks ?? false }: TaskCodeRequest, { signal }: Run) {
  if (!rewrite || !models) return { names: [], notices: [] }
  try {
    return { names: await models.identifiers(task, signal), notices: [] }
  } catch (error) {
    if (signal?.aborted || !(error instanceof ContextError)) throw error
    return { names: [], notices: [`No model suggested identifiers: ${error.message} ${error.hint ?? ''}`.trim()] }
  }
}

/** The commits of a repository: the stored commits, and the commits after them. Undefined without any commit. */
async function findHistory(root: string, cacheFile: string | undefined, run: Run) {
  const known = cacheFile === undefined ? undefined : readHistory(cacheFile, root)
  const log = await commitsOf(root, { since: known?.head, limit: MAX_KNOWN_COMMITS, signal: run.signal })
  if (!log || log.head === known?.head) return known
  const history = extendHistory(known, log)
  if (cacheFile !== undefined) writeHistory(cacheFile, root, history)
  return history
}

/** The files that the caller is editing, and the place if it is not the whole tree. */
function nearPaths({ root, place: { directory, file }, touched = [] }: TaskCodeRequest): string[] {
  const paths = [file ?? directory, ...touched.map((path) => resolve(path))].map((path) => relativeTo(root, path))
  return paths.filter((path): path is string => path !== undefined && path !== '')
}

function codeSource(index: CodeIndex, ranking: TaskRanking, notices: readonly string[]): Source {
  const { root, isCut, files } = index
  const { shown, further, files: scored } = ranking
  const best = scored[0]?.score ?? 0
  const gathered = [...shown, ...further]
  const gatheredPaths = new Set(gathered.map(({ file }) => file.path))
  const others = scored.slice(0, MAX_LISTED_FILES).filter(({ file }) => !gatheredPaths.has(file.path))
  const cutNotice = `The tree has more files than the limit of ${files.length}; the others were not read.`
  const messages = isCut ? [cutNotice, ...notices] : notices
  return {
    name: 'code',
    scope: 'project',
    gather: async () => ({
      kept: gathered.map((file) => codeFragment(root.path, file, best)),
      left: others.map((file) => toLeftFile(root.path, file, best)),
      warnings: messages.map((message) => ({ path: root.path, message })),
    }),
  }
}
