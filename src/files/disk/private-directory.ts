import { closeSync, constants, existsSync, fsyncSync, mkdirSync, openSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { directoryHandle, directoryObjects } from '../directory.ts'
import { ignoreMissing, type Objects } from '../objects.ts'
import { putError } from './directory-put.ts'

/** The files of a private directory on this machine, as objects. The first write creates the directory. Only its owner may read them. */
export function privateDirectory(path: string): Objects {
  const directory = resolve(path)
  const { href: uri } = pathToFileURL(directory)
  let objects: Objects | undefined
  const openObjects = async () => {
    objects ??= directoryObjects(directoryHandle(directory, { isPrivate: true }))
    return objects
  }
  const makeObjects = () => {
    if (!existsSync(directory)) makeDirectory(directory, uri)
    return openObjects()
  }
  const findObjects = () => ignoreMissing(openObjects())
  return {
    uri,
    read: async (...asked) => (await openObjects()).read(...asked),
    async *stream(...asked) {
      yield* (await openObjects()).stream(...asked)
    },
    head: async (...asked) => (await openObjects()).head(...asked),
    list: async (request) => (await findObjects())?.list(request) ?? { objects: [], prefixes: [], left: [] },
    put: async (...put) => (await makeObjects()).put(...put),
    putStream: async (...put) => (await makeObjects()).putStream(...put),
    remove: async (...asked) => (await findObjects())?.remove(...asked),
    sweep: async (...asked) => (await findObjects())?.sweep(...asked),
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
