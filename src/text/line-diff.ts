/** Unchanged lines shown around a change. */
const AROUND = 3

/** A change of a file as `patch` reads it: one hunk, from the first line that differs to the last. `''` for no change. */
export function lineDiff(name: string, before: string, after: string): string {
  if (before === after) return ''
  const [old, now] = [linesOf(before), linesOf(after)]
  const shorter = Math.min(old.length, now.length)
  let start = 0
  while (start < shorter && old[start] === now[start]) start++
  let end = 0
  while (end < shorter - start && old.at(-1 - end) === now.at(-1 - end)) end++
  const from = Math.max(0, start - AROUND)
  const tail = Math.min(end, AROUND)
  const [oldEnd, nowEnd] = [old.length - end, now.length - end]
  const hunk = [
    ...old.slice(from, start).map((line) => ` ${line}`),
    ...old.slice(start, oldEnd).map((line) => `-${line}`),
    ...now.slice(start, nowEnd).map((line) => `+${line}`),
    ...old.slice(oldEnd, oldEnd + tail).map((line) => ` ${line}`),
  ]
  const ranges = `@@ -${hunkRange(from, oldEnd + tail)} +${hunkRange(from, nowEnd + tail)} @@`
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
