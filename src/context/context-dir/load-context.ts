import { dirname, join, normalize, resolve } from 'node:path'
import { assemble } from '../../core/assemble.ts'
import { invalidInput, throwIfAborted } from '../../core/errors.ts'
import { type Count, type Run, SILENT, type Warning } from '../../core/flow.ts'
import type { LedgerRow } from '../../core/ledger.ts'
import { setNewest } from '../../core/set-newest.ts'
import { runSteps, runStepsAsync } from '../../core/steps.ts'
import { bytes4, validBudget } from '../../core/tokens.ts'
import {
  digestFiles,
  type FileVersion,
  isDirectory,
  isSettled,
  realOf,
  sameVersion,
  versionAt,
} from '../../files/file-version.ts'
import { projectRootOf } from '../../files/roots.ts'
import { uniqueFiles } from '../load/answer.ts'
import { requireDirectory } from '../load/place.ts'
import { contextMarkdown, recipeFor } from '../load/recipe.ts'
import { type ContextDirReading, contextDir, PRIORITY_ORDER, readContextFile } from '../sources/context-dir.ts'
import { CONTEXT_DIR, type ContextDir, findContextDir, openContextDir } from '../sources/context-dir-walk.ts'
import { type ContextFile, contextFile, parseWarnings } from './context-file.ts'

/** Options of `loadContext`. */
export interface LoaderOptions {
  /** The directory in which the search for the context directory starts. Default: the current directory. */
  readonly rootDir?: string
  /** Name of the context directory. Default: `.context`. */
  readonly contextDir?: string
  /** Maximum tokens of `summary`. A whole number ≥ 1. Default: 8000. */
  readonly tokenBudget?: number
  /** File names, the most important first; others follow by name. Default: `PRIORITY_ORDER`. */
  readonly priorityOrder?: readonly string[]
  /** The reader's task: related blocks come first if not everything fits. */
  readonly task?: string
  /** The token counter. Default: `bytes4`, a token for every four bytes. */
  readonly count?: Count
  /** Whether to cache the answer in memory while no file changes. Default: false. */
  readonly cache?: boolean
  readonly signal?: AbortSignal
}

/** Result of `loadContext`. */
export interface LoadedContext extends Pick<ContextDirReading, 'missing' | 'missingRequired'> {
  /** The directory and the number of levels that it is above `rootDir`; null without a readable directory. */
  readonly contextDir: ContextDir | null
  /** The files, sorted by priority. A file with several names (links) is listed once. */
  readonly files: readonly ContextFile[]
  /** The assembled Markdown; `''` without any content. */
  readonly summary: string
  /** Tokens of `summary`. At most the budget, unless `overBudget`. */
  readonly tokenCount: number
  /** Maximum tokens of `summary`. */
  readonly budget: number
  /** Whether the budget cut something. */
  readonly truncated: boolean
  /** Whether CONSTITUTION.md alone exceeds the budget. The file is still shown completely. */
  readonly overBudget: boolean
  /** All warnings. The first access parses the files, for warnings about malformed files. */
  readonly warnings: readonly Warning[]
  /** A row for every considered file: the decision and the reason. */
  readonly ledger: readonly LedgerRow[]
  /** SHA-256, hex, of names and contents; the same for two checkouts of the same files. */
  readonly digest: string
}

type LoaderSettings = ReturnType<typeof readOptions>
type DirectoryName = Pick<LoaderSettings, 'start' | 'name'>

/**
 * Finds the context directory, reads its Markdown files and assembles them under the budget. Without such a directory, `contextDir` is null, and all
 * expected files are missing.
 *
 * @throws ContextError `invalid-input` for a bad option, or when the context directory is a file; `not-found` when `rootDir` does not exist;
 * `cancelled`.
 * @example const { summary, missing } = await loadContext({ rootDir: 'my-project', tokenBudget: 4000 })
 */
export async function loadContext(options: LoaderOptions = {}): Promise<LoadedContext> {
  const { signal, cache } = options
  throwIfAborted(signal)
  const settings = readOptions(options)
  if (!cache) return loadWithSettings(settings, signal ? { ...SILENT, signal } : SILENT)
  const answer = await cachedAnswer(settings)
  throwIfAborted(signal)
  return answer
}

function readOptions(options: LoaderOptions) {
  return {
    start: requireDirectory(resolve(options.rootDir ?? '.')),
    name: directoryName(options.contextDir),
    tokenBudget: validBudget(options.tokenBudget),
    priorityOrder: options.priorityOrder ?? PRIORITY_ORDER,
    count: options.count ?? bytes4,
    task: options.task,
  }
}

function directoryName(name = CONTEXT_DIR): string {
  const normal = normalize(name).replace(/\/$/, '')
  if (/^[^/\0][^\0]*$/.test(name) && !/^\.{0,2}$/.test(normal) && !normal.startsWith('../')) return normal
  const hint = `Give a name, such as ${CONTEXT_DIR}; it is looked for in rootDir and the directories above it.`
  throw invalidInput(`${JSON.stringify(name)} is not the name of a context directory.`, hint)
}

