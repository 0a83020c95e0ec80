import { type FSWatcher, watch } from 'node:fs'
import { dirname, join } from 'node:path'
import { ancestors, foldersAbove } from '../text/paths.ts'
import { type FileVersion, identityOf, isDirectory, versionAt } from './file-version.ts'
import {
  isOutOfWatches,
  isRealDirectory,
  pollRepeatedly,
  TreeWatcher,
  treeFingerprint,
  type WatchRules,
} from './watching/tree-watcher.ts'

export type { WatchRules } from './watching/tree-watcher.ts'

/** A burst of changes ends after this many milliseconds without a change. */
const PAUSE_MS = 50

/** Maximum length of a burst in milliseconds. */
const MAX_BURST_MS = 500

export interface WatchOptions {
  /** Uses one watcher for the whole tree. Default: true on macOS only, because elsewhere Node.js itself would walk the tree. */
  readonly recursive?: boolean
  /** Polls from the start. Default: false; it polls only when the system has no watches left. */
  readonly polling?: boolean
}

/**
 * Calls `onChange` once for each burst of changes to these files, and to direct entries of these directories. A path
 * need not exist yet. A burst is a series of changes with short pauses.
 *
 * @returns `isPolling`: whether the system has no watches left; then `onChange` is called every half second or less
 * often, even without a change.
 */
export async function watchPaths(
  paths: readonly string[],
  onChange: () => Promise<void>,
  { recursive = process.platform === 'darwin', polling = false }: WatchOptions = {},
) {
  let timer: NodeJS.Timeout | undefined
  let burstStart: number | undefined
  const callBack = () => {
    burstStart = undefined
    directoryWatch?.renew()
    void onChange()
  }
  const callSoon = () => {
    clearTimeout(timer)
    burstStart ??= performance.now()
    timer = setTimeout(callBack, Math.min(PAUSE_MS, burstStart + MAX_BURST_MS - performance.now()))
  }
  const directoryWatch = polling ? undefined : watchDirectories(paths, recursive, callSoon)
  const poller = directoryWatch ? undefined : pollRepeatedly(onChange)
  return {
    isPolling: directoryWatch === undefined,
    async close() {
      clearTimeout(timer)
      directoryWatch?.close()
      poller?.stop()
    },
  }
}

export interface TreeWatch {
  /** Whether the tree is polled, because the system has no watches left. */
  readonly isPolling: boolean
  /** Whether the root is gone or replaced, so that the watch reports no further changes. */
  isLost(): boolean
  close(): void
}

/**
 * Calls `onChange` when a relevant file or directory of a tree is created, removed or changed; several times for a burst. Returns
 * as soon as it watches the whole tree.
 */
export async function watchTree(
  root: string,
  onChange: () => void,
  options: WatchOptions & { readonly rules: WatchRules },
): Promise<TreeWatch> {
  const { rules, recursive = process.platform === 'darwin', polling = false } = options
  const version = versionAt(root)
  const isLost = () => !isSameDirectory(version, versionAt(root))
  const open = recursive ? watchRecursively : watchEachDirectory
  const treeWatcher = polling ? undefined : await open(root, onChange, rules)
  if (treeWatcher) return { isPolling: false, isLost, close: () => treeWatcher.close() }
  let fingerprint = await treeFingerprint(root, rules)
  const poll = pollRepeatedly(async () => {
    const newFingerprint = await treeFingerprint(root, rules)
    if (newFingerprint !== fingerprint) onChange()
    fingerprint = newFingerprint
  })
  return { isPolling: true, isLost, close: () => poll.stop() }
}

function isSameDirectory(before: FileVersion | undefined, now: FileVersion | undefined): boolean {
  return before !== undefined && now !== undefined && identityOf(before) === identityOf(now)
}

/** A watcher for each relevant directory. Undefined if the system has no watches left. */
async function watchEachDirectory(root: string, onChange: () => void, rules: WatchRules) {
  const watcher = new TreeWatcher(root, rules, onChange)
  await watcher.start()
  if (!watcher.isExhausted) return watcher
  watcher.close()
  return undefined
}

/** One watcher for the tree. The system also reports changes in ignored directories. Undefined if it has no watches left. */
function watchRecursively(root: string, onChange: () => void, rules: WatchRules): { close(): void } | undefined {
  const isLeftOut = (path: string) => {
    const [, ...above] = foldersAbove(path)
    if (above.some((directory) => rules.isLeftOut(directory, true))) return true
    return rules.isLeftOut(path, isRealDirectory(join(root, path)))
  }
  try {
    const watcher = watch(root, { recursive: true }, (_, name) => {
      if (name !== null && rules.hasIgnoreRules(name)) rereadRules(name, rules)
      if (name === null || !isLeftOut(name)) onChange()
    })
    return watcher.on('error', () => watcher.close())
  } catch (error) {
    return isOutOfWatches(error) ? undefined : { close: () => {} }
  }
}

/** Reads the ignore rules in the directory of a file again. */
function rereadRules(file: string, rules: WatchRules): void {
  const slash = file.lastIndexOf('/')
  rules.visit(file.slice(0, Math.max(0, slash)), [file.slice(slash + 1)])
}

/** Watches the named directories, and the directories of the named files. Undefined if the system has no watches left. */
function watchDirectories(paths: readonly string[], recursive: boolean, callSoon: () => void) {
  const namedPaths = new Set(paths)
  /** Directories whose creation or removal may create or remove a named path. */
  const parents = new Set(paths.flatMap((path) => ancestors(dirname(path), '/')))
  let isExhausted = false
  let watchers: readonly FSWatcher[] = []
  const open = (directory: string): FSWatcher[] => {
    try {
      const watcher = watch(directory, { recursive }, (_, name) => {
        const path = join(directory, name ?? '')
        const isRelevant = namedPaths.has(path) || namedPaths.has(dirname(path)) || parents.has(path)
        if (isRelevant || !isDirectory(directory)) callSoon()
      })
      return [watcher.on('error', () => watcher.close())]
    } catch (error) {
      // A directory that vanished needs no watcher: the watcher of its parent reports that.
      isExhausted ||= isOutOfWatches(error)
      return []
    }
  }
  /** Replaces the watchers, because directories may have been created, removed or replaced since the last call. */
  const renew = () => {
    const directories = new Set(paths.map((path) => ancestors(path, '/').find(isDirectory) ?? '/'))
    const isCovered = (path: string) => recursive && ancestors(dirname(path), '/').some((at) => directories.has(at))
    const newWatchers = [...directories].filter((directory) => !isCovered(directory)).flatMap(open)
    close()
    watchers = newWatchers
  }
  const close = () => {
    for (const watcher of watchers) watcher.close()
  }
  renew()
  if (!isExhausted) return { renew, close }
  close()
  return undefined
}
