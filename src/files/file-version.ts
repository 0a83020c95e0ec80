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
import { asContextError, ContextError } from '../core/errors.ts'
import { ancestors } from '../text/paths.ts'
import { systemCodeOf } from './confine.ts'

/** Size, times, inode and device of one state of a file: equal versions mean unchanged content. */
export interface FileVersion {
  /** Bytes. */
  readonly size: number
  /** Nanoseconds since 1970. */
  readonly mtimeNs: bigint
  /** Nanoseconds since 1970. No program can set it, so an edit that restores the mtime is still seen. */
  readonly ctimeNs: bigint
  readonly ino: bigint
  readonly dev: bigint
}

export function sameVersion(a: FileVersion, b: FileVersion): boolean {
  return a.ctimeNs === b.ctimeNs && a.mtimeNs === b.mtimeNs && a.size === b.size && a.ino === b.ino && a.dev === b.dev
}

/** Identity of a file under all its names: `device:inode`. */
export function identityOf(version: FileVersion): string {
  return `${version.dev}:${version.ino}`
}

export function versionOf({ size, mtimeNs, ctimeNs, ino, dev }: BigIntStats): FileVersion {
  return { size: Number(size), mtimeNs, ctimeNs, ino, dev }
}

/** The version of what a path leads to; undefined when it leads nowhere, or may not be followed. */
export function versionAt(path: string): FileVersion | undefined {
  try {
    const stat = statSync(path, { bigint: true, throwIfNoEntry: false })
    return stat && versionOf(stat)
  } catch {
    return undefined
  }
}

/**
 * Whether the file was at rest: no write before `nowMs` can still be under way, and a later one gives another version.
 * A ctime in the future (the clock was set back) is as good as one long past.
 */
export function isSettled(version: FileVersion, nowMs: number): boolean {
  return Math.abs(nowMs - Number(version.ctimeNs / 1_000_000n)) > restOf(version)
}

/**
 * Milliseconds. A write stamps the file before its bytes arrive, by a clock that ticks every 1 to 10 ms (Linux before
 * 6.13); 100 ms leaves time for a writer that is slowed down. Where times are whole seconds, they may be two apart.
 */
function restOf({ ctimeNs }: FileVersion): number {
  return ctimeNs % 1_000_000_000n === 0n ? 2000 : 100
}

/** The stat of a path, links followed; undefined for whatever cannot be had, whyever. */
export function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

export function isDirectory(path: string): boolean {
  return statOf(path)?.isDirectory() ?? false
}

/** The path with the links of what exists of it followed; the rest, which need not exist, as it is. */
export function realOf(path: string): string {
  // No system opens a longer one.
  if (path.length > 4096) return path
  try {
    return realpathSync.native(path)
  } catch {
    const parent = dirname(path)
    return parent === path ? path : join(realOf(parent), basename(path))
  }
}

/** SHA-256, hex, over names and contents in the order given. */
export function digestFiles(files: readonly { readonly name: string; readonly content: string }[]): string {
  // Loaded here: it takes 5 ms, and most commands need no digest.
  const { createHash } = process.getBuiltinModule('node:crypto')
  const hash = createHash('sha256')
  for (const { name, content } of files) hash.update(`${name.length} ${name} ${content.length} `).update(content)
  return hash.digest('hex')
}

/**
 * Whether a stranger put something above a directory: it belongs neither to the user of this process, nor to
 * root, nor to the owner of the directory. So nobody can plant a project root or a context directory in /tmp. Systems
 * without owners know no strangers.
 */
export function isForeign(found: Stats, directory: string): boolean {
  const user = process.getuid?.()
  return user !== undefined && ![user, 0, statOf(directory)?.uid].includes(found.uid)
}

/**
 * Makes a directory and those above it, for the user alone. One after the other: where the system says of a new directory that it is
 * not found, as in /proc, Node tries for ever to make all of them at once.
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

/** A new directory for temporary files, without links. @throws ContextError `unavailable` when none can be made. */
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

/** Bytes that a disk has to take to count as not full: two pages of a database and its log. */
const ROOM = 64 * 1024

/** Writes a file into a directory and removes it. Throws the error of the system where there is no room. */
export function proveRoom(directory: string): void {
  const file = join(directory, `.ambit-room-${process.pid}-${performance.now()}`)
  try {
    writeFileSync(file, Buffer.alloc(ROOM), { flag: 'wx', mode: 0o600 })
  } finally {
    rmSync(file, { force: true })
  }
}

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
