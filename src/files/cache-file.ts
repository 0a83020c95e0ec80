/** Files that Ambit can make again. Only the user may read them, and each write is whole. */

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

/** Maximum bytes of a file that is read. */
const MOST_BYTES = 1024 * 1024 * 1024

/** At most some bytes of a file. Undefined if it is missing, another user's, or unreadable. */
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
  /** Milliseconds since 1970. */
  readonly writtenAt: number
}

/** All files below a directory. Empty for a missing directory; omits vanished files. */
function listCacheFiles(directory: string): CacheFile[] {
  try {
    return readdirSync(directory, { recursive: true, withFileTypes: true }).flatMap((entry) => {
      const path = join(entry.parentPath, entry.name)
      const found = entry.isFile() ? statSync(path, { throwIfNoEntry: false }) : undefined
      return found ? [{ path, writtenAt: found.mtimeMs }] : []
    })
  } catch {
    return []
  }
}

/** Removes a file if possible. */
export function removeCacheFile(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // A parent is a file, or not writable.
  }
}

/** Writes a file, whole or not at all. The last of several writers wins. Returns whether it succeeded. */
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

/** Maximum bytes of one write. */
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

/** Only the user may read: the files may name private things. */
const PRIVATE = 0o600

const DAY_MS = 24 * 60 * 60 * 1000

/** The complete lines that are not empty. None for a missing file. */
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

/** Appends lines in one write. An earlier unfinished line stays separate. Makes the file and its directories. */
export function appendLogLines(path: string, lines: readonly string[]): void {
  inDirectory(path, () => appendFileSync(path, `\n${lines.join('\n')}\n`, { mode: PRIVATE }))
}

/** Replaces all lines at once. */
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

/** Removes files below a directory that are older than some days. Ignores failed removals. */
export function removeOldLogs(directory: string, days: number, now = Date.now()): void {
  for (const { path, writtenAt } of listCacheFiles(directory))
    if (now - writtenAt > days * DAY_MS) removeCacheFile(path)
}
