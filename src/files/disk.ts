/**
 * Opens files below a root directory, and refuses files outside. Functions return refusals instead of throwing them.
 */

import { closeSync, fstatSync, readSync } from 'node:fs'
import { resolve } from 'node:path'
import { BOUNDS } from '../core/bounds.ts'
import { runSteps, type Steps } from '../core/steps.ts'
import { byCodeUnit, shortenPath } from '../text/paths.ts'
import {
  absolutePath,
  type FileRefusal,
  type OpenDescriptor,
  type Opener,
  type Place,
  pathBelowRoot,
  refusalForError,
  systemOpener,
  toRefusal,
} from './confine.ts'
import { type Entry, entriesIn } from './disk/entries.ts'
import { type FileVersion, isSettled, sameVersion, versionAt, versionOf } from './file-version.ts'
import { assertInBounds, isPossible, type RootPaths, rootPath } from './root-path.ts'

export type { FileRefusal } from './confine.ts'
export type { Entry } from './disk/entries.ts'
export { type FileVersion, identityOf, sameVersion, versionAt } from './file-version.ts'

/** Maximum entries of a listed directory: about 10 MB of names. */
export const MAX_ENTRIES = 100_000

/** Number of entries between two pauses: a few milliseconds of work. */
const ENTRIES_PER_STEP = 16_384

/** The bytes of a file, read through one descriptor, and its state. */
export interface FileRead {
  readonly ok: true
  /** The requested path, absolute and normalised. */
  readonly path: string
  /** The path without links. */
  readonly realPath: string
  readonly bytes: Uint8Array
  /** The state of the file before the read. Its `size` is the size of the whole file. */
  readonly version: FileVersion
  /** Whether the file changed during two reads in a row. The bytes may then mix two states of the file. */
  readonly changed: boolean
  /**
   * Whether a later, equal version proves that the file still has these bytes. False if the file changed during the
   * read or just before it (100 ms; 2 s for times in whole seconds), because another write could leave the same times.
   */
  readonly settled: boolean
}

/** Entries of a directory. */
export interface DirectoryListing {
  readonly ok: true
  /** Sorted by code unit. */
  readonly entries: readonly Entry[]
}

export interface ReadOptions {
  /** Default: `BOUNDS.file`. */
  readonly maxBytes?: number
  /** Returns the first `maxBytes` bytes of a larger file. Default: refuses it as `over-limit`, without reading it. */
  readonly cut?: boolean
  /** Reads into this buffer if it is large enough; its next use overwrites the returned bytes. Default: a new buffer. */
  readonly into?: Buffer
}

/**
 * A directory tree, and the functions that open its files. The functions follow links, and refuse a target outside of
 * the tree as `denied`. They check the opened file instead of the path, because links may change meanwhile. They cannot
 * refuse hard links, which look like the file itself.
 */
export interface LocalRoot {
  /** The requested path, absolute and normalised. */
  readonly path: string
  /** The real path at the opening of the root. */
  readonly realPath: string
  /** Reads a regular file. `path` is absolute or relative to the root. `..` resolves as text. */
  read(path: string, options?: ReadOptions): FileRead | FileRefusal
  /**
   * The version of a file or directory, for comparison with an earlier read. Links are followed, even to targets outside of the tree.
   * Undefined for a missing file, and for a path that is outside of the tree as text.
   */
  version(path: string): FileVersion | undefined
  /**
   * The entries of a directory that `keep` accepts (default: all). Only accepted entries are in memory. More than
   * `MAX_ENTRIES` of them are refused as `over-limit`.
   */
  list(path: string, keep?: EntryTest): DirectoryListing | FileRefusal
  /** As `list`, as a generator that pauses, so that the caller can run other work. */
  listing(path: string, keep?: EntryTest): Steps<DirectoryListing | FileRefusal>
}

type EntryTest = (entry: Entry) => boolean

export interface RootOptions {
  /** Allows `/`, `/etc`, `/proc` and other directories of the operating system. Default: false. */
  readonly allowSystem?: boolean | undefined
  /**
   * Opens the directory even for work that is confined to other directories (`runInBounds`). Only for paths that the
   * program chose, such as the root of a collection, never for a path that a user or a model wrote. Default: false.
   */
  readonly unbounded?: boolean
  /** The real path when the directory became a root; another real path now is `denied`. Default: no comparison. */
  readonly realPath?: string | undefined
}

/**
 * Opens a directory as a root.
 *
 * @throws ContextError `not-found`; `invalid-input` for something that is not a directory; `denied` for a directory of the operating system,
 * without permission, or outside the bounds of the work; `unavailable` for a failure of the system.
 */
