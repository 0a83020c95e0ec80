import { closeSync, lstatSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { invalidInput, tryToRead } from '../../core/errors.ts'
import type { Steps } from '../../core/steps.ts'
import { bisect } from '../../text/bisect.ts'
import { byCodeUnit, foldersAbove } from '../../text/paths.ts'
import { type FileRefusal, type OpenDescriptor, type Place, refusalForError, systemCodeOf } from '../confine.ts'
import { type FileVersion, isSettled, sameVersion, versionOf } from '../file-version.ts'
import {
  compareBytes,
  isKey,
  type ListRequest,
  MAX_PAGE,
  type ObjectInfo,
  type ObjectLeft,
  type ObjectPage,
} from '../objects.ts'
import {
  type Directory,
  directoryPlace,
  fileInfo,
  isTemporaryName,
  refusalError,
  versionIn,
} from './directory-place.ts'
import { type Entry, entriesIn } from './entries.ts'

/** Number of entries between two pauses: a few milliseconds of work if all are directories. */
const ENTRIES_PER_STEP = 128

/** The end of a page: after the key `at`, or after all keys with the prefix `at`. */
interface Cursor {
  readonly at: string
  readonly isPrefix: boolean
}

/**
 * One page of the files below a directory, in the order of their keys. Links inside the directory are followed, except a link to a
 * directory that contains it. As in a bucket, a directory without files is not listed.
 */
export class DirectoryList {
  readonly #directory: Directory
  readonly #cache: EntryCache
  readonly #prefix: string
  readonly #delimiter: string
  readonly #limit: number
  readonly #objects: ObjectInfo[] = []
  readonly #prefixes: string[] = []
  readonly #left: ObjectLeft[] = []
  #cursor: Cursor | undefined
  /** Number of entries read. */
  #readCount = 0
  /** Whether entries follow beyond the limit of the page. */
  #isCut = false

  constructor(directory: Directory, cache: EntryCache, request: ListRequest) {
    const { prefix = '', delimiter = '', token, limit = MAX_PAGE } = request
    this.#directory = directory
    this.#cache = cache
    this.#prefix = prefix
    this.#delimiter = delimiter
    this.#limit = Math.max(1, Math.min(limit, MAX_PAGE))
    this.#cursor = token === undefined ? undefined : cursorOf(token)
  }

  *page(): Steps<ObjectPage> {
    const base = this.#prefix.slice(0, this.#prefix.lastIndexOf('/') + 1)
    const place = directoryPlace(this.#directory, base)
    const opened = place && this.#directory.open(place)
    if (opened?.ok) yield* this.#walk(base, opened, this.#parentsOf(base))
    else if (opened && opened.why !== 'missing' && !opened.isOtherKind) {
      throw refusalError(this.#directory, base.slice(0, -1), opened)
    }
    const next = this.#isCut && this.#cursor ? { next: tokenOf(this.#cursor) } : {}
    return { objects: this.#objects, prefixes: this.#prefixes, left: this.#left, ...next }
  }

  /** The real paths of the directories above a directory, along the requested path. */
  #parentsOf(base: string): string[] {
    return foldersAbove(base.slice(0, -1)).flatMap((name) => {
      const opened = this.#open(name, 'directory')
      if (!opened.ok) return []
      closeSync(opened.fd)
      return [opened.realPath]
    })
  }

  /** Lists a directory, and closes it. `parents`: the real paths of the directories above it. */
  *#walk(base: string, opened: OpenDescriptor, parents: readonly string[]): Steps<void> {
    try {
      if (parents.includes(opened.realPath)) {
        this.#leave(base, 'duplicate', 'It leads back to a directory that it is in.')
        return
      }
      yield* this.#entries(base, opened, [...parents, opened.realPath])
    } catch (error) {
      const { why, detail } = refusalForError(error, base)
      this.#leave(base, why, detail)
    } finally {
      closeSync(opened.fd)
    }
  }

  *#entries(base: string, opened: OpenDescriptor, parents: readonly string[]): Steps<void> {
    const entries = yield* this.#cache.of(base, opened)
    for (let at = this.#firstIndex(base, entries); at < entries.length; at++) {
      const entry = entries[at]
      if (entry) yield* this.#entry(base, opened, { ...entry, parents })
      // If the last listed prefix contains this directory, it stands for the remaining entries, too.
      const isDone = this.#cursor?.isPrefix === true && base.startsWith(this.#cursor.at)
      if (this.#isCut || isDone) return
      if (++this.#readCount % ENTRIES_PER_STEP === 0) yield
    }
  }

  #firstIndex(base: string, entries: readonly OrderedEntry[]): number {
    const isBefore = (at: number) => {
      const key = base + (entries[at]?.sortKey ?? '')
      return this.#wasListed(key) || (compareBytes(key, this.#prefix) < 0 && !this.#prefix.startsWith(key))
    }
    return bisect(-1, entries.length, isBefore) + 1
  }

  *#entry(
    base: string,
    opened: OpenDescriptor,
    { entry, sortKey, parents }: OrderedEntry & { parents: readonly string[] },
  ): Steps<void> {
    const key = base + sortKey
    if (this.#wasListed(key)) return
    const isDirectory = sortKey.endsWith('/')
    if (!key.startsWith(this.#prefix) && !(isDirectory && this.#prefix.startsWith(key))) return
    if (!isKey(key)) this.#leave(key, 'over-limit', 'It is too long for a key.')
    else if (isDirectory) yield* this.#below(key, parents)
    else if (entry.kind === 'other') this.#leave(key, 'unreadable', 'It is not a file, or its name is not UTF-8.')
    else {
      const info = this.#infoOf(key, join(opened.through, entry.name))
      if (info) this.#add(key, info)
    }
  }

  *#below(key: string, parents: readonly string[]): Steps<void> {
    const opened = this.#open(key.slice(0, -1), 'directory')
    if (!opened.ok) this.#leave(key, opened.why, opened.detail)
    else if (this.#isOnePrefix(key) && !parents.includes(opened.realPath) && holdsFile(opened)) this.#add(key)
    else yield* this.#walk(key, opened, parents)
  }

  #open(name: string, kind: Place['kind']): OpenDescriptor | FileRefusal {
    return this.#directory.open({ root: this.#directory.root, name, kind })
  }

  /** Whether one prefix stands for the whole directory, so that a single file in the directory suffices to list it. */
  #isOnePrefix(key: string): boolean {
    return key.startsWith(this.#prefix) && this.#prefixOf(key) !== undefined && !this.#cursor?.at.startsWith(key)
  }

  /** Adds an object to the page, or the prefix that stands for it. */
  #add(key: string, info?: ObjectInfo): void {
    if (!this.#hasRoom()) return
    const prefix = this.#prefixOf(key)
    if (prefix !== undefined) this.#prefixes.push(prefix)
    else if (info) this.#objects.push(info)
    this.#cursor = { at: prefix ?? key, isPrefix: prefix !== undefined }
  }

  #prefixOf(key: string): string | undefined {
    const end = this.#delimiter === '' ? -1 : key.indexOf(this.#delimiter, this.#prefix.length)
    return end === -1 ? undefined : key.slice(0, end + this.#delimiter.length)
  }

  /**
   * The properties of an entry; undefined for a vanished or skipped entry. A plain file of an open directory is certainly inside the
   * root; a link is opened to find out.
   */
  #infoOf(key: string, path: string): ObjectInfo | undefined {
    const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false })
    if (!stat) return undefined
    if (stat.isFile()) return fileInfo(key, versionOf(stat))
    const opened = this.#open(key, 'file')
    if (!opened.ok) {
      this.#leave(key, opened.why, opened.detail)
      return undefined
    }
    const info = fileInfo(key, versionIn(opened.fd))
    closeSync(opened.fd)
    return info
  }

  /** Reports an entry that is not an object, unless it lies below a prefix: the listing of that prefix reports it. */
  #leave(key: string, why: ObjectLeft['why'], detail: string): void {
    if (this.#prefixOf(key.slice(0, -1)) !== undefined || !this.#hasRoom()) return
    this.#left.push({ key, why, detail })
    this.#cursor = { at: key, isPrefix: key.endsWith('/') }
  }

  #hasRoom(): boolean {
    this.#isCut ||= this.#objects.length + this.#prefixes.length + this.#left.length >= this.#limit
    return !this.#isCut
  }

  /** Whether earlier pages listed the file of a key, or everything below its directory. */
  #wasListed(key: string): boolean {
    if (!this.#cursor) return false
    const { at, isPrefix } = this.#cursor
    if (isPrefix && key.startsWith(at)) return true
    const order = compareBytes(key, at)
    return key.endsWith('/') ? order < 0 && !at.startsWith(key) : order <= 0
  }
}

