import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import { ContextError } from '../../core/errors.ts'
import { isDirectory } from '../../files/file-version.ts'
import { systemHome } from '../../files/home.ts'
import type { HomeFolder, Profile } from '../profiles/profile.ts'
import { DiscoveryTree, type DiscoveryTreeOptions } from './tree.ts'

/**
 * The user's own instruction files: one tree for each of the profile's home folders. Links are followed inside the home
 * directory; `.gitignore` does not apply.
 *
 * @param home The user's home directory; or, when it holds none of the folders, a folder of instruction files itself;
 * `false` for none. Default: the home directory of the system's user. A home that cannot be opened gives no trees.
 * @param excludePaths Patterns of absolute paths that are not loaded.
 */
export function homeTrees(
  profile: Profile,
  home?: string | false,
  excludePaths: readonly string[] = [],
): DiscoveryTree[] {
  if (home === false || home === '') return []
  const at = home === undefined ? systemHome() : resolve(home)
  if (at === undefined) return []
  const open = (folder: HomeFolder, place: TreePlace) => openHome(folder, place, { profile, excludePaths })
  const own = profile.home.filter(({ folder }) => !isAbsolute(folder))
  const itself = own.find(({ folder }) => folder === basename(at))
  if (itself) return open(itself, { root: dirname(at), cwd: at })
  const folders = profile.home.flatMap((one) => {
    if (isAbsolute(one.folder)) return open(one, { root: one.folder, cwd: one.folder, isSystem: true })
    return open(one, { root: at, cwd: join(at, one.folder) })
  })
  const [first] = own
  // The folders may come later, so they are looked for in any case.
  const isFolder = home !== undefined && !own.some(({ folder }) => isDirectory(join(at, folder)))
  return first && isFolder ? [...open(first, { root: at, cwd: at }), ...folders] : folders
}

type TreePlace = Pick<DiscoveryTreeOptions, 'root' | 'cwd' | 'isSystem'>

/** An organization's own files cannot be excluded. */
function openHome(
  { names, rules = [], shows }: HomeFolder,
  place: TreePlace,
  { profile, excludePaths }: Pick<DiscoveryTreeOptions, 'excludePaths'> & { readonly profile: Profile },
): DiscoveryTree[] {
  const { fallback: _, importsBelow: __, ...own } = profile
  try {
    const seen = { ...own, names, rules, reach: 'working-directory' } as const
    const excluded = place.isSystem ? [] : excludePaths
    const options = { ...place, profile: seen, exclude: [], excludePaths: excluded, gitignore: false }
    return [new DiscoveryTree({ ...options, ...(shows && { shows }) })]
  } catch (error) {
    if (error instanceof ContextError) return []
    throw error
  }
}
