import { bisect } from './bisect.ts'

/**
 * The offset at which each line of a text starts: 0, and after each line end. Line ends are LF, CR and CRLF, without
 * U+2028, as in markdown-it: a line's index equals its number in the `map` of a token. After a line end at the end of
 * the text, there is an empty last line.
 */
export function lineStarts(text: string): number[] {
  const starts = [0]
  if (text.includes('\r')) for (const end of text.matchAll(/\r\n?|\n/g)) starts.push(end.index + end[0].length)
  else for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

/** The index, from 0, of the line that contains an offset. `starts`: from `lineStarts`. */
export function lineAt(starts: readonly number[], offset: number): number {
  return bisect(0, starts.length, (line) => (starts[line] ?? 0) <= offset)
}

/** Trims each line of a text (lines end with LF), and joins the lines with `separator`. */
export function trimLines(text: string, separator: string): string {
  if (!text.includes('\n')) return text.trim()
  const lines = text.split('\n').map((line) => line.trim())
  return lines.join(separator)
}
