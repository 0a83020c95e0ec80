/** The directories of a server that a client may use, and the root of a project. */

import { join, resolve } from 'node:path'
import { ancestors } from '../text/paths.ts'
import { pathBelowRoot } from './confine.ts'
import { openRoot } from './disk.ts'
import { isForeign, realOf, statOf } from './file-version.ts'
import { systemHome } from './home.ts'
import { directoriesAbove } from './root-path.ts'

export { assertInBounds, directoriesAbove, isInBounds, runInBounds } from './root-path.ts'

/** The directories that a client may use: absolute paths, and their real paths in the same order. */
export interface ServedRoots {
  readonly paths: readonly string[]
  readonly real: readonly string[]
}

/** @throws ContextError as `openRoot` does. */
export function openServedRoots(directories: readonly string[]): ServedRoots {
  const roots = directories.map((directory) => openRoot(directory))
  return { paths: roots.map(({ path }) => path), real: roots.map(({ realPath }) => realPath) }
}

/** An absolute path, and its real path. */
export type ResolvedPath = Readonly<Record<'path' | 'real', string>>

/** Resolves a word as a path from `base`; `~` is the home directory. Undefined if the real path lies in no root. The path need not exist. */
export function withinRoots(word: string, base: string, { real: roots }: ServedRoots): ResolvedPath | undefined {
  const home = /^~(\/|$)/.test(word) ? systemHome() : undefined
  const path = home === undefined ? resolve(base, word) : join(home, word.slice(1))
  const real = realOf(path)
  const isWithin = !word.includes('\0') && roots.some((root) => pathBelowRoot(root, real) !== undefined)
  return isWithin ? { path, real } : undefined
}

/** The directory that contains a file or directory of this name is the root of a project. */
const ROOT_MARKER = '.git'

/**
 * The nearest directory at or above `directory` that contains `.git`, else `directory` itself. Above `directory`, a `.git` of another
 * user (`isForeign`) does not count. If that directory is outside the bounds of `runInBounds`, the result is the
 * topmost directory at or above `directory` within the bounds.
 */
export function projectRootOf(directory: string): string {
  const directoriesInBounds = directoriesAbove(directory)
  const root = ancestors(directory, '/').find((at) => hasMarker(at, directory)) ?? directory
  return directoriesInBounds.includes(root) ? root : (directoriesInBounds.at(-1) ?? directory)
}

function hasMarker(ancestor: string, directory: string): boolean {
  const marker = statOf(join(ancestor, ROOT_MARKER))
  return marker !== undefined && (ancestor === directory || !isForeign(marker, directory))
}
