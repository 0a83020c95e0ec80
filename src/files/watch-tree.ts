import { type FSWatcher, watch } from 'node:fs'
import { dirname, join } from 'node:path'
import { ancestors } from '../text/paths.ts'
import { type FileVersion, identityOf, isDirectory, versionAt } from './file-version.ts'
import {
  isOutOfWatches,
  isRealDirectory,
  pollRepeatedly,
  type TreeConcern,
  TreeWatcher,
  treeFingerprint,
} from './watching/tree-watcher.ts'

export type { TreeConcern } from './watching/tree-watcher.ts'

/** How long a burst of changes is waited for, in milliseconds. */
const QUIET_MS = 50

/** How long at most, where changes never cease, in milliseconds. */
const MOST_QUIET_MS = 500

export interface WatchOptions {
  /** One watcher for a tree, where the system has it. Default: on macOS; on other systems Node.js would walk the tree itself. */
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
  let since: number | undefined
  const call = () => {
    since = undefined
    watching?.renew()
    void changed()
  }
  const soon = () => {
    clearTimeout(timer)
    since ??= performance.now()
    timer = setTimeout(call, Math.min(QUIET_MS, since + MOST_QUIET_MS - performance.now()))
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

/** A tree that is watched. */
export interface TreeWatch {
  /** Whether it polls, because the system had no watches left. */
  readonly isPolling: boolean
  /** Whether the root is gone, or another directory is in its place: then no more changes are reported. */
  isLost(): boolean
  close(): void
}

/**
 * Calls back when a file or a directory of a tree that is of concern comes, goes or changes: some times for a burst. Ends when
 * all of it is watched.
 */
export async function watchTree(
  root: string,
  changed: () => void,
  options: WatchOptions & { readonly concern: TreeConcern },
): Promise<TreeWatch> {
  const { concern, recursive = process.platform === 'darwin', polling = false } = options
  const version = versionAt(root)
  const isLost = () => !isSameDirectory(version, versionAt(root))
  const watching = polling ? undefined : await watcherOf(root, changed, { concern, recursive })
  if (watching) return { isPolling: false, isLost, close: () => watching.close() }
  let seen = await treeFingerprint(root, concern)
  const asking = pollRepeatedly(async () => {
    const now = await treeFingerprint(root, concern)
    if (now !== seen) changed()
    seen = now
  })
  return { isPolling: true, isLost, close: () => asking.stop() }
}

function isSameDirectory(before: FileVersion | undefined, now: FileVersion | undefined): boolean {
  return before !== undefined && now !== undefined && identityOf(before) === identityOf(now)
}

/** Undefined where the system has no watches left. */
async function watcherOf(
  root: string,
  changed: () => void,
  { concern, recursive }: { readonly concern: TreeConcern; readonly recursive: boolean },
): Promise<{ close(): void } | undefined> {
  if (recursive) return recursiveWatcher(root, changed, concern)
  const watcher = new TreeWatcher(root, concern, changed)
  await watcher.start()
  if (!watcher.isExhausted) return watcher
  watcher.close()
  return undefined
}

/** One watcher for the tree: of what is below a directory that is left out it tells, too. */
function recursiveWatcher(root: string, changed: () => void, concern: TreeConcern): { close(): void } | undefined {
  const isLeftOut = (path: string) => {
    const above = [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index))
    return (
      above.some((directory) => concern.isLeftOut(directory, true)) ||
      concern.isLeftOut(path, isRealDirectory(join(root, path)))
    )
  }
  try {
    const watcher = watch(root, { recursive: true }, (_, name) => {
      if (name !== null && concern.decides(name)) enterAbove(name, concern)
      if (name === null || !isLeftOut(name)) changed()
    })
    return watcher.on('error', () => watcher.close())
  } catch (error) {
    return isOutOfWatches(error) ? undefined : { close: () => {} }
  }
}

/** Looks anew at what is left out in the directory of a file. */
function enterAbove(file: string, concern: TreeConcern): void {
  const slash = file.lastIndexOf('/')
  concern.enter(file.slice(0, Math.max(0, slash)), [file.slice(slash + 1)])
}

/** Watches directories alone: those that are named, and those of named files. Undefined where the system has no watches left. */
function watchDirectories(paths: readonly string[], { recursive, soon }: { recursive: boolean; soon: () => void }) {
  const named = new Set(paths)
  /** With one of them a named path may come or go. */
  const above = new Set(paths.flatMap((path) => ancestors(dirname(path), '/')))
  let isExhausted = false
  let watchers: readonly FSWatcher[] = []
  const open = (directory: string): FSWatcher[] => {
    try {
      const watcher = watch(directory, { recursive }, (_, name) => {
        const path = join(directory, name ?? '')
        const isNear = named.has(path) || named.has(dirname(path)) || above.has(path)
        if (isNear || !isDirectory(directory)) soon()
      })
      return [watcher.on('error', () => watcher.close())]
    } catch (error) {
      // The directory above reports what is gone meanwhile.
      isExhausted ||= isOutOfWatches(error)
      return []
    }
  }
  /** Watches what is there now: a directory may have come, gone, or be another by the same name. */
  const renew = () => {
    const directories = new Set(paths.map(nearestDirectory))
    const isCovered = (path: string) => recursive && ancestors(dirname(path), '/').some((at) => directories.has(at))
    const opened = [...directories].filter((directory) => !isCovered(directory)).flatMap(open)
    close()
    watchers = opened
  }
  const close = () => {
    for (const watcher of watchers) watcher.close()
  }
  renew()
  if (!isExhausted) return { renew, close }
  close()
  return undefined
}

/** The path where it is a directory, else the nearest above it that is. */
function nearestDirectory(path: string): string {
  return ancestors(path, '/').find(isDirectory) ?? '/'
}
