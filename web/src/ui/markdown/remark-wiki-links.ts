import type { Node } from './tree.ts'

/** Prefix of the URL of a wiki link, before the name of its page. */
export const WIKI_PREFIX = 'wiki:'

const LINK = /!?\[\[([^\s[\]|][^[\]|\n]{0,300}?)(?:\|([^[\]\n]{1,300}))?\]\]/g

/** Converts `[[Page]]`, `[[Page#Heading]]` and `[[Page|words]]` into links. */
export function remarkWikiLinks() {
  return (tree: Node): void => linkIn(tree)
}

function linkIn(node: Node): void {
  if (node.type === 'link' || node.type === 'linkReference') return
  if (!node.children) return
  node.children = node.children.flatMap((child) => (child.type === 'text' ? splitText(child) : [child]))
  for (const child of node.children) linkIn(child)
}

function splitText(text: Node): Node[] {
  const { value = '', position } = text
  const parts: Node[] = []
  let at = 0
  const add = (end: number) => {
    if (end > at) parts.push({ type: 'text', value: value.slice(at, end), ...(position && { position }) })
  }
  for (const { 0: whole, 1: page = '', 2: words, index } of value.matchAll(LINK)) {
    add(index)
    const children: Node[] = [{ type: 'text', value: words ?? whole }]
    parts.push({ type: 'link', url: `${WIKI_PREFIX}${encodeURIComponent(page)}`, children } as Node)
    at = index + whole.length
  }
  if (parts.length === 0) return [text]
  add(value.length)
  return parts
}
