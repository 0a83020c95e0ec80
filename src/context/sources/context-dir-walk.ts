import { dirname, join } from 'node:path'
import { ContextError } from '../../core/errors.ts'
import { toRefusal } from '../../files/confine.ts'
import { openRoot } from '../../files/disk.ts'
import { isForeign, statOf } from '../../files/file-version.ts'
import { directoriesAbove, projectRootOf } from '../../files/roots.ts'

/** The default name of a context directory. */
export const CONTEXT_DIR = '.context'

/** Maximum directories above the start that are searched. */
const MAX_LEVELS = 5

/** A context directory (Markdown files about a project) that was found. */
export interface ContextDir {
  /** Absolute. */
  readonly path: string
  /** Number of levels from the start up to the directory that contains it; 0 for the start itself. */
  readonly levels: number
}

/** Result of the walk: a directory, something else of that name, or nothing. */
export type WalkResult =
  | { readonly dir: ContextDir }
  | { readonly notADirectory: string }
  /** A directory above the start that belongs to another user. */
  | { readonly untrusted: string }
  | undefined

/** Finds a directory called `name` in `start` or in at most five directories above it. The search ends at a directory with `.git`. */
export function findContextDir(start: string, name: string): WalkResult {
  const directories = directoriesAbove(start).slice(0, MAX_LEVELS + 1)
  for (const [levels, at] of directories.entries()) {
    const path = join(at, name)
    const stat = statOf(path)
    if (stat && levels > 0 && isForeign(stat, start)) return { untrusted: path }
    if (stat?.isDirectory()) return { dir: { path, levels } }
    if (stat) return { notADirectory: path }
    if (statOf(join(at, '.git'))) return undefined
  }
  return undefined
}

/** Lists a context directory. `root`: the opened root of its project. `entries`: those with names of context files. */
export function* openContextDir({ path }: ContextDir) {
  try {
    const root = openRoot(projectRootOf(dirname(path)), { unbounded: true })
    const listed = yield* root.listing(path, ({ name }) => isContextFile(name))
    return listed.ok ? { ...listed, root } : listed
  } catch (error) {
    if (!(error instanceof ContextError)) throw error
    return toRefusal(error.code === 'denied' ? 'denied' : 'unreadable', error.message)
  }
}

/** Whether a name ends in `.md`, in any case, and does not begin with a dot. */
export function isContextFile(name: string): boolean {
  return !name.startsWith('.') && name.toLowerCase().endsWith('.md')
}
