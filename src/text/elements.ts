/** Texts in frames, as `framed` and the XML renderer write them: elements one after the other, each with lines between its tags. */

import { byteEnd } from './truncate.ts'

/** One element at the top of a framed text. */
export interface FramedElement {
  readonly tag: string
  /** As they were before they were escaped. */
  readonly attributes: Readonly<Record<string, string>>
  /** Text between the newlines of the frame, still escaped: other elements may be in it. */
  readonly body: string
  /** The element as it stands, with the newline behind it. */
  readonly whole: string
}

/** An attribute may hold `>`, but no quote. No text holds `<` but as a tag of ours, so the first closing tag is the right one. */
const ELEMENT = /<([a-z][a-z-]*)((?: [a-z-]+="[^"]*")*)>\n([\s\S]*?)\n?<\/\1>\n?/g
const ATTRIBUTE = / ([a-z-]+)="([^"]*)"/g

/** The elements at the top of a text; what stands between them is passed over. */
export function elementsOf(text: string): FramedElement[] {
  return [...text.matchAll(ELEMENT)].map(([whole, tag = '', written = '', body = '']) => {
    const pairs = [...written.matchAll(ATTRIBUTE)].map(
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

/** A text of an element, or the value of an attribute, as it was before it was escaped. */
export function unescapeText(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#9|#10|#13);/g, (entity) => ENTITIES[entity] ?? entity)
}

/**
 * A framed text of at most so many bytes, for a model to read: whole elements as long as they fit, then a part of the next,
 * in its own frame. `noticeOf`: what is said in place of the rest, with the numbers of bytes.
 */
export function cutElements(text: string, mostBytes: number, noticeOf: (shown: number, all: number) => string): string {
  const all = Buffer.byteLength(text)
  if (all <= mostBytes) return text
  const kept: string[] = []
  let left = mostBytes
  for (const element of elementsOf(text)) {
    const size = Buffer.byteLength(element.whole)
    if (size > left) {
      kept.push(cutElement(element, left))
      break
    }
    kept.push(element.whole)
    left -= size
  }
  const shown = kept.join('')
  return `${shown}<notice>\n${noticeOf(Buffer.byteLength(shown), all)}\n</notice>\n`
}

/** As `cutElements`, with what is said in place of the rest within the bytes, too; `''` where not even that has room. */
export function fitElements(text: string, mostBytes: number, noticeOf: (shown: number, all: number) => string): string {
  const all = Buffer.byteLength(text)
  if (all <= mostBytes) return text
  const notice = Buffer.byteLength(`<notice>\n${noticeOf(all, all)}\n</notice>\n`)
  const cut = cutElements(text, mostBytes - notice, noticeOf)
  return Buffer.byteLength(cut) <= mostBytes ? cut : ''
}

/** The beginning of an element that itself holds no others behind the cut; nothing where there is no room for any of it. */
function cutElement({ tag, body, whole }: FramedElement, bytes: number): string {
  const opening = whole.slice(0, whole.indexOf('>\n') + 2)
  const end = byteEnd(body, 0, bytes - Buffer.byteLength(opening) - tag.length - 5)
  if (end <= 0) return ''
  // Neither a character that was escaped is parted, nor an element within.
  const part = body.slice(0, end).replace(/&[#\w]{0,6}$|<[^<>]*$/, '')
  const open = /<([a-z-]+)(?: [a-z-]+="[^"]*")*>(?![\s\S]*<\/\1>)/.exec(part)
  const safe = open ? part.slice(0, open.index) : part
  return `${opening}${safe}\n</${tag}>\n`
}
