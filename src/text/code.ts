/** Finds the code and the escapes of a Markdown text: characters that a reader of markup must skip. */

import { withoutFences } from './fences.ts'
import { replaceRanges } from './replace-ranges.ts'

/**
 * Matches the position before a `[` or `<` that no backslash escapes. Counts backslashes only before a bracket, so that
 * a run of backslashes is read once.
 */
export const UNESCAPED = String.raw`(?=[[<])(?<!(?<!\\)(?:\\\\)*\\)`

/**
 * Code between runs of backticks of equal length: start and end of each. A backslash escapes the first backtick of an opening run, but not of a
 * closing run.
 */
export function codeSpans(text: string): (readonly [start: number, end: number])[] {
  const runs = [...text.matchAll(/`+/g)].map(({ 0: { length }, index }) => {
    const openerLength = length - Number(isEscaped(text, index))
    return { length, opens: openerLength, start: index + length - openerLength, end: index + length }
  })
  const laterEnds = new Map<number, number>()
  const closings = runs.toReversed().map(({ length, opens, start, end }) => {
    const closing = laterEnds.get(opens)
    laterEnds.set(length, end)
    return [start, closing] as const
  })
  const spans: (readonly [number, number])[] = []
  let last = 0
  for (const [start, end] of closings.reverse()) {
    if (end === undefined || start < last) continue
    spans.push([start, end])
    last = end
  }
  return spans
}

/** The text with fillers instead of its code between backticks. The result has the length of the text. */
export function withoutSpans(text: string): string {
  const spans = codeSpans(text).map(([start, end]) => ({ start, end, by: fillBlank(text.slice(start, end)) }))
  return replaceRanges(text, spans)
}

function isEscaped(line: string, at: number): boolean {
  let slashes = 0
  while (line[at - 1 - slashes] === '\\') slashes++
  return slashes % 2 === 1
}

/** The text with a filler instead of each character except `\n`. */
export function fillBlank(text: string): string {
  return text.replace(/[^\n]/g, '\0')
}

/** The prose of a text: without code in fences and between backticks. */
export function proseOf(text: string): string {
  return withoutFences(text).split('\n').map(withoutSpans).join('\n')
}

const ESCAPES = /\\([!-/:-@[-`{-~])/g

/** The text as displayed, without the backslashes of escapes. */
export function unescapeMarkdown(text: string): string {
  return text.replace(ESCAPES, '$1')
}

/** Escapes a foreign text for a line of Markdown, so that it forms no link, picture, code, element or citation. */
export function escapeInline(text: string): string {
  return text.replace(/[\\`[\]<]|&(?=#?\w+;)/g, '\\$&')
}
