import { join } from 'node:path'
import { ancestors } from '../text/paths.ts'
import { isForeign, statOf } from './file-version.ts'

/** What marks the root of a project, as a file or a directory. */
const ROOT_MARKER = '.git'

/**
 * The nearest directory at or above `directory` that holds `.git`; without one, `directory` itself. Above it, a marker
 * that belongs to a stranger does not count.
 */
export function projectRootOf(directory: string): string {
  return ancestors(directory, '/').find((at) => isMarked(at, directory)) ?? directory
}

function isMarked(at: string, directory: string): boolean {
  const marker = statOf(join(at, ROOT_MARKER))
  return marker !== undefined && (at === directory || !isForeign(marker, directory))
}
