import { bisect } from '../../text/bisect.ts'
import { byCodeUnit, lastPathSegment } from '../../text/paths.ts'

/** A rename or deletion in a commit. `from`: the removed path. `to`: its new path; undefined for a deletion. */
export interface PathChange {
  readonly commit: string
  readonly from: string
  readonly to: string | undefined
}

/** Maximum number of remembered paths. The paths removed last have priority. */
const MAX_PATHS = 500_000

/** Maximum former paths that `pathsWithEnd` returns. */
const MAX_ENDINGS = 100

/** The paths that commits removed, and their renames. Paths are relative to the root. */
export class PathHistory {
  /** Latest first. */
  readonly renames: readonly PathRename[]
  /** The last commit that removed a path or an entry in it, by path. */
  readonly #commitsByPath = new Map<string, string>()
  readonly #commitsByName = new Map<string, string>()
  #pathsByName: ReadonlyMap<string, readonly string[]> | undefined

  /** `changes`: latest first. `committedFiles`: the files of the checked-out commit. */
  constructor(changes: readonly PathChange[], committedFiles: readonly string[] = []) {
    for (const from of committedFiles) this.#remember({ commit: '', from, to: undefined })
    for (const change of changes) this.#remember(change)
    this.renames = changes.flatMap(({ from, to }) => (to === undefined ? [] : [{ from, to }]))
  }

  #remember({ from, commit }: PathChange): void {
    if (this.#commitsByPath.size >= MAX_PATHS) return
    const name = lastPathSegment(from)
    if (commit !== '' && !this.#commitsByName.has(name)) this.#commitsByName.set(name, commit)
    for (let at = from; at !== '' && !this.#commitsByPath.has(at); at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
      this.#commitsByPath.set(at, commit)
    }
  }

  /** The last commit that removed a file or a directory of this path, or an entry in it; `''` if the removal is not committed. */
  removalOf(path: string): string | undefined {
    return this.#commitsByPath.get(path)
  }

  /** At most `MAX_ENDINGS` former paths of files and directories that end with `/` and `path`. */
  pathsWithEnd(path: string): readonly string[] {
    this.#pathsByName ??= Map.groupBy(this.#commitsByPath.keys(), lastPathSegment)
    const sameName = this.#pathsByName.get(lastPathSegment(path)) ?? []
    return sameName.filter((at) => at.endsWith(`/${path}`)).slice(0, MAX_ENDINGS)
  }

  /** The last commit that removed a file of this name from any directory. */
  removalOfName(name: string): string | undefined {
    return this.#commitsByName.get(name)
  }
}

/** A path before and after a rename. */
export type PathRename = Readonly<Record<'from' | 'to', string>>

/** Maximum renamed files of a directory that are followed. The files of a larger directory are sampled evenly. */
const MAX_VOTERS = 1000

/** Finds the present paths of renamed files and directories. Follows each path once. */
export class RenameResolver {
  /** Latest first. */
  readonly #renames: readonly PathRename[]
  readonly #exists: (path: string) => boolean
  /** For each old path, the position of its last rename in `#renames`. */
  readonly #lastRename = new Map<string, number>()
  /** Old paths, sorted, so that old paths of one directory are neighbours. */
  readonly #sortedPaths: readonly string[]
  /** Present paths, by the position of the rename; undefined for a path that is gone. */
  readonly #finalPaths = new Map<number, string | undefined>()
  readonly #directories = new Map<string, string | undefined>()

  /** `renames`: latest first. `exists`: whether a path exists now. */
  constructor(renames: readonly PathRename[], exists: (path: string) => boolean) {
    this.#renames = renames
    this.#exists = exists
    for (const [at, { from }] of renames.entries()) if (!this.#lastRename.has(from)) this.#lastRename.set(from, at)
    this.#sortedPaths = [...this.#lastRename.keys()].sort(byCodeUnit)
  }

  /** The present path of a removed path, after any number of renames of the path or of directories above it. */
  currentPath(path: string): string | undefined {
    const renamed = this.#follow(path) ?? this.#currentDirectory(path)
    if (renamed !== undefined) return renamed
    for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
      const directory = this.#currentDirectory(path.slice(0, slash))
      const current = directory === undefined ? undefined : directory + path.slice(slash)
      if (current !== undefined && this.#exists(current)) return current
    }
    return undefined
  }

  /** Follows the last rename of a path, then only later renames. */
  #follow(path: string): string | undefined {
    const visitedIndices: number[] = []
    let finalPath: string | undefined
    for (let index = this.#lastRename.get(path); index !== undefined; ) {
      if (this.#finalPaths.has(index)) {
        finalPath = this.#finalPaths.get(index)
        break
      }
      visitedIndices.push(index)
      const to = this.#renames[index]?.to ?? ''
      if (this.#exists(to)) {
        finalPath = to
        break
      }
      const next = this.#lastRename.get(to)
      index = next !== undefined && next < index ? next : undefined
    }
    for (const index of visitedIndices) this.#finalPaths.set(index, finalPath)
    return finalPath
  }

  #currentDirectory(path: string): string | undefined {
    if (!this.#directories.has(path)) this.#directories.set(path, this.#majorityDirectory(path))
    return this.#directories.get(path)
  }

  /** The directory that now contains more than half of the files that left `path`, with unchanged names. */
  #majorityDirectory(path: string): string | undefined {
    const [start, end] = [this.#firstIndexFrom(`${path}/`), this.#firstIndexFrom(`${path}0`)] // `0` is the character after `/`
    const votes = new Map<string, number>()
    let voters = 0
    for (let at = start; at < end; at += Math.ceil((end - start) / MAX_VOTERS)) {
      const from = this.#sortedPaths[at] ?? ''
      const current = this.#follow(from)
      if (current === undefined) continue
      voters += 1
      const remainder = from.slice(path.length)
      const directory = current.endsWith(remainder) ? current.slice(0, -remainder.length) : ''
      if (directory !== '') votes.set(directory, (votes.get(directory) ?? 0) + 1)
    }
    return [...votes].find(([directory, count]) => count * 2 > voters && this.#exists(directory))?.[0]
  }

  /** Position of the first old path that sorts at or after `path`. */
  #firstIndexFrom(path: string): number {
    return bisect(-1, this.#sortedPaths.length, (at) => (this.#sortedPaths[at] ?? '') < path) + 1
  }
}
