/** Reads framed texts: sequences of XML elements that `frameText` or the XML renderer wrote. */

import { byteEnd } from './truncate.ts'

export type FramedElement = ReturnType<typeof elementsOf>[number]

/** An attribute may contain `>`, but no quote. Texts contain `<` only in tags of Ambit, so the first closing tag closes the element. */
const ELEMENT = /<([a-z][a-z-]*)((?: [a-z-]+="[^"]*")*)>\n([\s\S]*?)\n?<\/\1>\n?/g
const ATTRIBUTE = / ([a-z-]+)="([^"]*)"/g

/**
 * The top-level elements of a text, without the text between them.
 *
 * @returns `attributes`: unescaped. `body`: the text between the newlines beside the tags, still escaped; it may contain other elements. `whole`: the
 * element as written, with the newline after it.
 */
export function elementsOf(text: string) {
  return [...text.matchAll(ELEMENT)].map(([whole, tag = '', attributeText = '', body = '']) => {
    const pairs = [...attributeText.matchAll(ATTRIBUTE)].map(
      ([, name = '', value = '']) => [name, unescapeText(value)] as const,
    )
    return { tag, attributes: Object.fromEntries(pairs), body, whole }
  })
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#9;': '\t',
  '&#10;': '\n',
  '&#13;': '\r',
}

/** Unescapes the text of an element or the value of an attribute. */
export function unescapeText(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#9|#10|#13);/g, (entity) => ENTITIES[entity] ?? entity)
}

/**
 * Cuts a text of XML elements for a model: whole elements as long as they fit in `maxBytes` bytes, then the beginning
 * of the next element with its closing tag, then a notice. `noticeOf` writes the notice from the shown and total bytes.
 */
export function cutElements(text: string, maxBytes: number, noticeOf: (shown: number, all: number) => string): string {
  const all = Buffer.byteLength(text)
  if (all <= maxBytes) return text
  const parts: string[] = []
  let remaining = maxBytes
  for (const element of elementsOf(text)) {
    const size = Buffer.byteLength(element.whole)
    if (size > remaining) {
      parts.push(cutElement(element, remaining))
      break
    }
    parts.push(element.whole)
    remaining -= size
  }
  const cutText = parts.join('')
  return `${cutText}<notice>\n${noticeOf(Buffer.byteLength(cutText), all)}\n</notice>\n`
}

/** As `cutElements`, but the notice counts towards the limit, too; `''` if not even the notice fits. */
export function fitElements(text: string, maxBytes: number, noticeOf: (shown: number, all: number) => string): string {
  const all = Buffer.byteLength(text)
  if (all <= maxBytes) return text
  const notice = Buffer.byteLength(`<notice>\n${noticeOf(all, all)}\n</notice>\n`)
  const cut = cutElements(text, maxBytes - notice, noticeOf)
  return Buffer.byteLength(cut) <= maxBytes ? cut : ''
}

/** The beginning of an element, closed, without an inner element that the cut would divide; `''` if nothing fits. */
function cutElement({ tag, body, whole }: FramedElement, bytes: number): string {
  const opening = whole.slice(0, whole.indexOf('>\n') + 2)
  const end = byteEnd(body, 0, bytes - Buffer.byteLength(opening) - tag.length - 5)
  if (end <= 0) return ''
  // The cut is neither in an escaped character nor in a tag.
  const part = body.slice(0, end).replace(/&[#\w]{0,6}$|<[^<>]*$/, '')
  const openElement = /<([a-z-]+)(?: [a-z-]+="[^"]*")*>(?![\s\S]*<\/\1>)/.exec(part)
  const completePart = openElement ? part.slice(0, openElement.index) : part
  return `${opening}${completePart}\n</${tag}>\n`
}
