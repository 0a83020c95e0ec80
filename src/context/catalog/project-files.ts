/** Files of the project around a place on disk, whether a collection has them or not. */

import { resolve } from 'node:path'
import { ContextError, invalidInput, quoteValue } from '../../core/errors.ts'
import type { FileRefusal } from '../../files/confine.ts'
import { type LocalRoot, openRoot } from '../../files/disk.ts'
import { isInBounds, projectRootOf } from '../../files/roots.ts'
import { readText } from '../../files/text-file.ts'
import { oneLine } from '../../text/controls.ts'
import { relativeTo } from '../../text/paths.ts'
import { looksSecret } from '../../text/secrets.ts'
import { diskPlace } from '../load/place.ts'
import { assertNoSecret } from './locate.ts'

/** Maximum entries of a listing. */
const MAX_ENTRIES = 1000

/**
 * The files of the project around a place on disk: below the nearest directory with `.git`, else below the place.
 * Methods take paths that are absolute or relative to the place. Names of secrets, and links that lead out of the
 * project, are refused.
 */
export class ProjectFiles {
  /** Absolute path of the place. */
  readonly directory: string
  /** Absolute path of the root of the project. */
  readonly root: string
  readonly #root: LocalRoot

  /** @throws ContextError `not-found` for a place that does not exist; `denied` for a directory of the operating system. */
  constructor(place: string) {
    this.directory = diskPlace(place).directory
    this.#root = openRoot(projectRootOf(this.directory), { unbounded: true })
    this.root = this.#root.path
  }

  /**
   * The first `MAX_ENTRIES` entries of a directory, sorted by name. `total`: the number of all entries.
   *
   * @throws ContextError `not-found`; `denied` outside of the project; `over-limit` for a very large directory.
   */
  list(path: string) {
    const at = this.#resolve(path)
    const listed = this.#root.list(at)
    if (!listed.ok) throw this.#errorFor(at, listed)
    const seen = listed.entries.filter(({ name }) => !looksSecret(name))
    const entries = seen.slice(0, MAX_ENTRIES).map(({ name, kind }) => {
      return { name, kind: kind === 'directory' || kind === 'file' ? kind : ('other' as const) }
    })
    return { path: at, entries, total: seen.length }
  }

  /**
   * The text of a file, or of some of its lines: `10-20`, `10-` or `10`.
   *
   * @throws ContextError as `list`; `invalid-input` for a file that is not text, and for missing lines.
   */
  read(path: string, lines?: string) {
    const at = this.#resolve(path)
    const file = readText(this.#root, at)
    if (!file.ok) throw this.#errorFor(at, file)
    return { path: at, ...cutLines(file.text, lines), warnings: file.warnings }
  }

  /** @throws ContextError as `list`; `over-limit` for a file of more than `maxBytes` bytes. */
  bytes(path: string, maxBytes: number) {
    const at = this.#resolve(path)
    const read = this.#root.read(at, { maxBytes })
    if (!read.ok) throw this.#errorFor(at, read)
    assertNoSecret(relativeTo(this.#root.realPath, read.realPath) ?? '', at)
    return { path: at, bytes: read.bytes }
  }

  #resolve(path: string): string {
    const at = resolve(this.directory, path)
    const below = relativeTo(this.root, at)
    if (below === undefined || !isInBounds(at)) {
      const hint = `You can read what is in ${oneLine(this.root)} and in the collections.`
      throw new ContextError('denied', `${oneLine(at)} is outside of the project.`, { hint })
    }
    assertNoSecret(below, at)
    return at
  }

  #errorFor(at: string, { why, detail }: FileRefusal): ContextError {
    const path = oneLine(at)
    if (why === 'missing') return new ContextError('not-found', `There is no ${path}.`)
    if (why === 'denied' || why === 'over-limit') return new ContextError(why, `${path} is not read: ${detail}`)
    return invalidInput(`${path} cannot be read: ${detail}`)
  }
}

/**
 * Cuts a text to a range of lines, from 1: `10-20`, `10-` or `10`. Default: all lines. The result also has the numbers
 * of the first and the last line, and the total number of lines.
 *
 * @throws ContextError `invalid-input`.
 */
export function cutLines(whole: string, lines: string | undefined) {
  const all = whole.split('\n')
  const total = all.at(-1) === '' ? all.length - 1 : all.length
  const { start, end } = parseRange(lines, total)
  return { text: lines === undefined ? whole : all.slice(start - 1, end).join('\n'), lines: { start, end, total } }
}

function parseRange(lines: string | undefined, total: number): { readonly start: number; readonly end: number } {
  if (lines === undefined) return { start: Math.min(1, total), end: total }
  const [, first, dash, last] = /^0*([1-9]\d*)(?:(-)(\d*))?$/.exec(lines) ?? []
  const start = Number(first)
  const end = Math.min(total, dash === undefined ? start : last ? Number(last) : total)
  if (first !== undefined && start <= total && end >= start) return { start, end }
  const hint = first === undefined ? 'For example: 10-20, 10- or 10.' : `It has ${total} lines.`
  throw invalidInput(`${quoteValue(lines)} is not a range of its lines.`, hint)
}
