import { neutralise, noticeOfInvisible } from './invisible.ts'
import { escapeAttribute, escapeText } from './xml.ts'

/** An untrusted text for a model, which becomes one XML element. */
export interface TextFrame {
  /** The name of the element. */
  readonly tag: string
  /** The attributes, in this order. */
  readonly attributes: Readonly<Record<string, string>>
  /**
   * A path context (a note on the files below a path). `path`: with a leading slash; absent if `attributes` name it.
   */
  readonly context?: { readonly path?: string; readonly text: string } | undefined
  /** Elements before the text. */
  readonly before?: string
  readonly text: string
  /** The number of the first line of the text. Default: 1. */
  readonly firstLine?: number
}

/**
 * One XML element: `before`, the path context, a notice about removed characters, then the text. Texts are escaped, so
 * that they cannot close or forge elements; invisible characters are removed. Newlines next to tags belong to the frame.
 */
export function frameText({ tag, attributes, context, before = '', text, firstLine = 1 }: TextFrame): string {
  const shown = neutralise(text)
  const { path, text: contextText } = context ?? {}
  const contextFrame = context ? frameContext(path === undefined ? {} : { path }, contextText) : ''
  const lines = shown.lines.map((line) => line + firstLine - 1)
  const notice = shown.removed === 0 ? '' : `<notice>${escapeText(noticeOfInvisible({ ...shown, lines }))}</notice>\n`
  return `${frameTag(tag, attributes)}\n${before}${contextFrame}${notice}${escapeText(shown.text)}\n</${tag}>\n`
}

/** The opening tag of an element. Values of attributes are escaped, without invisible characters. */
export function frameTag(tag: string, attributes: Readonly<Record<string, string>>): string {
  return `<${tag}${attributesOf(attributes)}>`
}

function attributesOf(attributes: Readonly<Record<string, string>>): string {
  const entries = Object.entries(attributes)
  return entries.map(([name, value]) => ` ${name}="${escapeAttribute(neutralise(value).text)}"`).join('')
}

/** A path context as an element; without `text`, an empty element that refers to an earlier element. */
export function frameContext(attributes: Readonly<Record<string, string>>, text?: string): string {
  if (text === undefined) return `<path-context${attributesOf(attributes)} />\n`
  return `${frameTag('path-context', attributes)}\n${escapeText(neutralise(text).text)}\n</path-context>\n`
}

/** The place by which answers cite a file that was sent with a question. */
export function attachmentUri(name: string): string {
  return `attachment:${name}`
}

/** The element for a text file that was sent with a question. `data`: the text, in base64. */
export function attachmentElement({ name, data }: { readonly name: string; readonly data: string }): string {
  const text = Buffer.from(data, 'base64').toString('utf8')
  return frameText({ tag: 'attachment', attributes: { uri: attachmentUri(name) }, text })
}
