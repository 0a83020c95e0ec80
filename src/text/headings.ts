import { unescapedOf } from './code.ts'
import { markdownSpans } from './markdown-spans.ts'
import { trimEnd } from './trim.ts'

const ATX = /^[ \t>]*(#{1,6})[ \t]+(.*)/s

/** Maximum characters of a heading that are shown. */
const MAX_HEADING = 300

/**
 * The headings above a line of a Markdown text, the outermost first; a heading line itself is the last.
 *
 * @param starts where each line starts
 * @param line from 1
 */
export function headingsAbove(text: string, starts: readonly number[], line: number): string[] {
  const openHeadings: { level: number; title: string }[] = []
  for (const { kind, start, end } of markdownSpans(text)) {
    if (start >= (starts[line] ?? text.length)) break
    const heading = kind === 'heading' && readHeading(text.slice(start, Math.min(end, start + MAX_HEADING)))
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
