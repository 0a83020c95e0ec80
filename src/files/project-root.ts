import { join } from 'node:path'
import { ancestors } from '../text/paths.ts'
import { directoriesAbove } from './disk/bounds.ts'
import { isForeign, statOf } from './file-version.ts'

/** What marks the root of a project, as a file or a directory. */
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
