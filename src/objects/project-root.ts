import { join } from 'node:path'
import { ancestors } from '../text/paths.ts'
import { statOf } from './stat.ts'

/** What marks the root of a project, as a file or a directory. */
const ROOT_MARKERS = ['.git']

/** The nearest directory at or above `directory` that holds a root marker; without one, `directory` itself. */
export function projectRootOf(directory: string, markers: readonly string[] = ROOT_MARKERS): string {
  const holds = (at: string) => markers.some((marker) => statOf(join(at, marker)) !== undefined)
  return ancestors(directory, '/').find(holds) ?? directory
}
