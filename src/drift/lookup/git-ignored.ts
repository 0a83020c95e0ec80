import { posix } from 'node:path'
import type { IgnoreVerdict } from '../../text/gitignore.ts'
import { type Lookup, upwards } from './lookup.ts'

/** Says which absent paths a `.gitignore` of the tree keeps out of a checkout, so that their absence means nothing. */
export class GitIgnored {
  readonly #lookup: Lookup
  readonly #rules = new Map<string, IgnoreVerdict | undefined>()

  constructor(lookup: Lookup) {
    this.#lookup = lookup
  }

  /** `path` is relative to the root, not the root itself. It may have been a file or a directory. */
  excludes(path: string): boolean {
    const above = upwards(parentDirectory(path))
    const files = above.flatMap((directory) => {
      const rules = this.#rulesIn(directory)
      return rules ? [{ start: directory === '' ? '' : `${directory}/`, rules }] : []
    })
    if (files.length === 0) return false
    const isDirectoryExcluded = above.some((directory) => directory !== '' && verdict(files, directory, true))
    return isDirectoryExcluded || verdict(files, path, false) || verdict(files, path, true)
  }

  /** Whether `.context/ignore`, which a person writes, says that the path need not exist. */
  isMarked(path: string): boolean {
    const rules = this.#rulesAt('.context/ignore')
    const isSaid = (at: string, isDirectory: boolean) => rules?.(at, isDirectory) === true
    return isSaid(path, false) || upwards(path).some((directory) => directory !== '' && isSaid(directory, true))
  }

  #rulesIn(directory: string): IgnoreVerdict | undefined {
    return this.#rulesAt(posix.join(directory, '.gitignore'))
  }

  #rulesAt(path: string): IgnoreVerdict | undefined {
    if (!this.#rules.has(path)) this.#rules.set(path, this.#lookup.rulesAt(path))
    return this.#rules.get(path)
  }
}

/** The rules of one file, and what the paths start with that they are for. */
interface Rules {
  readonly start: string
  readonly rules: IgnoreVerdict
}

/** The nearest file that says something decides; `files`: the nearest first. */
function verdict(files: readonly Rules[], path: string, isDirectory: boolean): boolean {
  for (const { start, rules } of files) {
    const ignored = path.startsWith(start) ? rules(path.slice(start.length), isDirectory) : undefined
    if (ignored !== undefined) return ignored
  }
  return false
}

function parentDirectory(path: string): string {
  return posix.dirname(path).replace(/^\.$/, '')
}
