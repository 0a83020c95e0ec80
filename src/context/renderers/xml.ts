import type { Fragment, Renderer } from '../../core/flow.ts'
import { inParts } from '../../core/steps.ts'
import { escapeAttribute, escapeText } from '../../text/xml.ts'

/** How a selection reads as XML. */
export interface XmlOptions {
  /**
   * The attributes to print, in this order, of all kinds or by kind: labels of the origin, and `truncated`, which tells
   * whether it was cut.
   */
  readonly attributes: readonly string[] | Readonly<Record<string, readonly string[]>>
}

/**
 * One element for each fragment, named by its kind, without a root element. A conforming parser reads back exactly the
 * text between the frame's two newlines, but for control characters that XML forbids, which become U+FFFD.
 * No text can leave its frame.
 */
export function xml({ attributes }: XmlOptions): Renderer {
  const of = ({ kind }: Fragment) =>
    'length' in attributes ? (attributes as readonly string[]) : (attributes[kind] ?? [])
  return inParts(({ kept }) => kept.map((fragment) => element(fragment, of(fragment))))
}

function element(fragment: Fragment, attributes: readonly string[]): string {
  const printed = attributes.map((name) => attribute(name, fragment)).join('')
  return `<${fragment.kind}${printed}>\n${escapeText(fragment.text)}\n</${fragment.kind}>\n`
}

function attribute(name: string, { origin, cut }: Fragment): string {
  const value = name === 'truncated' ? String(cut !== undefined) : origin.labels?.[name]
  return value === undefined ? '' : ` ${name}="${escapeAttribute(value)}"`
}
