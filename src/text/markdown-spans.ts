import { splitFrontMatter } from './front-matter.ts'
import { lineAt, lineStarts } from './lines.ts'
import { trimEnd } from './trim.ts'

/**
 * A range of a Markdown text: a heading with its marks, a block of prose, a blank line (kind `prose`), or the code
 * within a fence.
 */
export interface MarkdownSpan {
  readonly kind: 'heading' | 'prose' | 'code'
  /** Offsets in the text. */
  readonly start: number
  readonly end: number
  /** For a code fence: the first word after its marks, in lower case; `''` without a word. */
  readonly language: string
}

const CONTAINERS = String.raw`[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*`
const FENCE = new RegExp(String.raw`^${CONTAINERS}(\`{3,}(?=[^\`]*$)|~{3,})[ \t]*([^\s\`{,]*)`)
const QUOTED = /^[ \t]*>/
const HEADING = /^[ \t>]*#{1,6}(?:[ \t]|$)/
/** Matches a line that ends the paragraph before it. */
const NEW_BLOCK = /^[ \t]*(?:[-*+][ \t]|\d{1,9}[.)][ \t]|[|>])/
const CODE_OR_COMMENT = /\\[\\`<]|`+|<!--/g

/** Maximum characters at the start of a line that are searched for marks of blocks. */
const MAX_LINE_HEAD = 200

/**
 * The blocks of a Markdown text and its blank lines, in order, without front matter and HTML comments. The scan knows fences (also in lists and quotes),
 * headings, paragraphs, list items and table rows, but not indented code or HTML.
 */
export function* markdownSpans(text: string): Generator<MarkdownSpan> {
  for (const part of scanMarkdown(text)) if (part.kind !== 'comment') yield part
}

/** An HTML comment with its marks. Offsets in the text. */
type Comment = Pick<MarkdownSpan, 'start' | 'end'> & { readonly kind: 'comment' }

/** The HTML comments outside front matter and code: readers of the rendered text do not see comments. */
export function* commentsIn(text: string): Generator<Comment> {
  if (!text.includes('<!--')) return
  for (const part of scanMarkdown(text)) if (part.kind === 'comment') yield part
}

function* scanMarkdown(text: string): Generator<MarkdownSpan | Comment> {
  const starts = lineStarts(text)
  const lines: LineIndex = { text, starts, lastCommentClose: text.lastIndexOf('-->') }
  for (let at = splitFrontMatter(text).body; at < text.length; ) {
    const line = lineAt(starts, at)
    const head = lineHead(lines, line)
    const fence = at === starts[line] ? matchFence(head) : null
    if (fence) {
      const { end, next } = findFenceEnd(lines, line, fence[1] ?? '')
      const language = (fence[2] ?? '').toLowerCase()
      yield { kind: 'code', start: startOf(lines, line + 1), end: startOf(lines, end), language }
      at = startOf(lines, next)
    } else {
      const kind = HEADING.test(head) ? 'heading' : 'prose'
      const end = startOf(lines, kind === 'heading' ? line + 1 : blockEnd(lines, line))
      at = yield* splitComments(lines, { kind, start: at, end, language: '' })
    }
  }
}

/** The comments in a span, and the spans between them. Returns the offset after the span, or after its last comment. */
function* splitComments(lines: LineIndex, span: MarkdownSpan): Generator<MarkdownSpan | Comment, number> {
  let start = span.start
  for (let comment = findComment(lines, span); comment; comment = findComment(lines, { ...span, start })) {
    if (start < comment.start) yield { ...span, start, end: comment.start }
    yield { kind: 'comment', ...comment }
    start = comment.end
    if (start >= span.end) return start
  }
  yield { ...span, start }
  return span.end
}

interface LineIndex {
  readonly text: string
  readonly starts: readonly number[]
  /** Offset of the last `-->`; -1 for none. */
  readonly lastCommentClose: number
}

function startOf({ text, starts }: LineIndex, line: number): number {
  return starts[line] ?? text.length
}

/** The text of a line without its end, at most `MAX_LINE_HEAD` characters. */
function lineHead(lines: LineIndex, line: number): string {
  const start = startOf(lines, line)
  const end = Math.min(startOf(lines, line + 1), start + MAX_LINE_HEAD)
  return trimEnd(lines.text.slice(start, end), '\r\n')
}

/** Matches a line that opens a fence. A cheap test comes first, because most lines open no fence. */
function matchFence(head: string): RegExpExecArray | null {
  return head.includes('```') || head.includes('~~~') ? FENCE.exec(head) : null
}

/**
 * `end`: the line after the code in a fence; `next`: the line after the fence. Unclosed: the number of lines, and plus
 * 1.
 */
function findFenceEnd(lines: LineIndex, openingLine: number, marks: string): { end: number; next: number } {
  const close = new RegExp(String.raw`^[ \t>]*${marks.charAt(0)}{${marks.length},}[ \t]*$`)
  const isQuoted = QUOTED.test(lineHead(lines, openingLine))
  for (let line = openingLine + 1; line < lines.starts.length; line++) {
    const head = lineHead(lines, line)
    if (isQuoted && !QUOTED.test(head)) return { end: line, next: line }
    if (close.test(head)) return { end: line, next: line + 1 }
  }
  return { end: lines.starts.length, next: lines.starts.length + 1 }
}

/** The first line after `line` that does not continue its paragraph. */
function blockEnd(lines: LineIndex, line: number): number {
  if (lineHead(lines, line).trim() === '') return line + 1
  for (let next = line + 1; next < lines.starts.length; next++) {
    const head = lineHead(lines, next)
    if (head.trim() === '' || NEW_BLOCK.test(head) || HEADING.test(head) || matchFence(head)) return next
  }
  return lines.starts.length
}

/** The first comment that starts in a span, outside code spans. It may end after the span. */
function findComment({ text, lastCommentClose }: LineIndex, { start, end }: MarkdownSpan) {
  if (start >= lastCommentClose || !text.slice(start, end).includes('<!--')) return undefined
  const marks = new RegExp(CODE_OR_COMMENT)
  marks.lastIndex = start
  for (let match = marks.exec(text); match && match.index < Math.min(end, lastCommentClose); match = marks.exec(text)) {
    const [mark] = match
    if (mark === '<!--') return { start: match.index, end: text.indexOf('-->', match.index + 2) + 3 }
    if (mark.startsWith('`'))
      marks.lastIndex = closeSpan(text, marks.lastIndex, { mark, to: end })?.after ?? marks.lastIndex
  }
  return undefined
}

/** Maximum characters of a code span. */
const MAX_CODE_SPAN = 10_000

/**
 * Where the code span ends that `mark` opened just before `from`, and the offset after its closing mark. Undefined if
 * the span is longer than `MAX_CODE_SPAN`, or not closed before `to`.
 */
export function closeSpan(text: string, from: number, { mark, to }: { readonly mark: string; readonly to: number }) {
  const last = Math.min(to, from + MAX_CODE_SPAN)
  for (let at = text.indexOf(mark, from); at >= 0 && at + mark.length <= last; ) {
    let after = at + mark.length
    while (text.charCodeAt(after) === 0x60) after++
    if (after - at === mark.length) return { end: at, after }
    at = text.indexOf(mark, after)
  }
  return undefined
}
