import { posix } from 'node:path'
import { gitignore, type Verdict } from '../text/gitignore.ts'
import { type Lookup, upwards } from './lookup.ts'

/** Says which absent paths a `.gitignore` of the tree keeps out of a checkout, so that their absence means nothing. */
export class GitIgnored {
  readonly #lookup: Lookup
  readonly #rules = new Map<string, Verdict | undefined>()

  constructor(lookup: Lookup) {
    this.#lookup = lookup
  }

  /** `path` is relative to the root, not the root itself. It may have been a file or a directory. */
  excludes(path: string): boolean {
    const above = upwards(parentOf(path)).filter((directory) => directory !== '')
    return (
      above.some((directory) => this.#verdict(directory, true)) ||
      this.#verdict(path, false) ||
      this.#verdict(path, true)
    )
  }

  /** The nearest file that says something decides. */
  #verdict(path: string, isDirectory: boolean): boolean {
    for (const directory of upwards(parentOf(path))) {
      const below = directory === '' ? path : path.slice(directory.length + 1)
      const ignored = this.#rulesIn(directory)?.(below, isDirectory)
      if (ignored !== undefined) return ignored
    }
    return false
  }

  #rulesIn(directory: string): Verdict | undefined {
    if (!this.#rules.has(directory)) {
      const text = this.#lookup.textOf(posix.join(directory, '.gitignore'))
      this.#rules.set(directory, text === undefined ? undefined : gitignore(text))
    }
    return this.#rules.get(directory)
  }
}

function parentOf(path: string): string {
  return posix.dirname(path).replace(/^\.$/, '')
}