async function loadWithSettings(settings: LoaderSettings, run: Run): Promise<LoadedContext> {
  const { tokenBudget, count, task } = settings
  const source = contextDir(settings)
  const recipe = recipeFor('context-dir', tokenBudget, { sources: [source], render: contextMarkdown, count })
  const assembled = await assemble(recipe, task ? { task } : {}, run)
  const { reading } = source
  if (reading.notADirectory) {
    const hint = `Rename it, or make ${settings.name} a directory.`
    throw invalidInput(`${reading.notADirectory} is a file, and not a directory.`, hint)
  }
  const files = uniqueFiles(reading, assembled)
  return {
    contextDir: reading.dir,
    files: files.map((file) => contextFile(file, count)),
    summary: assembled.text,
    tokenCount: assembled.tokens,
    budget: tokenBudget,
    truncated: assembled.ledger.some(({ why }) => why === 'over-budget'),
    overBudget: assembled.tokens > tokenBudget,
    missing: reading.missing,
    missingRequired: reading.missingRequired,
    get warnings() {
      return [...assembled.selection.warnings, ...files.flatMap(parseWarnings)]
    },
    ledger: assembled.ledger,
    get digest() {
      return digestFiles(files.map(({ source, content }) => ({ name: source, content })))
    },
  }
}

/**
 * Reads one context file.
 *
 * @throws ContextError `not-found`; `invalid-input` unless it is a text file; `denied` for a link out of its project; `over-limit` when it is too
 * large; `unavailable` when it cannot be read.
 */
export async function loadContextFile(path: string, count: Count = bytes4): Promise<ContextFile> {
  return contextFile(readContextFile(resolve(path)), count)
}

/**
 * Whether `loadContext` would find a readable context directory. Default name: `.context`.
 *
 * @throws ContextError `invalid-input` for a name that is not valid.
 */
export async function hasContext(rootDir = '.', name?: string): Promise<boolean> {
  const start = resolve(rootDir)
  const found = findContextDir(start, directoryName(name))
  if (!isDirectory(start) || found === undefined || !('dir' in found)) return false
  return (await runStepsAsync(openContextDir(found.dir))).ok
}

/** Maximum number of cached answers for one token counter. */
const MAX_CACHED_ANSWERS = 64

/** The state of the files that an answer depends on, by stats. Equal stamps mean an unchanged answer. */
interface FileStamp {
  /** The path and the real path of the found directory, or why it cannot be read. */
  readonly place: string
  /** Absent if the names in the directory must be read again. */
  readonly directory?: FileVersion | undefined
  readonly files: readonly {
    readonly path: string
    readonly version: FileVersion | undefined
    readonly linkTarget?: string | undefined
  }[]
}

interface CachedAnswer {
  /** Undefined if a change could leave the stamp unchanged. */
  stamp: FileStamp | undefined
  readonly answer: Promise<LoadedContext>
}

/** Caches the last answer to each request while its files are unchanged. Failures are not cached. */
export function answerCache(load: (settings: LoaderSettings) => Promise<LoadedContext>) {
  const answers = new WeakMap<Count, Map<string, CachedAnswer>>()
  return ({ count, ...request }: LoaderSettings): Promise<LoadedContext> => {
    const entries = answers.get(count) ?? new Map<string, CachedAnswer>()
    answers.set(count, entries)
    const key = JSON.stringify(request)
    const cached = entries.get(key)
    const takenAt = Date.now()
    const stamp = stampOf(request, takenAt, cached?.stamp)
    if (cached?.stamp && isSameStamp(cached.stamp, stamp)) {
      cached.stamp = stamp
      return cached.answer
    }
    const isSettledStamp = stamp.files.every(({ version }) => !version || isSettled(version, takenAt))
    const entry: CachedAnswer = { stamp: isSettledStamp ? stamp : undefined, answer: load({ ...request, count }) }
    setNewest(entries, key, entry, MAX_CACHED_ANSWERS)
    const drop = () => entries.get(key) === entry && entries.delete(key)
    // After a failure, the next load may succeed without a change on disk.
    entry.answer.then(({ ledger }) => ledger.some(({ why }) => why === 'failed') && drop(), drop)
    return entry.answer
  }
}

/** Callers share the answer, so the signal of one caller does not stop the loading. */
const cachedAnswer = answerCache((settings) => loadWithSettings(settings, SILENT))

/**
 * Makes a stamp from stats, without reading files. If `previous` has the same place and the same version of the directory, the names in it are the
 * same, and the directory is not opened again.
 */
function stampOf({ start, name }: DirectoryName, takenAt: number, previous?: FileStamp): FileStamp {
  const found = findContextDir(start, name)
  if (!found || !('dir' in found)) return { place: JSON.stringify([found]), files: [] }
  const { path, levels } = found.dir
  const root = projectRootOf(dirname(path))
  const place = `${levels}\0${path}\0${root}\0${realOf(root)}\0${realOf(path)}`
  const directory = versionAt(path)
  if (previous?.place === place && directory && sameVersion(previous.directory, directory))
    return { place, directory, files: previous.files.map(({ path }) => ({ path, version: versionAt(path) })) }
  const opened = runSteps(openContextDir(found.dir))
  if (!opened.ok) return { place: `${place}\0${opened.why}`, files: [] }
  const files = opened.entries.map((entry) => {
    const file = join(path, entry.name)
    // The version of a link does not show whether it still leads into the root.
    const target = entry.kind === 'link' ? opened.root.read(file, { maxBytes: 0, cut: true }) : undefined
    return { path: file, version: versionAt(file), linkTarget: target?.ok ? target.realPath : target?.why }
  })
  const isUnchanged = directory && isSettled(directory, takenAt) && sameVersion(directory, versionAt(path))
  const holdsLink = files.some(({ linkTarget }) => linkTarget !== undefined)
  return { place, files, directory: isUnchanged && !holdsLink ? directory : undefined }
}

function isSameStamp(a: FileStamp, b: FileStamp): boolean {
  return (
    a.place === b.place &&
    a.files.length === b.files.length &&
    a.files.every(({ path, version, linkTarget }, index) => {
      const other = b.files[index]
      return path === other?.path && linkTarget === other.linkTarget && sameVersion(version, other.version)
    })
  )
}