/** Whether an open directory has a file. If true, the directory is closed; if false, it stays open. */
function holdsFile({ fd, through, stat }: OpenDescriptor): boolean {
  try {
    for (const { kind, name } of entriesIn(through, Number(stat.size))) {
      if (kind !== 'file' || isTemporaryName(name)) continue
      closeSync(fd)
      return true
    }
  } catch (error) {
    // The walk that follows reports a failed system call. Any other error is a bug, and is thrown.
    systemCodeOf(error)
  }
  return false
}

/** An entry of a directory in the order of keys. */
interface OrderedEntry {
  readonly entry: Entry
  /**
   * The name that determines the order of the entry. A directory has a final slash, so that `a-b` comes before the
   * content of `a`.
   */
  readonly sortKey: string
}

/** Maximum cached entries, without the entries of the newest directory; and minimum entries of a cached directory. */
const CACHE_LIMITS = { maxEntries: 200_000, minEntries: 1000 }

const READ_PER_STEP = 4096

/** Caches the ordered entries of large directories while they do not change, for the next page of a listing. */
export class EntryCache {
  readonly #cached = new Map<string, { readonly entries: readonly OrderedEntry[]; readonly version: FileVersion }>()

  clear(): void {
    this.#cached.clear()
  }

  *of(name: string, opened: OpenDescriptor): Steps<readonly OrderedEntry[]> {
    const version = versionOf(opened.stat)
    const cached = this.#cached.get(name)
    if (cached && sameVersion(cached.version, version)) return cached.entries
    const entries = yield* readOrdered(opened)
    this.#cached.delete(name)
    // A directory that just changed is not cached, because its time may stay equal when it changes again.
    if (entries.length < CACHE_LIMITS.minEntries || !isSettled(version, Date.now())) return entries
    let count = entries.length
    for (const other of this.#cached.values()) count += other.entries.length
    if (count > CACHE_LIMITS.maxEntries) this.clear()
    this.#cached.set(name, { entries, version })
    return entries
  }
}

function* readOrdered({ through, stat }: OpenDescriptor): Steps<OrderedEntry[]> {
  const entries: OrderedEntry[] = []
  let readCount = 0
  for (const entry of entriesIn(through, Number(stat.size))) {
    if (++readCount % READ_PER_STEP === 0) yield
    if (isTemporaryName(entry.name)) continue
    entries.push({ entry, sortKey: leadsToDirectory(entry, through) ? `${entry.name}/` : entry.name })
  }
  // JavaScript's order is much faster, and equal for most characters.
  const compare = entries.some(({ sortKey }) => /[\ud800-\uffff]/.test(sortKey)) ? compareBytes : byCodeUnit
  return entries.sort((a, b) => compare(a.sortKey, b.sortKey))
}

/** Whether an entry is, or links to, a directory. Decides only the order; opening the entry checks the target. */
function leadsToDirectory({ name, kind }: Entry, through: string): boolean {
  if (kind !== 'link') return kind === 'directory'
  return tryToRead(() => statSync(join(through, name)).isDirectory()) ?? false
}

function tokenOf({ at, isPrefix }: Cursor): string {
  return Buffer.from(`${isPrefix ? 'p' : 'k'}${at}`).toString('base64url')
}

function cursorOf(token: string): Cursor {
  const [, kind, at] = /^([kp])(.+)$/s.exec(Buffer.from(token, 'base64url').toString('utf8')) ?? []
  if (at !== undefined) return { at, isPrefix: kind === 'p' }
  throw invalidInput('The token of the page is not valid.', 'Use `next` of the previous page.')
}
