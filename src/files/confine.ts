/**
 * Opens a file or directory so that no link leads out of the root, even if links change meanwhile. Opens first, then checks the
 * descriptor instead of the path.
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
import { tryToRead } from '../core/errors.ts'
import type { Why } from '../core/flow.ts'
import { shortenPath } from '../text/paths.ts'

/** A file or directory to open, by its path below a root. */
export interface Place {
  /** The real path of the root. */
  readonly root: string
  /** The path below the root; `''` for the root itself. */
  readonly name: string
  readonly kind: 'file' | 'directory'
}

/** An open descriptor of the requested kind inside the root. The caller closes it. */
export interface OpenDescriptor {
  readonly ok: true
  readonly fd: number
  readonly realPath: string
  readonly stat: BigIntStats
  /** The path by which the entries of an open directory are listed and opened. */
  readonly through: string
  /** Whether `through` still leads to this directory. */
  isStillThere(): boolean
}

export type Opener = (place: Place) => OpenDescriptor | FileRefusal

/** O_NONBLOCK: a named pipe without a writer does not block. O_NOCTTY: a terminal does not become the controlling terminal of this process. */
const READ_FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY

/**
 * Makes the opening fail if the last component of the path is a link. On macOS, this number is O_NOFOLLOW_ANY, which
 * Node does not name: the opening fails if any component is a link.
 */
const NO_LINK_FLAG = process.platform === 'darwin' ? 0x2000_0000 : constants.O_NOFOLLOW

const DESCRIPTOR_DIRECTORY = '/proc/self/fd'

/** Linux appends this suffix to the path of a descriptor whose name is gone. */
const DELETED_SUFFIX = ' (deleted)'

/** Maximum attempts to open a file that is replaced during the opening. */
const MAX_TRIES = 3

/** The opener for this system: by descriptor where /proc shows the path of a descriptor, else by real path. */
export function systemOpener(): Opener {
  return process.platform === 'linux' && existsSync(DESCRIPTOR_DIRECTORY) ? openByDescriptor : openByRealPath
}

