import { withoutFences } from './fences.ts'

/**
 * A Markdown text in parts, each from a heading (`# …`) to the next; the first is what stands before them. Joined, they are
 * the text. A `#` in a fenced code block is not a heading.
 */
export function sectionsOf(text: string): readonly string[] {
  const lines = text.split(/(?<=\r\n|\n|\r(?!\n))/)
  const bare = withoutFences(text).split(/\r\n?|\n/)
  const sections: string[] = []
  let section = ''
  for (const [index, line] of lines.entries()) {
    if (isHeadingLine(bare[index] ?? '') && section !== '') {
      sections.push(section)
      section = ''
    }
    section += line
  }
  return [...sections, section]
}

/** Whether a line is a heading, as far as the line alone tells. */
export function isHeadingLine(line: string): boolean {
  return /^ {0,3}#{1,6}(?:[ \t]|$)/.test(line)
}
