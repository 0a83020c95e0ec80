/** Directories that a caller is kept to. */

import { join, resolve } from 'node:path'
import { below } from './confine.ts'
import { runInBounds } from './disk/bounds.ts'
import { openRoot } from './disk.ts'
import { realOf } from './file-version.ts'
import { systemHome } from './home.ts'

/** Directories that are shown: as they were given, and without links. */
export interface ServedRoots {
  readonly paths: readonly string[]
  readonly real: readonly string[]
}

/**
 * Opens the directories.
 *
 * @throws ContextError as `openRoot` does.
 */
export function rootsAt(directories: readonly string[]): ServedRoots {
  const opened = directories.map((directory) => openRoot(directory))
  return { paths: opened.map(({ path }) => path), real: opened.map(({ realPath }) => realPath) }
}

/** Does some work, and all that it starts, so that no file outside of the directories is opened for it by its path. */
export function keepToRoots<Value>({ real }: ServedRoots, work: () => Value): Value {
  return runInBounds(real, work)
}

/** A path as it was named, absolute, and with links followed. */
export interface Judged {
  readonly path: string
  readonly real: string
}

/**
 * Where a word leads that names a path on disk, as seen from `base`; undefined unless that lies in a root, links followed.
 * Whether it exists makes no difference.
 */
export function withinRoots(word: string, base: string, { real: roots }: ServedRoots): Judged | undefined {
  const home = /^~(\/|$)/.test(word) ? systemHome() : undefined
  const path = home === undefined ? resolve(base, word) : join(home, word.slice(1))
  const real = realOf(path)
  const isWithin = !word.includes('\0') && roots.some((root) => below(root, real) !== undefined)
  return isWithin ? { path, real } : undefined
}

export { assertInBounds, directoriesAbove, isInBounds } from './disk/bounds.ts'
