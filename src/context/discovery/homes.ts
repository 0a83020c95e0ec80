import { basename, dirname, join, resolve } from 'node:path'
import { ContextError } from '../../core/errors.ts'
import { isDirectory } from '../../files/file-version.ts'
import { systemHome } from '../../files/home.ts'
import type { HomeFolder, Profile } from '../profiles/profile.ts'
import { DiscoveryTree } from './tree.ts'

/**
 * The user's own instruction files: one tree for each of the profile's home folders. Links are followed inside the home
 * directory; `.gitignore` does not apply.
 *
 * @param home The user's home directory; or, when it holds none of the folders, a folder of instruction files itself;
 * `false` for none. Default: the home directory of the system's user. A home that cannot be opened gives no trees.
 */
export function homeTrees(profile: Profile, home?: string | false): DiscoveryTree[] {
  if (home === false || home === '') return []
  const at = home === undefined ? systemHome() : resolve(home)
  if (at === undefined) return []
  const itself = profile.home.find(({ folder }) => folder === basename(at))
  if (itself) return open({ root: dirname(at), cwd: at }, itself, profile)
  const folders = profile.home.flatMap((folder) => open({ root: at, cwd: join(at, folder.folder) }, folder, profile))
  const [first] = profile.home
  // The folders may come later, so they are looked for in any case.
  const isFolder = home !== undefined && !profile.home.some(({ folder }) => isDirectory(join(at, folder)))
  return first && isFolder ? [...open({ root: at, cwd: at }, first, profile), ...folders] : folders
}

function open(at: { root: string; cwd: string }, { names, rules = [] }: HomeFolder, profile: Profile): DiscoveryTree[] {
  const { fallback: _, ...own } = profile
  try {
    const seen = { ...own, names, rules, reach: 'working-directory' } as const
    return [new DiscoveryTree({ ...at, profile: seen, exclude: [], gitignore: false })]
  } catch (error) {
    if (error instanceof ContextError) return []
    throw error
  }
}
