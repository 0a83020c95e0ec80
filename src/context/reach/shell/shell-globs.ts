import { join } from 'node:path'
import { openRoot } from '../../../files/disk.ts'
import { statOf } from '../../../files/file-version.ts'
import { globs } from '../../../text/globs.ts'

/** Most paths that a pattern is expanded to. */
const MOST_PATHS = 64

/** Directories that `**` does not enter. */
const PASSED_OVER = /^(\.|node_modules$)/

/** Where a pattern is looked for. Paths are absolute. */
interface GlobPlace {
  readonly root: string
  readonly cwd: string
  /** How many directories may yet be listed. */
  listings: number
}

/**
 * The paths of a tree that a shell's pattern matches, absolute, sorted, at most 64. `**` stands for directories of any depth.
 * None for a pattern that leads out of the tree.
 */
export function pathsMatching(pattern: string, place: GlobPlace): readonly string[] {
  const { root, cwd } = place
  if (place.listings <= 0) return []
  const tree = openRoot(root, { unbounded: true })
  const names = pattern.split('/').filter((name) => name !== '' && name !== '.')
  const entriesOf = (directory: string) => {
    const listing = --place.listings < 0 ? undefined : tree.list(directory)
    return listing?.ok ? listing.entries : []
  }
  const found: string[] = []
  const walk = (at: string, [name, ...rest]: readonly string[]): void => {
    if (found.length >= MOST_PATHS) return
    if (name === undefined && statOf(at)) found.push(at)
    if (name === undefined) return
    if (name === '**') {
      walk(at, rest.length > 0 ? rest : ['*'])
      for (const entry of entriesOf(at))
        if (entry.kind === 'directory' && !PASSED_OVER.test(entry.name)) walk(join(at, entry.name), [name, ...rest])
    } else if (!/[*?[]/.test(name.replace(/\\./g, ''))) walk(join(at, name.replace(/\\(.)/g, '$1')), rest)
    else {
      const { matches } = globs([name])
      const isShown = (entry: string) => name.startsWith('.') || !entry.startsWith('.')
      for (const entry of entriesOf(at))
        if (isShown(entry.name) && matches(entry.name)) walk(join(at, entry.name), rest)
    }
  }
  walk(pattern.startsWith('/') ? '/' : cwd, names)
  return found
}
