/** Citations in brackets become links, where they cite something. */

interface Node {
  readonly type: string
  readonly value?: string
  readonly url?: string
  children?: Node[]
}

/** What begins an address of a citation, within the page. */
export const CITES = '#cites-'

export interface CitationSyntax {
  /** Of all citations of a text, with what is cited as its first group. */
  readonly pattern: RegExp
  /** The number of what is cited; undefined where it is nothing: then the text stays as it is. */
  numberOf(cited: string): number | undefined
}

export function remarkCitations(syntax: CitationSyntax) {
  return (tree: Node): void => walk(tree, syntax)
}

function walk(node: Node, syntax: CitationSyntax): void {
  if (!node.children || node.type === 'link') return
  node.children = node.children.flatMap((child) => (child.type === 'text' ? split(child, syntax) : [child]))
  for (const child of node.children) walk(child, syntax)
}

function split({ value = '' }: Node, { pattern, numberOf }: CitationSyntax): Node[] {
  const parts: Node[] = []
  let end = 0
  for (const match of value.matchAll(pattern)) {
    const number = numberOf(match[1] ?? '')
    if (number === undefined) continue
    parts.push({ type: 'text', value: value.slice(end, match.index) })
    parts.push({ type: 'link', url: `${CITES}${number}`, children: [{ type: 'text', value: String(number) }] })
    end = match.index + match[0].length
  }
  return [...parts, { type: 'text', value: value.slice(end) }].filter((part) => part.value !== '')
}
