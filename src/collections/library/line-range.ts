/** Lines of a document, as people and programs write them. */

import { ContextError } from '../../core/errors.ts'
import type { Address } from '../../text/collection-uri.ts'
import { countNoun } from '../../text/counts.ts'

/** Lines from 1; both are given. */
export interface DocumentLines {
  readonly start: number
  /** Infinity: to the last. */
  readonly end: number
  /** As it was written, for errors. */
  readonly written: string
}

/** What lines look like behind a path. */
const BEHIND = [/^(.+):(\d+(?:-\d*)?)$/s, /^(.+):(\d+:\d+)$/s]

/** The path as it is, and what it is without the lines behind it. */
export function splitLines(name: string): readonly { readonly path: string; readonly lines?: DocumentLines }[] {
  const split = BEHIND.flatMap((pattern) => {
    const [, path, written = ''] = pattern.exec(name) ?? []
    // As hits are shown: from that line on.
    return path === undefined ? [] : [{ path, lines: readLineRange(/[-:]/.test(written) ? written : `${written}-`) }]
  })
  return [{ path: name }, ...split]
}

/** Parses `10-20`, `10-`, `10`, or `10:5`, which is five lines from the tenth on. An invalid range has no lines. */
export function readLineRange(written: string): DocumentLines {
  const [, from = '', sign, to = ''] = /^(\d+)(?:([-:])(\d*))?$/.exec(written) ?? []
  const start = from === '' ? Number.NaN : Number(from)
  const last = to === '' ? Number.POSITIVE_INFINITY : Number(to)
  if (sign === ':') return { start, end: to === '' ? Number.NaN : start + last - 1, written }
  return { start, end: sign === '-' ? last : start, written }
}

/** Those of the range that there are. @throws ContextError for what is not a range, and for lines behind the last. */
export function clipLineRange({ start, end, written }: DocumentLines, total: number, { collection, path }: Address) {
  if (start > Math.max(1, total) && end >= start) {
    const message = `${collection}/${path} has ${total === 0 ? 'no lines' : `only ${countNoun(total, 'line')}`}.`
    const hint = `"${written}" is after its end${total === 0 ? '.' : `: ask for some of 1-${total}.`}`
    throw new ContextError('invalid-input', message, { hint })
  }
  if (start >= 1 && end >= start) return { start, end: Math.min(end, total) }
  const hint = 'For example: 10-20, 10- or 10; 10:5 is five lines from line 10 on.'
  throw new ContextError('invalid-input', `"${written}" is not a range of lines.`, { hint })
}
