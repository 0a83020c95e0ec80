import { closeSync, constants, existsSync, fsyncSync, mkdirSync, openSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { directoryHandle, directoryObjects } from '../directory.ts'
import { ignoreMissing, type Objects } from '../objects.ts'
import { putError } from './directory-put.ts'

/**
 * The files of a private directory as objects, which only its owner may read. The first write creates the directory.
 */
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
    read: async (...args) => (await openObjects()).read(...args),
    async *stream(...args) {
      yield* (await openObjects()).stream(...args)
    },
    head: async (...args) => (await openObjects()).head(...args),
    list: async (request) => (await findObjects())?.list(request) ?? { objects: [], prefixes: [], left: [] },
    put: async (...args) => (await makeObjects()).put(...args),
    putStream: async (...args) => (await makeObjects()).putStream(...args),
    remove: async (...args) => (await findObjects())?.remove(...args),
    sweep: async (...args) => (await findObjects())?.sweep(...args),
    close: async () => objects?.close(),
  }
}

function makeDirectory(path: string, uri: string): void {
  try {
    const first = mkdirSync(path, { recursive: true, mode: 0o700 })
    // The names of new directories must survive a power failure, too. `first`: the topmost new directory.
    for (let at = path; first !== undefined && at.length >= first.length; at = dirname(at)) syncDirectory(dirname(at))
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
