import { common, createLowlight } from 'lowlight'

const lowlight = createLowlight(common)

/** A piece of code, and the classes that colour it. */
export interface Piece {
  readonly text: string
  readonly className: string
}

type Node = ReturnType<typeof lowlight.highlight>['children'][number]

/** The lines of code, each as pieces. Undefined for an unknown language. */
export function highlightLines(code: string, language: string): Piece[][] | undefined {
  if (!lowlight.registered(language)) return undefined
  const lines: Piece[][] = [[]]
  for (const piece of lowlight.highlight(language, code).children.flatMap((node) => [...piecesOf(node, '')])) {
    const [first = '', ...others] = piece.text.split('\n')
    lines.at(-1)?.push({ ...piece, text: first })
    for (const text of others) lines.push([{ ...piece, text }])
  }
  return lines
}

function* piecesOf(node: Node, outer: string): Generator<Piece> {
  if (node.type === 'text') yield { text: node.value, className: outer }
  if (node.type !== 'element') return
  const classes = node.properties.className
  const className = Array.isArray(classes) ? classes.join(' ') : outer
  for (const child of node.children) yield* piecesOf(child, className)
}
