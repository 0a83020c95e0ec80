import { stretchesOf } from './stretches.ts'
import { lineAt, lineStarts } from './lines.ts'

const ATX = /^[ \t>]*(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*$/

/** The headings that a line of a Markdown text stands under, the outermost first. `line` counts from 1. */
export function headingAt(text: string, line: number): string[] {
  const starts = lineStarts(text)
  const open: { level: number; title: string }[] = []
  for (const { kind, start, end } of stretchesOf(text)) {
    if (lineAt(starts, start) + 1 > line) break
    const found = kind === 'heading' ? ATX.exec(text.slice(start, end).trimEnd()) : null
    if (!found) continue
    const level = found[1]?.length ?? 1
    while ((open.at(-1)?.level ?? 0) >= level) open.pop()
    open.push({ level, title: found[2] ?? '' })
  }
  return open.map(({ title }) => title)
}
