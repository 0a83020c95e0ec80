/** Number of unchanged lines shown before and after a change. */
const CONTEXT_LINES = 3

/**
 * A unified diff of two texts, for `patch`: one hunk, from the first different line to the last. `''` for no change.
 */
export function lineDiff(name: string, before: string, after: string): string {
  if (before === after) return ''
  const [oldLines, newLines] = [linesOf(before), linesOf(after)]
  const shorter = Math.min(oldLines.length, newLines.length)
  let start = 0
  while (start < shorter && oldLines[start] === newLines[start]) start++
  let end = 0
  while (end < shorter - start && oldLines.at(-1 - end) === newLines.at(-1 - end)) end++
  const from = Math.max(0, start - CONTEXT_LINES)
  const tail = Math.min(end, CONTEXT_LINES)
  const [oldEnd, newEnd] = [oldLines.length - end, newLines.length - end]
  const hunk = [
    ...oldLines.slice(from, start).map((line) => ` ${line}`),
    ...oldLines.slice(start, oldEnd).map((line) => `-${line}`),
    ...newLines.slice(start, newEnd).map((line) => `+${line}`),
    ...oldLines.slice(oldEnd, oldEnd + tail).map((line) => ` ${line}`),
  ]
  const ranges = `@@ -${hunkRange(from, oldEnd + tail)} +${hunkRange(from, newEnd + tail)} @@`
  const heads = [before === '' ? '--- /dev/null' : `--- a/${name}`, after === '' ? '+++ /dev/null' : `+++ b/${name}`]
  return `${[...heads, ranges, ...hunk].join('\n')}\n`
}

function hunkRange(from: number, to: number): string {
  return `${to === from ? from : from + 1},${to - from}`
}

function linesOf(text: string): readonly string[] {
  if (text === '') return []
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n')
}
