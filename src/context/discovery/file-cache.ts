import { dirname, join } from 'node:path'
import type { LocalRoot } from '../../files/disk.ts'
import { type FileVersion, isSettled, sameVersion, versionAt } from '../../files/file-version.ts'
import { MAX_READER_BYTES, NO_ROOM, readIgnoreRules, readText } from '../../files/text-file.ts'
import { type IgnoreRules, type IgnoreVerdict, isIgnored } from '../../text/gitignore.ts'
import { isWithin } from '../../text/paths.ts'
import { type InstructionReading, instructionFile } from './instruction-file.ts'

interface CachedFile {
  readonly reading: InstructionReading
  /** Version just before the read; undefined for a missing file. */
  readonly version: FileVersion | undefined
  /** Whether every later edit changes the version, so that an equal version means an unchanged file. */
  readonly isFinal: boolean
}

/** A cache of the files of a tree. A file is read again only after `refresh` found a change. */
export class FileCache {
  readonly #root: LocalRoot
  readonly #selectShown: (text: string) => string
  readonly #cache = new Map<string, CachedFile>()
  /** Bytes of all cached files. */
  #bytes = 0

  /** `selectShown`: selects the shown part of a text. Default: all of it. */
  constructor(root: LocalRoot, selectShown = (text: string) => text) {
    this.#root = root
    this.#selectShown = selectShown
  }

  get paths(): IterableIterator<string> {
    return this.#cache.keys()
  }

  /** The file, from the cache or from the disk. */
  async get(path: string): Promise<InstructionReading> {
    const cached = this.#cache.get(path)
    if (cached) return cached.reading
    const version = versionAt(path)
    const reading = await this.#read(path, version?.size ?? 0)
    this.#cache.set(path, { reading, version, isFinal: isFinalReading(version, reading) })
    return reading
  }

  /** The rules of a `.gitignore`. Caches the file, too, so that `refresh` notices a change. */
  async ignoreRulesAt(path: string): Promise<IgnoreVerdict | undefined> {
    await this.get(path)
    return readIgnoreRules(this.#root, path)
  }

  async #read(path: string, size: number): Promise<InstructionReading> {
    if (this.#bytes + size > MAX_READER_BYTES) return NO_ROOM
    const read = readText(this.#root, path)
    if (!read.ok) return read
    this.#bytes += read.version.size
    return instructionFile({ ...read, content: this.#selectShown(read.content), text: this.#selectShown(read.text) })
  }

  /** Checks a cached file with one stat, and drops it if it may have changed. Returns whether it was dropped. */
  refresh(path: string): boolean {
    const cached = this.#cache.get(path)
    if (!cached || (sameVersion(cached.version, versionAt(path)) && cached.isFinal)) return false
    if (cached.reading.ok) this.#bytes -= cached.reading.version.size
    return this.#cache.delete(path)
  }
}

/** Whether a reading is valid while the version is the same. A failure such as too many open files may be temporary. */
function isFinalReading(version: FileVersion | undefined, reading: InstructionReading): boolean {
  if (reading.ok) return reading.settled && sameVersion(version, reading.version)
  return reading.why !== 'failed' && (version === undefined || isSettled(version, Date.now()))
}

/** Applies the `.gitignore` files of a tree as git does: the nearest decides, except below an excluded directory. */
export class GitignoreTree {
  readonly #root: string
  readonly #files: FileCache
  readonly #hasGitignore: (directory: string) => boolean
  /** The rules from the root down to a directory, by directory; undefined for an excluded directory. */
  readonly #rules = new Map<string, readonly IgnoreRules[] | undefined>()

  /** `hasGitignore`: whether a directory has a `.gitignore`. */
  constructor(root: string, files: FileCache, hasGitignore: (directory: string) => boolean) {
    this.#root = root
    this.#files = files
    this.#hasGitignore = hasGitignore
  }

  /** Drops the cached rules. The caller calls it after a `.gitignore` was added, removed or changed. */
  reset(): void {
    this.#rules.clear()
  }

  /** Whether a file is excluded; false for a file outside of the root. */
  async excludes(path: string): Promise<boolean> {
    const rules = await this.#rulesFor(dirname(path))
    return !rules || isIgnored(path, false, rules)
  }

  /** The `.gitignore` files that were not read completely, with the number of unread rules. */
  listUnread(): readonly { readonly path: string; readonly rules: number }[] {
    return [...this.#rules].flatMap(([directory, rules]) => {
      const { path, verdict } = rules?.at(-1) ?? {}
      if (path !== directory || !verdict || verdict.unread === 0) return []
      return [{ path: join(directory, '.gitignore'), rules: verdict.unread }]
    })
  }

  async #rulesFor(directory: string): Promise<readonly IgnoreRules[] | undefined> {
    if (!this.#rules.has(directory)) this.#rules.set(directory, await this.#rulesFrom(directory))
    return this.#rules.get(directory)
  }

  async #rulesFrom(directory: string): Promise<readonly IgnoreRules[] | undefined> {
    if (!isWithin(this.#root, directory)) return []
    const outerRules = directory === this.#root ? [] : await this.#rulesFor(dirname(directory))
    if (!outerRules || isIgnored(directory, true, outerRules)) return undefined
    if (!this.#hasGitignore(directory)) return outerRules
    return [...outerRules, { path: directory, verdict: await this.#files.ignoreRulesAt(join(directory, '.gitignore')) }]
  }
}
