import type { Fragment, Renderer, Selection } from '../../core/flow.ts'
import { rendererOfParts } from '../../core/steps.ts'
import { oneLine } from '../../text/controls.ts'
import { fenceText } from '../../text/fences.ts'
import { escapeAttribute, escapeText } from '../../text/xml.ts'

export interface MarkdownOptions {
  /** The heading of the whole text. */
  readonly heading: string
}

/**
 * A heading for the whole text, then a section for each fragment: its title, a line with its source (the label `source`, else the uri), and its
 * unchanged text. For people and trusted texts: a file can contain any heading, and so imitate another section. Use `xml` for untrusted texts.
 */
export function markdown({ heading }: MarkdownOptions): Renderer {
  return rendererOfParts(({ kept }) => (kept.length === 0 ? [] : [`# ${heading}\n`, ...kept.flatMap(fragmentSection)]))
}

function fragmentSection({ title, origin, text }: Fragment): string[] {
  const source = origin.labels?.source ?? origin.uri
  const head = `\n## ${oneLine(title)}\nSource: ${oneLine(source)}\n`
  if (text === '') return [head]
  // A regular expression would search the whole text for its end.
  return text.endsWith('\n') || text.endsWith('\r') ? [head, '\n', text] : [head, '\n', text, '\n']
}

/**
 * For each fragment, a heading, and its text in a code fence that is longer than any run of backticks in the text, so
 * that no text can close its fence. For readers that escape tags. `heading`: names of the labels that form the heading;
 * absent labels are skipped.
 */
export function fencedSections({ heading }: { readonly heading: readonly string[] }): Renderer {
  return rendererOfParts(({ kept }) =>
    kept.map(({ origin, text }) => {
      const title = heading.flatMap((name) => origin.labels?.[name] ?? []).map(oneLine)
      return `## ${title.join(' – ')}\n\n${fenceText(text, 'markdown')}`
    }),
  )
}

/** The kept fragments as a JSON array of objects, indented by two spaces; `''` for an empty selection. */
export function json(): Renderer {
  return ({ kept }) => (kept.length === 0 ? '' : `${JSON.stringify(kept, null, 2)}\n`)
}

/** Renders the kept fragments in the order of `order`, instead of the order of importance. */
export function arranged(order: (kept: readonly Fragment[]) => readonly Fragment[], render: Renderer): Renderer {
  const arrangement = (selection: Selection): Selection => ({ ...selection, kept: order(selection.kept) })
  const { parts } = render
  if (parts) return rendererOfParts((selection) => parts(arrangement(selection)))
  return (selection) => render(arrangement(selection))
}

export interface XmlOptions {
  /** The printed attributes, for all kinds or by kind: labels, and `truncated` (whether the fragment was cut). */
  readonly attributes: readonly string[] | Readonly<Record<string, readonly string[]>>
}

/**
 * An element for each fragment, named by its kind, without a root element. A conforming parser reads exactly the text between the two newlines of the
 * frame, except for control characters that XML forbids, which become U+FFFD. No text can close its element.
 */
export function xml({ attributes }: XmlOptions): Renderer {
  const attributesOf = ({ kind }: Fragment) =>
    'length' in attributes ? (attributes as readonly string[]) : (attributes[kind] ?? [])
  return rendererOfParts(({ kept }) =>
    kept.map((fragment) => {
      const { kind, text, origin, cut } = fragment
      const labels: Readonly<Record<string, string>> = { ...origin.labels, truncated: String(cut !== undefined) }
      const printed = attributesOf(fragment).map((name) =>
        labels[name] === undefined ? '' : ` ${name}="${escapeAttribute(labels[name])}"`,
      )
      return `<${kind}${printed.join('')}>\n${escapeText(text)}\n</${kind}>\n`
    }),
  )
}
