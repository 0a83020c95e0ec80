import { closeSync, constants, existsSync, fsyncSync, mkdirSync, openSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ContextError } from '../../core/errors.ts'
import { directoryHandle, directoryObjects } from '../directory.ts'
import type { Objects } from '../objects.ts'
import { putError } from './directory-put.ts'

/** The files of a private directory on this machine. The first write makes it. Only its owner may read them. */
export function privateDirectory(path: string): Objects {
  const at = resolve(path)
  const { href: uri } = pathToFileURL(at)
  let found: Objects | undefined
  const opened = () => {
    found ??= directoryObjects(directoryHandle(at, { isPrivate: true }))
    return found
  }
  const made = () => {
    if (!existsSync(at)) makeDirectory(at, uri)
    return opened()
  }
  const ifThere = () => {
    try {
      return opened()
    } catch (error) {
      if (error instanceof ContextError && error.code === 'not-found') return undefined
      throw error
    }
  }
  return {
    uri,
    read: async (...asked) => opened().read(...asked),
    async *stream(...asked) {
      yield* opened().stream(...asked)
    },
    head: async (...asked) => opened().head(...asked),
    list: async (request) => ifThere()?.list(request) ?? { objects: [], prefixes: [], left: [] },
    put: async (...put) => made().put(...put),
    putStream: async (...put) => made().putStream(...put),
    remove: async (...asked) => ifThere()?.remove(...asked),
    sweep: async (...asked) => ifThere()?.sweep(...asked),
    close: async () => found?.close(),
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
