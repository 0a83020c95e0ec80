/** Numbers in brackets become links to what they cite, where the answer rests on it. */

interface Node {
  readonly type: string
  readonly value?: string
  readonly url?: string
  children?: Node[]
}

/** What begins an address of a citation, within the page. */
export const CITES = '#cites-'

export function remarkCitations({ numbers }: { readonly numbers: ReadonlySet<number> }) {
  return (tree: Node): void => walk(tree, numbers)
}

function walk(node: Node, numbers: ReadonlySet<number>): void {
  if (!node.children || node.type === 'link') return
  node.children = node.children.flatMap((child) => (child.type === 'text' ? split(child, numbers) : [child]))
  for (const child of node.children) walk(child, numbers)
}

function split({ value = '' }: Node, numbers: ReadonlySet<number>): Node[] {
  return value.split(/(\[\d{1,6}\])/).flatMap((piece): Node[] => {
    const number = Number(/^\[(\d+)\]$/.exec(piece)?.[1] ?? Number.NaN)
    if (!numbers.has(number)) return piece === '' ? [] : [{ type: 'text', value: piece }]
    return [{ type: 'link', url: `${CITES}${number}`, children: [{ type: 'text', value: String(number) }] }]
  })
}
