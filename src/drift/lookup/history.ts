import type { Rename } from './renames.ts'

/** A path that was no more after a commit, and what it was called then; undefined when it was deleted. */
export interface Change {
  readonly from: string
  readonly to: string | undefined
}

/** Files and directories that are remembered; those that were lost before are not. */
const MOST_PATHS = 500_000

/** Places in history that a path may be meant to be at. */
const MOST_ENDINGS = 100

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Which paths are no more, and how they were renamed. Paths are relative to the root. */
export class History {
  /** The last first. */
  readonly renames: readonly Rename[]
  readonly #paths = new Set<string>()
  readonly #names = new Set<string>()
  #byName: ReadonlyMap<string, readonly string[]> | undefined

  /** `changes`: the last first. */
  constructor(changes: readonly Change[]) {
    for (const { from } of changes) this.#remember(from)
    this.renames = changes.flatMap(({ from, to }) => (to === undefined ? [] : [{ from, to }]))
  }

  #remember(path: string): void {
    if (this.#paths.size >= MOST_PATHS) return
    this.#names.add(nameOf(path))
    for (let at = path; at !== '' && !this.#paths.has(at); at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
      this.#paths.add(at)
    }
  }

  /** Whether a file or a directory was called so, and lost the name, or something in it. */
  knew(path: string): boolean {
    return this.#paths.has(path)
  }

  /** Paths of files and directories, at most `MOST_ENDINGS`, that were called so as seen from some directory. */
  endingWith(path: string): readonly string[] {
    this.#byName ??= Map.groupBy(this.#paths, nameOf)
    const named = this.#byName.get(nameOf(path)) ?? []
    return named.filter((at) => at.endsWith(`/${path}`)).slice(0, MOST_ENDINGS)
  }

  /** Whether a file in any directory was called so. */
  knewName(name: string): boolean {
    return this.#names.has(name)
  }
}
