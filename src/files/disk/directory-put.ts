import { createHash, randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  fsync,
  fsyncSync,
  futimesSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  write,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { ContextError, invalidInput, NoSpace, throwIfAborted } from '../../core/errors.ts'
import { refuseProgramName } from '../../text/program-names.ts'
import { type FileRefusal, type OpenDescriptor, systemCodeOf } from '../confine.ts'
import { type ObjectWritten, objectLabel, type PutRequest } from '../objects.ts'
import {
  type Directory,
  fileInfo,
  filePlace,
  isCurrent,
  isOlderThan,
  processId,
  refusalError,
  unlinkIfThere,
  versionIn,
} from './directory-place.ts'

/** The bytes to write, and their key. */
interface FileWrite extends PutRequest {
  readonly key: string
  /** All bytes, or a stream. If the stream fails, nothing is written. */
  readonly bytes: Uint8Array | AsyncIterable<Uint8Array>
}

/** A write, with the open directory that will hold the file. */
interface PlacedFileWrite extends FileWrite {
  readonly directory: Directory
  readonly parent: OpenDescriptor
  readonly name: string
}

/** Age in milliseconds from which a lock counts as abandoned. A writer holds a lock for less than one millisecond. */
const LOCK_AGE_MS = 10_000

/** Milliseconds between two attempts to take a lock. */
const LOCK_POLL_MS = 2

/**
 * Writes a temporary file and renames it, so that readers see the old or the new file. Replaces a link itself, not the
 * target of the link. A lock excludes other writers of Ambit; the simultaneous change of another program may be
 * overwritten in spite of `if`.
 */
export async function putFile(directory: Directory, writing: FileWrite): Promise<ObjectWritten> {
  const { key, signal } = writing
  throwIfAborted(signal)
  if (!filePlace(directory, key)) {
    const message = `${objectLabel(directory.uri, key)} cannot be written: no file can have this key.`
    throw invalidInput(message)
  }
  const refuseName = directory.startsPrograms === true ? () => {} : refuseProgramName
  refuseName(key)
  const nameStart = key.lastIndexOf('/') + 1
  try {
    const parent = openOrMake(directory, key.slice(0, nameStart))
    try {
      // The real path of the directory may contain a forbidden name that the key does not contain.
      refuseName(join(parent.realPath, key.slice(nameStart)))
      return await writeInto({ ...writing, directory, parent, name: key.slice(nameStart) })
    } finally {
      closeSync(parent.fd)
    }
  } catch (error) {
    throwIfAborted(signal)
    throw error instanceof ContextError ? error : putError(directory, key, error)
  }
}

/** Opens a directory. If it is missing, creates it and its parents. `base` ends with a slash, or is empty. */
function openOrMake(directory: Directory, base: string): OpenDescriptor {
  const opened = openBase(directory, base)
  if (opened.ok || opened.why !== 'missing' || base === '') return requireOpened(directory, base, opened)
  const nameStart = base.lastIndexOf('/', base.length - 2) + 1
  const parent = openOrMake(directory, base.slice(0, nameStart))
  const path = join(parent.through, base.slice(nameStart, -1))
  try {
    const isCreated = makeIfAbsent(() => mkdirSync(path, directory.isPrivate ? 0o700 : 0o777))
    if (isCreated && directory.isPrivate) fsyncSync(parent.fd)
  } finally {
    closeSync(parent.fd)
  }
  return requireOpened(directory, base, openBase(directory, base))
}

function openBase({ root, open }: Directory, base: string) {
  return open({ root, name: base.slice(0, -1), kind: 'directory' })
}

/** @throws ContextError `invalid-input` if a file has the name of the directory; else the error of the refusal. */
function requireOpened(directory: Directory, base: string, opened: OpenDescriptor | FileRefusal): OpenDescriptor {
  if (opened.ok) return opened
  if (!opened.isOtherKind) throw refusalError(directory, base, opened)
  throw invalidInput(`${objectLabel(directory.uri, base)} cannot be made: there is a file of this name.`)
}

async function writeInto(placed: PlacedFileWrite): Promise<ObjectWritten> {
  const { directory, parent, bytes, signal } = placed
  const temporaryPath = join(parent.through, `.ambit-put-${processId()}-${randomBytes(8).toString('hex')}`)
  const { O_CREAT, O_EXCL, O_WRONLY, O_NOFOLLOW } = constants
  const fd = openSync(temporaryPath, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW, directory.isPrivate ? 0o600 : 0o666)
  try {
    await writeDurably(fd, bytes, signal)
    const written = await withNameLock(placed, () => moveIntoPlace(placed, temporaryPath, fd))
    // The name of the file must survive a power failure, too.
    if (directory.isPrivate) await syncFd(parent.fd)
    return written
  } finally {
    unlinkIfThere(temporaryPath)
    closeSync(fd)
  }
}

const [writeToFd, syncFd] = [promisify(write), promisify(fsync)]

/** Writes bytes so that they survive a power failure, and sets a modification time that no other file has. */
async function writeDurably(fd: number, bytes: FileWrite['bytes'], signal: AbortSignal | undefined): Promise<void> {
  for await (const chunk of bytes instanceof Uint8Array ? [bytes] : bytes) {
    for (let at = 0; at < chunk.length; ) {
      throwIfAborted(signal)
      at += (await writeToFd(fd, chunk, at, chunk.length - at)).bytesWritten
    }
  }
  await syncFd(fd)
  throwIfAborted(signal)
  const now = (performance.timeOrigin + performance.now()) / 1000
  futimesSync(fd, now, now)
}

/** Renames or links the temporary file. Runs synchronously, under the lock of the name. */
function moveIntoPlace(
  { directory, parent, key, name, if: condition }: PlacedFileWrite,
  temporaryPath: string,
  fd: number,
): ObjectWritten {
  const path = join(parent.through, name)
  const label = objectLabel(directory.uri, key)
  if (condition === 'absent') {
    if (!makeIfAbsent(() => linkSync(temporaryPath, path)))
      throw new ContextError('conflict', `${label} exists already.`)
    unlinkIfThere(temporaryPath)
  } else {
    if (condition && !hasEtag(directory, key, condition.etag)) {
      throw new ContextError('conflict', `${label} was replaced.`, { hint: 'Read it again.' })
    }
    renameSync(temporaryPath, path)
  }
  const { modifiedAt: _, ...written } = fileInfo(key, versionIn(fd))
  return written
}

/** Runs `make`, which creates a file or directory. Returns false if it exists already. */
function makeIfAbsent(make: () => void): boolean {
  try {
    make()
    return true
  } catch (error) {
    if (systemCodeOf(error) === 'EEXIST') return false
    throw error
  }
}

function hasEtag(directory: Directory, key: string, etag: string): boolean {
  const opened = directory.open({ root: directory.root, name: key, kind: 'file' })
  if (!opened.ok) return false
  try {
    return isCurrent(fileInfo(key, versionIn(opened.fd)).etag, etag)
  } finally {
    closeSync(opened.fd)
  }
}

/** Runs `work` while no other writer of Ambit, in any process, writes the same file. */
async function withNameLock<T>({ parent, name, signal }: PlacedFileWrite, work: () => T): Promise<T> {
  const digest = createHash('sha256').update(name).digest('hex')
  const path = join(parent.through, `.ambit-put-${digest.slice(0, 16)}.lock`)
  while (!makeIfAbsent(() => writeFileSync(path, processId(), { flag: 'wx' }))) {
    if (isOlderThan(path, LOCK_AGE_MS)) unlinkIfThere(path)
    else await sleep(LOCK_POLL_MS, undefined, { signal })
  }
  try {
    return work()
  } finally {
    unlinkIfThere(path)
  }
}

/** Removes a file; a missing file is not an error. */
export function removeObject(directory: Directory, key: string): void {
  if (!filePlace(directory, key)) return
  const slash = key.lastIndexOf('/') + 1
  const parent = openBase(directory, key.slice(0, slash))
  if (!parent.ok) {
    if (parent.why === 'missing' || parent.isOtherKind) return
    throw refusalError(directory, key.slice(0, slash), parent)
  }
  try {
    unlinkIfThere(join(parent.through, key.slice(slash)))
  } catch (cause) {
    const message = `${objectLabel(directory.uri, key)} could not be removed (${systemCodeOf(cause)}).`
    throw new ContextError('unavailable', message, { hint: 'Check its permissions.', cause })
  } finally {
    closeSync(parent.fd)
  }
}

export function putError(directory: Pick<Directory, 'uri'>, key: string, error: unknown): ContextError {
  const code = systemCodeOf(error)
  const place = objectLabel(directory.uri, key)
  switch (code) {
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new ContextError('denied', `${place} may not be written (${code}).`, { hint: 'Check the permissions.' })
    case 'EISDIR':
    case 'ENOTEMPTY':
      return invalidInput(`${place} cannot be written: there is a directory of this name.`)
    case 'ENOSPC':
    case 'EDQUOT':
      return new NoSpace(`${place} could not be written: no space is left (${code}).`)
    default:
      return new ContextError('unavailable', `${place} could not be written (${code}).`)
  }
}
