/** Citations of a report: `[plan.md::S3]`, `[https://…]`, `[ambit://…]`. */
const CITATION = /\[((?:[^[\]\n]{1,300}::S\d+)|(?:(?:https?|ambit):\/\/[^[\]\s]{1,2000}))\](?!\()/g

interface Node {
  readonly type: string
  value?: string
  url?: string
  children?: Node[]
}

/** Where the links of citations lead, before their number. */
export const SOURCE = '#source-'

/**
 * A plugin of remark: each citation of a source becomes a link with its number. What is cited and is no source stays as it is
 * written.
 */
export function citing(refs: readonly string[]) {
  const numbers = new Map(refs.map((ref, at) => [ref, at + 1]))
  const split = (node: Node): Node[] => {
    if (node.type !== 'text') return [{ ...node, ...(node.children && { children: node.children.flatMap(split) }) }]
    const text = node.value ?? ''
    const parts: Node[] = []
    let end = 0
    for (const match of text.matchAll(CITATION)) {
      const number = numbers.get(match[1] ?? '')
      if (number === undefined) continue
      parts.push({ type: 'text', value: text.slice(end, match.index) })
      parts.push({ type: 'link', url: `${SOURCE}${number}`, children: [{ type: 'text', value: String(number) }] })
      end = match.index + match[0].length
    }
    return parts.length === 0 ? [node] : [...parts, { type: 'text', value: text.slice(end) }]
  }
  return () => (tree: Node) => {
    if (tree.children) tree.children = tree.children.flatMap(split)
  }
}
