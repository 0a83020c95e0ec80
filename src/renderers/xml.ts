import type { Fragment, Renderer } from '../core/flow.ts'
import { inParts } from '../core/in-parts.ts'

/** How a selection reads as XML. */
export interface XmlOptions {
  /** The attributes to print, in this order: labels of the origin, and `truncated` for what was cut. */
  readonly attributes: readonly string[]
}

/**
 * One element for each fragment, named by its kind, without a root element. A conforming parser reads back exactly the
 * text between the frame's two newlines, but for control characters that XML forbids, which become U+FFFD.
 * No text can leave its frame.
 */
export function xml({ attributes }: XmlOptions): Renderer {
  return inParts(({ kept }) => kept.map((fragment) => element(fragment, attributes)))
}

function element(fragment: Fragment, attributes: readonly string[]): string {
  const printed = attributes.map((name) => attribute(name, fragment)).join('')
  return `<${fragment.kind}${printed}>\n${escapeText(fragment.text)}\n</${fragment.kind}>\n`
}

function attribute(name: string, { origin, cut }: Fragment): string {
  const value = name === 'truncated' ? (cut ? 'true' : undefined) : origin.labels?.[name]
  return value === undefined ? '' : ` ${name}="${escapeAttribute(value)}"`
}

/** Text for between tags. `>` is escaped only where it would end a CDATA section. */
export function escapeText(text: string): string {
  return legal(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(']]>', ']]&gt;')
    .replaceAll('\r', '&#13;')
}

/** Text for between double quotes. */
export function escapeAttribute(text: string): string {
  return escapeText(text).replaceAll('"', '&quot;').replaceAll('\t', '&#9;').replaceAll('\n', '&#10;')
}

/** Control characters, non-characters and lone surrogates that no XML document may hold. */
const ILLEGAL =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

function legal(text: string): string {
  return text.replace(ILLEGAL, '\ufffd')
}

/** How many characters of a text XML cannot hold; they are rendered as U+FFFD. */
export function illegalIn(text: string): number {
  return text.match(ILLEGAL)?.length ?? 0
}
