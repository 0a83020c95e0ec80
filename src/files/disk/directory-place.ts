import { createHash } from 'node:crypto'
import { closeSync, fstatSync, lstatSync, readFileSync, readlinkSync, unlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { ContextError, tryToRead } from '../../core/errors.ts'
import { type FileRefusal, type OpenDescriptor, type Opener, type Place, systemCodeOf } from '../confine.ts'
import { type FileVersion, isSettled, versionOf } from '../file-version.ts'
import { isKey, type ObjectInfo, objectLabel, objectNotFound } from '../objects.ts'
import { entriesIn } from './entries.ts'

/** A directory whose files are objects. */
export interface Directory {
  readonly uri: string
  /** The real path of the directory. */
  readonly root: string
  readonly open: Opener
  /** Writes files that only their owner may read, and that survive a power failure. */
  readonly isPrivate: boolean
  /** Allows files whose names would start programs. Default: false. */
  readonly startsPrograms?: boolean
}

/** Maximum bytes of a name in a file system. */
const MAX_NAME = 255

/** Names of temporary files and locks, which are not objects. */
const TEMPORARY_NAME = /^\.ambit-put-(?:[0-9a-f]{8}-\d+-)?[0-9a-f]{16}(\.lock)?$/

export function isTemporaryName(name: string): boolean {
  return name.startsWith('.ambit-put-') && TEMPORARY_NAME.test(name)
}

/** The file of a key. Undefined for a key that no file can have. */
export function filePlace({ root }: Directory, key: string): Place | undefined {
  const isFile = isPath(key) && !isTemporaryName(key.slice(key.lastIndexOf('/') + 1))
  return isFile ? { root, name: key, kind: 'file' } : undefined
}

/** The directory of a prefix such as `a/b/`. Undefined for a prefix that no directory can have. */
export function directoryPlace({ root }: Directory, prefix: string): Place | undefined {
  const name = prefix.slice(0, -1)
  return prefix === '' || isPath(name) ? { root, name, kind: 'directory' } : undefined
}

function isPath(key: string): boolean {
  return isKey(key) && key.split('/').every(isName)
}

function isName(segment: string): boolean {
  return !['', '.', '..'].includes(segment) && !segment.includes('\0') && Buffer.byteLength(segment) <= MAX_NAME
}

/** Opens the file of a key. The caller closes it. @throws ContextError `not-found`, `denied`, `unavailable`. */
export function openFile(directory: Directory, key: string): OpenDescriptor {
  const place = filePlace(directory, key)
  if (!place) throw objectNotFound(objectLabel(directory.uri, key), 'does not exist: no file can have this key.')
  const opened = directory.open(place)
  if (opened.ok) return opened
  throw refusalError(directory, key, opened)
}

/** Translates the refusal of a file or directory into an error of objects. */
export function refusalError({ uri }: Directory, key: string, refused: FileRefusal): ContextError {
  const label = objectLabel(uri, key)
  const { why, detail, isOtherKind } = refused
  if (isOtherKind) return new ContextError('not-found', `${label} cannot be read: ${detail}`, { hint: 'Name a file.' })
  if (why === 'missing') return objectNotFound(label)
  if (why === 'failed') return new ContextError('unavailable', `${label} could not be opened: ${detail}`)
  return new ContextError('denied', `${label} may not be opened: ${detail}`)
}

export function fileInfo(key: string, version: FileVersion): ObjectInfo {
  const modifiedAt = new Date(Number(version.mtimeNs / 1_000_000n)).toISOString()
  return { key, size: version.size, etag: etagOf(version), modifiedAt }
}

/** The state of an open file. */
export function versionIn(fd: number): FileVersion {
  return versionOf(fstatSync(fd, { bigint: true }))
}

/**
 * The etag of a file: size, times and inode. If another program wrote the file a moment ago, the etag ends with a mark,
 * because a further write may leave all these values unchanged. Files that Ambit wrote need no mark, because Ambit sets
 * a modification time that differs from the change time.
 */
function etagOf(version: FileVersion): string {
  const { size, mtimeNs, ctimeNs, ino } = version
  const state = [BigInt(size), mtimeNs, ctimeNs, ino].map((part) => part.toString(36)).join('-')
  return mtimeNs !== ctimeNs || isSettled(version, Date.now()) ? state : state + UNSETTLED_MARK
}

const UNSETTLED_MARK = '~'

/** Whether two etags are equal except for the mark of `etagOf`. */
export function isSameState(etag: string, knownEtag: string): boolean {
  return stripMark(etag) === stripMark(knownEtag)
}

function stripMark(etag: string): string {
  return etag.endsWith(UNSETTLED_MARK) ? etag.slice(0, -UNSETTLED_MARK.length) : etag
}

/** Whether two etags prove that an object is unchanged: they are equal, and have no mark. */
export function isCurrent(etag: string, knownEtag: string): boolean {
  return etag === knownEtag && !etag.endsWith(UNSETTLED_MARK)
}

let machineId: string | undefined

/** `MACHINE-PID`: 8 hex digits for the machine or container, and the process number on it. */
export function processId(): string {
  machineId ??= createHash('sha256').update(`${hostname()} ${readNamespace()}`).digest('hex').slice(0, 8)
  return `${machineId}-${process.pid}`
}

/** The name of the namespace of process numbers, which differs between containers; `''` if the system has none. */
function readNamespace(): string {
  return tryToRead(() => readlinkSync('/proc/self/ns/pid')) ?? ''
}

/** Whether a process has certainly ended. False for a process of another machine. */
function hasEnded(id: string): boolean {
  const [machine, pid] = id.split('-')
  if (pid === undefined || machine !== processId().split('-')[0]) return false
  try {
    process.kill(Number(pid), 0)
    return false
  } catch (error) {
    return systemCodeOf(error) === 'ESRCH'
  }
}

/** Age in milliseconds from which any temporary file counts as abandoned. */
const ORPHAN_AGE_MS = 3_600_000

/**
 * Removes temporary files of ended processes, and old temporary files of any process, from the directories of these
 * keys. A key that ends with a slash means this directory and all directories below it. Skips a directory that cannot
 * be read or cleaned.
 */
export function sweepParents(directory: Directory, keys: readonly string[]): void {
  const directoryKeys = keys.filter((key) => key.endsWith('/'))
  const bases = new Set(keys.map((key) => key.slice(0, key.lastIndexOf('/') + 1)))
  // The iteration of a set includes later additions.
  for (const base of bases) {
    const place = directoryPlace(directory, base)
    const opened = place && directory.open(place)
    if (!opened?.ok) continue
    const isRecursive = directoryKeys.some((key) => base.startsWith(key))
    try {
      for (const { kind, name } of entriesIn(opened.through, Number(opened.stat.size))) {
        if (isTemporaryName(name)) removeOrphan(join(opened.through, name), name)
        else if (isRecursive && kind === 'directory') bases.add(`${base}${name}/`)
      }
    } catch (error) {
      systemCodeOf(error)
    } finally {
      closeSync(opened.fd)
    }
  }
}

function removeOrphan(path: string, name: string): void {
  if (isOlderThan(path, ORPHAN_AGE_MS) || hasEnded(readWriter(path, name))) unlinkIfThere(path)
}

/** The `processId` of a temporary file's writer; `''` for an unknown writer. */
function readWriter(path: string, name: string): string {
  if (!name.endsWith('.lock')) return /-([0-9a-f]{8}-\d+)-/.exec(name)?.[1] ?? ''
  return tryToRead(() => readFileSync(path, 'latin1')) ?? ''
}

export function isOlderThan(path: string, ms: number): boolean {
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
