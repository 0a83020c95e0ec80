import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import { ContextError } from '../../core/errors.ts'
import { yieldToEvents } from '../../core/steps.ts'
import { identityOf, type LocalRoot, openRoot } from '../../files/disk.ts'
import { DirectoryCache, isDirectory, namesPresent, realOf } from '../../files/file-version.ts'
import { systemHome } from '../../files/home.ts'
import { isInBounds } from '../../files/roots.ts'
import { globs, type Matches } from '../../text/globs.ts'
import { ancestors, byCodeUnit, isWithin, parentOf, relativeTo } from '../../text/paths.ts'
import type { HomeFolder, Profile, RuleFolder } from '../profiles/profile.ts'
import { FileCache, GitignoreTree } from './file-cache.ts'

/** Options of a tree of instruction files. */
interface DiscoveryTreeOptions {
  /** Absolute path of the root. Files outside the root are not read. */
  readonly root: string
  /** Absolute path of the working directory, at or below the root. */
  readonly cwd: string
  readonly profile: Profile
  /** Patterns, relative to the root, of files that are not loaded. */
  readonly exclude: readonly string[]
  /** Patterns of absolute paths that are not loaded. */
  readonly excludePaths: readonly string[]
  /** Whether `.gitignore` applies. */
  readonly gitignore: boolean
  /** Selects the shown part of a file. Default: all of it. */
  readonly shows?: (text: string) => string
  /** Whether the root may be a directory of the operating system. Default: false. */
  readonly isSystem?: boolean
}

/** Number of calls of `stat` between two yields to the event loop. */
const STATS_PER_TURN = 2048

/** Maximum levels of folders below a folder of rules. */
const RULE_DEPTH = 8

/**
 * The directories of a tree that may have relevant instruction files (at and above the working directory and the
 * touched paths), with a cache of their content. This class detects changes; `findings.ts` selects the files that
 * apply.
 */
export class DiscoveryTree {
  readonly options: DiscoveryTreeOptions
  readonly root: LocalRoot
  readonly files: FileCache
  readonly gitignore: GitignoreTree
  readonly isExcluded: Matches
  /** Touched paths inside the root, relative to the root, in the order in which they were touched. */
  readonly touched = new Set<string>()
  /** Touched paths outside the root: reported, but never read. */
  readonly touchedOutside = new Set<string>()
  /** Increases with every change that could affect an answer. */
  generation = 0
  /** Names of instruction files that exist in a directory. */
  readonly #present: DirectoryCache
  readonly #folderFiles: DirectoryCache
  readonly #listings: DirectoryCache
  /** For each relevant directory, the first touched path below it, by code unit; `''` for the working directory and the directories above it. */
  readonly directories = new Map<string, string>()
  /** The names of the profile that lead into a folder, such as `.x/NAME.md`. */
  readonly #folderNames: readonly string[]

  constructor(options: DiscoveryTreeOptions) {
    this.options = options
    this.root = openRoot(options.root, { unbounded: true, allowSystem: options.isSystem })
    this.files = new FileCache(this.root, options.shows)
    const names = [...options.profile.names.flat(), ...(options.profile.fallback ?? [])]
    const plainNames = [...names.filter((name) => !name.includes('/')), ...(options.gitignore ? ['.gitignore'] : [])]
    this.#folderNames = names.filter((name) => name.includes('/'))
    const folderFileNames = [...new Set(this.#folderNames.map((name) => basename(name)))]
    this.#present = new DirectoryCache((directory) => namesPresent(directory, plainNames))
    this.#folderFiles = new DirectoryCache((directory) => namesPresent(directory, folderFileNames))
    this.#listings = new DirectoryCache((directory) => this.#listFolder(directory))
    const hasGitignore = (directory: string) => this.#present.get(directory).includes('.gitignore')
    this.gitignore = new GitignoreTree(options.root, this.files, hasGitignore)
    const matchesFromRoot = globs(options.exclude, Number.POSITIVE_INFINITY).matches
    const matchesAbsolute = globs(options.excludePaths).matches
    // Absolute patterns match paths without their first slash.
    this.isExcluded = (path) => matchesFromRoot(path) || matchesAbsolute(join(options.root, path).slice(1))
    const starts = options.profile.reach === 'working-directory' ? [options.cwd] : ancestors(options.cwd, options.root)
    for (const directory of starts) this.#addDirectory(directory, '')
  }

  /** Paths on which an answer depends: the listed directories and the read files, existing or missing. */
  get watched(): string[] {
    const directories = [this.#present, this.#folderFiles, this.#listings].flatMap(({ paths }) => [...paths])
    return [...new Set([...directories, ...this.files.paths])]
  }

  /** The names of the profile that exist in a directory, or in a folder of it. */
  namesIn(directory: string): readonly string[] {
    const present = this.#present.get(directory)
    const folderFiles = this.#folderNames.filter((name) =>
      this.#folderFiles.get(join(directory, dirname(name))).includes(basename(name)),
    )
    return [...present, ...folderFiles]
  }

  /** Records that an agent read or wrote a path. Lists only directories that become relevant. */
  touch(path: string): void {
    const absolute = resolve(this.options.cwd, path)
    const relative = isInBounds(absolute) ? this.#relative(absolute) : undefined
    if (relative === undefined) {
      if (!this.touchedOutside.has(absolute)) this.generation += 1
      this.touchedOutside.add(absolute)
      return
    }
    const directoryCount = this.directories.size
    if (this.options.profile.reach === 'touched') this.#addDirectoriesAbove(join(this.options.root, relative), relative)
    if (this.touched.has(relative) && this.directories.size === directoryCount) return
    // The path is recorded even without a new directory, because rules by path may match any path.
    this.touched.add(relative)
    this.generation += 1
  }

  #relative(absolute: string): string | undefined {
    return (
      relativeTo(this.options.root, absolute) ??
      relativeTo(this.root.realPath, absolute) ??
      // A link may lead into the root. The target is checked again when the file is read.
      relativeTo(this.root.realPath, realOf(absolute))
    )
  }

  /** Adds the directories at and above a path, even for a known path, which may have become a directory. */
  #addDirectoriesAbove(absolute: string, relative: string): void {
    const start = isDirectory(absolute) ? absolute : parentOf(absolute)
    if (this.touched.has(relative) && this.directories.has(start)) return
    const from = isWithin(this.options.root, start) ? start : this.options.root
    for (const directory of ancestors(from, this.options.root)) this.#addDirectory(directory, relative)
  }

