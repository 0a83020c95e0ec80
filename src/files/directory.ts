import { closeSync, mkdirSync, read as readFd } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { BOUNDS } from '../core/bounds.ts'
import { ContextError, throwIfAborted } from '../core/errors.ts'
import { runStepsAsync } from '../core/steps.ts'
import type { RootAccess } from './bucket-root.ts'
import { systemOpener } from './confine.ts'
import { DirectoryList, EntryCache } from './disk/directory-list.ts'
import {
  type Directory,
  fileInfo,
  isCurrent,
  isSameState,
  openFile,
  sweepParents,
  versionIn,
} from './disk/directory-place.ts'
import { putError, putFile, removeObject } from './disk/directory-put.ts'
import { openRoot, type RootOptions } from './disk.ts'
import { type FileVersion, sameVersion } from './file-version.ts'
import {
  type ObjectInfo,
  type ObjectRead,
  type Objects,
  objectLabel,
  objectNotFound,
  type ReadRequest,
  type StreamRequest,
} from './objects.ts'
import { assertInBounds } from './root-path.ts'

export { isSameState } from './disk/directory-place.ts'

/** Bytes of a chunk of a stream. */
const CHUNK_BYTES = 256 * 1024

/** Maximum number of reads of a file that changes while it is read. */
const MAX_TRIES = 3

/**
 * The files below a directory as objects, as in a bucket of S3. A key is a relative path with slashes. Links inside the
 * directory are followed; a link that leads outside is `denied`. An object has only its current version.
 *
 * @throws ContextError as `openRoot` does.
 */
export function openDirectory(path: string, { realPath }: Pick<RootAccess, 'realPath'> = {}): Objects {
  return directoryObjects(directoryHandle(path, { isPrivate: false, realPath }))
}

/**
 * Opens a directory to read and write below it. `create`: creates the directory and its parents. `startsPrograms`: allows files whose
 * names would start programs.
 *
 * @throws ContextError as `openRoot` does; `denied` outside the bounds of `runInBounds`.
 */
export function openWritable(path: string, { create = false, startsPrograms = false } = {}): Objects {
  assertInBounds(path)
  if (create) makeDirectories(path)
  return directoryObjects({ ...directoryHandle(path, { isPrivate: false }), startsPrograms })
}

function makeDirectories(path: string): void {
  try {
    mkdirSync(path, { recursive: true })
  } catch (error) {
    throw putError({ uri: pathToFileURL(path).href }, '', error)
  }
}

/** @throws ContextError as `openRoot` does. */
export function directoryHandle(
  path: string,
  { isPrivate, realPath }: Pick<Directory, 'isPrivate'> & Pick<RootOptions, 'realPath'>,
): Directory {
  const { realPath: realRoot, path: normalPath } = openRoot(path, { unbounded: true, realPath })
  return { uri: pathToFileURL(normalPath).href, root: realRoot, open: systemOpener(), isPrivate }
}

export function directoryObjects(directory: Directory): Objects {
  const entryCache = new EntryCache()
  return {
    uri: directory.uri,
    read: async (key, request = {}) => readObject(directory, key, request),
    stream: (key, request = {}) => stream(directory, key, request),
    head: async (key, request = {}) => {
      throwIfAborted(request.signal)
      return withOpenFile(directory, { ...request, key }, async (_, version) => fileInfo(key, version))
    },
    list: async (request = {}) => {
      throwIfAborted(request.signal)
      return runStepsAsync(new DirectoryList(directory, entryCache, request).page(), request.signal)
    },
    put: async (key, bytes, request = {}) => putFile(directory, { ...request, key, bytes }),
    putStream: async (key, bytes, { size: _, ...request } = {}) => putFile(directory, { ...request, key, bytes }),
    remove: async (key, signal) => {
      throwIfAborted(signal)
      removeObject(directory, key)
    },
    sweep: async (keys, signal) => {
      throwIfAborted(signal)
      sweepParents(directory, keys)
    },
    close: async () => entryCache.clear(),
  }
}

type Keyed<Request> = Request & { readonly key: string }

