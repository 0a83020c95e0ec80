/** Finds snippets: the lines of a text with the most terms of a query. */

import { utf8Length } from '../core/tokens.ts'
import { splitFrontMatter } from '../text/front-matter.ts'
import { lineAt, lineStarts } from '../text/lines.ts'
import { byteEnd, byteStart } from '../text/truncate.ts'
import type { PassageSpan } from './meaning.ts'
import {
  HEADING_WEIGHT,
  isHeading,
  lastLineOf,
  likelyWindows,
  lineText,
  type TextLines,
  WINDOW_LINES,
} from './ranking/windows.ts'
import { positionsOf, withoutCase } from './substrings.ts'
import { composeText, foldWord, mainTerms, scanTerms } from './terms.ts'

export interface Snippet {
  /** Whole lines, or a part of a very long line with `…` at its cuts. */
  readonly text: string
  /** Position in the text, in UTF-16 units. */
  readonly span: { readonly start: number; readonly end: number }
  /** The first and the last line in the text, from 1. */
  readonly start: number
  readonly end: number
  /** Matched words in `text`. */
  readonly highlights: readonly { readonly start: number; readonly end: number }[]
}

export interface SnippetOptions {
  /** Maximum number of snippets. Default: 1. */
  readonly most?: number
  /** Substrings of the query, without regard to case. */
  readonly pieces?: readonly string[]
  /** Start of each line, if known. */
  readonly starts?: readonly number[]
  /**
   * The passage from which the first snippet comes, in UTF-16 units. `isNearest`: shows the passage even without a
   * match. `sentence`: the range of the passage to show, regardless of matches.
   */
  readonly near?: PassageSpan & {
    readonly isNearest?: boolean | undefined
    readonly sentence?: PassageSpan | undefined
  }
}

/** Maximum characters of a snippet, without the two `…`. */
const MAX_SNIPPET_LENGTH = 398

interface Match {
  readonly line: number
  readonly start: number
  readonly end: number
  readonly term: string
}

/**
 * Snippets of the windows (a few lines) with the most terms, the best first, without overlaps. Without a match, the
 * beginning of the text.
 *
 * @param terms the idf of each term
 */
export function snippetsOf(
  text: string,
  terms: ReadonlyMap<string, number>,
  { most = 1, pieces = [], starts = lineStarts(text), near }: SnippetOptions = {},
): Snippet[] {
  const body = { text, starts, first: lineAt(starts, splitFrontMatter(text).body) }
  const pieceMatches = pieces.length === 0 ? [] : matchPieces(body, pieces)
  const nearSnippet = near && pieces.length === 0 ? snippetInRange(body, terms, near) : undefined
  if (nearSnippet && most === 1) return [nearSnippet.snippet]
  const weights = new Map([...terms, ...pieceMatches.map(({ term }) => [term, PIECE_WEIGHT] as const)])
  const windowStarts = [
    ...likelyWindows(body, terms, most),
    ...pieceMatches.slice(0, MAX_PIECE_MATCHES).map(({ line }) => line),
  ]
  const lines = linesOfWindows(windowStarts, starts.length)
  const matches = [...matchTerms(body, lines, terms), ...pieceMatches].sort((a, b) => a.start - b.start)
  if (matches.length === 0) return [nearSnippet?.snippet ?? cutWindow(body, textLineFrom(body, body.first), [])]
  const chosen = nearSnippet ? [nearSnippet.window] : []
  for (const window of rankWindows(body, matches, weights)) {
    if (chosen.length === most) break
    if (chosen.every(({ line }) => Math.abs(line - window.line) >= WINDOW_LINES)) chosen.push(window)
  }
  const snippets = chosen.map((window) => cutWindow(body, window.line, matches))
  return nearSnippet ? [nearSnippet.snippet, ...snippets.slice(1)] : snippets
}

