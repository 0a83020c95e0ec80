/** An element as a conforming XML parser reads it. */
export interface Element {
  readonly name: string
  /** In the order of the text. */
  readonly attributes: readonly (readonly [name: string, value: string])[]
  /** All that stands between the tags, references resolved. */
  readonly text: string
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
/** What XML 1.0 lets a document hold. */
const LEGAL = /^[\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]*$/u
const OPENING = /<([A-Za-z_][\w.-]*)((?:[ \t\r\n]+[A-Za-z_][\w.-]*="[^"<]*")*)[ \t\r\n]*>/y
const ATTRIBUTE = /([A-Za-z_][\w.-]*)="([^"<]*)"/g

/**
 * Reads elements that stand one after the other, white space between them, and hold nothing but text. As strict as
 * XML 1.0, and stricter: there are no comments, no CDATA sections, no processing instructions, no children.
 *
 * @throws Error where the text is anything else.
 */
export function elementsOf(xml: string): Element[] {
  if (!LEGAL.test(xml)) throw new Error('A character is illegal.')
  // A parser does this to each line end before anything else.
  const source = xml.replace(/\r\n?/g, '\n')
  const elements: Element[] = []
  for (let at = 0; at < source.length; ) {
    if (/\s/.test(source.charAt(at))) {
      at++
      continue
    }
    OPENING.lastIndex = at
    const tag = OPENING.exec(source)
    if (!tag) throw new Error(`There is no opening tag at ${at}.`)
    const [whole, name = '', attributes = ''] = tag
    const start = at + whole.length
    const end = source.indexOf('<', start)
    if (end < 0 || !source.startsWith(`</${name}>`, end)) throw new Error(`<${name}> holds a tag, or is never closed.`)
    const raw = source.slice(start, end)
    if (raw.includes(']]>')) throw new Error('Text holds "]]>".')
    elements.push({ name, attributes: attributesOf(attributes), text: resolved(raw) })
    at = end + `</${name}>`.length
  }
  return elements
}

function attributesOf(source: string): [string, string][] {
  const attributes = [...source.matchAll(ATTRIBUTE)].map(([, name = '', value = '']): [string, string] => [
    name,
    resolved(value.replace(/[\t\n]/g, ' ')),
  ])
  if (new Set(attributes.map(([name]) => name)).size < attributes.length)
    throw new Error('An attribute is there twice.')
  return attributes
}

function resolved(raw: string): string {
  return raw.replace(/&([^;]*);?/g, (reference, name: string) => {
    const code = /^#(?:(\d+)|x([\da-fA-F]+))$/.exec(name)
    const text = code
      ? String.fromCodePoint(Number.parseInt(code[1] ?? code[2] ?? '', code[1] ? 10 : 16))
      : ENTITIES[name]
    if (text === undefined || !reference.endsWith(';') || !LEGAL.test(text))
      throw new Error(`${reference} is not a reference.`)
    return text
  })
}
