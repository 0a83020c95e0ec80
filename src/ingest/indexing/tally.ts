import type { SkippedFile } from '../../stores/document-store.ts'
import { byCodeUnit } from '../../text/paths.ts'

/** Reasons to skip a file that depend only on the file, so that they stay true until the file changes. */
const SKIP_REASONS: ReadonlySet<string> = new Set(['binary', 'empty', 'over-limit', 'denied', 'excluded'])

/**
 * Whether a file with this reason is skipped until it changes. A file with another reason could not be read, and is tried again.
 */
export function isSkip(why: string): boolean {
  return SKIP_REASONS.has(why)
}

export type UpdateAnswer = UpdateTally['answer']

/** Counts the files of an update by their results. */
export class UpdateTally {
  readonly #left: SkippedFile[] = []
  /** Hashes of added files that may have moved. */
  readonly #addedHashes: number[] = []
  /** Number of removed files by hash. */
  readonly #removedHashes = new Map<number, number>()
  readonly #counts = { added: 0, changed: 0, unchanged: 0, removed: 0, failed: 0 }

  count(what: 'changed' | 'unchanged'): void {
    this.#counts[what]++
  }

  /** `mayHaveMoved`: whether a removed file may have had the same content. */
  add(hash: string, mayHaveMoved: boolean): void {
    this.#counts.added++
    if (mayHaveMoved) this.#addedHashes.push(shortenHash(hash))
  }

  remove(hash: string): void {
    this.#counts.removed++
    const hashPrefix = shortenHash(hash)
    this.#removedHashes.set(hashPrefix, (this.#removedHashes.get(hashPrefix) ?? 0) + 1)
  }

  /** @returns whether the file is skipped until it changes. */
  leave(file: SkippedFile): boolean {
    const isSkipped = isSkip(file.why)
    this.#left.push(file)
    if (!isSkipped) this.#counts.failed++
    return isSkipped
  }

  /** The paths whose files were not skipped. */
  notSkipped(paths: Iterable<string>): string[] {
    const skipped = new Set(this.#left.flatMap(({ path, why }) => (isSkip(why) ? [path] : [])))
    return [...paths].filter((path) => !skipped.has(path))
  }

  /** The counts of the update. Skipped files have no text to search; failed files could not be read. */
  get answer() {
    const moved = this.#countMoved()
    const { added, changed, removed, unchanged, failed } = this.#counts
    const left: readonly Pick<SkippedFile, 'path' | 'why' | 'detail'>[] = this.#left
      .map(({ path, why, detail }) => ({ path, why, detail }))
      .sort((a, b) => byCodeUnit(a.path, b.path))
    return {
      added: added - moved,
      changed,
      moved,
      removed: removed - moved,
      unchanged,
      skipped: left.length - failed,
      failed,
      left,
    }
  }

  /** The number of added files with the hash of a removed file. Each removed file counts at most once. */
  #countMoved(): number {
    const unmatchedHashes = new Map(this.#removedHashes)
    let moved = 0
    for (const hashPrefix of this.#addedHashes) {
      const remaining = unmatchedHashes.get(hashPrefix) ?? 0
      if (remaining > 0) moved++
      unmatchedHashes.set(hashPrefix, remaining - 1)
    }
    return moved
  }
}

/** The first 52 bits of a hash, to save memory. */
function shortenHash(hash: string): number {
  return Number.parseInt(hash.slice(0, 13), 16)
}
