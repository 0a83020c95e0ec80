import { type FSWatcher, watch } from 'node:fs'
import { dirname, join } from 'node:path'
import { isWithin } from '../text/paths.ts'
import { isDirectory } from './file-version.ts'

/** How long a burst of changes is waited for, in milliseconds. */
const QUIET_MS = 50

/** Between two looks where the system cannot tell of changes, in milliseconds; longer where a look takes long. */
const POLLING_MS = 500

/** Of its time what a look may take while it polls. */
const POLLING_SHARE = 10

/** What a system says when it has no watches left. */
const EXHAUSTED = new Set(['ENOSPC', 'EMFILE', 'ENFILE'])

export interface WatchOptions {
  /** One watcher for a tree, where the system has it. Default: on macOS. Elsewhere Node.js would go through the tree itself. */
  readonly recursive?: boolean
  /** Asks and does not watch. Default: only where the system has no watches left. */
  readonly polling?: boolean
}

/**
 * Calls back, once for a burst, when a file changes, or an entry of a directory comes, goes or changes; not for what is
 * below these entries. Paths that do not exist are waited for. `isPolling`: the system had no watches left, so it is called
 * every half second or more, whether anything changed or not.
 */
export async function watchPaths(
  paths: readonly string[],
  changed: () => Promise<void>,
  { recursive = process.platform === 'darwin', polling = false }: WatchOptions = {},
) {
  let timer: NodeJS.Timeout | undefined
  const soon = () => {
    clearTimeout(timer)
    timer = setTimeout(changed, QUIET_MS)
  }
  const watching = polling ? undefined : watchDirectories(paths, { recursive, soon })
  const asking = watching ? undefined : pollRepeatedly(changed)
  return {
    isPolling: watching === undefined,
    async close() {
      clearTimeout(timer)
      watching?.close()
      asking?.stop()
    },
  }
}

/** Calls again and again, and rests ten times as long as a call takes. */
function pollRepeatedly(changed: () => Promise<void>) {
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  const ask = async () => {
    const start = performance.now()
    await changed()
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

/** Watches directories alone: those that are named, and those of named files. Undefined where the system has no watches left. */
function watchDirectories(paths: readonly string[], { recursive, soon }: { recursive: boolean; soon: () => void }) {
  const watcher = new DirectoryWatcher(paths, recursive, soon)
  if (!watcher.isExhausted) return watcher
  watcher.close()
  return undefined
}

class DirectoryWatcher {
  isExhausted = false
  readonly #named: ReadonlySet<string>
  /** Directories above named paths: with one of them a named path may come or go. */
  readonly #above = new Set<string>()
  readonly #watchers = new Map<string, FSWatcher>()
  readonly #recursive: boolean
  readonly #soon: () => void

  constructor(paths: readonly string[], recursive: boolean, soon: () => void) {
    this.#named = new Set(paths)
    this.#recursive = recursive
    this.#soon = soon
    for (const path of paths) {
      for (let at = dirname(path); !this.#above.has(at); at = dirname(at)) this.#above.add(at)
    }
    this.#start(paths)
  }

  close(): void {
    for (const watcher of this.#watchers.values()) watcher.close()
    this.#watchers.clear()
  }

  #start(paths: readonly string[]): void {
    const directories = new Set(paths.map(nearestDirectory))
    const covered = (path: string) => this.#recursive && isCovered(path, directories)
    for (const directory of directories) {
      if (!this.#watchers.has(directory) && !this.isExhausted && !covered(dirname(directory))) this.#watch(directory)
    }
  }

  #watch(directory: string): void {
    try {
      const watcher = watch(directory, { recursive: this.#recursive }, (type, name) =>
        this.#heed(type === 'rename', directory, name ?? ''),
      )
      watcher.on('error', () => watcher.close())
      this.#watchers.set(directory, watcher)
    } catch (error) {
      // What is gone meanwhile is told of by the directory above it.
      this.isExhausted ||= EXHAUSTED.has(String(Object(error).code))
    }
  }

  #heed(isRename: boolean, directory: string, name: string): void {
    const path = join(directory, name)
    if (isRename && !isDirectory(directory)) this.#renew(directory)
    else if (isRename && (this.#above.has(path) || this.#watchers.has(path))) this.#renew(path)
    else if (!this.#named.has(path) && !this.#named.has(dirname(path))) return
    this.#soon()
  }

  /** A directory came, went, or is another by the same name: so is all below it. */
  #renew(path: string): void {
    for (const [directory, watcher] of this.#watchers) {
      if (!isWithin(path, directory)) continue
      watcher.close()
      this.#watchers.delete(directory)
    }
    this.#start([...this.#named].filter((named) => isWithin(path, named)))
  }
}

/** The path where it is a directory, else the nearest above it that is. */
function nearestDirectory(path: string): string {
  let at = path
  while (!isDirectory(at) && at !== dirname(at)) at = dirname(at)
  return at
}

/** Whether a directory, or one above it, is among these. */
function isCovered(path: string, directories: ReadonlySet<string>): boolean {
  for (let at = path; ; at = dirname(at)) {
    if (directories.has(at)) return true
    if (at === dirname(at)) return false
  }
}