/** The best window that begins within a range; undefined without a match, unless `isNearest` is set. */
function snippetInRange(body: TextLines, terms: ReadonlyMap<string, number>, near: Required<SnippetOptions>['near']) {
  const { start, end } = near.sentence ?? near
  const [firstLine, last] = [lineAt(body.starts, start), lineAt(body.starts, Math.max(start, end - 1))]
  // Includes a heading up to two lines above.
  const from = [firstLine - 1, firstLine - 2].find((line) => line >= body.first && isHeading(body, line)) ?? firstLine
  const lines = Array.from({ length: last - from + 1 }, (_, at) => from + at)
  const matches = matchTerms(body, lines, terms)
  const [best] = near.sentence ? [] : rankWindows(body, matches, terms)
  if (!best && !near.isNearest) return undefined
  const hasRoom = lastLineOf(body, from) >= last && end - (body.starts[from] ?? 0) <= MAX_SNIPPET_LENGTH
  const line = best?.line ?? textLineFrom(body, Math.max(body.first, hasRoom ? from : firstLine))
  const linesAfter = Array.from({ length: Math.max(0, lastLineOf(body, line) - last) }, (_, at) => last + 1 + at)
  const windowMatches = [...matches, ...matchTerms(body, linesAfter, terms)]
  return { window: { line }, snippet: cutWindow(body, line, windowMatches, best ? undefined : { start, end }) }
}

/** Maximum positions of a substring. */
const MAX_PIECE_MATCHES = 1000

/** Weight of a substring, above the weight of words. */
const PIECE_WEIGHT = 20

/** The matches of substrings in the body; if there are none, the matches in the front matter. */
function matchPieces(body: TextLines, pieces: readonly string[]): Match[] {
  const plain = withoutCase(body.text)
  const matches = pieces.flatMap((piece) => {
    return positionsOf(piece, plain, MAX_PIECE_MATCHES).map((start) => {
      return { line: lineAt(body.starts, start), start, end: start + piece.length, term: `"${piece}` }
    })
  })
  const inBody = matches.filter(({ line }) => line >= body.first)
  return inBody.length > 0 ? inBody : matches
}

function linesOfWindows(windows: readonly number[], count: number): number[] {
  const lines = new Set<number>()
  for (const line of windows) for (let at = line; at < Math.min(line + WINDOW_LINES, count); at++) lines.add(at)
  return [...lines].sort((a, b) => a - b)
}

function matchTerms(body: TextLines, lines: readonly number[], terms: ReadonlyMap<string, number>): Match[] {
  const matches: Match[] = []
  for (const line of lines) {
    const add = (term: string, start: number, end: number) => {
      if (terms.has(term)) matches.push({ line, start, end, term })
    }
    const from = body.starts[line] ?? 0
    scanTerms(body.text, { main: add, extra: add }, from, body.starts[line + 1] ?? body.text.length)
  }
  return matches
}

/** Windows at each line with a match, the best first. Repeated occurrences of a term count little. */
function rankWindows(body: TextLines, matches: readonly Match[], terms: ReadonlyMap<string, number>) {
  const lines = [...new Set(matches.map(({ line }) => line))]
  let from = 0
  const windows = lines.map((line) => {
    while ((matches[from]?.line ?? line) < line) from++
    const seen = new Set<string>()
    let weight = 0
    const factor = (at: number) => (at === line && isHeading(body, line) ? 1 + HEADING_WEIGHT : 1)
    const last = lastLineOf(body, line)
    for (let at = from; (matches[at]?.line ?? Number.POSITIVE_INFINITY) <= last; at++) {
      const { term, line: matchLine } = matches[at] as Match
      weight += seen.has(term) ? 0.01 : (terms.get(term) ?? 0) * factor(matchLine)
      seen.add(term)
    }
    return { line, weight: ONLY_LINK.test(lineText(body, line)) ? weight / 2 : weight }
  })
  return windows.sort((a, b) => b.weight - a.weight)
}

/** Matches a line that consists of an image or a link. */
const ONLY_LINK = /^\s*(?:[-*+]\s+)?!?\[[^\]]*\]\([^)]*\)\s*$/

function textLineFrom(body: TextLines, first: number): number {
  let line = first
  while (line < body.starts.length - 1 && lineText(body, line).trim() === '') line++
  return line
}

/** The snippet of the window at a line. `focus`: the range of a very long line to show. Default: the first match. */
function cutWindow(body: TextLines, line: number, matches: readonly Match[], focus?: Snippet['span']): Snippet {
  const last = lastLineOf(body, line)
  const start = body.starts[line] ?? 0
  const end = Math.max(start, (body.starts[last + 1] ?? body.text.length + 1) - 1)
  const windowMatches = matches.filter((match) => match.line >= line && match.line <= last)
  const match = windowMatches[0]?.start ?? start
  const range = clipAround(body.text, { start, end }, focus ?? { start: match, end: match + MAX_SNIPPET_LENGTH / 2 })
  const text = body.text.slice(range.start, range.end).trimEnd()
  const shownMatches = windowMatches.filter((match) => match.start >= range.start)
  const [before, after] = [range.start > start ? ELLIPSIS : '', range.end < end ? ELLIPSIS : '']
  return {
    text: before + text + after,
    span: { start: range.start, end: range.start + text.length },
    start: lineAt(body.starts, range.start) + 1,
    end: lineAt(body.starts, Math.max(range.start, range.start + text.length - 1)) + 1,
    highlights: toHighlights(shownMatches, range.start - before.length, before.length + text.length),
  }
}

