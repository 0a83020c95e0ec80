import type { AsyncLocalStorage } from 'node:async_hooks'
import { realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { ContextError, invalidInput } from '../core/errors.ts'
import { ancestors, shortenPath } from '../text/paths.ts'
import { pathBelowRoot, systemCodeOf } from './confine.ts'
import { realOf } from './file-version.ts'

/** Directories of the operating system. These directories, and directories below them, cannot be roots. */
const SYSTEM_DIRECTORIES = (
  '/bin /boot /dev /etc /lib /lib32 /lib64 /libexec /libx32 /proc /run /sbin /sys /usr /Library /System ' +
  '/private/etc'
).split(' ')

/** Directories in `SYSTEM_DIRECTORIES` with files of users. Only directories below these directories can be roots. */
const ALLOWED_BELOW = [
  '/dev/shm',
  '/run/media',
  '/run/user',
  '/usr/home',
  '/usr/local',
  '/usr/src', // The working directory of many container images.
]

/** Directories that cannot be roots, though directories below them can. */
const REFUSED_ITSELF = new Set(['/', '/private', '/private/var', '/var'])

/** Whether an absolute, normalised path may not be a root, because it belongs to the operating system. */
function isSystemPath(path: string): boolean {
  if (REFUSED_ITSELF.has(path)) return true
  if (ALLOWED_BELOW.some((directory) => path.startsWith(`${directory}/`))) return false
  return SYSTEM_DIRECTORIES.some((directory) => path === directory || path.startsWith(`${directory}/`))
}

/** Whether a file can have this path: no NUL, and valid UTF-8. */
export function isPossible(path: string): boolean {
  return !path.includes('\0') && path.isWellFormed()
}

/** A root: its absolute, normalised path, and its real path. */
export type RootPaths = Readonly<Record<'path' | 'realPath', string>>

/**
 * Checks a directory as a root.
 *
 * @param earlierPath the real path when the directory became a root
 * @throws ContextError as `openRoot` does; `denied` for a changed real path.
 */
export function rootPath(requestedPath: string, allowSystem: boolean, earlierPath?: string): RootPaths {
  if (requestedPath === '' || !isPossible(requestedPath)) {
    throw invalidInput(`Not a path: ${JSON.stringify(shortenPath(requestedPath))}.`)
  }
  const path = resolve(requestedPath)
  if (!allowSystem) refuseSystem(path, path)
  const realPath = realDirectory(path)
  if (!allowSystem) refuseSystem(path, realPath)
  if (earlierPath !== undefined && realPath !== earlierPath) throw movedRoot(path, realPath, earlierPath)
  return { path, realPath }
}

function movedRoot(path: string, realPath: string, earlierPath: string): ContextError {
  const hint =
    'Restore the directory. If you moved it on purpose, export its path contexts with "ambit context export", remove the collection and add it again.'
  const message = `${path} leads to ${realPath} now, and led to ${earlierPath} when it was added.`
  return new ContextError('denied', message, { hint })
}

function refuseSystem(path: string, checkedPath: string): void {
  if (!isSystemPath(checkedPath)) return
  const hint = 'Name the directory that holds the files, such as your project.'
  throw new ContextError('denied', `${path} is, or leads to, a directory of the operating system.`, { hint })
}

function realDirectory(path: string): string {
  try {
    const realPath = realpathSync.native(path)
    // Node reads invalid UTF-8 as U+FFFD, so a path with this character could stand for several directories.
    if (realPath.includes('\uFFFD')) throw invalidInput(`${path} has a name that is not UTF-8.`)
    if (!statSync(realPath).isDirectory())
      throw invalidInput(`${path} is not a directory.`, 'Give the directory that it is in.')
    return realPath
  } catch (error) {
    throw error instanceof ContextError ? error : rootError(path, error)
  }
}

function rootError(path: string, cause: unknown): ContextError {
  switch (systemCodeOf(cause)) {
    case 'ENOENT':
    case 'ENOTDIR':
      return new ContextError('not-found', `${path} does not exist.`, {
        hint: 'Make the directory first, or give another path.',
        cause,
      })
    case 'EACCES':
    case 'EPERM':
      return new ContextError('denied', `${path} may not be entered.`, { hint: 'Check its permissions.', cause })
    case 'ELOOP':
      return new ContextError('invalid-input', `${path} is a symlink loop.`, { cause })
    case 'ENAMETOOLONG':
      return new ContextError('invalid-input', `${shortenPath(path)} is too long a path.`, { cause })
    default:
      return new ContextError('unavailable', `${path} could not be opened.`, { cause })
  }
}

/**
 * The directories (real paths) of nested calls of `runInBounds`, a list for each call. Each list must contain a path.
 */
type Bounds = AsyncLocalStorage<readonly (readonly string[])[]>

/** Global, because the bundled program may contain several copies of this module, and all must see the same bounds. */
const globals: { [key: symbol]: Bounds | undefined } = globalThis
const BOUNDS_KEY = Symbol.for('ambit.bounds')

/** Created by the first `runInBounds`: the class takes time to load, and most commands confine nothing. */
function sharedBounds(): Bounds {
  const bounds = globals[BOUNDS_KEY] ?? new (process.getBuiltinModule('node:async_hooks').AsyncLocalStorage)()
  globals[BOUNDS_KEY] = bounds
  return bounds
}

/**
 * Runs `work` in bounds: in `work`, and in all that it starts, `openRoot` refuses paths outside `directories` (real
 * paths).
 */
export function runInBounds<Value>(directories: readonly string[], work: () => Value): Value {
  const bounds = sharedBounds()
  return bounds.run([...(bounds.getStore() ?? []), directories], work)
}

/** Whether the real path of a path is in the bounds of `runInBounds`, if any. The path need not exist. */
export function isInBounds(path: string): boolean {
  const nestedBounds = globals[BOUNDS_KEY]?.getStore()
  if (!nestedBounds) return true
  const real = realOf(resolve(path))
  return nestedBounds.every((level) => level.some((directory) => pathBelowRoot(directory, real) !== undefined))
}

/** A directory and its parents, nearest first, up to the first directory outside the bounds of `runInBounds`. */
export function directoriesAbove(directory: string): readonly string[] {
  const directories = ancestors(directory, '/')
  const end = globals[BOUNDS_KEY]?.getStore() ? directories.findIndex((at) => !isInBounds(at)) : -1
  return end < 0 ? directories : directories.slice(0, end)
}

/** @throws ContextError `denied` for a path outside the bounds of the work. */
export function assertInBounds(path: string): void {
  if (isInBounds(path)) return
  const hint = 'The server shows what lies in the directories that it was started with: --root DIR.'
  throw new ContextError('denied', 'The path is not in a directory that is served.', { hint })
}
