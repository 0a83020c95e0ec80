import {
  type BigIntStats,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { asContextError, ContextError, tryToRead } from '../core/errors.ts'
import { ancestors } from '../text/paths.ts'
import { systemCodeOf } from './confine.ts'

/**
 * Size, times, inode and device of one state of a file. Equal versions prove equal content if settled (`isSettled`).
 */
export interface FileVersion {
  /** Number of bytes. */
  readonly size: number
  /** Nanoseconds since 1970. */
  readonly mtimeNs: bigint
  /** Nanoseconds since 1970. No program can set it, so it shows an edit that restores the mtime. */
  readonly ctimeNs: bigint
  readonly ino: bigint
  readonly dev: bigint
}

export function sameVersion(a: FileVersion | undefined, b: FileVersion | undefined): boolean {
  if (!a || !b) return a === b
  return a.ctimeNs === b.ctimeNs && a.mtimeNs === b.mtimeNs && a.size === b.size && a.ino === b.ino && a.dev === b.dev
}

/** Identity of a file, equal for all its names: `device:inode`. */
export function identityOf(version: FileVersion): string {
  return `${version.dev}:${version.ino}`
}

export function versionOf({ size, mtimeNs, ctimeNs, ino, dev }: BigIntStats): FileVersion {
  return { size: Number(size), mtimeNs, ctimeNs, ino, dev }
}

/** The version of a path's target; undefined for a missing or forbidden target. */
export function versionAt(path: string): FileVersion | undefined {
  const stat = tryToRead(() => statSync(path, { bigint: true, throwIfNoEntry: false }))
  return stat && versionOf(stat)
}

/**
 * Whether the file was at rest at `nowMs`: no write was still running, and every later write gives another version. A ctime far in
 * the future counts as settled, too: it means that the clock was set back, and a new write would get another time.
 */
export function isSettled({ ctimeNs }: FileVersion, nowMs: number): boolean {
  // A write sets the times before its bytes arrive, by a clock that ticks every 1 to 10 ms (Linux before 6.13); 100 ms leaves time
  // for a slow writer. Some file systems store only whole seconds, or only even seconds.
  const settlingMs = ctimeNs % 1_000_000_000n === 0n ? 2000 : 100
  return Math.abs(nowMs - Number(ctimeNs / 1_000_000n)) > settlingMs
}

/** The stat of a path's target; undefined for a missing target and for any failure. */
export function statOf(path: string): Stats | undefined {
  return tryToRead(() => statSync(path, { throwIfNoEntry: false }))
}

export function isDirectory(path: string): boolean {
  return statOf(path)?.isDirectory() ?? false
}

/**
 * The real path of a path that need not exist: follows the links in its existing part, and appends the missing part.
 */
export function realOf(path: string): string {
  // No system opens a longer path.
  if (path.length > 4096) return path
  const parent = dirname(path)
  return tryToRead(() => realpathSync.native(path)) ?? (parent === path ? path : join(realOf(parent), basename(path)))
}

/** SHA-256, in hex digits, of the names and contents of files. The order of the files matters. */
export function digestFiles(files: readonly { readonly name: string; readonly content: string }[]): string {
  // Loading takes 5 ms, and most commands need no digest.
  const { createHash } = process.getBuiltinModule('node:crypto')
  const hash = createHash('sha256')
  for (const { name, content } of files) hash.update(`${name.length} ${name} ${content.length} `).update(content)
  return hash.digest('hex')
}

/**
 * Whether a file above a directory belongs to another user than the user of this process, root, or the owner of the directory. Such a
 * file is ignored, so that another user cannot plant a project root or a context directory in /tmp. False on systems without owners.
 */
export function isForeign(stat: Stats, directory: string): boolean {
  const user = process.getuid?.()
  return user !== undefined && ![user, 0, statOf(directory)?.uid].includes(stat.uid)
}

/**
 * Creates a directory and its missing parents, which only their owner may read. Creates one directory at a time,
 * because Node's recursive mkdir would retry forever in /proc, where mkdir reports a missing parent.
 */
export function makePrivateDirectories(path: string): void {
  for (const directory of ancestors(resolve(path), '/').toReversed()) {
    try {
      mkdirSync(directory, { mode: 0o700 })
    } catch (error) {
      if (!isDirectory(directory)) throw error
    }
  }
}

/** The real path of a new temporary directory. @throws ContextError `unavailable` if no directory can be created. */
export function makeTemporaryDirectory(name: string): string {
  try {
    return realpathSync.native(mkdtempSync(join(tmpdir(), `ambit-${name}-`)))
  } catch (cause) {
    const hint = 'Set TMPDIR to a directory that exists and can be written.'
    throw (
      asContextError(cause) ??
      new ContextError('unavailable', `No temporary directory can be made in ${tmpdir()}.`, { hint, cause })
    )
  }
}

/** Removes a directory with its content. A missing directory is not an error. */
export function removeDirectory(path: string): void {
  rmSync(path, { recursive: true, force: true })
}

/** Bytes of free space below which a disk counts as full: room for two pages of a database, and for its log. */
const ROOM_BYTES = 64 * 1024

/** Tests whether the disk of a directory has room, by a file that it writes and removes. Throws the system's error. */
export function proveRoom(directory: string): void {
  const file = join(directory, `.ambit-room-${process.pid}-${performance.now()}`)
  try {
    writeFileSync(file, Buffer.alloc(ROOM_BYTES), { flag: 'wx', mode: 0o600 })
  } finally {
    rmSync(file, { force: true })
  }
}

interface CachedNames {
  readonly version: FileVersion | undefined
  readonly settled: boolean
  readonly names: readonly string[]
}

/** Caches the names in directories. Lists each version of a directory once. */
export class DirectoryCache {
  readonly #list: (directory: string) => readonly string[]
  readonly #cached = new Map<string, CachedNames>()

  /** `list` lists an existing directory. */
  constructor(list: (directory: string) => readonly string[]) {
    this.#list = list
  }

  get paths(): IterableIterator<string> {
    return this.#cached.keys()
  }

  get(directory: string): readonly string[] {
    return (this.#cached.get(directory) ?? this.#readNames(directory)).names
  }

  /** Lists a directory again unless its version is unchanged. Returns whether its names have changed. */
  refresh(directory: string): boolean {
    const cached = this.#cached.get(directory)
    const current = versionAt(directory)
    if (cached?.settled && sameVersion(cached.version, current)) return false
    return this.#readNames(directory).names.join('\0') !== cached?.names.join('\0')
  }

  #readNames(directory: string): CachedNames {
    const version = versionAt(directory)
    const settled = version === undefined || isSettled(version, Date.now())
    const listing = { version, settled, names: this.#list(directory) }
    this.#cached.set(directory, listing)
    return listing
  }
}

/**
 * Those of `names` that exist in a directory, as any kind of entry. For a directory without permission, returns the
 * first name, so that the caller tries to read that file and reports the refusal.
 */
export function namesPresent(directory: string, names: readonly string[]): readonly string[] {
  try {
    const present = names.filter((name) => lstatSync(join(directory, name), { throwIfNoEntry: false }) !== undefined)
    return present.length > 0 ? present : NO_NAMES
  } catch (error) {
    return systemCodeOf(error) === 'EACCES' ? names.slice(0, 1) : NO_NAMES
  }
}

const NO_NAMES: readonly string[] = []
