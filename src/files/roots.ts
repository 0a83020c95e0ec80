/** Directories that a caller is kept to. */

import { join, resolve } from 'node:path'
import { ancestors } from '../text/paths.ts'
import { below } from './confine.ts'
import { openRoot } from './disk.ts'
import { isForeign, realOf, statOf } from './file-version.ts'
import { systemHome } from './home.ts'
import { directoriesAbove, runInBounds } from './root-path.ts'

export { assertInBounds, directoriesAbove, isInBounds } from './root-path.ts'

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

/** Marker of a project's root, as a file or a directory. */
const ROOT_MARKER = '.git'

/**
 * The nearest directory at or above `directory` that holds `.git`; without one, `directory` itself. Above it, a marker
 * that belongs to a stranger does not count. Confined work looks at no directory above its
 * bounds: the highest one inside is then the root of the project.
 */
export function projectRootOf(directory: string): string {
  const searched = directoriesAbove(directory)
  const root = ancestors(directory, '/').find((at) => isMarked(at, directory)) ?? directory
  return searched.includes(root) ? root : (searched.at(-1) ?? directory)
}

function isMarked(at: string, directory: string): boolean {
  const marker = statOf(join(at, ROOT_MARKER))
  return marker !== undefined && (at === directory || !isForeign(marker, directory))
}
