/**
 * HTML of strangers as a tree of what lays out words, and of nothing else: no browser parses it, and an element or an attribute
 * that is not in the lists below is not in the tree. Pure, and in linear time.
 */

import { decodeNamedCharacterReference } from 'decode-named-character-reference'

export type HtmlNode = string | HtmlElement

export interface HtmlElement {
  readonly name: string
  readonly children: readonly HtmlNode[]
  /** Columns and rows that a cell takes. */
  readonly span?: { readonly columns: number; readonly rows: number }
  /** Where a link leads, as it is written. */
  readonly href?: string
  /** Of an image, its `data:` address. */
  readonly image?: { readonly url: string; readonly alt: string }
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))

const INLINE = words('a b br code del em i img ins kbd mark s small strong sub sup u')
const BLOCKS = words('blockquote div h1 h2 h3 h4 h5 h6 hr li ol p pre ul')
const TABLES = words('caption table tbody td tfoot th thead tr')
/** Shown as what they are most like. */
const ALIKE: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      ...words('address article aside center dd details dl dt figcaption figure footer form header main nav section'),
    ].map((name) => [name, 'div']),
  ),
  ...{ strike: 's', tt: 'code', samp: 'code', var: 'i', cite: 'i', summary: 'div' },
}
const VOID = words('area base br col embed hr img input link meta source track wbr')
/** What is in these is not HTML. */
const RAW = words('iframe noembed noframes noscript plaintext script style template textarea title xmp')
/** Left out with all that is in them. */
const DROPPED = words('audio button canvas head math object picture select svg video')

/** What an element ends that is still open, up to which. */
const ENDS: Readonly<Record<string, readonly [ended: ReadonlySet<string>, within: ReadonlySet<string>]>> = {
  li: [words('li'), words('ol ul')],
  td: [words('td th'), words('table')],
  th: [words('td th'), words('table')],
  tr: [words('tr'), words('table')],
  tbody: [words('thead tbody tfoot caption'), words('table')],
  thead: [words('thead tbody tfoot caption'), words('table')],
  tfoot: [words('thead tbody tfoot caption'), words('table')],
}

/** Elements within each other, and nodes in all; what is beyond is left out. */
const MOST = { depth: 60, nodes: 20_000 }

const IMAGE = /^data:image\/(?:png|jpeg|gif|webp);base64,[\w+/]+={0,2}$/

interface OpenElement {
  readonly tag: string
  readonly attributes: Attributes
  readonly children: HtmlNode[]
}

type Attributes = Readonly<Record<string, string>>

/** The tree of a text. `isWhole`: whether nothing was left out for its size. */
export function parseHtml(html: string): { readonly nodes: readonly HtmlNode[]; readonly isWhole: boolean } {
  const builder = new TreeBuilder()
  let at = 0
  while (at < html.length && builder.isOpen) {
    const start = html.indexOf('<', at)
    builder.addText(html.slice(at, start === -1 ? undefined : start))
    if (start === -1) break
    at = readMarkup(html, start, builder)
  }
  return { nodes: builder.end(), isWhole: builder.isOpen }
}