  #addDirectory(directory: string, touchedPath: string): void {
    const knownPath = this.directories.get(directory)
    if (knownPath === undefined) this.#present.get(directory)
    if (knownPath === undefined || byCodeUnit(touchedPath, knownPath) < 0) this.directories.set(directory, touchedPath)
  }

  /**
   * Absolute paths of the rule files in a folder, sorted by name. A folder that can be reached by two links is entered
   * once. A folder that cannot be listed, or is a file, is returned instead of files, so that reading it gives the
   * reason. A missing folder is watched afterwards, unless it may be in every directory.
   */
  rulesIn(directory: string, { folder, suffix, at: where, nests = true }: RuleFolder): string[] {
    const folderPath = join(directory, folder)
    if (where !== 'every-directory') this.#listings.get(folderPath)
    const entered = new Set<string>()
    const walk = (at: string, depth: number): string[] => {
      const version = this.root.version(at)
      if (!version || entered.has(identityOf(version)) || depth > RULE_DEPTH) return []
      entered.add(identityOf(version))
      return this.#listings.get(at).flatMap((name) => {
        if (name === '.') return [at]
        if (name.endsWith('/')) return walk(join(at, name.slice(0, -1)), depth + 1)
        return name.endsWith(suffix) ? [join(at, name)] : []
      })
    }
    return walk(folderPath, nests ? 0 : RULE_DEPTH)
  }

  /** Names of files, and of directories with a final slash; `.` for an unreadable, empty for a missing directory. */
  #listFolder(directory: string): readonly string[] {
    const listed = this.root.list(directory)
    if (!listed.ok) return this.root.version(directory) ? ['.'] : []
    return listed.entries.map(({ name, kind }) =>
      kind === 'directory' || (kind === 'link' && isDirectory(join(directory, name))) ? `${name}/` : name,
    )
  }

  /** Stats every cached directory and file once, and drops changed content. Yields to the event loop in between. */
  async refresh(): Promise<void> {
    let statCount = 0
    let hasChanged = false
    for (const cache of [this.#present, this.#folderFiles, this.#listings, this.files]) {
      for (const path of [...cache.paths]) {
        hasChanged = cache.refresh(path) || hasChanged
        if (++statCount % STATS_PER_TURN === 0) await yieldToEvents()
      }
    }
    if (!hasChanged) return
    this.gitignore.reset()
    this.generation += 1
  }
}

/**
 * The user's own instruction files: one tree for each of the profile's home folders. Links are followed inside the home directory; `.gitignore` does
 * not apply.
 *
 * @param home The user's home directory; or a folder of instruction files, if it has none of the profile's folders; `false` for none. Default: the
 * home directory of the system's user. A home that cannot be opened gives no trees.
 * @param excludePaths Patterns of absolute paths that are not loaded.
 */
export function homeTrees(profile: Profile, home?: string | false, excludePaths: readonly string[] = []) {
  if (home === false || home === '') return []
  const at = home === undefined ? systemHome() : resolve(home)
  if (at === undefined) return []
  const { fallback: _, importsBelow: __, ...otherFields } = profile
  const open = ({ names, rules = [], shows }: HomeFolder, place: TreePlace): DiscoveryTree[] => {
    try {
      const homeProfile = { ...otherFields, names, rules, reach: 'working-directory' } as const
      // An organization's own files cannot be excluded.
      const excludedHere = place.isSystem ? [] : excludePaths
      const options = { ...place, profile: homeProfile, exclude: [], excludePaths: excludedHere, gitignore: false }
      return [new DiscoveryTree({ ...options, ...(shows && { shows }) })]
    } catch (error) {
      if (error instanceof ContextError) return []
      throw error
    }
  }
  const relativeFolders = profile.home.filter(({ folder }) => !isAbsolute(folder))
  const homeItself = relativeFolders.find(({ folder }) => folder === basename(at))
  if (homeItself) return open(homeItself, { root: dirname(at), cwd: at })
  const folders = profile.home.flatMap((one) => {
    if (isAbsolute(one.folder)) return open(one, { root: one.folder, cwd: one.folder, isSystem: true })
    return open(one, { root: at, cwd: join(at, one.folder) })
  })
  const [first] = relativeFolders
  // Missing folders are watched, too.
  const isFolder = home !== undefined && !relativeFolders.some(({ folder }) => isDirectory(join(at, folder)))
  return first && isFolder ? [...open(first, { root: at, cwd: at }), ...folders] : folders
}

type TreePlace = Pick<DiscoveryTreeOptions, 'root' | 'cwd' | 'isSystem'>
