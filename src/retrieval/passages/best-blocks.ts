/** Finds the blocks of a text with the most wanted terms by searches for substrings, without reading every word. */

import type { WantedTerm } from '../passages.ts'
import { foldText, piecesWithMatch, positionOfPrefix, positionOfTerm } from '../ranking/windows.ts'

/** Maximum number of searched terms, the most informative first; and of blocks for each term. */
const MAX_TERMS = 6
const MAX_BLOCKS_PER_TERM = 500
/** Maximum number of forms of a term. */
const MAX_FORMS = 16

/** A block of more UTF-16 units is split. */
const MAX_BLOCK_LENGTH = 2000

/** UTF-16 units of a heading that are read. */
const MAX_HEADING_LENGTH = 300

export interface WeightedBlock {
  /** Offsets in UTF-16 units, without the white space around the block. */
  readonly start: number
  readonly end: number
  readonly text: string
  /** The headings above the block, as written, one per line. */
  readonly trail: string
  /** Sum of `weight` times `idf` of the terms in the block, each counted once. */
  readonly weight: number
}

/** Blocks of a text. Each block extends from its start to the next start. */
type BlockScan = ReturnType<typeof scanBlocks>

/** The weight of a block that contains all searched terms. */
export function highestWeight(terms: readonly WantedTerm[]): number {
  return mostInformative(terms).reduce((sum, { weight, idf }) => sum + weight * idf, 0)
}

/**
 * The `limit` blocks (paragraphs, list items, rows, headings) with the highest weights, the best first. The time grows
 * with the length of the text, and with the number of searched forms, which is limited.
 */
export function bestBlocks(text: string, terms: readonly WantedTerm[], limit: number): WeightedBlock[] {
  const blockScan = scanBlocks(text)
  const weights = new Map<number, number>()
  const plain = foldText(text)
  for (const term of mostInformative(terms)) {
    const positionOf = term.isPrefix ? positionOfPrefix : positionOfTerm
    const blocks = term.forms.slice(0, MAX_FORMS).flatMap((form) => {
      const positionFrom = (from: number) => positionOf(form, { text, plain }, from)
      return piecesWithMatch(blockScan.starts, positionFrom, { limit: MAX_BLOCKS_PER_TERM })
    })
    for (const block of new Set(blocks)) weights.set(block, (weights.get(block) ?? 0) + term.weight * term.idf)
  }
  const bestWeights = [...weights].sort(([a, aWeight], [b, bWeight]) => bWeight - aWeight || a - b).slice(0, limit)
  return bestWeights.map(([block, weight]) => ({ ...blockAt(text, blockScan, block), weight }))
}

function mostInformative(terms: readonly WantedTerm[]): WantedTerm[] {
  return [...terms].sort((a, b) => b.weight * b.idf - a.weight * a.idf).slice(0, MAX_TERMS)
}

function blockAt(text: string, { starts, headings }: BlockScan, block: number): Omit<WeightedBlock, 'weight'> {
  const from = starts[block] ?? 0
  const raw = text.slice(from, starts[block + 1] ?? text.length)
  const shown = raw.trim()
  const start = from + raw.indexOf(shown)
  const trail: { readonly level: number; readonly at: number }[] = []
  for (const heading of headings) {
    if (heading.at >= from) break
    while ((trail.at(-1)?.level ?? 0) >= heading.level) trail.pop()
    trail.push(heading)
  }
  const above = trail.map(({ at }) => lineFrom(text, at)).join('\n')
  return { start, end: start + shown.length, text: shown, trail: above }
}

function lineFrom(text: string, at: number): string {
  const end = text.indexOf('\n', at)
  return text.slice(at, Math.min(end < 0 ? text.length : end, at + MAX_HEADING_LENGTH))
}

const FIRST_SIGN = /[^ \t\r]/g
const HEADING = /#{1,6}[ \t]/y
/** First characters of lines that begin a block. */
const BLOCK_MARKS = '#*+-|0123456789'

/** Scans the lines once: a block begins after an empty line, and at each item, row and heading. */
function scanBlocks(text: string) {
  const starts = [0]
  const headings: { at: number; level: number }[] = []
  let isFenced = false
  let wasEmpty = true
  for (let start = 0; start <= text.length; ) {
    const newline = text.indexOf('\n', start)
    const end = newline < 0 ? text.length : newline
    FIRST_SIGN.lastIndex = start
    const first = FIRST_SIGN.test(text) ? FIRST_SIGN.lastIndex - 1 : end
    const isEmpty = first === end
    if (text.startsWith('```', first) || text.startsWith('~~~', first)) isFenced = !isFenced
    HEADING.lastIndex = start
    if (!isFenced && HEADING.test(text)) headings.push({ at: start, level: HEADING.lastIndex - start - 1 })
    const last = starts.at(-1) ?? 0
    const startsBlock = wasEmpty || BLOCK_MARKS.includes(text.charAt(first)) || start - last > MAX_BLOCK_LENGTH
    if (!isEmpty && startsBlock && start > last) starts.push(start)
    for (let cut = start + MAX_BLOCK_LENGTH; cut < end; cut += MAX_BLOCK_LENGTH) starts.push(cut)
    wasEmpty = isEmpty
    start = end + 1
  }
  return { starts, headings }
}
