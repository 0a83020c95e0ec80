/** Removes the temporary files of processes that were killed. A file's name, or the content of a lock, says who wrote it. */

import { createHash } from 'node:crypto'
import { closeSync, lstatSync, readFileSync, readlinkSync, unlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Opened } from '../confine.ts'
import { identityOf, versionOf } from '../file-version.ts'
import { systemCodeOf } from '../refusals.ts'
import { type Directory, directoryPlace, isTemporaryName } from './directory-place.ts'
import { entriesIn, namesIn } from './entries.ts'

let machine: string | undefined

/** `MACHINE-PID`: 8 hex digits for the machine, or the container, and the number of this process on it. */
export function processId(): string {
  machine ??= createHash('sha256').update(`${hostname()} ${namespace()}`).digest('hex').slice(0, 8)
  return `${machine}-${process.pid}`
}

/** Containers number their processes on their own. */
function namespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return ''
  }
}

/** Whether it is known that a process runs no more: false for one of another machine. */
export function hasEnded(id: string): boolean {
  const [where, pid] = id.split('-')
  if (pid === undefined || where !== processId().split('-')[0]) return false
  try {
    process.kill(Number(pid), 0)
    return false
  } catch (error) {
    return systemCodeOf(error) === 'ESRCH'
  }
}

/** Milliseconds after which any temporary file is removed. */
const ORPHANED = 3_600_000

/** As `sweepIn`; once for each directory. */
export function sweep({ swept }: Directory, opened: Opened): void {
  const identity = identityOf(versionOf(opened.stat))
  if (swept.has(identity)) return
  if (swept.size >= MOST_SWEPT) swept.clear()
  swept.add(identity)
  sweepIn(opened)
}

/** Takes away what was left behind in a directory: by a process that has ended, or long ago. */
export function sweepIn({ through, stat }: Opened): void {
  for (const name of namesIn(through, Number(stat.size), isTemporaryName)) {
    const path = join(through, name)
    if (isOlder(path, ORPHANED) || hasEnded(writerOf(path, name))) unlinkIfThere(path)
  }
}

/** As `sweepIn`, for the directories that hold these keys; and for all below one that ends with a slash. */
export function sweepParents(directory: Directory, keys: readonly string[]): void {
  const whole = keys.filter((key) => key.endsWith('/'))
  const bases = new Set(keys.map((key) => key.slice(0, key.lastIndexOf('/') + 1)))
  // A set hands out what is added meanwhile, too.
  for (const base of bases) {
    const place = directoryPlace(directory, base)
    const opened = place && directory.open(place)
    if (!opened?.ok) continue
    try {
      sweepIn(opened)
      if (!whole.some((key) => base.startsWith(key))) continue
      for (const { kind, name } of entriesIn(opened.through, Number(opened.stat.size)))
        if (kind === 'directory') bases.add(`${base}${name}/`)
    } finally {
      closeSync(opened.fd)
    }
  }
}

/** The `processId` of who wrote a temporary file; `''` where it is not known. */
function writerOf(path: string, name: string): string {
  if (!name.endsWith('.lock')) return /-([0-9a-f]{8}-\d+)-/.exec(name)?.[1] ?? ''
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

/** Directories of which it is remembered. */
const MOST_SWEPT = 1000

export function isOlder(path: string, ms: number): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  return stat !== undefined && Math.abs(Date.now() - stat.mtimeMs) > ms
}

export function unlinkIfThere(path: string): void {
  try {
    unlinkSync(path)
  } catch (error) {
    if (systemCodeOf(error) !== 'ENOENT') throw error
  }
}
