/** Finds the blocks of a text that contain most wanted terms, without tokenizing the text. */

import type { WantedTerm } from '../passages.ts'
import { holdersOf, placeOfPrefix, placeOfTerm, plainOf } from '../ranking/windows.ts'

/** Maximum number of terms, the most informative first; and of blocks for each term. */
const MAX_TERMS = 6
const MAX_HOLDERS = 500
/** Maximum number of forms of a term. */
const MAX_FORMS = 16

/** A block of more UTF-16 units is split. */
const LONG_BLOCK = 2000

/** UTF-16 units of a heading that are read. */
const LONG_HEADING = 300

export interface NeedleBlock {
  /** Offsets in UTF-16 units, without the white space around the block. */
  readonly start: number
  readonly end: number
  readonly text: string
  /** The headings above it, as written. */
  readonly trail: string
  /** Sum of the weights of the distinct terms in it. */
  readonly weight: number
}

/** Blocks of a text: each goes from one start to the next. */
interface BlockScan {
  readonly starts: readonly number[]
  readonly headings: readonly { readonly at: number; readonly level: number }[]
}

/** Weight of a block with all searched terms. */
export function highestWeight(terms: readonly WantedTerm[]): number {
  return tellingMost(terms).reduce((sum, { weight, idf }) => sum + weight * idf, 0)
}

/**
 * The blocks (paragraphs, list items, rows, headings) with the highest sum of the weights of their distinct terms; the best first. Takes time that
 * grows with the text times at most a dozen terms.
 */
export function bestBlocks(text: string, terms: readonly WantedTerm[], most: number): NeedleBlock[] {
  const scan = scanBlocks(text)
  const weights = new Map<number, number>()
  const plain = plainOf(text)
  for (const term of tellingMost(terms)) {
    const placeOf = term.isPrefix ? placeOfPrefix : placeOfTerm
    const holders = term.forms.slice(0, MAX_FORMS).flatMap((form) => {
      return holdersOf(scan.starts, (from) => placeOf(form, { text, plain }, from), { most: MAX_HOLDERS })
    })
    for (const block of new Set(holders)) weights.set(block, (weights.get(block) ?? 0) + term.weight * term.idf)
  }
  const best = [...weights].sort(([a, x], [b, y]) => y - x || a - b).slice(0, most)
  return best.map(([block, weight]) => ({ ...blockAt(text, scan, block), weight }))
}

function tellingMost(terms: readonly WantedTerm[]): WantedTerm[] {
  return [...terms].sort((a, b) => b.weight * b.idf - a.weight * a.idf).slice(0, MAX_TERMS)
}

function blockAt(text: string, { starts, headings }: BlockScan, block: number): Omit<NeedleBlock, 'weight'> {
  const from = starts[block] ?? 0
  const raw = text.slice(from, starts[block + 1] ?? text.length)
  const bare = raw.trim()
  const start = from + raw.indexOf(bare)
  const trail: { readonly level: number; readonly at: number }[] = []
  for (const heading of headings) {
    if (heading.at >= from) break
    while ((trail.at(-1)?.level ?? 0) >= heading.level) trail.pop()
    trail.push(heading)
  }
  return { start, end: start + bare.length, text: bare, trail: trail.map(({ at }) => lineFrom(text, at)).join('\n') }
}

function lineFrom(text: string, at: number): string {
  const end = text.indexOf('\n', at)
  return text.slice(at, Math.min(end < 0 ? text.length : end, at + LONG_HEADING))
}

const [LF, SPACE, TAB, CR, HASH, BACKTICK, TILDE] = [0x0a, 0x20, 0x09, 0x0d, 0x23, 0x60, 0x7e]

/** Scans the lines once: a block begins after an empty line, and at each item, row and heading. */
function scanBlocks(text: string): BlockScan {
  const starts = [0]
  const headings: { at: number; level: number }[] = []
  let isFenced = false
  let wasEmpty = true
  for (let start = 0; start <= text.length; ) {
    const newline = text.indexOf('\n', start)
    const end = newline < 0 ? text.length : newline
    const mark = firstMark(text, start, end)
    const code = mark < end ? text.charCodeAt(mark) : LF
    if (code === BACKTICK || code === TILDE) {
      if (isFence(text, mark, code)) isFenced = !isFenced
    } else if (code === HASH && mark === start && !isFenced) {
      const level = levelAt(text, start)
      if (level > 0) headings.push({ at: start, level })
    }
    const last = starts.at(-1) ?? 0
    const begins = code !== LF && (wasEmpty || beginsBlock(code) || start - last > LONG_BLOCK)
    if (begins && start > last) starts.push(start)
    for (let cut = start + LONG_BLOCK; cut < end; cut += LONG_BLOCK) starts.push(cut)
    wasEmpty = code === LF
    start = end + 1
  }
  return { starts, headings }
}

function firstMark(text: string, start: number, end: number): number {
  let at = start
  for (; at < end; at++) {
    const code = text.charCodeAt(at)
    if (code !== SPACE && code !== TAB && code !== CR) break
  }
  return at
}

function isFence(text: string, at: number, code: number): boolean {
  return text.charCodeAt(at + 1) === code && text.charCodeAt(at + 2) === code
}

/** Whether a line with this first character begins a block: `# * + - |` or a digit. */
function beginsBlock(code: number): boolean {
  return (
    code === HASH || code === 0x2a || code === 0x2b || code === 0x2d || code === 0x7c || (code >= 0x30 && code <= 0x39)
  )
}

/** Level of a heading, 1 to 6; 0 for other lines. */
function levelAt(text: string, start: number): number {
  let at = start
  while (text.charCodeAt(at) === HASH) at++
  const isOver = text.charCodeAt(at) === SPACE || text.charCodeAt(at) === TAB
  return isOver && at - start <= 6 ? at - start : 0
}
