/** Finds code and escapes in a Markdown text: they hold no markup. */

import { withoutFences } from './fences.ts'

/** Before `[` or `<`: not behind a backslash that escapes it. Only there are backslashes counted, once for each run. */
export const UNESCAPED = String.raw`(?=[[<])(?<!(?<!\\)(?:\\\\)*\\)`

/**
 * Code between backticks, of which as many close it as have opened it: where each begins and ends. A backslash before backticks
 * takes the first of them away, but for the end of code.
 */
export function codeSpans(text: string): (readonly [start: number, end: number])[] {
  const runs = [...text.matchAll(/`+/g)].map(({ 0: { length }, index }) => {
    const opens = length - Number(isEscaped(text, index))
    return { length, opens, start: index + length - opens, end: index + length }
  })
  const later = new Map<number, number>()
  const closers = runs.map(() => -1)
  for (let at = runs.length - 1; at >= 0; at--) {
    const { length, opens } = runs[at] ?? { length: 0, opens: 0 }
    closers[at] = later.get(opens) ?? -1
    later.set(length, at)
  }
  const spans: (readonly [number, number])[] = []
  for (let at = 0; at < runs.length; at++) {
    const [from, closer] = [runs[at], runs[closers[at] ?? -1]]
    if (!from || !closer) continue
    spans.push([from.start, closer.end])
    at = closers[at] ?? at
  }
  return spans
}

/** A text with fillers instead of its code between backticks. Of the same length. */
export function withoutSpans(text: string): string {
  let shown = ''
  let done = 0
  for (const [start, end] of codeSpans(text)) {
    shown += text.slice(done, start) + fillBlank(text.slice(start, end))
    done = end
  }
  return shown + text.slice(done)
}

function isEscaped(line: string, at: number): boolean {
  let slashes = 0
  while (line[at - 1 - slashes] === '\\') slashes++
  return slashes % 2 === 1
}

/** As many fillers as there are signs, on as many lines. */
export function fillBlank(text: string): string {
  return text.replace(/[^\n]/g, '\0')
}

/** A text without its code, in fences and between backticks: what is left is prose. */
export function proseOf(text: string): string {
  return withoutFences(text).split('\n').map(withoutSpans).join('\n')
}

const ESCAPES = /\\([!-/:-@[-`{-~])/g

/** The displayed text of one with escapes. */
export function unescapedOf(text: string): string {
  return text.replace(ESCAPES, '$1')
}

/** A text of somebody else's within a line of prose, shown as it is: it is not a link, picture, code, element or citation. */
export function escapedInLine(text: string): string {
  return text.replace(/[\\`[\]<]|&(?=#?\w+;)/g, '\\$&')
}
