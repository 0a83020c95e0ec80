import { unescapeMarkdown } from './code.ts'
import { withoutFences } from './fences.ts'
import { splitFrontMatter } from './front-matter.ts'
import { trimEnd } from './trim.ts'

const ATX = /^[ \t>]*(#{1,6})[ \t]+(.*)/s

/** Matches a heading, or a comment up to its end. */
const HEADING_OR_COMMENT = /(?<![^\r\n])[ \t>]*(?:(#{1,6}[ \t][^\r\n]*)|<!(?=--)(?:[\s\S]*?-->|[\s\S]*))/g

/** Maximum characters of a heading that are shown. */
const MAX_HEADING = 300

/**
 * The headings above a line of a Markdown text, the outermost first; a heading line itself is the last.
 *
 * @param starts offset of each line
 * @param line line number from 1
 */
export function headingsAbove(text: string, starts: readonly number[], line: number): string[] {
  const openHeadings: { level: number; title: string }[] = []
  const prose = withoutFences(text.slice(splitFrontMatter(text).body, starts[line]))
  for (const [, head = ''] of prose.matchAll(HEADING_OR_COMMENT)) {
    const heading = readHeading(head.slice(0, MAX_HEADING))
    if (!heading) continue
    while ((openHeadings.at(-1)?.level ?? 0) >= heading.level) openHeadings.pop()
    openHeadings.push({ level: heading.level, title: plainHeading(heading.title) })
  }
  return openHeadings.map(({ title }) => title)
}

/** Reads a heading that begins with `#`, without its closing `#` signs; undefined for another line. */
export function readHeading(line: string): { readonly level: number; readonly title: string } | undefined {
  const [, marks, titleText = ''] = ATX.exec(line) ?? []
  if (marks === undefined) return undefined
  const title = titleText.trimEnd()
  const withoutMarks = trimEnd(title, '#')
  const isClosing = withoutMarks === '' || /[ \t]$/.test(withoutMarks)
  return { level: marks.length, title: isClosing ? withoutMarks.trimEnd() : title }
}

/** Attributes after a heading, for generators of sites: `{#id}` and `{: .class }`, also as a comment in braces. */
const ATTRIBUTES = /\{[ \t]*(?:[#.:]|\/\*)[^{}]*\}[ \t]*$/

/** The words of a heading, without images, addresses of links, tags, ids, bold and code marks, and escapes. */
export function plainHeading(text: string): string {
  const bare = text
    .replace(ATTRIBUTES, '')
    .replace(/!\[([^\][]*)\](?:\([^()\s]*(?:\s[^()]*)?\)|\[[^\][]*\])/g, '')
    .replace(/\[([^\][]*)\](?:\([^()\s]*(?:\s[^()]*)?\)|\[[^\][]*\])/g, '$1')
    .replace(/<\/?(?:a|abbr|b|br|code|em|i|kbd|small|span|strong|sub|sup)(?:\s[^<>]*)?\/?>/gi, '')
    .replace(/\*\*|`/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  return unescapeMarkdown(bare)
}
