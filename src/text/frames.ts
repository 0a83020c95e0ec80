import { type Neutralised, neutralise, toldInvisible } from './invisible.ts'
import { escapeAttribute, escapeText } from './xml.ts'

/** What a person said of a place. */
export interface SaidOf {
  /** The place in its collection, with a slash before it; absent where that is known. */
  readonly path?: string
  readonly text: string
}

/** A text that nobody vouches for, for a model to read. */
export interface Framed {
  /** The name of the element. */
  readonly tag: string
  /** In this order. */
  readonly attributes: Readonly<Record<string, string>>
  readonly context?: SaidOf | undefined
  readonly text: string
  /** The line that the text begins on. Default: 1. */
  readonly firstLine?: number
}

/**
 * One XML element, with what its place is for and a notice of what was taken out, then the text. No text can leave its frame
 * or forge another, and characters that are not seen are not in it. The newlines next to a tag belong to the frame.
 */
export function framed({ tag, attributes, context, text, firstLine = 1 }: Framed): string {
  const shown = neutralise(text)
  const written = Object.entries(attributes).map(([name, value]) => attribute(name, value))
  const about = context === undefined ? '' : aboutElement(context)
  const notice = shown.removed === 0 ? '' : `<notice>${escapeText(toldInvisible(shifted(shown, firstLine)))}</notice>\n`
  return `<${tag}${written.join('')}>\n${about}${notice}${escapeText(shown.text)}\n</${tag}>\n`
}

function attribute(name: string, value: string): string {
  return ` ${name}="${escapeAttribute(neutralise(value).text)}"`
}

function aboutElement({ path, text }: SaidOf): string {
  const place = path === undefined ? '' : attribute('path', path)
  return `<path-context${place}>\n${escapeText(neutralise(text).text)}\n</path-context>\n`
}

function shifted(shown: Neutralised, firstLine: number): Neutralised {
  return { ...shown, lines: shown.lines.map((line) => line + firstLine - 1) }
}