export function openRoot(path: string, { allowSystem = false, unbounded = false, realPath }: RootOptions = {}) {
  if (!unbounded) assertInBounds(path)
  return rootAt(rootPath(path, allowSystem, realPath), systemOpener())
}

/** A requested path, with its place below the root. */
interface RequestedPlace extends Place {
  readonly ok: true
  readonly path: string
}

/** A root that opens its files with `open`. */
export function rootAt(paths: RootPaths, open: Opener): LocalRoot {
  return {
    ...paths,
    read(path, options = {}) {
      const place = locatePath(paths, path, 'file')
      if (!place.ok) return place
      const readOnce = () => withOpened(place, open, (opened) => readFrom(opened, place, options))
      const firstRead = readOnce()
      return firstRead.ok && firstRead.changed ? readOnce() : firstRead
    },
    version(path) {
      const place = locatePath(paths, path, 'file')
      return place.ok ? versionAt(absolutePath(place)) : undefined
    },
    list(path, keep) {
      return runSteps(this.listing(path, keep))
    },
    *listing(path, keep = () => true) {
      const place = locatePath(paths, path, 'directory')
      return place.ok ? yield* listDirectory(place, open, keep) : place
    },
  }
}

/** The place of a path below the root, computed from the text of the path, without access to the disk. */
function locatePath(root: RootPaths, requestedPath: string, kind: Place['kind']): RequestedPlace | FileRefusal {
  if (!isPossible(requestedPath)) return toRefusal('denied', 'The path has a character that no path can have.')
  const path = resolve(root.path, requestedPath)
  const name = pathBelowRoot(root.path, path) ?? pathBelowRoot(root.realPath, path)
  if (name === undefined) return toRefusal('denied', 'The path is outside the root.')
  return { ok: true, path, root: root.realPath, name, kind }
}

function withOpened<T>(place: Place, open: Opener, use: (opened: OpenDescriptor) => T): T | FileRefusal {
  const opened = open(place)
  if (!opened.ok) return opened
  try {
    return use(opened)
  } catch (error) {
    return refusalForError(error, place.name)
  } finally {
    closeSync(opened.fd)
  }
}

function* listDirectory(place: Place, open: Opener, keep: EntryTest): Steps<DirectoryListing | FileRefusal> {
  const opened = open(place)
  if (!opened.ok) return opened
  try {
    const entries = yield* readAccepted(opened, keep)
    if (!opened.isStillThere())
      return toRefusal('failed', `${shortenPath(place.name)} was replaced while it was listed.`)
    if (entries.length <= MAX_ENTRIES) return { ok: true, entries: entries.sort((a, b) => byCodeUnit(a.name, b.name)) }
    return toRefusal('over-limit', `${shortenPath(place.name)} has more than ${MAX_ENTRIES} entries.`)
  } catch (error) {
    return refusalForError(error, place.name)
  } finally {
    closeSync(opened.fd)
  }
}

/** The accepted entries, unordered; at most one more than `MAX_ENTRIES`. */
function* readAccepted({ through, stat }: OpenDescriptor, keep: EntryTest): Steps<Entry[]> {
  const entries: Entry[] = []
  let seen = 0
  for (const entry of entriesIn(through, Number(stat.size))) {
    if (++seen % ENTRIES_PER_STEP === 0) yield
    if (keep(entry) && entries.push(entry) > MAX_ENTRIES) break
  }
  return entries
}

function readFrom(
  { fd, realPath, stat }: OpenDescriptor,
  { path, name }: RequestedPlace,
  options: ReadOptions,
): FileRead | FileRefusal {
  const { maxBytes = BOUNDS.file, cut = false, into } = options
  const version = versionOf(stat)
  if (version.size > maxBytes && !cut) {
    return toRefusal('over-limit', `${shortenPath(name)} has ${version.size} bytes; at most ${maxBytes} are read.`)
  }
  const length = Math.min(version.size, maxBytes)
  const bytes = readFirst(fd, length, into)
  const isQuiet = isSettled(version, Date.now())
  const isSame = sameVersion(version, versionOf(fstatSync(fd, { bigint: true })))
  const changed = !isSame || !(isQuiet || readFirst(fd, length).equals(bytes))
  return { ok: true, path, realPath, bytes, version, changed, settled: isQuiet && !changed }
}

/** The first bytes of a file, fewer if it became shorter. */
function readFirst(fd: number, length: number, into?: Buffer): Buffer {
  const bytes = into && into.length >= length ? into : Buffer.allocUnsafeSlow(length)
  let filled = 0
  while (filled < length) {
    const bytesRead = readSync(fd, bytes, filled, length - filled, filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return bytes.subarray(0, filled)
}