/** Mark of a line that was cut. */
const ELLIPSIS = '…'

/** Clips a line to the maximum length around its focus, between characters. */
function clipAround(text: string, { start, end }: Snippet['span'], focus: Snippet['span']) {
  if (end - start <= MAX_SNIPPET_LENGTH) return { start, end }
  const earliest = Math.max(focus.start - Math.floor(MAX_SNIPPET_LENGTH / 4), focus.end - MAX_SNIPPET_LENGTH)
  const from = focus.end - start < MAX_SNIPPET_LENGTH ? start : Math.min(focus.start, earliest)
  const to = Math.min(end, from + MAX_SNIPPET_LENGTH)
  return { start: splitsCharacter(text, from) ? from + 1 : from, end: splitsCharacter(text, to) ? to - 1 : to }
}

function splitsCharacter(text: string, at: number): boolean {
  return (text.codePointAt(at - 1) ?? 0) > 0xffff
}

/** Ranges of a snippet for matches; touching ranges are joined. `offset`, `length`: of the snippet in the text. */
function toHighlights(matches: readonly Match[], offset: number, length: number) {
  const ranges: { start: number; end: number }[] = []
  for (const { start, end } of [...matches].sort((a, b) => a.start - b.start)) {
    const last = ranges.at(-1)
    const [from, to] = [start - offset, Math.min(end - offset, length)]
    if (from >= to) continue
    if (last && from <= last.end) last.end = Math.max(last.end, to)
    else ranges.push({ start: from, end: to })
  }
  return ranges
}

/** Whether the terms follow each other in a text. */
export function holdsPhrase(text: string, terms: readonly string[]): boolean {
  return terms.length > 0 && ` ${mainTerms(text).join(' ')} `.includes(` ${terms.join(' ')} `)
}

/**
 * The words of a text without case and accents, each between blanks. A text contains a phrase word for word if the
 * result for the text contains the result for the phrase.
 */
export function foldedWords(text: string): string {
  const [composed, words] = [composeText(text), [] as string[]]
  scanTerms(composed, { main: (_, start, end) => words.push(foldWord(composed.slice(start, end))) })
  return ` ${words.join(' ')} `
}

/** Maximum bytes of a passage, about 400 tokens of prose: some models accept only 512 tokens, including the query. */
const MAX_PASSAGE = 1600

/**
 * A snippet with the text around it, at most `MAX_PASSAGE` bytes: a third of the remaining bytes before the snippet,
 * two thirds after it; one side can use bytes that the other does not need. Begins and ends with whole lines, or with
 * whole words if whole lines would lose much.
 */
export function passageAround(text: string, { span: { start: from, end: to } }: Pick<Snippet, 'span'>): string {
  const remainingBytes = Math.max(0, MAX_PASSAGE - utf8Length(text.slice(from, to)))
  const nearEnd = byteEnd(text, to, Math.ceil((remainingBytes * 2) / 3))
  const start = byteStart(text, from, remainingBytes - utf8Length(text.slice(to, nearEnd)))
  const end = byteEnd(text, to, remainingBytes - utf8Length(text.slice(start, from)))
  return text.slice(start + cutBefore(text, start, from), to + lengthAfter(text, to, end)).trim()
}

/** The text before a snippet is from `start` to `end`. Returns the number of UTF-16 units to drop at its start. */
function cutBefore(text: string, start: number, end: number): number {
  if (start === 0 || text[start - 1] === '\n') return 0
  const before = text.slice(start, end)
  const line = before.indexOf('\n') + 1
  return line > 0 && line <= before.length / 2 ? line : Math.max(0, before.search(/\s/))
}

/** The text after a snippet is from `start` to `end`. Returns the number of UTF-16 units to keep at its start. */
function lengthAfter(text: string, start: number, end: number): number {
  const after = text.slice(start, end)
  if (end === text.length || text[end] === '\n') return after.length
  const line = after.lastIndexOf('\n')
  if (line >= after.length / 2) return line
  const word = after.search(/\s\S*$/)
  return word >= 0 ? word : after.length
}
