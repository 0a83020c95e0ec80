import type { Fragment, Renderer } from '../../core/flow.ts'
import { inParts } from '../../core/steps.ts'
import { oneLine } from '../../text/controls.ts'

/** How a selection reads as Markdown. */
export interface MarkdownOptions {
  /** The heading of the whole. */
  readonly heading: string
}

/**
 * A heading for the whole, then a section for each fragment: its title, the line that names its source (the label
 * `source`, else the uri), and its text as it is. For people and for trusted text: a file can hold any heading itself,
 * so nothing here keeps one file out of another's section. Use `xml` where the frame must hold.
 */
export function markdown({ heading }: MarkdownOptions): Renderer {
  return inParts(({ kept }) => (kept.length === 0 ? [] : [`# ${heading}\n`, ...kept.flatMap(fragmentSection)]))
}

function fragmentSection({ title, origin, text }: Fragment): string[] {
  const source = origin.labels?.source ?? origin.uri
  const head = `\n## ${oneLine(title)}\nSource: ${oneLine(source)}\n`
  if (text === '') return [head]
  return /[\r\n]$/.test(text) ? [head, '\n', text] : [head, '\n', text, '\n']
}
