import { closeSync, constants, fsyncSync, mkdirSync, openSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Blobs, blobsOver, isAbsent } from '../blobs.ts'
import { directoryHandle, directoryObjects } from '../directory.ts'
import type { Objects } from '../objects.ts'
import { putError } from './directory-put.ts'

/** Blobs in a directory of this machine, which is made with the first of them. Its owner alone may read them. */
export function directoryBlobs(path: string): Blobs {
  const at = resolve(path)
  const { href: uri } = pathToFileURL(at)
  let found: Objects | undefined
  const opened = () => {
    found ??= directoryObjects(directoryHandle(at, { isPrivate: true }))
    return found
  }
  const objects = async () => {
    try {
      return opened()
    } catch (error) {
      if (isAbsent(error)) return undefined
      throw error
    }
  }
  return blobsOver(uri, {
    objects,
    made: async () => {
      if (!(await objects())) makeDirectory(at, uri)
      return opened()
    },
    close: async () => found?.close(),
  })
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
