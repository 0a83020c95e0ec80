import { createHash } from 'node:crypto'
import { type Dirent, type FSWatcher, lstatSync, readdirSync, watch } from 'node:fs'
import { join } from 'node:path'
import { yieldToEvents } from '../../core/steps.ts'
import { byCodeUnit } from '../../text/paths.ts'

/** Paths of a tree to watch, relative to its root `''`. */
export interface TreeConcern {
  /** Says what is in a directory; again when that changed what is left out. */
  enter(directory: string, names: readonly string[]): void
  isLeftOut(path: string, isDirectory: boolean): boolean
  /** Whether a file says what is left out. */
  decides(path: string): boolean
}

/** Directories that are entered between two pauses. */
const SLICE = 256

/** A watch for each directory that is of concern: systems other than macOS have none for a whole tree. */
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

  /** Watches the tree; ends when all of it is watched, or the system has no watches left. */
  async start(): Promise<void> {
    await this.#enter('')
  }

  close(): void {
    this.#isClosed = true
    this.#leave('')
  }

  /** Takes in a directory and all below it, which may be many: others have their turns meanwhile. */
  #enter(path: string): Promise<void> {
    this.#waiting.push(path)
    this.#entering ??= this.#enterWaiting().finally(() => {
      this.#entering = undefined
    })
    return this.#entering
  }

  async #enterWaiting(): Promise<void> {
    let entered = 0
    for (let path = this.#waiting.pop(); path !== undefined; path = this.#waiting.pop()) {
      if (this.#isClosed || this.isExhausted) return
      if (!this.#directories.has(path)) this.#watch(path)
      if (++entered % SLICE === 0) await yieldToEvents()
    }
  }

  /** Watches before it lists, so that nothing comes in between. */
  #watch(path: string): void {
    try {
      const watcher = watch(join(this.#root, path), (type, name) => this.#handleEvent(path, type === 'rename', name))
      watcher.on('error', () => watcher.close())
      this.#directories.set(path, { watcher, below: new Set() })
    } catch (error) {
      // The directory above reports what is gone meanwhile.
      this.isExhausted ||= isOutOfWatches(error)
      return
    }
    for (const entry of enterDirectory(this.#root, path, this.#concern)) {
      const below = pathBelow(path, entry.name)
      if (entry.isDirectory() && !this.#concern.isLeftOut(below, true)) {
        this.#directories.get(path)?.below.add(below)
        this.#waiting.push(below)
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

  /** A directory that came or went by this path is not the one that was watched. Returns whether one was. */
  #forget(directory: string, path: string): boolean {
    if (!this.#directories.has(path)) return false
    this.#leave(path)
    this.#directories.get(directory)?.below.delete(path)
    return true
  }

  #leave(path: string): void {
    const left = this.#directories.get(path)
    if (!left) return
    this.#directories.delete(path)
    left.watcher.close()
    for (const below of left.below) this.#leave(below)
  }
}

/** A number that is another one when a file or a directory that is of concern came, went or changed. */
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
    if (++entered % SLICE === 0) await yieldToEvents()
  }
  return hash.digest('hex')
}

/** The entries of a directory by name, of which it is told; none of one that cannot be listed. */
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

/** Not of a link to one. */
export function isRealDirectory(path: string): boolean {
  return statOfEntry(path)?.isDirectory() ?? false
}

function stampAt(path: string): string {
  const stat = statOfEntry(path)
  return stat ? `${stat.size} ${stat.mtimeNs} ${stat.ctimeNs} ${stat.ino}` : ''
}

/** Of the entry itself; undefined where it is gone. */
function statOfEntry(path: string) {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/** Between two looks where the system cannot tell of changes, in milliseconds; longer where a look takes long. */
const POLLING_MS = 500

/** Of its time what a look may take while it polls. */
const POLLING_SHARE = 10

/** Errors of a system that has no watches left. */
const EXHAUSTED = new Set(['ENOSPC', 'EMFILE', 'ENFILE'])

/** Whether an error says that the system has no watches left. */
export function isOutOfWatches(error: unknown): boolean {
  return EXHAUSTED.has(String(Object(error).code))
}

/** Calls again and again, and rests ten times as long as a call takes. */
export function pollRepeatedly(look: () => Promise<void>) {
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  const ask = async () => {
    const start = performance.now()
    await look()
    const rest = Math.max(POLLING_MS, (performance.now() - start) * POLLING_SHARE)
    if (!isStopped) timer = setTimeout(ask, rest)
  }
  timer = setTimeout(ask, POLLING_MS)
  return {
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
