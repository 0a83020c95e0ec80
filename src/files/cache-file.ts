/** Files that Ambit makes for itself and can make again: of the user alone, each written whole. */

import { closeSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { statOf } from './file-version.ts'

/** Bytes of the largest one that is read. */
const MOST_BYTES = 1024 * 1024 * 1024

/** The bytes of a file; undefined where it is not there, not the user's, or cannot be read. */
export function readCacheFile(path: string): Buffer | undefined {
  const stat = statOf(path)
  const user = process.getuid?.()
  if (!stat?.isFile() || stat.size > MOST_BYTES || (user !== undefined && stat.uid !== user)) return undefined
  try {
    return readFileSync(path)
  } catch {
    return undefined
  }
}

/** Writes a file, whole or not at all; the last of several writers wins. Returns whether it is written. */
export function writeCacheFile(path: string, parts: readonly Uint8Array[]): boolean {
  const draft = `${path}.${process.pid}.${Math.floor(Math.random() * 1e9)}`
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    writeParts(draft, parts)
    renameSync(draft, path)
    return true
  } catch {
    rmSync(draft, { force: true })
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
