/**
 * Opening a file or directory so that no trick with links leads out of the root, however they change meanwhile:
 * it is opened first, and the verdict is about the descriptor, never about a path.
 */

import {
  type BigIntStats,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  type StatsBase,
  statSync,
} from 'node:fs'
import { sep } from 'node:path'
import type { Why } from '../core/flow.ts'
import { shortenPath } from '../text/paths.ts'

/** A file to open: a path inside the root, as a string. */
export interface Place {
  /** The real path of the root. */
  readonly root: string
  /** The path below the root; `''` for the root itself. */
  readonly name: string
  readonly kind: 'file' | 'directory'
}

/** An open descriptor that is of the kind asked for, and inside the root. The caller closes it. */
export interface Opened {
  readonly ok: true
  readonly fd: number
  readonly realPath: string
  readonly stat: BigIntStats
  /** The path by which a directory is listed. */
  readonly through: string
  /** Whether `through` led to this very directory until now. */
  still(): boolean
}

export type Opener = (place: Place) => Opened | Refused

/** Neither waits for the writer of a named pipe nor adopts a terminal. Windows has neither flag. */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0)

/** Fails when the last component is a link; on macOS (O_NOFOLLOW_ANY, which Node has no name for) when any is. */
const NO_LINK = process.platform === 'darwin' ? 0x2000_0000 : (constants.O_NOFOLLOW ?? 0)

const DESCRIPTORS = '/proc/self/fd'

/** Suffix that Linux appends to the path of a descriptor whose name is gone. */
const DELETED = ' (deleted)'

/** How often a file that is replaced while it is opened is tried. */
const TRIES = 3

/** The surest way that this system has. */
export function openerHere(): Opener {
  return process.platform === 'linux' && existsSync(DESCRIPTORS) ? openByDescriptor : openByRealPath
}

/** A path below a root, by segment: `''`, `a/b`; undefined when it is outside. Both are absolute and normalised. */
export function below(root: string, path: string): string | undefined {
  if (path === root) return ''
  const prefix = withSeparator(root)
  return path.startsWith(prefix) ? path.slice(prefix.length) : undefined
}

export function absolutePath({ root, name }: Pick<Place, 'root' | 'name'>): string {
  return name === '' ? root : withSeparator(root) + name
}

function withSeparator(root: string): string {
  return root.endsWith(sep) ? root : root + sep
}

/** Linux: the kernel knows the real path of an open descriptor, so nothing can change between verdict and read. */
export const openByDescriptor: Opener = (place) =>
  attempt(place, (path) =>
    judgeOpened(openSync(path, READ), place, (fd, stat) => ({
      ok: true,
      fd,
      realPath: descriptorPath(fd, stat),
      stat,
      through: `${DESCRIPTORS}/${fd}`,
      still: () => true,
    })),
  )

/**
 * On other systems, the real path is opened without following links, and must then still lead to what was opened. On macOS
 * no component is followed, which settles it; on other systems a directory that is exchanged for a link and back
 * several times, just between these calls, is not seen.
 */
export const openByRealPath: Opener = (place) => {
  for (let left = TRIES; left > 0; left--) {
    const opened = attempt(place, (path) => openReal(realpathSync.native(path), place))
    if (!opened.ok || opened.still()) return opened
    closeSync(opened.fd)
  }
  return toRefused('failed', `${shortenPath(place.name)} was replaced each time it was opened.`)
}

function openReal(realPath: string, place: Place): Opened | Refused {
  if (below(place.root, realPath) === undefined) return leadsOutside(place)
  return judgeOpened(openSync(realPath, READ | NO_LINK), place, (fd, stat) => ({
    ok: true,
    fd,
    realPath,
    stat,
    through: realPath,
    still: () => isStillAt(realPath, stat) && isStillAt(realPath, stat), // twice: once was deceived 1 in 50,000 times
  }))
}

