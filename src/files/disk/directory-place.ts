import { fstatSync } from 'node:fs'
import { sep } from 'node:path'
import { ContextError } from '../../core/errors.ts'
import type { Opened, Opener, Place } from '../confine.ts'
import { type FileVersion, isSettled, versionOf } from '../file-version.ts'
import type { ObjectInfo } from '../objects.ts'
import { isKey, objectLabel, objectNotFound } from '../objects.ts'
import type { Refused } from '../refusals.ts'

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
  /** The directories from which was taken what interrupted writers had left: `device:inode`. */
  readonly swept: Set<string>
}

/** Bytes of the longest name that file systems have. */
const MAX_NAME = 255

/** What files are called while they are written, and what keeps others from writing the same. They are no objects. */
const OWN = /^\.ambit-put-(?:[0-9a-f]{8}-\d+-)?[0-9a-f]{16}(\.lock)?$/

export function isTemporaryName(name: string): boolean {
  return name.startsWith('.ambit-put-') && OWN.test(name)
}

/** Where the file of a key is; undefined for a key that no file can have. */
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
