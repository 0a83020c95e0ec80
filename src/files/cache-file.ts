/** Reads and writes caches and logs, which only the user may read. A reader never sees a half-written cache. */

import {
  appendFileSync,
  closeSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { systemCodeOf } from './confine.ts'
import { makePrivateDirectories } from './file-version.ts'

/** Maximum bytes of a file that is read. */
const MAX_BYTES = 1024 * 1024 * 1024

/** The bytes of a file. Undefined for a missing, too large or unreadable file, and for a file of another user. */
export function readCacheFile(path: string): Buffer | undefined {
  let file: number | undefined
  try {
    file = openSync(path, 'r')
    const { size, uid } = fstatSync(file)
    const user = process.getuid?.()
    return size > MAX_BYTES || (user !== undefined && uid !== user) ? undefined : readFileSync(file)
  } catch {
    return undefined
  } finally {
    if (file !== undefined) closeSync(file)
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

/** Writes a file, completely or not at all. The last of several writers wins. Returns whether it succeeded. */
export function writeCacheFile(path: string, parts: readonly Uint8Array[]): boolean {
  try {
    replaceFile(path, Buffer.concat(parts))
    return true
  } catch {
    return false
  }
}

function replaceFile(path: string, content: string | Uint8Array): void {
  const draft = `${path}.${process.pid}.${Math.floor(Math.random() * 1e9)}`
  makePrivateDirectories(dirname(path))
  try {
    writeFileSync(draft, content, { mode: PRIVATE_MODE, flag: 'wx' })
    renameSync(draft, path)
  } catch (error) {
    removeCacheFile(draft)
    throw error
  }
}

/** Only the user may read and write, because the files may contain private texts. */
const PRIVATE_MODE = 0o600

const DAY_MS = 24 * 60 * 60 * 1000

/** The lines of a log that are complete and not empty; none for a missing file. */
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

/** Appends lines in one write, after a line end in case an earlier write was cut off. Creates file and directories. */
export function appendLogLines(path: string, lines: readonly string[]): void {
  makePrivateDirectories(dirname(path))
  appendFileSync(path, `\n${lines.join('\n')}\n`, { mode: PRIVATE_MODE })
}

/** Replaces all lines of a log, completely or not at all. */
export function replaceLogLines(path: string, lines: readonly string[]): void {
  replaceFile(path, `${lines.join('\n')}\n`)
}

/** Removes files below a directory that are older than some days. Ignores a missing directory, and failed removals. */
export function removeOldLogs(directory: string, days: number, now = Date.now()): void {
  try {
    for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name)
      const stat = entry.isFile() ? statSync(path, { throwIfNoEntry: false }) : undefined
      if (stat && now - stat.mtimeMs > days * DAY_MS) removeCacheFile(path)
    }
  } catch {
    // The directory is missing, or cannot be listed.
  }
}
