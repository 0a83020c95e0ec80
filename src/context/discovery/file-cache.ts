import { dirname, join } from 'node:path'
import type { LocalRoot } from '../../files/disk.ts'
import { type FileVersion, isSettled, sameVersion, versionAt } from '../../files/file-version.ts'
import { MOST_READER_BYTES, NO_ROOM, readIgnoreRules, readText } from '../../files/text-file.ts'
import { type IgnoreRules, type IgnoreVerdict, isIgnored } from '../../text/gitignore.ts'
import { isWithin } from '../../text/paths.ts'
import { instructionFile, type Reading } from './instruction-file.ts'

interface Known {
  readonly reading: Reading
  /** Version just before the read; undefined for a missing file. */
  readonly version: FileVersion | undefined
  /** Whether any later edit changes the version. */
  readonly settled: boolean
}

/** Reads files of a tree, each once for each version of it. */
export class FileCache {
  readonly #root: LocalRoot
  readonly #shows: (text: string) => string
  readonly #known = new Map<string, Known>()
  /** Bytes of all cached files. */
  #bytes = 0

  /** `shows`: selects the shown part of a text. Default: all of it. */
  constructor(root: LocalRoot, shows = (text: string) => text) {
    this.#root = root
    this.#shows = shows
  }

  get paths(): IterableIterator<string> {
    return this.#known.keys()
  }

  /** The cached file, or the file read now. */
  async get(path: string): Promise<Reading> {
    const known = this.#known.get(path)
    if (known) return known.reading
    const version = versionAt(path)
    const reading = await this.#read(path, version?.size ?? 0)
    this.#known.set(path, { reading, version, settled: settledAs(version, reading) })
    return reading
  }

  /** The rules of a `.gitignore`, which is cached like other files. */
  async rulesAt(path: string): Promise<IgnoreVerdict | undefined> {
    await this.get(path)
    return readIgnoreRules(this.#root, path)
  }

  async #read(path: string, size: number): Promise<Reading> {
    if (this.#bytes + size > MOST_READER_BYTES) return NO_ROOM
    const read = readText(this.#root, path)
    if (!read.ok) return read
    this.#bytes += read.version.size
    return instructionFile({ ...read, content: this.#shows(read.content), text: this.#shows(read.text) })
  }

  /** Drops a cached file that has changed, after one stat. Returns whether it did. */
  dropIfChanged(path: string): boolean {
    const known = this.#known.get(path)
    if (!known) return false
    const now = versionAt(path)
    const same = known.version && now ? sameVersion(known.version, now) : known.version === now
    if (same && known.settled) return false
    if (known.reading.ok) this.#bytes -= known.reading.version.size
    return this.#known.delete(path)
  }
}

/** Whether a result can be cached: a refusal may be temporary, such as too many open files. */
function settledAs(version: FileVersion | undefined, reading: Reading): boolean {
  if (reading.ok) return reading.settled && version !== undefined && sameVersion(version, reading.version)
  return reading.why !== 'failed' && (version === undefined || isSettled(version, Date.now()))
}

/** Evaluates the `.gitignore` files of a tree as git does: the nearest file decides, and nothing below an excluded directory is included again. */
export class Ignored {
  readonly #root: string
  readonly #files: FileCache
  readonly #hasRules: (directory: string) => boolean
  /** Rules from the root to a directory; undefined for an excluded one. */
  readonly #rules = new Map<string, readonly IgnoreRules[] | undefined>()

  /** `hasRules`: whether a directory has a `.gitignore`. */
  constructor(root: string, files: FileCache, hasRules: (directory: string) => boolean) {
    this.#root = root
    this.#files = files
    this.#hasRules = hasRules
  }

  /** Call it when a `.gitignore` was added, removed or changed. */
  reset(): void {
    this.#rules.clear()
  }

  /** Whether a file is excluded. Nothing outside of the root is. */
  async excludes(path: string): Promise<boolean> {
    const rules = await this.#rulesFor(dirname(path))
    return !rules || isIgnored(path, false, rules)
  }

  /** The `.gitignore` files that were not read completely, with the number of unread rules. */
  unread(): readonly { readonly path: string; readonly rules: number }[] {
    return [...this.#rules].flatMap(([directory, rules]) => {
      const { path, verdict } = rules?.at(-1) ?? {}
      return path === directory && verdict && verdict.unread > 0
        ? [{ path: join(directory, '.gitignore'), rules: verdict.unread }]
        : []
    })
  }

  async #rulesFor(directory: string): Promise<readonly IgnoreRules[] | undefined> {
    if (!this.#rules.has(directory)) this.#rules.set(directory, await this.#rulesFrom(directory))
    return this.#rules.get(directory)
  }

  async #rulesFrom(directory: string): Promise<readonly IgnoreRules[] | undefined> {
    if (!isWithin(this.#root, directory)) return []
    const above = directory === this.#root ? [] : await this.#rulesFor(dirname(directory))
    if (!above || isIgnored(directory, true, above)) return undefined
    if (!this.#hasRules(directory)) return above
    return [...above, { path: directory, verdict: await this.#files.rulesAt(join(directory, '.gitignore')) }]
  }
}
