import { escapedInLine, UNESCAPED } from '../../text/code.ts'

/** What stands in brackets and looks like a citation: `[a.md::S3]`, `[https://…]`, `[ambit://…]`. */
export const CITATION = new RegExp(
  String.raw`${UNESCAPED}\[((?:[^[\]\n]{1,300}::S\d+)|(?:(?:https?|ambit):\/\/[^[\]\s]{1,2000}))\](?!\()`,
  'g',
)

/**
 * What a file, a page or a model says, within a line of a report that nobody held against a source: it begins no block, cites
 * nothing, and is not a link, picture, code or element.
 */
export function plainLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return escapedInLine(line.replace(CITATION, '($1)'))
}
