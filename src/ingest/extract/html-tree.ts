/**
 * Parses HTML to a tree of nodes with the members of the DOM that the conversion to Markdown uses. Takes a third of the
 * time of a whole DOM. Executes, loads and expands nothing.
 */

import { Parser } from 'htmlparser2'
import type { DomNode } from './dom.ts'

const [ELEMENT, TEXT, COMMENT] = [1, 3, 8]

type Attributes = Readonly<Record<string, string>>

/** An element, a text or a comment. */
class HtmlNode implements DomNode {
  readonly nodeType: number
  readonly nodeName: string
  parentNode: HtmlNode | null = null
  firstChild: HtmlNode | null = null
  lastChild: HtmlNode | null = null
  nextSibling: HtmlNode | null = null
  previousSibling: HtmlNode | null = null
  /** The text of a text node. */
  data: string
  readonly #attributes: Attributes

  constructor(nodeName: string, data = '', attributes: Attributes = {}) {
    this.nodeType = nodeName === '#text' ? TEXT : nodeName === '#comment' ? COMMENT : ELEMENT
    this.nodeName = nodeName
    this.data = data
    this.#attributes = attributes
  }

  get nodeValue(): string {
    return this.data
  }

  get childNodes(): HtmlNode[] {
    const nodes: HtmlNode[] = []
    for (let node = this.firstChild; node; node = node.nextSibling) nodes.push(node)
    return nodes
  }

  /** The last child of any kind, unlike in the DOM: a list before a text must not count as the end of its item. */
  get lastElementChild(): HtmlNode | null {
    return this.lastChild
  }

  get textContent(): string {
    if (this.nodeType !== ELEMENT) return this.data
    // Most elements contain one text.
    const { firstChild } = this
    if (firstChild && !firstChild.nextSibling && firstChild.nodeType === TEXT) return firstChild.data
    let text = ''
    for (let node = this.firstChild; node; node = node.#nextWithin(this)) {
      if (node.nodeType === TEXT) text += node.data
    }
    return text
  }

  /** Replaces the content of an element by a text. */
  set textContent(text: string) {
    for (const node of this.childNodes) node.remove()
    this.append(new HtmlNode('#text', text))
  }

  getAttribute(name: string): string | null {
    return Object.hasOwn(this.#attributes, name) ? (this.#attributes[name] ?? null) : null
  }

  /** Appends a node without a parent. */
  append(node: HtmlNode): void {
    node.parentNode = this
    node.previousSibling = this.lastChild
    if (this.lastChild) this.lastChild.nextSibling = node
    else this.firstChild = node
    this.lastChild = node
  }

  remove(): void {
    const { parentNode, previousSibling, nextSibling } = this
    if (!parentNode) return
    if (previousSibling) previousSibling.nextSibling = nextSibling
    else parentNode.firstChild = nextSibling
    if (nextSibling) nextSibling.previousSibling = previousSibling
    else parentNode.lastChild = previousSibling
  }

  removeChild(node: HtmlNode): void {
    node.remove()
  }

  /** Returns the node itself: converters ask for a copy to change it, but this tree is used only once. */
  cloneNode(): HtmlNode {
    return this
  }

  /** Returns at most one element, because callers ask only whether there is such an element. */
  getElementsByTagName(name: string): readonly HtmlNode[] {
    const element = this.#find(new Set([name]))
    return element ? [element] : []
  }

  /** `names`: names of elements in any case, separated by `, `. */
  querySelector(names: string): HtmlNode | null {
    return this.#find(new Set(names.toUpperCase().split(', '))) ?? null
  }

  #find(names: ReadonlySet<string>): HtmlNode | undefined {
    if (!this.firstChild) return undefined
    for (let node: HtmlNode | null = this.firstChild; node; node = node.#nextWithin(this)) {
      if (node.nodeType === ELEMENT && names.has(node.nodeName)) return node
    }
    return undefined
  }

  /** The next node in the order of the page, within an element. */
  #nextWithin(ancestor: HtmlNode): HtmlNode | null {
    if (this.firstChild) return this.firstChild
    let node: HtmlNode | null = this
    while (node && node !== ancestor && !node.nextSibling) node = node.parentNode
    return !node || node === ancestor ? null : node.nextSibling
  }
}

/** The root element of a tree with the nodes of a page, without document types. */
export function parseHtml(html: string): DomNode {
  const root = new HtmlNode('DIV')
  let parent = root
  let svg: HtmlNode | undefined
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const node = new HtmlNode(svg ? name : name.toUpperCase(), '', attributes)
        if (name === 'svg') svg ??= node
        parent.append(node)
        parent = node
      },
      ontext(data) {
        const lastChild = parent.lastChild
        if (lastChild?.nodeType === TEXT) lastChild.data += data
        else parent.append(new HtmlNode('#text', data))
      },
      oncomment: (data) => parent.append(new HtmlNode('#comment', data)),
      onclosetag() {
        if (parent === svg) svg = undefined
        parent = parent.parentNode ?? root
      },
    },
    { lowerCaseAttributeNames: false, decodeEntities: true },
  )
  parser.end(html)
  return root
}
