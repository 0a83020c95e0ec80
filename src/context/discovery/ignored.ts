import { dirname, join } from 'node:path'
import type { IgnoreVerdict } from '../../text/gitignore.ts'
import { relativeTo } from '../../text/paths.ts'
import type { FileCache } from './file-cache.ts'

/** Says which paths the `.gitignore` files of a tree exclude, as git does: the nearest file decides, and nothing below an
 * excluded directory comes back. */
export class Ignored {
  readonly #root: string
  readonly #files: FileCache
  readonly #hasRules: (directory: string) => boolean
  readonly #rules = new Map<string, IgnoreVerdict | undefined>()
  readonly #directories = new Map<string, boolean>()

  /** `hasRules` says whether a directory holds a `.gitignore`. */
  constructor(root: string, files: FileCache, hasRules: (directory: string) => boolean) {
    this.#root = root
    this.#files = files
    this.#hasRules = hasRules
  }

  /** To be called when a `.gitignore` has come, gone or changed. */
  reset(): void {
    this.#rules.clear()
    this.#directories.clear()
  }

  async excludes(path: string): Promise<boolean> {
    return (await this.#excludesDirectory(dirname(path))) || this.#verdict(path, false)
  }

  /** The `.gitignore` files so far that were not read to the end, and the number of their rules that were not read. */
  unread(): readonly { readonly path: string; readonly rules: number }[] {
    return [...this.#rules].flatMap(([directory, verdict]) =>
      verdict && verdict.unread > 0 ? [{ path: join(directory, '.gitignore'), rules: verdict.unread }] : [],
    )
  }

  async #excludesDirectory(directory: string): Promise<boolean> {
    if (directory === this.#root || relativeTo(this.#root, directory) === undefined) return false
    const known = this.#directories.get(directory)
    if (known !== undefined) return known
    const parent = dirname(directory)
    const excluded = (await this.#excludesDirectory(parent)) || (await this.#verdict(directory, true))
    this.#directories.set(directory, excluded)
    return excluded
  }

  async #verdict(path: string, isDirectory: boolean): Promise<boolean> {
    for (let at = dirname(path); ; at = dirname(at)) {
      const below = relativeTo(at, path)
      const ignored = below && (await this.#rulesOf(at))?.(below, isDirectory)
      if (typeof ignored === 'boolean') return ignored
      if (at === this.#root || at === dirname(at)) return false
    }
  }

  async #rulesOf(directory: string): Promise<IgnoreVerdict | undefined> {
    if (!this.#rules.has(directory)) this.#rules.set(directory, await this.#read(directory))
    return this.#rules.get(directory)
  }

  async #read(directory: string): Promise<IgnoreVerdict | undefined> {
    if (!this.#hasRules(directory)) return undefined
    return this.#files.rulesAt(join(directory, '.gitignore'))
  }
}
