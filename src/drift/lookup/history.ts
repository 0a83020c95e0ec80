import { bisect } from '../../text/bisect.ts'
import { byCodeUnit, lastPathSegment } from '../../text/paths.ts'

/** A path that a commit removed, and its new name; undefined for a deletion. */
export interface Change {
  readonly commit: string
  readonly from: string
  readonly to: string | undefined
}

/** Maximum remembered files and directories, the latest. */
const MAX_PATHS = 500_000

/** Maximum former paths with the same end. */
const MAX_ENDINGS = 100

/** Paths that no longer exist, and their renames. Paths are relative to the root. */
export class History {
  /** Latest first. */
  readonly renames: readonly Rename[]
  /** Paths with the last commit that removed them, or an entry in them. */
  readonly #paths = new Map<string, string>()
  readonly #names = new Map<string, string>()
  #byName: ReadonlyMap<string, readonly string[]> | undefined

  /** `changes`: latest first. `committed`: the files of the checked-out commit. */
  constructor(changes: readonly Change[], committed: readonly string[] = []) {
    for (const from of committed) this.#remember({ commit: '', from, to: undefined })
    for (const change of changes) this.#remember(change)
    this.renames = changes.flatMap(({ from, to }) => (to === undefined ? [] : [{ from, to }]))
  }

  #remember({ from, commit }: Change): void {
    if (this.#paths.size >= MAX_PATHS) return
    const name = lastPathSegment(from)
    if (commit !== '' && !this.#names.has(name)) this.#names.set(name, commit)
    for (let at = from; at !== '' && !this.#paths.has(at); at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
      this.#paths.set(at, commit)
    }
  }

  /** The last commit that removed a file or a directory of this path, or an entry in it; `''` if the removal is not committed. */
  lossOf(path: string): string | undefined {
    return this.#paths.get(path)
  }

  /** At most `MAX_ENDINGS` earlier paths of files and directories with this end. */
  endingWith(path: string): readonly string[] {
    this.#byName ??= Map.groupBy(this.#paths.keys(), lastPathSegment)
    const named = this.#byName.get(lastPathSegment(path)) ?? []
    return named.filter((at) => at.endsWith(`/${path}`)).slice(0, MAX_ENDINGS)
  }

  /** The last commit that removed a file of this name from any directory. */
  lossOfName(name: string): string | undefined {
    return this.#names.get(name)
  }
}

/** A path and its name after a commit. */
export interface Rename {
  readonly from: string
  readonly to: string
}

/** Maximum files of a directory to follow, at even distances. */
const MAX_VOTERS = 1000

/** Finds the present names of vanished paths. Follows each path once. */
export class Renames {
  /** Latest first. */
  readonly #renames: readonly Rename[]
  readonly #exists: (path: string) => boolean
  /** Position in `#renames` of the last rename of an old path. */
  readonly #last = new Map<string, number>()
  /** Old paths, sorted, so that those of one directory are neighbours. */
  readonly #sorted: readonly string[]
  /** Final paths of renames, by position. */
  readonly #ends = new Map<number, string | undefined>()
  readonly #directories = new Map<string, string | undefined>()

  /** `renames`: latest first. `exists`: whether a path exists now. */
  constructor(renames: readonly Rename[], exists: (path: string) => boolean) {
    this.#renames = renames
    this.#exists = exists
    for (const [index, { from }] of renames.entries()) if (!this.#last.has(from)) this.#last.set(from, index)
    this.#sorted = [...this.#last.keys()].sort(byCodeUnit)
  }

  /** Present name of a removed path, over any number of renames of it or of directories above it. */
  nowAt(path: string): string | undefined {
    const renamed = this.#follow(path) ?? this.#directoryNow(path)
    if (renamed !== undefined) return renamed
    for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
      const directory = this.#directoryNow(path.slice(0, slash))
      const now = directory === undefined ? undefined : directory + path.slice(slash)
      if (now !== undefined && this.#exists(now)) return now
    }
    return undefined
  }

  /** Follows the last rename of a path, then only those that came after it. */
  #follow(path: string): string | undefined {
    const passed: number[] = []
    let end: string | undefined
    for (let index = this.#last.get(path); index !== undefined; ) {
      if (this.#ends.has(index)) {
        end = this.#ends.get(index)
        break
      }
      passed.push(index)
      const to = this.#renames[index]?.to ?? ''
      if (this.#exists(to)) {
        end = to
        break
      }
      const next = this.#last.get(to)
      index = next !== undefined && next < index ? next : undefined
    }
    for (const index of passed) this.#ends.set(index, end)
    return end
  }

  #directoryNow(path: string): string | undefined {
    if (!this.#directories.has(path)) this.#directories.set(path, this.#elect(path))
    return this.#directories.get(path)
  }

  /** The directory that now contains more than half of the files that left this one, under their own names. */
  #elect(path: string): string | undefined {
    const [start, end] = [this.#firstFrom(`${path}/`), this.#firstFrom(`${path}0`)] // `0` is what follows `/`
    const votes = new Map<string, number>()
    let voters = 0
    for (let at = start; at < end; at += Math.ceil((end - start) / MAX_VOTERS)) {
      const from = this.#sorted[at] ?? ''
      const now = this.#follow(from)
      if (now === undefined) continue
      voters += 1
      const rest = from.slice(path.length)
      const directory = now.endsWith(rest) ? now.slice(0, -rest.length) : ''
      if (directory !== '') votes.set(directory, (votes.get(directory) ?? 0) + 1)
    }
    return [...votes].find(([directory, count]) => count * 2 > voters && this.#exists(directory))?.[0]
  }

  /** Position of the first old path that sorts at or after `path`. */
  #firstFrom(path: string): number {
    return bisect(-1, this.#sorted.length, (at) => (this.#sorted[at] ?? '') < path) + 1
  }
}
