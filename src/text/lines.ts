import { bisect } from './bisect.ts'

/**
 * Offsets at which the lines of a text start: 0, and after each line end. A line ends at LF, CR or CRLF and nowhere
 * else (U+2028 is not a line end), so a line's index here is its number in a `map` of markdown-it. A text that ends with
 * a line end has an empty last line.
 */
export function lineStarts(text: string): number[] {
  const starts = [0]
  if (text.includes('\r')) for (const end of text.matchAll(/\r\n?|\n/g)) starts.push(end.index + end[0].length)
  else for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

/** Index of the line at an offset. `starts`: from `lineStarts`. */
export function lineAt(starts: readonly number[], offset: number): number {
  return bisect(0, starts.length, (line) => (starts[line] ?? 0) <= offset)
}

/** Trims each line (ended by LF) of a text, and joins the lines. */
export function trimLines(text: string, join: string): string {
  if (!text.includes('\n')) return text.trim()
  const lines = text.split('\n').map((line) => line.trim())
  return lines.join(join)
}