function openVersion(directory: Directory, key: string, version: string | undefined): number {
  if (version === undefined) return openFile(directory, key).fd
  throw objectNotFound(objectLabel(directory.uri, key), `has no version ${version}: older versions are not kept.`)
}

/** Runs `use` with the open file of a key, and closes the file. */
async function withOpenFile<T>(
  directory: Directory,
  { key, version }: Keyed<Pick<ReadRequest, 'version'>>,
  use: (fd: number, version: FileVersion) => Promise<T>,
): Promise<T> {
  const fd = openVersion(directory, key, version)
  try {
    return await use(fd, versionIn(fd))
  } finally {
    closeSync(fd)
  }
}

async function readObject(directory: Directory, key: string, request: ReadRequest): Promise<ObjectRead | 'unchanged'> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    throwIfAborted(request.signal)
    const object = await withOpenFile(directory, { ...request, key }, async (fd, version) => {
      const info = fileInfo(key, version)
      if (request.unless !== undefined && isCurrent(info.etag, request.unless)) return 'unchanged'
      const bytes = await readRange(fd, requestedRange(directory, info, request), request.signal)
      return sameVersion(version, versionIn(fd)) ? { ...info, bytes } : undefined
    })
    if (object) return object
  }
  throw new ContextError('unavailable', `${objectLabel(directory.uri, key)} was written each time it was read.`)
}

interface ByteRange {
  readonly from: number
  readonly length: number
}

function requestedRange({ uri }: Directory, { key, size }: ObjectInfo, request: ReadRequest): ByteRange {
  const { from = 0, length, maxBytes = BOUNDS.object } = request
  const available = Math.max(0, size - from)
  if (length !== undefined || available <= maxBytes) return { from, length: Math.min(length ?? available, available) }
  const message = `${objectLabel(uri, key)} has ${available} bytes; at most ${maxBytes} are read.`
  throw new ContextError('over-limit', message, { hint: 'Read a part of it.' })
}

const readFileDescriptor = promisify(readFd)

/** Reads a range of a file. Returns fewer bytes if the file became shorter. */
async function readRange(fd: number, { from, length }: ByteRange, signal: AbortSignal | undefined): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(length)
  let filled = 0
  while (filled < length) {
    const { bytesRead } = await readFileDescriptor(fd, bytes, filled, length - filled, from + filled)
    throwIfAborted(signal)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return bytes.subarray(0, filled)
}

async function* stream(directory: Directory, key: string, request: StreamRequest): AsyncGenerator<Uint8Array> {
  const { version, only, from = 0, length = Number.POSITIVE_INFINITY, signal } = request
  const label = objectLabel(directory.uri, key)
  throwIfAborted(signal)
  const fd = openVersion(directory, key, version)
  try {
    const firstVersion = versionIn(fd)
    if (only !== undefined && !isSameState(fileInfo(key, firstVersion).etag, only)) {
      throw new ContextError('conflict', `${label} was replaced.`)
    }
    const end = Math.min(firstVersion.size, from + length)
    for (let at = from; at < end; at += CHUNK_BYTES) {
      const chunk = await readRange(fd, { from: at, length: Math.min(CHUNK_BYTES, end - at) }, signal)
      if (!sameVersion(firstVersion, versionIn(fd))) {
        throw new ContextError('conflict', `${label} was written while it was read.`)
      }
      yield chunk
    }
  } finally {
    closeSync(fd)
  }
}

/**
 * Maximum repeats of a put that is refused because the file was written a moment ago: until the times of the file are
 * settled (`isSettled`), its etag proves nothing. The growing pauses before the repeats together outlast the 100 ms
 * that most file systems need.
 */
export const MAX_UNDECIDED = 5

const WAIT_MS = 60

/** Waits `60 * tries` milliseconds before a put is repeated. `tries`: number of earlier tries. @throws AbortError. */
export async function waitUndecided(tries: number, signal: AbortSignal | undefined): Promise<void> {
  await sleep(WAIT_MS * tries, undefined, { signal })
}
