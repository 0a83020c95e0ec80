import type { Rename } from './renames.ts'

/** A path that was no more after a commit, and what it was called then; undefined when it was deleted. */
export interface Change {
  readonly from: string
  readonly to: string | undefined
}

/** Files and directories that are remembered; those that were lost before are not. */
const MOST_PATHS = 500_000

/** Which paths are no more, and how they were renamed. Paths are relative to the root. */
export class History {
  /** The last first. */
  readonly renames: readonly Rename[]
  readonly #paths = new Set<string>()
  readonly #names = new Set<string>()

  /** `changes`: the last first. */
  constructor(changes: readonly Change[]) {
    for (const { from } of changes) this.#remember(from)
    this.renames = changes.flatMap(({ from, to }) => (to === undefined ? [] : [{ from, to }]))
  }

  #remember(path: string): void {
    if (this.#paths.size >= MOST_PATHS) return
    this.#names.add(path.slice(path.lastIndexOf('/') + 1))
    for (let at = path; at !== '' && !this.#paths.has(at); at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
      this.#paths.add(at)
    }
  }

  /** Whether a file or a directory was called so, and lost the name, or something in it. */
  knew(path: string): boolean {
    return this.#paths.has(path)
  }

  /** Whether a file in any directory was called so. */
  knewName(name: string): boolean {
    return this.#names.has(name)
  }
}
