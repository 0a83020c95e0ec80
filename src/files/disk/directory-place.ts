import { createHash } from 'node:crypto'
import { closeSync, fstatSync, lstatSync, readFileSync, readlinkSync, unlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { join, sep } from 'node:path'
import { ContextError } from '../../core/errors.ts'
import { type Opened, type Opener, type Place, type Refused, systemCodeOf } from '../confine.ts'
import { type FileVersion, isSettled, versionOf } from '../file-version.ts'
import { isKey, type ObjectInfo, objectLabel, objectNotFound } from '../objects.ts'
import { entriesIn } from './entries.ts'

/** A directory whose files are objects. */
export interface Directory {
  readonly uri: string
  /** Its real path. */
  readonly root: string
  readonly open: Opener
  /** Its owner alone may read what is written, and what is written outlasts a machine that stops at once. */
  readonly isPrivate: boolean
  /** Files may be written that start programs by their names. Default: they are refused. */
  readonly startsPrograms?: boolean
}

/** Bytes of the longest name that file systems have. */
const MAX_NAME = 255

/** Names of files that are being written, and of their locks. They are no objects. */
const OWN = /^\.ambit-put-(?:[0-9a-f]{8}-\d+-)?[0-9a-f]{16}(\.lock)?$/

export function isTemporaryName(name: string): boolean {
  return name.startsWith('.ambit-put-') && OWN.test(name)
}

/** The file of a key; undefined for a key that no file can have. */
export function filePlace({ root }: Directory, key: string): Place | undefined {
  const name = fileName(key)
  return name === undefined || isTemporaryName(key.slice(key.lastIndexOf('/') + 1))
    ? undefined
    : { root, name, kind: 'file' }
}

/** The directory that holds what begins with `a/b/`; undefined where there can be none. */
export function directoryPlace({ root }: Directory, prefix: string): Place | undefined {
  const name = prefix === '' ? '' : fileName(prefix.slice(0, -1))
  return name === undefined ? undefined : { root, name, kind: 'directory' }
}

function fileName(key: string): string | undefined {
  return isKey(key) && key.split('/').every(isName) ? key.replaceAll('/', sep) : undefined
}

function isName(segment: string): boolean {
  if (segment === '' || segment === '.' || segment === '..' || segment.includes('\0')) return false
  if (sep === '\\' && /[\\:]/.test(segment)) return false
  return segment.length <= MAX_NAME && Buffer.byteLength(segment) <= MAX_NAME
}

/** Opens the file of a key. The caller closes it. @throws ContextError `not-found`, `denied`, `unavailable`. */
export function openFile(directory: Directory, key: string): Opened {
  const place = filePlace(directory, key)
  if (!place) throw objectNotFound(objectLabel(directory.uri, key), 'does not exist: no file can have this key.')
  const opened = directory.open(place)
  if (opened.ok) return opened
  throw refusalError(directory, key, opened)
}

/** Why a file or directory was refused, in the words of objects. */
export function refusalError({ uri }: Directory, key: string, refused: Refused): ContextError {
  const place = objectLabel(uri, key)
  const { why, detail } = refused
  if (why === 'missing' || isOtherKind(refused)) return objectNotFound(place)
  if (why === 'failed') return new ContextError('unavailable', `${place} could not be opened: ${detail}`)
  return new ContextError('denied', `${place} may not be opened: ${detail}`)
}

/** Whether a directory was asked for where there is a file, a pipe and so on; or a file where there is a directory. */
export function isOtherKind({ why, detail }: Refused): boolean {
  return why === 'unreadable' && /, not a (file|directory)\.$/.test(detail)
}

export function fileInfo(key: string, version: FileVersion): ObjectInfo {
  const modifiedAt = new Date(Number(version.mtimeNs / 1_000_000n)).toISOString()
  return { key, size: version.size, etag: etagOf(version), modifiedAt }
}

/** The state of a file that is open. */
export function versionIn(fd: number): FileVersion {
  return versionOf(fstatSync(fd, { bigint: true }))
}

/**
 * Size, times and inode. Marked, and never held for current, while a file was just written in the usual way: then another
 * write may leave all of them as they are. What we write ourselves has a time of its own, finer than that of the system.
 */
function etagOf(version: FileVersion): string {
  const { size, mtimeNs, ctimeNs, ino } = version
  const parts = [BigInt(size), mtimeNs, ctimeNs, ino].map((part) => part.toString(36)).join('-')
  return mtimeNs !== ctimeNs || isSettled(version, Date.now()) ? parts : parts + WARM
}

const WARM = '~'

/** Whether two etags are of one state, as far as is known: the mark of the first moments goes by itself. */
export function isSameState(etag: string, known: string): boolean {
  return stripWarmMark(etag) === stripWarmMark(known)
}

function stripWarmMark(etag: string): string {
  return etag.endsWith(WARM) ? etag.slice(0, -WARM.length) : etag
}

/** Whether an object is for certain what it was. */
export function isCurrent(etag: string, known: string): boolean {
  return etag === known && !etag.endsWith(WARM)
}

let machine: string | undefined

/** `MACHINE-PID`: 8 hex digits for the machine, or the container, and the number of this process on it. */
export function processId(): string {
  machine ??= createHash('sha256').update(`${hostname()} ${namespace()}`).digest('hex').slice(0, 8)
  return `${machine}-${process.pid}`
}

/** Containers number their processes on their own. */
function namespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return ''
  }
}

/** Whether it is known that a process runs no more: false for one of another machine. */
function hasEnded(id: string): boolean {
  const [where, pid] = id.split('-')
  if (pid === undefined || where !== processId().split('-')[0]) return false
  try {
    process.kill(Number(pid), 0)
    return false
  } catch (error) {
    return systemCodeOf(error) === 'ESRCH'
  }
}

/** Milliseconds after which any temporary file is removed. */
const ORPHANED = 3_600_000

/**
 * Takes away what was left behind in the directories that hold these keys, and in all below one that ends with a slash: by a
 * process that has ended, or long ago. What cannot be removed stays.
 */
export function sweepParents(directory: Directory, keys: readonly string[]): void {
  const whole = keys.filter((key) => key.endsWith('/'))
  const bases = new Set(keys.map((key) => key.slice(0, key.lastIndexOf('/') + 1)))
  // A set hands out what is added meanwhile, too.
  for (const base of bases) {
    const place = directoryPlace(directory, base)
    const opened = place && directory.open(place)
    if (!opened?.ok) continue
    const isWhole = whole.some((key) => base.startsWith(key))
    try {
      for (const { kind, name } of entriesIn(opened.through, Number(opened.stat.size))) {
        if (isTemporaryName(name)) removeOrphan(join(opened.through, name), name)
        else if (isWhole && kind === 'directory') bases.add(`${base}${name}/`)
      }
    } catch (error) {
      systemCodeOf(error)
    } finally {
      closeSync(opened.fd)
    }
  }
}

function removeOrphan(path: string, name: string): void {
  if (isOlder(path, ORPHANED) || hasEnded(writerOf(path, name))) unlinkIfThere(path)
}

/** The `processId` of who wrote a temporary file; `''` where it is not known. */
function writerOf(path: string, name: string): string {
  if (!name.endsWith('.lock')) return /-([0-9a-f]{8}-\d+)-/.exec(name)?.[1] ?? ''
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

export function isOlder(path: string, ms: number): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  return stat !== undefined && Math.abs(Date.now() - stat.mtimeMs) > ms
}

export function unlinkIfThere(path: string): void {
  try {
    unlinkSync(path)
  } catch (error) {
    if (systemCodeOf(error) !== 'ENOENT') throw error
  }
}
