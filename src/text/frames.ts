import { neutralise, noticeOfInvisible } from './invisible.ts'
import { escapeAttribute, escapeText } from './xml.ts'

/** An untrusted text for a model. */
export interface TextFrame {
  /** The name of the element. */
  readonly tag: string
  /** The attributes, in this order. */
  readonly attributes: Readonly<Record<string, string>>
  /** A path context. `path`: its place in the collection, with a leading slash; absent if `attributes` name it. */
  readonly context?: { readonly path?: string; readonly text: string } | undefined
  /** Elements before the text. */
  readonly before?: string
  readonly text: string
  /** The number of the first line of the text. Default: 1. */
  readonly firstLine?: number
}

/**
 * One XML element: the path context, a notice about removed characters, then the text. No text can close its element or forge another one, and
 * invisible characters are removed. The newlines next to a tag do not belong to the text.
 */
export function frameText({ tag, attributes, context, before = '', text, firstLine = 1 }: TextFrame): string {
  const visible = neutralise(text)
  const { path, text: contextText } = context ?? {}
  const contextFrame = context ? frameContext(path === undefined ? {} : { path }, contextText) : ''
  const lines = visible.lines.map((line) => line + firstLine - 1)
  const notice =
    visible.removed === 0 ? '' : `<notice>${escapeText(noticeOfInvisible({ ...visible, lines }))}</notice>\n`
  return `${frameTag(tag, attributes)}\n${before}${contextFrame}${notice}${escapeText(visible.text)}\n</${tag}>\n`
}

/** The opening tag of an element: no value can leave its quotes, and invisible characters are removed. */
export function frameTag(tag: string, attributes: Readonly<Record<string, string>>): string {
  return `<${tag}${attributesOf(attributes)}>`
}

function attributesOf(attributes: Readonly<Record<string, string>>): string {
  return Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escapeAttribute(neutralise(value).text)}"`)
    .join('')
}

/** A path context as an element; without `text`, an empty element that refers to an earlier element. */
export function frameContext(attributes: Readonly<Record<string, string>>, text?: string): string {
  if (text === undefined) return `<path-context${attributesOf(attributes)} />\n`
  return `${frameTag('path-context', attributes)}\n${escapeText(neutralise(text).text)}\n</path-context>\n`
}
