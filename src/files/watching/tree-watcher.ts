import { createHash } from 'node:crypto'
import { type Dirent, type FSWatcher, lstatSync, readdirSync, watch } from 'node:fs'
import { join } from 'node:path'
import { tryToRead } from '../../core/errors.ts'
import { yieldToEvents } from '../../core/steps.ts'
import { byCodeUnit } from '../../text/paths.ts'

/** Decides which paths of a tree are watched. Paths are relative to the root, which is `''`. */
export interface WatchRules {
  /** Called with the names in a directory before `isLeftOut` for its entries, and again after its ignore rules changed. */
  visit(directory: string, names: readonly string[]): void
  isLeftOut(path: string, isDirectory: boolean): boolean
  /** Whether a file contains ignore rules. */
  hasIgnoreRules(path: string): boolean
}

/** Number of directories that are read between two pauses for other work. */
const DIRECTORIES_PER_STEP = 256

/** Watches each relevant directory, for systems other than macOS, which cannot watch a whole tree at once. */
export class TreeWatcher {
  isExhausted = false
  readonly #root: string
  readonly #rules: WatchRules
  readonly #onChange: () => void
  readonly #directories = new Map<string, { readonly watcher: FSWatcher; readonly children: Set<string> }>()
  readonly #pendingPaths: string[] = []
  #isClosed = false
  #entering: Promise<void> | undefined

  constructor(root: string, rules: WatchRules, onChange: () => void) {
    this.#root = root
    this.#rules = rules
    this.#onChange = onChange
  }

  /** Watches the tree. Returns after the last directory, or when the system has no watches left. */
  async start(): Promise<void> {
    await this.#enter('')
  }

  close(): void {
    this.#isClosed = true
    this.#leave('')
  }

  /** Adds a directory and all directories below it, with pauses for other work. */
  #enter(path: string): Promise<void> {
    this.#pendingPaths.push(path)
    this.#entering ??= this.#enterWaiting().finally(() => {
      this.#entering = undefined
    })
    return this.#entering
  }

  async #enterWaiting(): Promise<void> {
    let count = 0
    for (let path = this.#pendingPaths.pop(); path !== undefined; path = this.#pendingPaths.pop()) {
      if (this.#isClosed || this.isExhausted) return
      if (!this.#directories.has(path)) this.#watch(path)
      if (++count % DIRECTORIES_PER_STEP === 0) await yieldToEvents()
    }
  }

  /** Watches a directory before it lists it, so that no change between the two is missed. */
  #watch(path: string): void {
    try {
      const watcher = watch(join(this.#root, path), (type, name) => this.#handleEvent(path, type === 'rename', name))
      watcher.on('error', () => watcher.close())
      this.#directories.set(path, { watcher, children: new Set() })
    } catch (error) {
      // A directory that vanished needs no watcher: the watcher of its parent reports that.
      this.isExhausted ||= isOutOfWatches(error)
      return
    }
    for (const entry of enterDirectory(this.#root, path, this.#rules)) {
      const childPath = pathBelow(path, entry.name)
      if (entry.isDirectory() && !this.#rules.isLeftOut(childPath, true)) {
        this.#directories.get(path)?.children.add(childPath)
        this.#pendingPaths.push(childPath)
      }
    }
  }

  #handleEvent(directory: string, isRename: boolean, name: string | null): void {
    if (this.#isClosed) return
    if (name === null) {
      this.#onChange()
      return
    }
    const path = pathBelow(directory, name)
    const isDirectory = isRealDirectory(join(this.#root, path))
    const wasWatched = isRename && this.#forget(directory, path)
    const isLeftOut = this.#rules.isLeftOut(path, isDirectory)
    if (isRename && isDirectory && !isLeftOut) {
      this.#directories.get(directory)?.children.add(path)
      void this.#enter(path)
    }
    if (this.#rules.hasIgnoreRules(path)) {
      this.#leave(directory)
      void this.#enter(directory)
    } else if (isLeftOut && !wasWatched) return
    this.#onChange()
  }

  /** Ends the watch of a directory that may be gone or replaced. Returns whether the directory was watched. */
  #forget(directory: string, path: string): boolean {
    if (!this.#directories.has(path)) return false
    this.#leave(path)
    this.#directories.get(directory)?.children.delete(path)
    return true
  }

  #leave(path: string): void {
    const directory = this.#directories.get(path)
    if (!directory) return
    this.#directories.delete(path)
    directory.watcher.close()
    for (const child of directory.children) this.#leave(child)
  }
}

/** A hash of a tree. It changes when a relevant file or directory is created, removed or changed. */
export async function treeFingerprint(root: string, rules: WatchRules): Promise<string> {
  const hash = createHash('sha1')
  const pendingPaths = ['']
  let enteredCount = 0
  for (let path = pendingPaths.pop(); path !== undefined; path = pendingPaths.pop()) {
    for (const entry of enterDirectory(root, path, rules)) {
      const childPath = pathBelow(path, entry.name)
      if (rules.isLeftOut(childPath, entry.isDirectory())) continue
      if (entry.isDirectory()) pendingPaths.push(childPath)
      hash.update(`${childPath} ${entry.isDirectory() ? '' : stampAt(join(root, childPath))}\n`)
    }
    if (++enteredCount % DIRECTORIES_PER_STEP === 0) await yieldToEvents()
  }
  return hash.digest('hex')
}

/** The entries of a directory, sorted by name, after telling `rules` its names. None for a directory that cannot be listed. */
function enterDirectory(root: string, path: string, rules: WatchRules): readonly Dirent[] {
  const entries = tryToRead(() => readdirSync(join(root, path), { withFileTypes: true })) ?? []
  entries.sort((a, b) => byCodeUnit(a.name, b.name))
  const names = entries.map(({ name }) => name)
  rules.visit(path, names)
  return entries
}

function pathBelow(directory: string, name: string): string {
  return directory === '' ? name : `${directory}/${name}`
}

/** Whether a path is a directory itself, and not a link to one. */
export function isRealDirectory(path: string): boolean {
  return statOfEntry(path)?.isDirectory() ?? false
}

function stampAt(path: string): string {
  const stat = statOfEntry(path)
  return stat ? `${stat.size} ${stat.mtimeNs} ${stat.ctimeNs} ${stat.ino}` : ''
}

/** The stat of the entry itself. Undefined if the entry vanished. */
function statOfEntry(path: string) {
  return tryToRead(() => lstatSync(path, { bigint: true, throwIfNoEntry: false }))
}

/** Minimum milliseconds between two polls. */
const POLLING_MS = 500

/** After a poll, the pause is this many times as long as the poll took, so that polls take at most a tenth of the time. */
const PAUSE_FACTOR = 10

/** Codes of a system that has no watches left. */
const NO_WATCHES_CODES = new Set(['ENOSPC', 'EMFILE', 'ENFILE'])

/** Whether an error says that the system has no watches left. */
export function isOutOfWatches(error: unknown): boolean {
  return NO_WATCHES_CODES.has(String(Object(error).code))
}

/** Calls `poll` repeatedly, with pauses. */
export function pollRepeatedly(poll: () => Promise<void>) {
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  const pollAgain = async () => {
    const start = performance.now()
    await poll()
    const pauseMs = Math.max(POLLING_MS, (performance.now() - start) * PAUSE_FACTOR)
    if (!isStopped) timer = setTimeout(pollAgain, pauseMs)
  }
  timer = setTimeout(pollAgain, POLLING_MS)
  return {
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
