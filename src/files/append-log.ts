/** Files of lines that several processes add to at once, each whole lines: the system puts one write behind the other. */

import { appendFileSync, readdirSync, readFileSync, renameSync, statSync, unlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makePrivateDirectories } from './file-version.ts'
import { systemCodeOf } from './refusals.ts'

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

/** Removes files directly in a directory that were not written for so many days. Files that cannot be removed stay. */
export function removeOldLogs(directory: string, days: number, now = Date.now()): void {
  for (const name of readdirSync(directory)) {
    const path = join(directory, name)
    try {
      if (now - statSync(path).mtimeMs > days * DAY_MS) unlinkSync(path)
    } catch {
      // Another process was quicker, or it is not a file.
    }
  }
}
