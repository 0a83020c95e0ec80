import { createHash } from 'node:crypto'
import { type Dirent, type FSWatcher, lstatSync, readdirSync, watch } from 'node:fs'
import { join } from 'node:path'
import { yieldToEvents } from '../../core/steps.ts'
import { byCodeUnit } from '../../text/paths.ts'

/** The paths of a tree to watch, relative to its root `''`. */
export interface TreeConcern {
  /** Lists a directory. A changed ignore rule asks again. */
  enter(directory: string, names: readonly string[]): void
  isLeftOut(path: string, isDirectory: boolean): boolean
  /** Whether a file contains ignore rules. */
  decides(path: string): boolean
}

/** Directories between two pauses. */
const DIRECTORIES_PER_STEP = 256

/** Watches each relevant directory: only macOS can watch a whole tree. */
export class TreeWatcher {
  isExhausted = false
  readonly #root: string
  readonly #concern: TreeConcern
  readonly #changed: () => void
  readonly #directories = new Map<string, { readonly watcher: FSWatcher; readonly below: Set<string> }>()
  readonly #waiting: string[] = []
  #isClosed = false
  #entering: Promise<void> | undefined

  constructor(root: string, concern: TreeConcern, changed: () => void) {
    this.#root = root
    this.#concern = concern
    this.#changed = changed
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
    this.#waiting.push(path)
    this.#entering ??= this.#enterWaiting().finally(() => {
      this.#entering = undefined
    })
    return this.#entering
  }

  async #enterWaiting(): Promise<void> {
    let count = 0
    for (let path = this.#waiting.pop(); path !== undefined; path = this.#waiting.pop()) {
      if (this.#isClosed || this.isExhausted) return
      if (!this.#directories.has(path)) this.#watch(path)
      if (++count % DIRECTORIES_PER_STEP === 0) await yieldToEvents()
    }
  }

  /** Watches before it lists, so that it misses no change between the two. */
  #watch(path: string): void {
    try {
      const watcher = watch(join(this.#root, path), (type, name) => this.#handleEvent(path, type === 'rename', name))
      watcher.on('error', () => watcher.close())
      this.#directories.set(path, { watcher, below: new Set() })
    } catch (error) {
      // The parent directory reports a vanished one.
      this.isExhausted ||= isOutOfWatches(error)
      return
    }
    for (const entry of enterDirectory(this.#root, path, this.#concern)) {
      const childPath = pathBelow(path, entry.name)
      if (entry.isDirectory() && !this.#concern.isLeftOut(childPath, true)) {
        this.#directories.get(path)?.below.add(childPath)
        this.#waiting.push(childPath)
      }
    }
  }

  #handleEvent(directory: string, isRename: boolean, name: string | null): void {
    if (this.#isClosed) return
    if (name === null) {
      this.#changed()
      return
    }
    const path = pathBelow(directory, name)
    const isDirectory = isRealDirectory(join(this.#root, path))
    const wasWatched = isRename && this.#forget(directory, path)
    const isLeftOut = this.#concern.isLeftOut(path, isDirectory)
    if (isRename && isDirectory && !isLeftOut) {
      this.#directories.get(directory)?.below.add(path)
      void this.#enter(path)
    }
    if (this.#concern.decides(path)) {
      this.#leave(directory)
      void this.#enter(directory)
    } else if (isLeftOut && !wasWatched) return
    this.#changed()
  }

  /** Forgets the directory at a path that came or went. Returns whether there was one. */
  #forget(directory: string, path: string): boolean {
    if (!this.#directories.has(path)) return false
    this.#leave(path)
    this.#directories.get(directory)?.below.delete(path)
    return true
  }

  #leave(path: string): void {
    const directory = this.#directories.get(path)
    if (!directory) return
    this.#directories.delete(path)
    directory.watcher.close()
    for (const below of directory.below) this.#leave(below)
  }
}

/** A number that differs after a relevant file or directory came, went or changed. */
export async function treeFingerprint(root: string, concern: TreeConcern): Promise<string> {
  const hash = createHash('sha1')
  const waiting = ['']
  let entered = 0
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    for (const entry of enterDirectory(root, path, concern)) {
      const below = pathBelow(path, entry.name)
      if (concern.isLeftOut(below, entry.isDirectory())) continue
      if (entry.isDirectory()) waiting.push(below)
      hash.update(`${below} ${entry.isDirectory() ? '' : stampAt(join(root, below))}\n`)
    }
    if (++entered % DIRECTORIES_PER_STEP === 0) await yieldToEvents()
  }
  return hash.digest('hex')
}

/** The entries of a directory by name. Empty for a directory that cannot be listed. */
function enterDirectory(root: string, path: string, concern: TreeConcern): readonly Dirent[] {
  let entries: Dirent[] = []
  try {
    entries = readdirSync(join(root, path), { withFileTypes: true }).sort((a, b) => byCodeUnit(a.name, b.name))
  } catch {
    // It is gone, or may not be listed.
  }
  const names = entries.map(({ name }) => name)
  concern.enter(path, names)
  return entries
}

function pathBelow(directory: string, name: string): string {
  return directory === '' ? name : `${directory}/${name}`
}

/** False for a link to a directory. */
export function isRealDirectory(path: string): boolean {
  return statOfEntry(path)?.isDirectory() ?? false
}

function stampAt(path: string): string {
  const stat = statOfEntry(path)
  return stat ? `${stat.size} ${stat.mtimeNs} ${stat.ctimeNs} ${stat.ino}` : ''
}

/** The stat of the entry itself. Undefined for a vanished one. */
function statOfEntry(path: string) {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/** Minimum milliseconds between two polls. Slow polls pause longer. */
const POLLING_MS = 500

/** Maximum share of the time for polls. */
const PAUSE_FACTOR = 10

/** Errors of a system that has no watches left. */
const NO_WATCHES_CODES = new Set(['ENOSPC', 'EMFILE', 'ENFILE'])

/** Whether an error says that the system has no watches left. */
export function isOutOfWatches(error: unknown): boolean {
  return NO_WATCHES_CODES.has(String(Object(error).code))
}

/** Calls repeatedly, and rests ten times as long as a call takes. */
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
