import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Steps } from '../../core/steps.ts'
import type { Opened } from '../confine.ts'
import { type FileVersion, isSettled, sameVersion, versionOf } from '../file-version.ts'
import { compareBytes } from '../objects.ts'
import { isTemporaryName } from './directory-place.ts'
import { type Entry, entriesIn } from './entries.ts'

/** One name in a directory, as it stands among the keys. */
export interface Ordered {
  readonly entry: Entry
  /** Its name; of a directory with a slash at its end, which puts `a-b` before what is in `a`. */
  readonly order: string
}

/** Entries of a directory in the order of their keys: all, or the first so many of those that were asked for. */
export interface Window {
  readonly entries: readonly Ordered[]
  readonly isWhole: boolean
  /** Those before were left out. */
  readonly from: string
  readonly version: FileVersion
}

/** Most entries of a window: some 10 MB of names. A larger directory is read again for each window. */
const MAX_WINDOW = 100_000

/** Most entries that are kept for the next page, and the fewest for which it is worth it. */
const KEPT = { most: 200_000, fewest: 1000 }

/** Entries between two pauses: a few milliseconds. */
const SLICE = 4096

/** What was read of directories, for the next page of a list. It is used while the directory is the same. */
export class Windows {
  readonly #kept = new Map<string, Window>()
  readonly #size: number

  constructor(size = MAX_WINDOW) {
    this.#size = size
  }

  /** The entries of a directory of this name from `from` on, and perhaps some before. */
  *from(name: string, opened: Opened, from: string): Steps<Window> {
    const kept = this.#kept.get(name)
    if (kept && sameVersion(kept.version, versionOf(opened.stat)) && holds(kept, from)) return kept
    const window = yield* readWindow(opened, from, this.#size)
    this.#keep(name, window)
    return window
  }

  clear(): void {
    this.#kept.clear()
  }

  #keep(name: string, window: Window): void {
    this.#kept.delete(name)
    // Of a directory that just changed, the next change may leave the same times.
    if (window.entries.length < KEPT.fewest || !isSettled(window.version, Date.now())) return
    this.#kept.set(name, window)
    let count = 0
    for (const [other, { entries }] of [...this.#kept].reverse()) {
      count += entries.length
      if (count > KEPT.most) this.#kept.delete(other)
    }
  }
}

function holds({ entries, isWhole, from: first }: Window, from: string): boolean {
  if (compareBytes(first, from) > 0) return false
  return isWhole || compareBytes(entries.at(-1)?.order ?? '', from) > 0
}

function* readWindow({ through, stat }: Opened, from: string, size: number): Steps<Window> {
  let entries: Ordered[] = []
  let isWhole = true
  let seen = 0
  for (const entry of entriesIn(through, Number(stat.size))) {
    if (++seen % SLICE === 0) yield
    if (isTemporaryName(entry.name)) continue
    const order = leadsToDirectory(entry, through) ? `${entry.name}/` : entry.name
    if (isBefore(order, from)) continue
    if (entries.push({ entry, order }) < 2 * size) continue
    entries = sortEntries(entries).slice(0, size)
    isWhole = false
  }
  if (entries.length > size) isWhole = false
  return { entries: sortEntries(entries).slice(0, size), isWhole, from, version: versionOf(stat) }
}

/** Whether all that an entry stands for comes before: of a directory, everything in it. */
function isBefore(order: string, from: string): boolean {
  return compareBytes(order, from) < 0 && !(order.endsWith('/') && from.startsWith(order))
}

/** What comes next behind an entry. A slash is followed by `0` among the bytes. */
export function behind(order: string): string {
  return order.endsWith('/') ? `${order.slice(0, -1)}0` : `${order}\0`
}

/** Only to put it in order. Where it leads is judged when it is opened. */
function leadsToDirectory({ name, kind }: Entry, through: string): boolean {
  if (kind !== 'link') return kind === 'directory'
  try {
    return statSync(join(through, name)).isDirectory()
  } catch {
    return false
  }
}

/** The order of JavaScript is much faster, and the same unless there are characters in the way it sees otherwise. */
function sortEntries(entries: Ordered[]): Ordered[] {
  const isPlain = !entries.some(({ order }) => /[\ud800-\uffff]/.test(order))
  return entries.sort((a, b) => (isPlain ? (a.order < b.order ? -1 : 1) : compareBytes(a.order, b.order)))
}
