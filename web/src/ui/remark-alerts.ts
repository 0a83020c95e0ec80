/** Shows `> [!NOTE]` as GitHub does: a block with a colour and a title. */

interface Node {
  readonly type: string
  value?: string
  children?: Node[]
  data?: { readonly hProperties: { readonly className: string } }
}

const ALERT = /^\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\][ \t]*(?:\n|$)/i

export function remarkAlerts() {
  return (tree: Node): void => markAlerts(tree)
}

function markAlerts(node: Node): void {
  for (const child of node.children ?? []) {
    if (child.type === 'blockquote') markAlert(child)
    markAlerts(child)
  }
}

function markAlert(quote: Node): void {
  const paragraph = quote.children?.[0]
  const text = paragraph?.type === 'paragraph' ? paragraph.children?.[0] : undefined
  const [whole = '', kind = ''] = ALERT.exec(text?.type === 'text' ? (text.value ?? '') : '') ?? []
  if (!paragraph || !text || whole === '') return
  text.value = (text.value ?? '').slice(whole.length)
  // Two spaces after `[!NOTE]` make a break, which is removed.
  const rest = (paragraph.children ?? []).filter((child) => child !== text || text.value !== '')
  paragraph.children = rest[0]?.type === 'break' ? rest.slice(1) : rest
  const name = kind.toLowerCase()
  const title: Node = {
    type: 'paragraph',
    data: { hProperties: { className: 'alert-title' } },
    children: [{ type: 'text', value: name.charAt(0).toUpperCase() + name.slice(1) }],
  }
  quote.data = { hProperties: { className: `alert alert-${name}` } }
  quote.children = [
    title,
    ...(quote.children ?? []).filter((child) => child !== paragraph || paragraph.children?.length),
  ]
}
