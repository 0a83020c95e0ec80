import { closeSync, constants, existsSync, fsyncSync, mkdirSync, openSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ContextError } from '../../core/errors.ts'
import { directoryHandle, directoryObjects } from '../directory.ts'
import type { Objects } from '../objects.ts'
import { putError } from './directory-put.ts'

/** The files of a private directory on this machine. The first write makes it. Only its owner may read them. */
export function privateDirectory(path: string): Objects {
  const directory = resolve(path)
  const { href: uri } = pathToFileURL(directory)
  let objects: Objects | undefined
  const openObjects = () => {
    objects ??= directoryObjects(directoryHandle(directory, { isPrivate: true }))
    return objects
  }
  const makeObjects = () => {
    if (!existsSync(directory)) makeDirectory(directory, uri)
    return openObjects()
  }
  const findObjects = () => {
    try {
      return openObjects()
    } catch (error) {
      if (error instanceof ContextError && error.code === 'not-found') return undefined
      throw error
    }
  }
  return {
    uri,
    read: async (...asked) => openObjects().read(...asked),
    async *stream(...asked) {
      yield* openObjects().stream(...asked)
    },
    head: async (...asked) => openObjects().head(...asked),
    list: async (request) => findObjects()?.list(request) ?? { objects: [], prefixes: [], left: [] },
    put: async (...put) => makeObjects().put(...put),
    putStream: async (...put) => makeObjects().putStream(...put),
    remove: async (...asked) => findObjects()?.remove(...asked),
    sweep: async (...asked) => findObjects()?.sweep(...asked),
    close: async () => objects?.close(),
  }
}

function makeDirectory(path: string, uri: string): void {
  try {
    const first = mkdirSync(path, { recursive: true, mode: 0o700 })
    // The names of new directories must survive a power failure, too.
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
