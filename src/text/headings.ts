import { unescapedOf } from './code.ts'
import { splitFrontMatter } from './front-matter.ts'
import { lineAt } from './lines.ts'
import { trimEnd } from './trim.ts'

const ATX = /^[ \t>]*(#{1,6})[ \t]+(.*)/s
const FENCE = /^(?:[-*+][ \t]+|\d{1,9}[.)][ \t]+)?(`{3,}(?=[^`]*$)|~{3,})/
const CLOSING = /^(`{3,}|~{3,})[ \t\r\n]*$/

/** Maximum characters of a heading that are shown, and of a line that opens a fence. */
const MAX_HEADING = 300

/**
 * The headings above a line of a Markdown text, the outermost first; a heading line itself is the last. The scan looks at the beginnings of lines:
 * front matter, fences, comments and headings with `#`.
 *
 * @param starts where each line starts
 * @param line from 1
 */
export function headingsAbove(text: string, starts: readonly number[], line: number): string[] {
  const openHeadings: { level: number; title: string }[] = []
  let closingMark: string | undefined
  for (let index = lineAt(starts, splitFrontMatter(text).body); index < Math.min(line, starts.length); index++) {
    const start = firstMark(text, starts[index] ?? 0)
    const mark = text[start] ?? ''
    if (closingMark !== '-->' && !MARKS.includes(mark)) continue
    const end = starts[index + 1] ?? text.length
    if (closingMark !== undefined) {
      if (isClosed(text.slice(start, end), closingMark)) closingMark = undefined
      continue
    }
    const head = text.slice(start, Math.min(end, start + MAX_HEADING))
    closingMark = mark === '<' ? commentEnd(text.slice(start, end)) : FENCE.exec(head)?.[1]
    const heading = mark === '#' ? readHeading(head) : undefined
    if (!heading) continue
    while ((openHeadings.at(-1)?.level ?? 0) >= heading.level) openHeadings.pop()
    openHeadings.push({ level: heading.level, title: plainHeading(heading.title) })
  }
  return openHeadings.map(({ title }) => title)
}

/** A heading that begins with `#`. Its title is without closing `#` signs. */
export function readHeading(line: string): { readonly level: number; readonly title: string } | undefined {
  const [, marks, rest = ''] = ATX.exec(line) ?? []
  if (marks === undefined) return undefined
  const title = rest.trimEnd()
  const withoutMarks = trimEnd(title, '#')
  const isClosing = withoutMarks === '' || /[ \t]$/.test(withoutMarks)
  return { level: marks.length, title: isClosing ? withoutMarks.trimEnd() : title }
}

/** First characters of a heading, a comment, a fence or a list item with a fence. */
const MARKS = [...'#<`~-*+0123456789']

function commentEnd(line: string): string | undefined {
  return line.startsWith('<!--') && !line.includes('-->') ? '-->' : undefined
}

function isClosed(line: string, closingMark: string): boolean {
  return closingMark === '-->' ? line.includes(closingMark) : line.startsWith(closingMark) && CLOSING.test(line)
}

/** The offset after white space and quote marks. */
function firstMark(text: string, from: number): number {
  let at = from
  for (let code = text.charCodeAt(at); code === 0x20 || code === 0x09 || code === 0x3e; code = text.charCodeAt(at)) at++
  return at
}

/** Attributes after a heading in generators of sites: `{#id}`, `{: .class }`, and the same as a comment in braces. */
const ATTRIBUTES = /\{[ \t]*(?:[#.:]|\/\*)[^{}]*\}[ \t]*$/

/** The text without links, images, tags, ids, code marks and escapes: the address of a badge says nothing about the document. */
export function plainHeading(text: string): string {
  const bare = text
    .replace(ATTRIBUTES, '')
    .replace(/!\[([^\][]*)\](?:\([^()\s]*(?:\s[^()]*)?\)|\[[^\][]*\])/g, '')
    .replace(/\[([^\][]*)\](?:\([^()\s]*(?:\s[^()]*)?\)|\[[^\][]*\])/g, '$1')
    .replace(/<\/?(?:a|abbr|b|br|code|em|i|kbd|small|span|strong|sub|sup)(?:\s[^<>]*)?\/?>/gi, '')
    .replace(/\*\*|`/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  return unescapedOf(bare)
}