/** A path relative to a root, such as `a/b`; `''` for the root, undefined outside. `root` and `path`: absolute and normalised. */
export function pathBelowRoot(root: string, path: string): string | undefined {
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

/**
 * The opener on Linux: the kernel knows the real path of a descriptor, so links that change after the opening are
 * harmless.
 */
export const openByDescriptor: Opener = (place) =>
  openPlace(place, (path) =>
    checkDescriptor(openSync(path, READ_FLAGS), place, (fd, stat) => ({
      realPath: descriptorPath(fd, stat),
      through: `${DESCRIPTOR_DIRECTORY}/${fd}`,
      isStillThere: () => true,
    })),
  )

/**
 * The opener on other systems: opens the real path without following links, and checks that the path still leads to the
 * opened file. On macOS, the result is certain, because no component of the path may be a link. On systems but
 * Linux and macOS, the check fails to notice somebody who swaps a directory for a link and back between the calls.
 */
export const openByRealPath: Opener = (place) => {
  for (let triesLeft = MAX_TRIES; triesLeft > 0; triesLeft--) {
    const opened = openPlace(place, (path) => openReal(realpathSync.native(path), place))
    if (!opened.ok || opened.isStillThere()) return opened
    closeSync(opened.fd)
  }
  return toRefusal('failed', `${shortenPath(place.name)} was replaced each time it was opened.`)
}

function openReal(realPath: string, place: Place): OpenDescriptor | FileRefusal {
  if (pathBelowRoot(place.root, realPath) === undefined) return refuseOutside(place)
  return checkDescriptor(openSync(realPath, READ_FLAGS | NO_LINK_FLAG), place, (_, stat) => ({
    realPath,
    through: realPath,
    // Checks twice, because replaced links deceived one check in 50,000.
    isStillThere: () => isStillAt(realPath, stat) && isStillAt(realPath, stat),
  }))
}

/** Refuses an entry that is missing or of another kind before it is opened, because the opening of a device may have effects. */
function openPlace(place: Place, open: (path: string) => OpenDescriptor | FileRefusal): OpenDescriptor | FileRefusal {
  const path = absolutePath(place)
  try {
    const stat = statSync(path, { throwIfNoEntry: false })
    if (!stat) return refuseMissing(place, path)
    if (isKind(stat, place.kind)) return open(path)
    const isOutside = pathBelowRoot(place.root, realpathSync.native(path)) === undefined
    return isOutside ? refuseOutside(place) : refuseKind(place, stat)
  } catch (error) {
    return refusalForError(error, place.name)
  }
}

type DescriptorFacts = Omit<OpenDescriptor, 'ok' | 'fd' | 'stat'>

/** Checks that a descriptor is inside the root and of the right kind. Closes a refused descriptor. */
function checkDescriptor(fd: number, place: Place, describe: (fd: number, stat: BigIntStats) => DescriptorFacts) {
  let result: OpenDescriptor | FileRefusal | undefined
  try {
    const stat = fstatSync(fd, { bigint: true })
    const opened = { ok: true, fd, stat, ...describe(fd, stat) } as const
    if (pathBelowRoot(place.root, opened.realPath) === undefined) result = refuseOutside(place)
    else result = isKind(opened.stat, place.kind) ? opened : refuseKind(place, opened.stat)
    return result
  } finally {
    if (!result?.ok) closeSync(fd)
  }
}

function descriptorPath(fd: number, stat: BigIntStats): string {
  const path = readlinkSync(`${DESCRIPTOR_DIRECTORY}/${fd}`)
  return path.endsWith(DELETED_SUFFIX) && !isAt(path, stat) ? path.slice(0, -DELETED_SUFFIX.length) : path
}

function isStillAt(realPath: string, stat: BigIntStats): boolean {
  return tryToRead(() => isAt(realPath, stat) && realpathSync.native(realPath) === realPath) === true
}

function isAt(path: string, { dev, ino }: BigIntStats): boolean {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stat?.ino === ino && stat.dev === dev
}

type AnyStats = StatsBase<number> | StatsBase<bigint>

function isKind(stat: AnyStats, kind: Place['kind']): boolean {
  return kind === 'file' ? stat.isFile() : stat.isDirectory()
}

function refuseOutside({ name }: Place): FileRefusal {
  return toRefusal('denied', `${shortenPath(name)} leads outside the root.`)
}

function refuseMissing({ name }: Place, path: string): FileRefusal {
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()
  return toRefusal('missing', `${shortenPath(name)} ${isLink ? 'is a link to nothing.' : 'does not exist.'}`)
}

function refuseKind({ name, kind }: Place, stat: AnyStats): FileRefusal {
  const detail = `${shortenPath(name)} is ${describeKind(stat)}, not a ${kind}.`
  return { ...toRefusal('unreadable', detail), isOtherKind: true }
}

function describeKind(stat: AnyStats): string {
  if (stat.isDirectory()) return 'a directory'
  if (stat.isFile()) return 'a file'
  if (stat.isFIFO()) return 'a named pipe'
  return stat.isSocket() ? 'a socket' : 'a device'
}

/** The reason for a refusal: a code, and a sentence that names no place outside the root. */
export interface FileRefusal {
  readonly ok: false
  readonly why: Why
  readonly detail: string
  /** The entry has another kind than requested. */
  readonly isOtherKind?: true
}

export function toRefusal(why: Why, detail: string): FileRefusal {
  return { ok: false, why, detail }
}

/** The reason and a sentence, by the code of a failed system call. */
const FAILURES: Readonly<Record<string, readonly [why: Why, problem: string]>> = {
  ENOENT: ['missing', 'does not exist.'],
  ENOTDIR: ['missing', 'does not exist.'],
  EACCES: ['unreadable', 'may not be read: permission denied.'],
  EPERM: ['unreadable', 'may not be read: permission denied.'],
  ELOOP: ['unreadable', 'is a symlink loop, or a chain of too many symlinks.'],
  ENAMETOOLONG: ['unreadable', 'has a name or path that is too long for the file system.'],
  ENXIO: ['unreadable', 'is a socket or a device.'],
  EMFILE: ['failed', 'could not be opened: too many open files (EMFILE).'],
  ENFILE: ['failed', 'could not be opened: too many open files (ENFILE).'],
}

/** The refusal for a failed system call. Rethrows any other error: that is a bug. */
export function refusalForError(error: unknown, name: string): FileRefusal {
  const code = systemCodeOf(error)
  const [why, problem] = FAILURES[code] ?? ['failed', `could not be read (${code}).`]
  return toRefusal(why, `${shortenPath(name)} ${problem}`)
}

/** The code of a failed system call, such as `ENOENT`. Rethrows any other error. */
export function systemCodeOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && 'syscall' in error && typeof error.code === 'string') {
    return error.code
  }
  throw error
}
