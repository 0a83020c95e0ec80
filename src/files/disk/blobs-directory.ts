import { closeSync, constants, fsyncSync, mkdirSync, openSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ContextError, throwIfAborted } from '../../core/errors.ts'
import { type Blobs, blobsOver, isAbsent } from '../blobs.ts'
import { systemCodeOf } from '../confine.ts'
import { directoryHandle, directoryObjects } from '../directory.ts'
import { type Objects, objectLabel } from '../objects.ts'
import { type Directory, filePlace, isOtherKind, refusalError, unlinkIfThere } from './directory-place.ts'
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
      throwIfAborted(signal)
      await place()?.objects.sweep([prefix])
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
  const opened = openBase(directory, key.slice(0, slash))
  if (!opened.ok) {
    if (opened.why === 'missing' || isOtherKind(opened)) return
    throw refusalError(directory, key.slice(0, slash), opened)
  }
  try {
    unlinkIfThere(join(opened.through, key.slice(slash)))
  } catch (cause) {
    const message = `${objectLabel(directory.uri, key)} could not be removed (${systemCodeOf(cause)}).`
    throw new ContextError('unavailable', message, { hint: 'Check its permissions.', cause })
  } finally {
    closeSync(opened.fd)
  }
}
