/** Files that Ambit makes for itself and can make again: of the user alone, each written whole. */

import {
  appendFileSync,
  closeSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { systemCodeOf } from './confine.ts'
import { makePrivateDirectories } from './file-version.ts'

/** Bytes of the largest one that is read. */
const MOST_BYTES = 1024 * 1024 * 1024

/** Some bytes of a file, or as many as it has; undefined where it is not there, not the user's, or cannot be read. */
export function readCachePart(path: string, from: number, length: number): Buffer | undefined {
  let file: number | undefined
  try {
    file = openSync(path, 'r')
    const { size, uid } = fstatSync(file)
    const user = process.getuid?.()
    if (size > MOST_BYTES || (user !== undefined && uid !== user)) return undefined
    const bytes = Buffer.allocUnsafeSlow(Math.max(0, Math.min(length, size - from)))
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, from))
  } catch {
    return undefined
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

interface CacheFile {
  readonly path: string
  /** Bytes. */
  readonly size: number
  /** Milliseconds since 1970. */
  readonly writtenAt: number
}

/** All files below a directory; none where there is no such directory, and without those that are gone meanwhile. */
export function listCacheFiles(directory: string): CacheFile[] {
  try {
    return readdirSync(directory, { recursive: true, withFileTypes: true }).flatMap((entry) => {
      const path = join(entry.parentPath, entry.name)
      const found = entry.isFile() ? statSync(path, { throwIfNoEntry: false }) : undefined
      return found ? [{ path, size: found.size, writtenAt: found.mtimeMs }] : []
    })
  } catch {
    return []
  }
}

/** Removes a file, if it can. */
export function removeCacheFile(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // A directory on the way is a file, or may not be written.
  }
}

/** Writes a file, whole or not at all; the last of several writers wins. Returns whether it is written. */
export function writeCacheFile(path: string, parts: readonly Uint8Array[]): boolean {
  const draft = `${path}.${process.pid}.${Math.floor(Math.random() * 1e9)}`
  try {
    makePrivateDirectories(dirname(path))
    writeParts(draft, parts)
    renameSync(draft, path)
    return true
  } catch {
    removeCacheFile(draft)
    return false
  }
}

/** Bytes that are put together before they are written. */
const CHUNK = 1 << 20

function writeParts(path: string, parts: readonly Uint8Array[]): void {
  const file = openSync(path, 'wx', 0o600)
  try {
    let [waiting, length]: [Uint8Array[], number] = [[], 0]
    for (const part of parts) {
      waiting.push(part)
      length += part.length
      if (length < CHUNK) continue
      writeFileSync(file, Buffer.concat(waiting))
      ;[waiting, length] = [[], 0]
    }
    writeFileSync(file, Buffer.concat(waiting))
  } finally {
    closeSync(file)
  }
}

/** For the user alone: the files may name what is private. */
const PRIVATE = 0o600

const DAY_MS = 24 * 60 * 60 * 1000

/** The lines that were written whole, without empty ones; none of a file that is not there. */
export function readLogLines(path: string): readonly string[] {
  try {
    const text = readFileSync(path, 'utf8')
    return text
      .slice(0, text.lastIndexOf('\n') + 1)
      .split('\n')
      .filter((line) => line !== '')
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return []
    throw error
  }
}

/** Adds lines in one write. What a writer before left unfinished stays a line by itself. Makes file and directories. */
export function appendLogLines(path: string, lines: readonly string[]): void {
  inDirectory(path, () => appendFileSync(path, `\n${lines.join('\n')}\n`, { mode: PRIVATE }))
}

/** Puts these lines in place of all that there are, at once. */
export function replaceLogLines(path: string, lines: readonly string[]): void {
  const draft = `${path}.${process.pid}.${Math.random().toString(36).slice(2)}.tmp`
  inDirectory(path, () => writeFileSync(draft, `${lines.join('\n')}\n`, { mode: PRIVATE, flag: 'wx' }))
  renameSync(draft, path)
}

function inDirectory(path: string, write: () => void): void {
  try {
    write()
  } catch (error) {
    if (systemCodeOf(error) !== 'ENOENT') throw error
    makePrivateDirectories(dirname(path))
    write()
  }
}

/** Removes files below a directory that were not written for so many days. Files that cannot be removed stay. */
export function removeOldLogs(directory: string, days: number, now = Date.now()): void {
  for (const { path, writtenAt } of listCacheFiles(directory))
    if (now - writtenAt > days * DAY_MS) removeCacheFile(path)
}
