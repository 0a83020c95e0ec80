import { dirname, join, resolve } from 'node:path'
import { ContextError, invalidInput } from '../../core/errors.ts'
import { isDirectory, statOf } from '../../files/file-version.ts'
import { systemHome } from '../../files/home.ts'
import { assertInBounds, isInBounds } from '../../files/roots.ts'
import { isPlaceUri } from '../../text/collection-uri.ts'

/** A place on disk: a directory, or a file in the directory. */
export interface DiskPlace {
  /** Absolute path of the directory. */
  readonly directory: string
  /** Absolute path of the file that the place names, which counts as touched; undefined when it names a directory. */
  readonly file: string | undefined
}

/**
 * Resolves a place on disk. A file means its directory, and counts as touched. `~` is the home directory.
 *
 * @throws ContextError `not-found`; `denied` outside the permitted directories; `invalid-input` for a place that is not
 * on disk.
 */
export function diskPlace(place = '.'): DiskPlace {
  if (isPlaceUri(place)) throw invalidInput(`${place} is not a place on disk.`, 'Give a path on disk.')
  const path = resolve(/^~(\/|$)/.test(place) ? join(homeDirectory(), place.slice(1)) : place)
  // A bare word may be the name of a collection. Outside of the permitted directories it is missing, whether or not a file has this name.
  const isBare = !/^[/~.]/.test(place)
  if (!isBare) assertInBounds(path)
  const isOutside = isBare && !isInBounds(path)
  const stat = isOutside ? undefined : statOf(path)
  if (stat?.isDirectory()) return { directory: path, file: undefined }
  if (stat) return { directory: dirname(path), file: path }
  const hint = 'Give the path of an existing directory or file.'
  throw new ContextError('not-found', `There is no ${isOutside ? `./${place}` : path}.`, { hint })
}

/** The touched paths that do not exist, as a field of an answer. Paths outside of the permitted directories are not looked up. */
export function findMissingTouched(touched: readonly string[] = []): { readonly missingTouched?: readonly string[] } {
  const missing = [...new Set(touched)].filter((path) => isInBounds(resolve(path)) && !statOf(resolve(path)))
  return missing.length > 0 ? { missingTouched: missing } : {}
}

/** The home directory of a request: the system's by default; undefined for `false`. */
export function homeOrDefault(home: string | false | undefined): string | undefined {
  return home === false ? undefined : (home ?? systemHome())
}

/** @throws ContextError `not-found` without a home directory. */
export function homeDirectory(home = systemHome()): string {
  if (home !== undefined) return home
  throw new ContextError('not-found', 'There is no home directory.', { hint: 'Set HOME to an absolute path.' })
}

/** @throws ContextError `not-found` for a path that is not a directory. */
export function requireDirectory(path: string): string {
  if (isDirectory(path)) return path
  const hint = 'Give the path of an existing directory.'
  throw new ContextError('not-found', `There is no directory ${path}.`, { hint })
}
