/** A path that was no more after a commit, and what it was called then; undefined when it was deleted. */
export interface Change {
  readonly from: string
  readonly to: string | undefined
}

/** What became of paths that are no more. Paths are relative to the root. */
export class History {
  /** Renames, the last first. */
  readonly #renames: readonly { readonly from: string; readonly to: string }[]
  /** Positions in `#renames`, by the old path. */
  readonly #byOldPath = new Map<string, number[]>()
  readonly #paths = new Set<string>()
  readonly #names = new Set<string>()

  /** `changes`: the last first. */
  constructor(changes: readonly Change[]) {
    for (const { from } of changes) this.#remember(from)
    this.#renames = changes.flatMap(({ from, to }) => (to === undefined ? [] : [{ from, to }]))
    this.#renames.forEach(({ from }, index) => {
      const known = this.#byOldPath.get(from)
      if (known) known.push(index)
      else this.#byOldPath.set(from, [index])
    })
  }

  #remember(path: string): void {
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

  /** What a path that is no more is called now, over any number of renames of it or of directories above it. */
  nowAt(path: string, exists: (path: string) => boolean): string | undefined {
    const renamed = this.#follow(path, exists) ?? this.#directoryNow(path, exists)
    if (renamed !== undefined) return renamed
    for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
      const directory = this.#directoryNow(path.slice(0, slash), exists)
      const now = directory === undefined ? undefined : directory + path.slice(slash)
      if (now !== undefined && exists(now)) return now
    }
    return undefined
  }

  /** Follows the last rename of a path, then only those that came after it. */
  #follow(path: string, exists: (path: string) => boolean): string | undefined {
    let before = this.#renames.length
    for (let at = path; ; ) {
      const index = this.#byOldPath.get(at)?.find((position) => position < before)
      if (index === undefined) return undefined
      at = this.#renames[index]?.to ?? ''
      before = index
      if (exists(at)) return at
    }
  }

  /** Where more than half of the files that left a directory are now, under their own names. */
  #directoryNow(path: string, exists: (path: string) => boolean): string | undefined {
    if (!this.#paths.has(path)) return undefined
    const votes = new Map<string, number>()
    let voters = 0
    for (const from of this.#byOldPath.keys()) {
      if (!from.startsWith(`${path}/`)) continue
      const now = this.#follow(from, exists)
      if (now === undefined) continue
      voters += 1
      const rest = from.slice(path.length)
      const directory = now.endsWith(rest) ? now.slice(0, -rest.length) : ''
      if (directory !== '') votes.set(directory, (votes.get(directory) ?? 0) + 1)
    }
    return [...votes].find(([directory, count]) => count * 2 > voters && exists(directory))?.[0]
  }
}
