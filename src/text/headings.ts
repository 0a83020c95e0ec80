import { unescapedOf } from './code.ts'
import { splitFrontMatter } from './front-matter.ts'
import { trimEnd } from './trim.ts'

const ATX = /^[ \t>]*(#{1,6})[ \t]+(.*)/s

/** A heading, or the beginning of a comment or of a fence, which may be in a list. Quicker than a scan of all blocks. */
const MARKS =
  /(?<![^\r\n])[ \t>]*(?:(#{1,6}[ \t][^\r\n]*)|<!(?=--)|(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}(?![^`\r\n]*`)|~{3,}))/g

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
  const marks = new RegExp(MARKS)
  marks.lastIndex = splitFrontMatter(text).body
  const end = starts[line] ?? text.length
  for (let mark = marks.exec(text); mark && mark.index < end; mark = marks.exec(text)) {
    const [, head, fence] = mark
    const heading = head && readHeading(head.slice(0, MAX_HEADING))
    if (heading) {
      while ((openHeadings.at(-1)?.level ?? 0) >= heading.level) openHeadings.pop()
      openHeadings.push({ level: heading.level, title: plainHeading(heading.title) })
    } else {
      const closing = fence
        ? new RegExp(`(?<![^\\r\\n])[ \\t>]*${fence}${fence.charAt(0)}*[ \\t]*(?![^\\r\\n])`, 'g')
        : /-->/g
      closing.lastIndex = marks.lastIndex
      if (!closing.test(text)) break
      marks.lastIndex = closing.lastIndex
    }
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

/** Attributes that generators of sites read after a heading: `{#id}` and `{: .class }`, also as a comment in braces. */
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
