import type { Fragment, Renderer } from '../core/flow.ts'
import { oneLine } from '../text/controls.ts'

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
  return ({ kept }) => (kept.length === 0 ? '' : `# ${heading}\n\n${kept.map(section).join('\n')}`)
}

function section({ title, origin, text }: Fragment): string {
  const source = origin.labels?.source ?? origin.uri
  return `## ${oneLine(title)}\nSource: ${oneLine(source)}\n${body(text)}`
}

function body(text: string): string {
  if (text === '') return ''
  return /[\r\n]$/.test(text) ? `\n${text}` : `\n${text}\n`
}
