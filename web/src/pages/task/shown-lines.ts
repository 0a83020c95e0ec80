import type { Answer } from '../../api/call.ts'

export type TaskAnswer = Answer<'task'>
export type TaskFile = TaskAnswer['files'][number]

/** Lines of a file that a larger budget shows besides. Both from 1. */
export interface AddedLines {
  readonly path: string
  readonly ranges: readonly { readonly start: number; readonly end: number }[]
}

/** Lines that `more` shows and `less` does not, file by file, lines in a row together. */
export function linesAdded(less: TaskAnswer, more: TaskAnswer): AddedLines[] {
  const before = new Map(less.files.map((file) => [file.path, linesOf(file)]))
  return more.files.flatMap((file) => {
    const known = before.get(file.path) ?? new Set()
    const ranges = inRanges([...linesOf(file)].filter((line) => !known.has(line)))
    return ranges.length === 0 ? [] : [{ path: file.path, ranges }]
  })
}

export function countLines(file: TaskFile): number {
  return linesOf(file).size
}

function linesOf({ ranges }: TaskFile): ReadonlySet<number> {
  return new Set(ranges.flatMap(({ start, end }) => Array.from({ length: end - start + 1 }, (_, at) => start + at)))
}

function inRanges(lines: readonly number[]) {
  const ranges: { start: number; end: number }[] = []
  for (const line of lines.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1)
    if (last && line === last.end + 1) last.end = line
    else ranges.push({ start: line, end: line })
  }
  return ranges
}