/** Refuses what is absent or of another kind without opening it, since opening a device may act on it. */
function attempt(place: Place, open: (path: string) => Opened | Refused): Opened | Refused {
  const path = absolutePath(place)
  try {
    const stat = statSync(path, { throwIfNoEntry: false })
    if (!stat) return missingPlace(place, path)
    if (isKind(stat, place.kind)) return open(path)
    return below(place.root, realpathSync.native(path)) === undefined ? leadsOutside(place) : otherKind(place, stat)
  } catch (error) {
    return refusedBy(error, place.name)
  }
}

/** The verdict about a descriptor, which is closed when it is refused. */
function judgeOpened(fd: number, place: Place, describe: (fd: number, stat: BigIntStats) => Opened): Opened | Refused {
  let verdict: Opened | Refused | undefined
  try {
    const opened = describe(fd, fstatSync(fd, { bigint: true }))
    if (below(place.root, opened.realPath) === undefined) verdict = leadsOutside(place)
    else verdict = isKind(opened.stat, place.kind) ? opened : otherKind(place, opened.stat)
    return verdict
  } finally {
    if (!verdict?.ok) closeSync(fd)
  }
}

function descriptorPath(fd: number, stat: BigIntStats): string {
  const path = readlinkSync(`${DESCRIPTORS}/${fd}`)
  return path.endsWith(DELETED) && !isAt(path, stat) ? path.slice(0, -DELETED.length) : path
}

function isStillAt(realPath: string, stat: BigIntStats): boolean {
  try {
    return isAt(realPath, stat) && realpathSync.native(realPath) === realPath
  } catch {
    return false
  }
}

function isAt(path: string, { dev, ino }: BigIntStats): boolean {
  const there = statSync(path, { bigint: true, throwIfNoEntry: false })
  return there?.ino === ino && there.dev === dev
}

type AnyStats = StatsBase<number> | StatsBase<bigint>

function isKind(stat: AnyStats, kind: Place['kind']): boolean {
  return kind === 'file' ? stat.isFile() : stat.isDirectory()
}

function leadsOutside({ name }: Place): Refused {
  return toRefused('denied', `${shortenPath(name)} leads outside the root.`)
}

function missingPlace({ name }: Place, path: string): Refused {
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()
  return toRefused('missing', `${shortenPath(name)} ${isLink ? 'is a link to nothing.' : 'does not exist.'}`)
}

function otherKind({ name, kind }: Place, stat: AnyStats): Refused {
  return toRefused('unreadable', `${shortenPath(name)} is ${describeKind(stat)}, not a ${kind}.`)
}

function describeKind(stat: AnyStats): string {
  if (stat.isDirectory()) return 'a directory'
  if (stat.isFile()) return 'a file'
  if (stat.isFIFO()) return 'a named pipe'
  return stat.isSocket() ? 'a socket' : 'a device'
}

/** Why a path was not opened: a word to act on, and one sentence that names no place outside the root. */
export interface Refused {
  readonly ok: false
  readonly why: Why
  readonly detail: string
}

export function toRefused(why: Why, detail: string): Refused {
  return { ok: false, why, detail }
}

/** The refusal that stands for a failed system call. Rethrows what is not one: that is a bug. */
export function refusedBy(error: unknown, name: string): Refused {
  const code = systemCodeOf(error)
  const file = shortenPath(name)
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return toRefused('missing', `${file} does not exist.`)
    case 'EACCES':
    case 'EPERM':
      return toRefused('unreadable', `${file} may not be read: permission denied.`)
    case 'ELOOP':
      return toRefused('unreadable', `${file} is a symlink loop, or a chain of too many symlinks.`)
    case 'ENAMETOOLONG':
      return toRefused('unreadable', `${file} has a name or path that is too long for the file system.`)
    case 'ENXIO':
      return toRefused('unreadable', `${file} is a socket or a device.`)
    case 'EMFILE':
    case 'ENFILE':
      return toRefused('failed', `${file} could not be opened: too many open files (${code}).`)
    default:
      return toRefused('failed', `${file} could not be read (${code}).`)
  }
}

/** The code of a failed system call, such as `ENOENT`. Rethrows any other error. */
export function systemCodeOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && 'syscall' in error && typeof error.code === 'string') {
    return error.code
  }
  throw error
}