const END_TAG = /<\/([a-z][^\s/>]*)[^>]*>?/iy
const START_TAG = /<([a-z][^\s/>]*)/iy
const ATTRIBUTE = /[\s/]*([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/y

/** Reads what begins with `<`. Returns where it ends. */
function readMarkup(html: string, start: number, builder: TreeBuilder): number {
  if (html.startsWith('<!--', start)) return endOf(html, '-->', start + 4)
  if (/[!?]/.test(html.charAt(start + 1))) return endOf(html, '>', start)
  END_TAG.lastIndex = start
  const end = END_TAG.exec(html)
  if (end) {
    builder.close((end[1] ?? '').toLowerCase())
    return END_TAG.lastIndex
  }
  START_TAG.lastIndex = start
  const [whole = '', name = ''] = START_TAG.exec(html) ?? []
  if (whole === '') {
    builder.addText('<')
    return start + 1
  }
  const tag = name.toLowerCase()
  const { attributes, at } = readAttributes(html, start + whole.length)
  if (RAW.has(tag)) return endOfRaw(html, tag, at)
  builder.open(tag, attributes)
  return at
}

function endOf(html: string, mark: string, from: number): number {
  const at = html.indexOf(mark, from)
  return at === -1 ? html.length : at + mark.length
}

function endOfRaw(html: string, tag: string, from: number): number {
  const pattern = new RegExp(`</${tag}`, 'gi')
  pattern.lastIndex = from
  const found = pattern.exec(html)
  return found ? endOf(html, '>', found.index) : html.length
}

function readAttributes(html: string, from: number): { readonly attributes: Attributes; readonly at: number } {
  const attributes: Record<string, string> = {}
  let at = from
  for (;;) {
    ATTRIBUTE.lastIndex = at
    const found = ATTRIBUTE.exec(html)
    if (found) {
      const [, name = '', double, single, bare] = found
      attributes[`=${name.toLowerCase()}`] ??= decodeEntities(double ?? single ?? bare ?? '')
      at = ATTRIBUTE.lastIndex
      continue
    }
    const next = html.charAt(at)
    if (next === '>') return { attributes, at: at + 1 }
    if (next === '' || next === '<') return { attributes, at }
    at++
  }
}

/** Puts elements into each other, as far as they are of those that are shown. */
class TreeBuilder {
  readonly #stack: OpenElement[] = [{ tag: '', attributes: {}, children: [] }]
  #nodes = 0

  get isOpen(): boolean {
    return this.#nodes < MOST.nodes
  }

  addText(text: string): void {
    if (text !== '') this.#append(decodeEntities(text))
  }

  open(tag: string, attributes: Attributes): void {
    const [ended, within] = ENDS[tag] ?? []
    if (ended && within) this.#closeTo(ended, within)
    else if (isBlock(tag)) this.#closeTo(new Set(['p']), undefined)
    const element = { tag, attributes, children: [] }
    if (VOID.has(tag)) this.#finish(element)
    else if (this.#stack.length < MOST.depth) this.#stack.push(element)
  }

  close(tag: string): void {
    const at = this.#stack.findLastIndex((one) => one.tag === tag)
    while (at > 0 && this.#stack.length > at) this.#finish(this.#stack.pop())
  }

  end(): readonly HtmlNode[] {
    while (this.#stack.length > 1) this.#finish(this.#stack.pop())
    return this.#stack[0]?.children ?? []
  }

  /** Without a `within`, only what is the innermost. */
  #closeTo(ended: ReadonlySet<string>, within: ReadonlySet<string> | undefined): void {
    const barrier = within ? this.#stack.findLastIndex(({ tag }) => within.has(tag)) : this.#stack.length - 2
    const at = this.#stack.findIndex(({ tag }, index) => index > barrier && ended.has(tag))
    while (at > 0 && this.#stack.length > at) this.#finish(this.#stack.pop())
  }

  #finish(element: OpenElement | undefined): void {
    if (element === undefined || DROPPED.has(element.tag)) return
    for (const node of nodesOf(element)) this.#append(node)
  }

  #append(node: HtmlNode): void {
    this.#nodes++
    this.#stack.at(-1)?.children.push(node)
  }
}

function isBlock(tag: string): boolean {
  return BLOCKS.has(tag) || tag === 'table' || ALIKE[tag] === 'div'
}

/** The element as it is shown; of one that is not known, what is in it. */
function nodesOf({ tag, attributes, children }: OpenElement): readonly HtmlNode[] {
  const name = Object.hasOwn(ALIKE, tag) ? (ALIKE[tag] ?? '') : tag
  if (!INLINE.has(name) && !BLOCKS.has(name) && !TABLES.has(name)) return children
  if (name === 'img') {
    const [url, alt] = [(attributes['=src'] ?? '').replace(/\s/g, ''), attributes['=alt'] ?? '']
    return IMAGE.test(url) ? [{ name, children: [], image: { url, alt } }] : alt === '' ? [] : [alt]
  }
  const span = name === 'td' || name === 'th' ? spanOf(attributes) : undefined
  const href = name === 'a' ? attributes['=href'] : undefined
  return [{ name, children: within(name, children), ...(span && { span }), ...(href !== undefined && { href }) }]
}

/** Cells that one may take the place of. */
const MOST_SPAN = 200

function spanOf(attributes: Attributes): HtmlElement['span'] {
  const count = (text = '') => Math.min(MOST_SPAN, Math.max(1, Number.parseInt(text, 10) || 1))
  return { columns: count(attributes['=colspan']), rows: count(attributes['=rowspan']) }
}

/** What may be directly in lists and tables, and what stands around anything else that is there. */
const PARTS: Readonly<Record<string, readonly [allowed: ReadonlySet<string>, around: readonly string[]]>> = {
  ol: [words('li'), ['li']],
  ul: [words('li'), ['li']],
  table: [words('caption tbody tfoot thead tr'), ['tr', 'td']],
  tbody: [words('tr'), ['tr', 'td']],
  tfoot: [words('tr'), ['tr', 'td']],
  thead: [words('tr'), ['tr', 'td']],
  tr: [words('td th'), ['td']],
}

function within(name: string, children: readonly HtmlNode[]): readonly HtmlNode[] {
  const [allowed, around] = PARTS[name] ?? []
  if (!allowed || !around) return children
  return children
    .filter((node) => typeof node !== 'string' || node.trim() !== '')
    .map((node) =>
      typeof node !== 'string' && allowed.has(node.name)
        ? node
        : around.reduceRight<HtmlNode>((inner, tag) => ({ name: tag, children: [inner] }), node),
    )
}

/** What `&amp;`, `&#38;` and `&#x26;` stand for; what stands for nothing stays. */
function decodeEntities(text: string): string {
  return text.replace(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|([a-z][a-z\d]{1,31}));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return decodeNamedCharacterReference(name) || whole
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    const isText = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
    return isText ? String.fromCodePoint(code) : '\ufffd'
  })
}

/** Whether there is a word or an image in it. */
export function hasContent(nodes: readonly HtmlNode[]): boolean {
  return nodes.some((node) =>
    typeof node === 'string' ? node.trim() !== '' : node.image !== undefined || hasContent(node.children),
  )
}
