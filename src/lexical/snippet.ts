/** The lines of a text that say most about a query. */

import { splitFrontMatter } from '../text/front-matter.ts'
import { lineAt, lineStarts } from '../text/lines.ts'
import { scanTerms } from './terms.ts'

/** A piece of a text. */
export interface Snippet {
  /** Whole lines, or a part of a very long one. */
  readonly text: string
  /** Lines of the text, from 1. */
  readonly start: number
  readonly end: number
  /** Where the words stand that were looked for, in `text`. */
  readonly highlights: readonly { readonly start: number; readonly end: number }[]
}

/** Lines of a snippet. */
const LINES = 4
/** Characters of the longest snippet. */
const LONGEST = 400

interface Match {
  readonly line: number
  readonly start: number
  readonly end: number
  readonly term: string
}

/**
 * The pieces of a text that hold the most of what is looked for, the best first; none overlaps another. Without any
 * match it is the beginning of the text.
 *
 * @param terms how much each term tells
 */
export function snippetsOf(text: string, terms: ReadonlyMap<string, number>, most = 1): Snippet[] {
  const starts = lineStarts(text)
  const from = splitFrontMatter(text).body
  const body = { text, starts, first: lineAt(starts, from) }
  const matches = matchesIn(body, terms)
  if (matches.length === 0) return [beginning(body)]
  const windows = windowsOf(body, matches, terms)
  const chosen: Window[] = []
  for (const window of windows.sort((a, b) => b.weight - a.weight || a.line - b.line)) {
    if (chosen.length === most) break
    if (chosen.every(({ line }) => Math.abs(line - window.line) >= LINES)) chosen.push(window)
  }
  return chosen.map((window) => cutOut(body, window.line, matches))
}

interface Body {
  readonly text: string
  readonly starts: readonly number[]
  /** The first line after the front matter, from 0. */
  readonly first: number
}

function lineOf({ text, starts }: Body, line: number): string {
  return text.slice(starts[line] ?? text.length, starts[line + 1] ?? text.length).replace(/[\r\n]+$/, '')
}

function matchesIn(body: Body, terms: ReadonlyMap<string, number>): Match[] {
  const matches: Match[] = []
  for (const line of likelyLines(body, terms)) {
    const add = (term: string, start: number, end: number) => {
      if (terms.has(term)) matches.push({ line, start, end, term })
    }
    const from = body.starts[line] ?? 0
    scanTerms(body.text, { main: add, extra: add }, from, body.starts[line + 1] ?? body.text.length)
  }
  return matches
}

/**
 * Lines that may hold a term, ascending: a stem differs from its word in the last letter at most, and to look for its
 * beginning is many times faster than to read all words. Words with accents are read.
 */
function likelyLines({ text, starts, first }: Body, terms: ReadonlyMap<string, number>): number[] {
  const count = starts.length
  if (/[^\0-\x7f]/.test(text)) return Array.from({ length: count - first }, (_, index) => first + index)
  const lower = text.toLowerCase()
  const lines = new Set<number>()
  for (const term of terms.keys()) {
    const needle = term.slice(0, Math.max(1, Math.min(8, term.length - 1)))
    for (let at = lower.indexOf(needle, starts[first]); at >= 0; ) {
      const line = lineAt(starts, at)
      lines.add(line)
      const next = starts[line + 1]
      at = next === undefined ? -1 : lower.indexOf(needle, next)
    }
  }
  return [...lines].sort((a, b) => a - b)
}

interface Window {
  readonly line: number
  readonly weight: number
}

/** A window begins at each line that has a match; one more occurrence of a term counts for little. */
function windowsOf(body: Body, matches: readonly Match[], terms: ReadonlyMap<string, number>): Window[] {
  const lines = [...new Set(matches.map(({ line }) => line))]
  let from = 0
  return lines.map((line) => {
    while ((matches[from]?.line ?? line) < line) from++
    const seen = new Set<string>()
    let weight = 0
    for (let at = from; (matches[at]?.line ?? Number.POSITIVE_INFINITY) < line + LINES; at++) {
      const { term } = matches[at] as Match
      weight += seen.has(term) ? 0.01 : (terms.get(term) ?? 0)
      seen.add(term)
    }
    return { line, weight: isHollow(lineOf(body, line)) ? weight / 2 : weight }
  })
}

/** A line that is no more than an image or a link. */
function isHollow(line: string): boolean {
  return /^\s*(?:[-*+]\s+)?!?\[[^\]]*\]\([^)]*\)\s*$/.test(line)
}

function beginning(body: Body): Snippet {
  let line = body.first
  while (line < body.starts.length - 1 && lineOf(body, line).trim() === '') line++
  return cutOut(body, line, [])
}

/** Up to the next blank line after the first two, or so many lines. */
function cutOut(body: Body, line: number, matches: readonly Match[]): Snippet {
  let last = line
  while (last + 1 < Math.min(line + LINES, body.starts.length) && lineOf(body, last + 1).trim() !== '') last++
  if (last === line && line + 2 < body.starts.length && lineOf(body, line + 2).trim() !== '') last = line + 2
  const start = body.starts[line] ?? 0
  const end = Math.max(start, (body.starts[last + 1] ?? body.text.length + 1) - 1)
  const here = matches.filter((match) => match.line >= line && match.line <= last)
  const range = clipped({ start, end }, here[0]?.start ?? start)
  const text = body.text.slice(range.start, range.end).replace(/\s+$/, '')
  return {
    text,
    start: lineAt(body.starts, range.start) + 1,
    end: lineAt(body.starts, Math.max(range.start, range.start + text.length - 1)) + 1,
    highlights: united(here, range.start, text.length),
  }
}

/** At most so many characters, around the first match. */
function clipped({ start, end }: { start: number; end: number }, match: number): { start: number; end: number } {
  if (end - start <= LONGEST) return { start, end }
  const from = match - start < LONGEST / 2 ? start : match - Math.floor(LONGEST / 4)
  return { start: from, end: Math.min(end, from + LONGEST) }
}

function united(matches: readonly Match[], offset: number, length: number) {
  const ranges: { start: number; end: number }[] = []
  for (const { start, end } of [...matches].sort((a, b) => a.start - b.start)) {
    const last = ranges.at(-1)
    const [from, to] = [start - offset, Math.min(end - offset, length)]
    if (from < 0 || from >= to) continue
    if (last && from <= last.end) last.end = Math.max(last.end, to)
    else ranges.push({ start: from, end: to })
  }
  return ranges
}

/** Whether the terms stand one after the other in a text. */
export function holdsPhrase(text: string, terms: readonly string[]): boolean {
  const open: number[] = []
  let found = false
  scanTerms(text, {
    main(term) {
      if (found) return
      open.push(0)
      let kept = 0
      for (const at of open) {
        if (terms[at] !== term) continue
        if (at + 1 === terms.length) found = true
        open[kept++] = at + 1
      }
      open.length = kept
    },
    extra() {},
  })
  return found
}
