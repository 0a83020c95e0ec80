import { posix } from 'node:path'
import type { Ignore } from 'ignore'
import { type Lookup, upwards } from './lookup.ts'

/** Says which absent paths a `.gitignore` of the tree keeps out of a checkout, so that their absence means nothing. */
export class GitIgnored {
  readonly #lookup: Lookup
  readonly #rules = new Map<string, Ignore | undefined>()

  constructor(lookup: Lookup) {
    this.#lookup = lookup
  }

  /** `path` is relative to the root, not the root itself. */
  async excludes(path: string): Promise<boolean> {
    for (const directory of upwards(posix.dirname(path).replace(/^\.$/, ''))) {
      const rules = await this.#rulesIn(directory)
      const below = directory === '' ? path : path.slice(directory.length + 1)
      if (rules?.ignores(below) || rules?.ignores(`${below}/`)) return true
    }
    return false
  }

  async #rulesIn(directory: string): Promise<Ignore | undefined> {
    if (!this.#rules.has(directory)) this.#rules.set(directory, await this.#read(directory))
    return this.#rules.get(directory)
  }

  async #read(directory: string): Promise<Ignore | undefined> {
    const text = this.#lookup.textOf(posix.join(directory, '.gitignore'))
    if (text === undefined) return undefined
    const { default: ignore } = await import('ignore')
    return ignore({ allowRelativePaths: true }).add(text)
  }
}
