import { closeSync, constants, fsyncSync, mkdirSync, openSync, unlinkSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ContextError, throwIfAborted } from '../../core/errors.ts'
import { type Blobs, blobsOver, isAbsent } from '../blobs.ts'
import { type Opened, systemCodeOf } from '../confine.ts'
import { directoryHandle, directoryObjects } from '../directory.ts'
import { entriesIn } from '../entries.ts'
import { objectLabel, type Objects } from '../objects.ts'
import { type Directory, filePlace, isOtherKind, refusalError, sweepIn } from './directory-place.ts'
import { openBase, putError } from './directory-put.ts'

interface Place {
  readonly directory: Directory
  readonly objects: Objects
}

/** Blobs in a directory of this machine, which is made with the first of them. Its owner alone may read them. */
export function directoryBlobs(path: string): Blobs {
  const at = resolve(path)
  const { href: uri } = pathToFileURL(at)
  let found: Place | undefined
  const place = () => {
    found ??= placeAt(at)
    return found
  }
  return blobsOver(uri, {
    objects: async () => place()?.objects,
    made: async () => {
      if (!place()) makeDirectory(at, uri)
      const { objects } = place() ?? {}
      if (objects) return objects
      throw new ContextError('unavailable', `${uri} was removed while it was made.`, { hint: 'Do it again.' })
    },
    remove: async (key, signal) => {
      throwIfAborted(signal)
      const { directory } = place() ?? {}
      if (directory) removeFile(directory, key)
    },
    tidy: async (prefix, signal) => {
      const { directory } = place() ?? {}
      if (directory) sweepBelow(directory, prefix, signal)
    },
    close: async () => found?.objects.close(),
  })
}

/** Undefined when it does not exist yet. */
function placeAt(path: string): Place | undefined {
  try {
    const directory = directoryHandle(path, { isPrivate: true })
    return { directory, objects: directoryObjects(directory) }
  } catch (error) {
    if (isAbsent(error)) return undefined
    throw error
  }
}

function makeDirectory(path: string, uri: string): void {
  try {
    const first = mkdirSync(path, { recursive: true, mode: 0o700 })
    // The name of each that was made outlasts the machine, too.
    for (let made = path; first !== undefined && made.length >= first.length; made = dirname(made)) {
      syncDirectory(dirname(made))
    }
  } catch (error) {
    throw putError({ uri }, '', error)
  }
}

function syncDirectory(path: string): void {
  const fd = openSync(path, constants.O_RDONLY)
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

function removeFile(directory: Directory, key: string): void {
  if (!filePlace(directory, key)) return
  const slash = key.lastIndexOf('/') + 1
  withBlobDirectory(directory, key.slice(0, slash), ({ through }) => {
    try {
      unlinkSync(join(through, key.slice(slash)))
    } catch (error) {
      if (systemCodeOf(error) !== 'ENOENT') throw notRemoved(directory, key, error)
    }
  })
}

function notRemoved({ uri }: Directory, key: string, cause: unknown): ContextError {
  const message = `${objectLabel(uri, key)} could not be removed (${systemCodeOf(cause)}).`
  return new ContextError('unavailable', message, { hint: 'Check its permissions.', cause })
}

/** Does something with a directory, where there is one. `base` ends with a slash, or is empty. */
function withBlobDirectory(directory: Directory, base: string, work: (opened: Opened) => void): void {
  const opened = openBase(directory, base)
  if (!opened.ok) {
    if (opened.why === 'missing' || isOtherKind(opened)) return
    throw refusalError(directory, base, opened)
  }
  try {
    work(opened)
  } finally {
    closeSync(opened.fd)
  }
}

function sweepBelow(directory: Directory, base: string, signal: AbortSignal | undefined): void {
  throwIfAborted(signal)
  const below: string[] = []
  withBlobDirectory(directory, base, (opened) => {
    sweepIn(opened)
    for (const { kind, name } of entriesIn(opened.through, Number(opened.stat.size))) {
      if (kind === 'directory') below.push(`${base}${name}/`)
    }
  })
  for (const each of below) sweepBelow(directory, each, signal)
}
