const FENCE = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,})[ \t]*([^`\s]?)/

/**
 * Indices of the lines that an author meant to be in a fence, and Markdown does not take to be: after an inner fence of
 * the same marks, whose end Markdown takes for that of the outer one. None where the fences do not pair.
 */
export function nestedLines(lines: readonly string[]): ReadonlySet<number> {
  const nested = new Set<number>()
  let meant: readonly string[] = []
  let read: string | undefined
  let pending: number[] = []
  for (const [index, line] of lines.entries()) {
    const [, marks, info = ''] = FENCE.exec(line) ?? []
    if (marks !== undefined) {
      meant = afterFence(meant, marks, info)
      read = read === undefined ? marks : closes(read, marks, info) ? undefined : read
    } else if (meant.length > 0 && read === undefined) pending.push(index)
    if (meant.length === 0) {
      for (const line of pending) nested.add(line)
      pending = []
    }
  }
  return nested
}

/** Fences that are open after a line of marks, the outer first: with a word it opens one, without it closes the inner. */
function afterFence(open: readonly string[], marks: string, info: string): readonly string[] {
  const inner = open.at(-1)
  if (inner === undefined) return [marks]
  if (closes(inner, marks, info)) return open.slice(0, -1)
  return info !== '' && marks === inner ? [...open, marks] : open
}

function closes(open: string, marks: string, info: string): boolean {
  return info === '' && marks.charAt(0) === open.charAt(0) && marks.length >= open.length
}
