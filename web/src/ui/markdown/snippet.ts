/** A piece of Markdown as plain text with marked matches. */

import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import { unified } from 'unified'
import { markRuns, type Piece, plainPieces, type Run, type Span } from '../marked-pieces.ts'
import type { Node } from './tree.ts'

const parser = unified().use(remarkParse).use(remarkGfm)

/** A snippet without the syntax of Markdown; lines of a paragraph are joined. */
export function markdownPieces(snippet: string, marks: readonly Span[]): Piece[] {
  try {
    return markRuns(runsOf(parser.parse(snippet) as Node, snippet), marks)
  } catch (error) {
    // The parser refuses deep nesting.
    if (!(error instanceof RangeError)) throw error
    return plainPieces(snippet, marks)
  }
}

const IGNORED: ReadonlySet<string> = new Set(['html', 'definition', 'thematicBreak', 'footnoteReference'])

/** Text between the children of a node. */
const BETWEEN: Readonly<Record<string, string>> = {
  tableRow: ' · ',
  root: '\n',
  list: '\n',
  table: '\n',
  blockquote: '\n',
}

function runsOf(node: Node, source: string): Run[] {
  const { type, value, children = [] } = node
  if (IGNORED.has(type)) return []
  if (type === 'break') return [{ text: ' ' }]
  if (value !== undefined) return locate(value, spanOf(node), source)
  const parts = children.map((child) => runsOf(child, source)).filter((runs) => runs.length > 0)
  const separator = BETWEEN[type] ?? (type === 'listItem' ? ' ' : '')
  const runs = parts.flatMap((part, at) => (at > 0 && separator !== '' ? [{ text: separator }, ...part] : part))
  return type === 'listItem' ? [{ text: '• ' }, ...runs] : runs
}

function spanOf({ position }: Node): Span {
  return { start: position?.start.offset ?? 0, end: position?.end.offset ?? 0 }
}

/** The lines of a value, with their spans (offsets in the source). A value with an escape or an entity has one span. */
function locate(value: string, { start, end }: Span, source: string): Run[] {
  const runs: Run[] = []
  let at = start
  for (const [index, line] of value.split('\n').entries()) {
    if (index > 0) runs.push({ text: ' ' })
    const found = source.indexOf(line, at)
    if (found === -1 || found + line.length > end) return [{ text: value.replaceAll('\n', ' '), span: { start, end } }]
    runs.push({ text: line, span: { start: found, end: found + line.length } })
    at = found + line.length
  }
  return runs
}
