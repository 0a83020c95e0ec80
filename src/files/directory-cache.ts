import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { type FileVersion, isSettled, sameVersion, versionAt } from './file-version.ts'
import { systemCodeOf } from './refusals.ts'

interface Known {
  readonly version: FileVersion | undefined
  readonly settled: boolean
  readonly value: readonly string[]
}

/** Names found in directories, each looked into once for each version of it. */
export class DirectoryCache {
  readonly #look: (directory: string) => readonly string[]
  readonly #known = new Map<string, Known>()

  /** `look` says what there is in a directory that exists. */
  constructor(look: (directory: string) => readonly string[]) {
    this.#look = look
  }

  get paths(): IterableIterator<string> {
    return this.#known.keys()
  }

  get(directory: string): readonly string[] {
    const known = this.#known.get(directory) ?? this.#lookInto(directory)
    return known.value
  }

  /** Looks again when the directory's entries may have changed. One stat. Returns whether it did. */
  refresh(directory: string): boolean {
    const known = this.#known.get(directory)
    const now = versionAt(directory)
    const same = known?.version && now ? sameVersion(known.version, now) : known?.version === now
    if (known?.settled && same) return false
    return this.#lookInto(directory).value.join('\0') !== known?.value.join('\0')
  }

  #lookInto(directory: string): Known {
    const version = versionAt(directory)
    const settled = version === undefined || isSettled(version, Date.now())
    const known = { version, settled, value: this.#look(directory) }
    this.#known.set(directory, known)
    return known
  }
}

/**
 * Those of the names that exist in a directory, as anything at all. Of one that may not be entered, the first: to read it
 * says why.
 */
export function namesPresent(directory: string, names: readonly string[]): readonly string[] {
  try {
    const present = names.filter((name) => lstatSync(join(directory, name), { throwIfNoEntry: false }) !== undefined)
    return present.length > 0 ? present : NONE
  } catch (error) {
    return systemCodeOf(error) === 'EACCES' ? names.slice(0, 1) : NONE
  }
}

const NONE: readonly string[] = []
