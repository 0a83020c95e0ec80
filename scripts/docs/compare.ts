/** Compares output with a document, and edits the document. */

import type { Lines } from './blocks.ts'

/** A line that stands for any number of lines, none included. */
const ANYTHING = '...'

function trimmed(lines: readonly string[]): string[] {
  const result = lines.map((line) => line.trimEnd())
  while (result.at(-1) === '') result.pop()
  return result
}

/** Whether `actual` equals `expected`. Ignores blanks at the ends of lines, and blank lines at the end. */
export function matches(expected: readonly string[], actual: readonly string[]): boolean {
  return matchesFrom(trimmed(expected), trimmed(actual))
}

function matchesFrom(expected: readonly string[], actual: readonly string[]): boolean {
  const gap = expected.indexOf(ANYTHING)
  if (gap === -1) return expected.length === actual.length && startsWith(actual, expected)
  if (!startsWith(actual, expected.slice(0, gap))) return false
  const rest = expected.slice(gap + 1)
  const ends = Array.from({ length: actual.length - gap + 1 }, (_, index) => gap + index)
  return ends.some((end) => matchesFrom(rest, actual.slice(end)))
}

function startsWith(lines: readonly string[], start: readonly string[]): boolean {
  return start.every((line, index) => lines[index] === line)
}

export interface Edit {
  readonly lines: Lines
  readonly text: readonly string[]
}

/** Replaces the lines of each edit. */
export function withEdits(markdown: string, edits: readonly Edit[]): string {
  const lines = markdown.split('\n')
  for (const { lines: range, text } of edits.toSorted((a, b) => b.lines.start - a.lines.start)) {
    lines.splice(range.start, range.end - range.start, ...text)
  }
  return lines.join('\n')
}
