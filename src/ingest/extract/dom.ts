import { DOMParser } from 'linkedom'

/** A node of the documents that linkedom makes: the part of the DOM that is used here. */
export interface DomNode {
  readonly nodeType: number
  /** Upper case for HTML elements. */
  readonly nodeName: string
  /** Of an element its own and of all below, joined. */
  textContent: string
  readonly parentNode: DomNode | null
  readonly firstChild: DomNode | null
  readonly nextSibling: DomNode | null
  readonly childNodes: Iterable<DomNode>
  getAttribute(name: string): string | null
  querySelector(selector: string): DomNode | null
  remove(): void
}

/** A whole document. */
export interface DomDocument {
  readonly childNodes: Iterable<DomNode>
  readonly firstChild: DomNode | null
}

/** Reads HTML or XML, however broken. Nothing in it is executed, loaded or expanded. */
export function parseDocument(source: string, type: 'text/html' | 'text/xml'): DomDocument {
  // The doctype of the tree knows no node behind it: a walk from node to node would end there.
  const text = type === 'text/html' ? source.replace(/^\s*<!doctype[^>]*>/i, '') : source
  return new DOMParser().parseFromString(text, type) as unknown as DomDocument
}

/** Of `nodeType`. */
const ELEMENT = 1
const TEXT = 3

export function isElement(node: DomNode): boolean {
  return node.nodeType === ELEMENT
}

export function isTextNode(node: DomNode): boolean {
  return node.nodeType === TEXT
}

/** The element's name in lower case. */
export function tagOf(node: DomNode): string {
  return node.nodeName.toLowerCase()
}

/** The elements of a name below a node, in their order, without those within one of them. */
export function elementsNamed(root: Pick<DomNode, 'firstChild'>, tag: string): DomNode[] {
  const found: DomNode[] = []
  walkDom(root, (node) => {
    if (tagOf(node) !== tag) return true
    found.push(node)
    return false
  })
  return found
}

/** Whether to look at what is in a node. */
export type Visit = (node: DomNode, depth: number) => boolean

/** Goes through all that is below a node in its order. A node that is visited may be removed. Needs no stack. */
export function walkDom(root: Pick<DomNode, 'firstChild'>, visit: Visit): void {
  let node = root.firstChild
  let depth = 1
  while (node) {
    const { parentNode, nextSibling } = node
    const inner = visit(node, depth) ? node.firstChild : null
    if (inner) depth++
    let next: DomNode | null = inner ?? nextSibling
    for (let up = parentNode; !next && up && up !== root; up = up.parentNode) {
      next = up.nextSibling
      depth--
    }
    node = next
  }
}
