/** Citations in brackets become links, where they cite something. */

interface Node {
  readonly type: string
  readonly value?: string
  readonly url?: string
  children?: Node[]
  /** Where it is written. */
  readonly position?: { readonly start: { readonly offset: number }; readonly end: { readonly offset: number } }
}

/** What begins an address of a citation, within the page. */
export const CITES = '#cites-'

export interface CitationSyntax {
  /** Of all citations of a text, with what is cited as its first group. */
  readonly pattern: RegExp
  /** The number of what is cited; undefined where it is nothing: then the text stays as it is. */
  numberOf(cited: string): number | undefined
}

/** Works on a tree of the text that it is given; what is escaped in that text cites nothing. */
export function remarkCitations(syntax: CitationSyntax) {
  return (tree: Node, file: { toString(): string }): void => walk(tree, syntax, String(file))
}

function walk(node: Node, syntax: CitationSyntax, source: string): void {
  if (!node.children || node.type === 'link') return
  node.children = node.children.flatMap((child) => (child.type === 'text' ? split(child, syntax, source) : [child]))
  for (const child of node.children) walk(child, syntax, source)
}

function split(node: Node, { pattern, numberOf }: CitationSyntax, source: string): Node[] {
  const { value = '', position } = node
  // What another plugin made of a text is not told from what is escaped.
  if (!position) return [node]
  const written = source.slice(position.start.offset, position.end.offset)
  const escaped = written === value ? undefined : escapedIn(value, written)
  const parts: Node[] = []
  let end = 0
  for (const match of value.matchAll(pattern)) {
    const number = escaped?.(match.index) ? undefined : numberOf(match[1] ?? '')
    if (number === undefined) continue
    parts.push({ type: 'text', value: value.slice(end, match.index) })
    parts.push({ type: 'link', url: `${CITES}${number}`, children: [{ type: 'text', value: String(number) }] })
    end = match.index + match[0].length
  }
  return [...parts, { type: 'text', value: value.slice(end) }].filter((part) => part.value !== '')
}

/**
 * Which signs of a text are written with a backslash, or in another way than they are shown. White space is shown otherwise
 * than it is written, where a line ends.
 */
function escapedIn(value: string, written: string): (at: number) => boolean {
  const escaped = new Set<number>()
  let from = 0
  let at = 0
  for (; at < value.length; at++) {
    const sign = value[at] ?? ''
    const isBlank = /\s/.test(sign)
    if (isBlank || value[at - 1] === '\n') while (from < written.length && /[\s>]/.test(written[from] ?? '')) from++
    if (isBlank) continue
    const isEscaped = written[from] === '\\' && written[from + 1] === sign && /[!-/:-@[-`{-~]/.test(sign)
    if (isEscaped) escaped.add(at)
    else if (written[from] !== sign) break
    from += isEscaped ? 2 : 1
  }
  const known = at
  return (index) => index >= known || escaped.has(index)
}
