import { DOMParser } from 'linkedom'

/** A node of an HTML or XML tree, with the members of the DOM that the readers of files use. */
export interface DomNode {
  readonly nodeType: number
  /** Upper case for HTML elements. */
  readonly nodeName: string
  /** For an element, the joined text of all nodes below it. */
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
export type DomDocument = Pick<DomNode, 'childNodes' | 'firstChild'>

/** Reads HTML or XML, however broken. Nothing in it is executed, loaded or expanded. */
export function parseDocument(source: string, type: 'text/html' | 'text/xml'): DomDocument {
  // Drops the doctype, which has no `nextSibling`: `walkDom` would end there.
  const text = type === 'text/html' ? source.replace(/^\s*<!doctype[^>]*>/i, '') : source
  return new DOMParser().parseFromString(text, type) as unknown as DomDocument
}

/** Values of `nodeType`. */
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

/** The outermost elements of a name below a node, in order. */
export function elementsNamed(root: Pick<DomNode, 'firstChild'>, tag: string): DomNode[] {
  const elements: DomNode[] = []
  walkDom(root, (node) => {
    if (tagOf(node) !== tag) return true
    elements.push(node)
    return false
  })
  return elements
}

/** Whether to visit the children of a node. */
export type NodeVisitor = (node: DomNode, depth: number) => boolean

/** Visits all nodes below a node in order, without recursion. The visitor may remove the visited node. */
export function walkDom(root: Pick<DomNode, 'firstChild'>, visit: NodeVisitor): void {
  let node = root.firstChild
  let depth = 1
  while (node) {
    const { parentNode, nextSibling } = node
    const inner = visit(node, depth) ? node.firstChild : null
    if (inner) depth++
    let next: DomNode | null = inner ?? nextSibling
    for (let ancestor = parentNode; !next && ancestor && ancestor !== root; ancestor = ancestor.parentNode) {
      next = ancestor.nextSibling
      depth--
    }
    node = next
  }
}
