import type { Block } from './blocks.ts'
import { codeSpans } from './code.ts'
import { lineStarts } from './lines.ts'
import { byteEnd } from './truncate.ts'
import { lazyPattern } from './wildcards.ts'

/** Maximum UTF-8 bytes between two split points of prose. */
const MAX_PIECE_BYTES = 512

const CJK = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}`
const CLOSERS = String.raw`[)\]"'”’»*_」』）】]*`
const sentenceEnd = lazyPattern(
  String.raw`(?<![.!?])[.!?]+${CLOSERS}(?:\s+|(?=[${CJK}]))|(?<![。！？])[。！？]+${CLOSERS}\s*`,
  'gu',
)
/** Words whose dot does not end a sentence: single letters (`e.g.`, `J. Doe`) and abbreviations. */
const shortWord = lazyPattern(String.raw`(?:^|[^\p{L}\p{N}])(?:\p{L}|vs|cf|mr|mrs|ms|dr|prof|fig|approx|resp)$`, 'iu')

type Range = readonly [start: number, end: number]

/**
 * Offsets strictly inside a block at which it may be cut, ascending. Prose is cut after sentences; a sentence of more
 * than 512 bytes also at white space, else between code points. List items and quotes are cut at line starts (lines of
 * more than 512 bytes as prose), but not within `whole`; tables at their rows; other blocks nowhere.
 */
export function splitPoints(text: string, block: Block): readonly number[] {
  if (block.kind === 'paragraph') return splitProse(text, block.start, block.end)
  if (block.kind === 'table') return splitRows(text, block)
  return block.kind === 'list-item' || block.kind === 'quote' ? splitLines(text, block) : []
}

function splitProse(text: string, start: number, end: number): number[] {
  const points: number[] = []
  let from = start
  for (const to of [...sentenceEnds(text.slice(start, end)).map((at) => at + start), end]) {
    for (const cut of cutsWithin(text, from, to)) points.push(cut)
    if (to < end) points.push(to)
    from = to
  }
  return points
}

/** Ends of the sentences in prose, after their white space, without the end of the last sentence. */
function sentenceEnds(prose: string): number[] {
  const length = prose.trimEnd().length
  const spans = codeSpans(prose)
  const ends: number[] = []
  let span = 0
  for (const { 0: stop, index } of prose.matchAll(sentenceEnd())) {
    while ((spans[span]?.[1] ?? prose.length) <= index) span++
    const isInCode = index > (spans[span]?.[0] ?? prose.length)
    const end = index + stop.length
    const isAbbreviation = stop[0] === '.' && shortWord().test(prose.slice(Math.max(0, index - 8), index))
    if (end < length && !isInCode && !isAbbreviation) ends.push(end)
  }
  return ends
}

/** Cuts between two offsets, so that no piece has more than 512 bytes. */
function cutsWithin(text: string, start: number, end: number): number[] {
  const cuts: number[] = []
  for (let from = start; (end - from) * 3 > MAX_PIECE_BYTES; ) {
    const latest = byteEnd(text, from, MAX_PIECE_BYTES)
    if (latest >= end) break
    from = cutBefore(text, from, latest)
    cuts.push(from)
  }
  return cuts
}

/** The last offset in (from, latest] that follows white space, else `latest`; never between CR and LF. */
function cutBefore(text: string, from: number, latest: number): number {
  for (let at = latest; at > from; at--) {
    if (/\s/.test(text.charAt(at - 1)) && !splitsLineEnd(text, at)) return at
  }
  return splitsLineEnd(text, latest) ? latest - 1 : latest
}

function splitsLineEnd(text: string, at: number): boolean {
  return text[at - 1] === '\r' && text[at] === '\n'
}

function splitLines(text: string, { start, end, whole }: Block): number[] {
  const points: number[] = []
  let range = 0
  for (const [from, to] of lineRanges(text, start, end)) {
    while ((whole[range]?.[1] ?? Number.POSITIVE_INFINITY) <= from) range++
    const [first, last] = whole[range] ?? [end, end]
    if (from > first && from < last) continue
    if (from > start && text.slice(from, to).trim() !== '') points.push(from)
    if (from === first) continue
    for (const point of longLineCuts(text, from, to)) points.push(point)
  }
  return points
}

function longLineCuts(text: string, start: number, end: number): number[] {
  const fits = (end - start) * 3 <= MAX_PIECE_BYTES || byteEnd(text, start, MAX_PIECE_BYTES) >= end
  return fits ? [] : splitProse(text, start, end)
}

function splitRows(text: string, { start, end }: Block): number[] {
  const rows = lineRanges(text, start, end).filter(([from, to]) => text.slice(from, to).trim() !== '')
  return rows.slice(2).map(([from]) => from)
}

function lineRanges(text: string, start: number, end: number): Range[] {
  const starts = lineStarts(text.slice(start, end))
  return starts.map((from, index) => [from + start, (starts[index + 1] ?? end - start) + start])
}
