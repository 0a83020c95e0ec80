/** Reads flowcharts of Mermaid. What it does not know makes it give up: a drawing that leaves something out would be wrong. */

import type { Flow, FlowEdge, FlowGroup, FlowNode, LineEnd, Shape } from './drawn.ts'
import { labelOf } from './lines.ts'

/** Boxes and lines that are drawn. */
const MOST = { nodes: 150, edges: 300 }

/** What opens and closes a label, the longer ones first. */
const SHAPES: readonly (readonly [open: string, close: string, shape: Shape])[] = [
  ['(((', ')))', 'circle'],
  ['((', '))', 'circle'],
  ['([', '])', 'stadium'],
  ['[(', ')]', 'cylinder'],
  ['[[', ']]', 'box'],
  ['[/', '/]', 'box'],
  ['[/', '\\]', 'box'],
  ['[\\', '\\]', 'box'],
  ['[\\', '/]', 'box'],
  ['{{', '}}', 'hexagon'],
  ['[', ']', 'box'],
  ['(', ')', 'round'],
  ['{', '}', 'diamond'],
  ['>', ']', 'box'],
]

const ID = /^[\p{L}\p{N}_]+(?:[-.:/][\p{L}\p{N}_]+)*/u

/** A line with its words in the middle, or after it between bars. */
const LINKS: readonly (readonly [look: FlowEdge['look'], pattern: RegExp])[] = [
  ['hidden', /^(?<start>)~{3,}(?<end>)/],
  ['dotted', /^(?<start>[<xo]?)-\.+-(?<end>[>xo]?)/],
  ['dotted', /^(?<start>[<xo]?)-\.\s+(?<label>"[^"]*"|[^"|]+?)\s+\.+-(?<end>[>xo]?)/],
  ['thick', /^(?<start>[<xo]?)={2,}(?<end>[=>xo])/],
  ['thick', /^(?<start>[<xo]?)==\s+(?<label>"[^"]*"|[^"|=]+?)\s+={2,}(?<end>[=>xo])/],
  ['solid', /^(?<start>[<xo]?)-{2,}(?<end>[->xo])/],
  ['solid', /^(?<start>[<xo]?)--\s*(?<label>"[^"]*"|[^"|\-<>]+?)\s*-{2,}(?<end>[->xo])/],
]

const ENDS: Readonly<Record<string, LineEnd>> = { '>': 'arrow', '<': 'arrow', x: 'cross', o: 'dot' }

/** Statements that change only how something looks, or where a click leads. */
const LOOKS = /^(?:classDef|class|style|linkStyle|click|accTitle|accDescr)\b/

/** The flowchart of these statements; undefined where some of them are not known here. */
export function readFlow([header = '', ...statements]: readonly string[]): Flow | undefined {
  const direction = /^(?:graph|flowchart)(?:\s+(TB|TD|BT|LR|RL))?$/.exec(header)
  if (!direction) return undefined
  const chart = new Chart()
  if (!statements.every((statement) => chart.read(statement)) || !chart.isWhole) return undefined
  const way = direction[1] ?? 'TB'
  return {
    kind: 'flow',
    isAcross: way === 'LR' || way === 'RL',
    isBackwards: way === 'BT' || way === 'RL',
    ...chart.parts(),
  }
}

interface Link {
  readonly edge: Omit<FlowEdge, 'from' | 'to'>
  readonly rest: string
}

class Chart {
  readonly #nodes = new Map<string, FlowNode>()
  readonly #groups: FlowGroup[] = []
  readonly #edges: FlowEdge[] = []
  /** The groups that are open, the innermost last. */
  readonly #open: string[] = []

  /** Whether it understood the statement. */
  read(statement: string): boolean {
    if (LOOKS.test(statement) || /^direction\s+(?:TB|TD|BT|LR|RL)$/.test(statement)) return true
    if (statement === 'end') return this.#open.pop() !== undefined
    const group = /^subgraph(?:\s+(?<rest>.*))?$/.exec(statement)
    return group ? this.#begin(group.groups?.rest ?? '') : this.#readChain(statement)
  }

  get isWhole(): boolean {
    const isSmall = this.#nodes.size <= MOST.nodes && this.#edges.length <= MOST.edges
    return isSmall && this.#open.length === 0 && this.#nodes.size > 0
  }

  /** A line may lead to a group as a whole: its id is no box. */
  parts(): Pick<Flow, 'nodes' | 'groups' | 'edges'> {
    const groups = new Set(this.#groups.map(({ id }) => id))
    const nodes = [...this.#nodes.values()].filter(({ id }) => !groups.has(id))
    return { nodes, groups: this.#groups, edges: this.#edges }
  }

  #begin(written: string): boolean {
    const named = /^([\p{L}\p{N}_.-]+)\s*\[(.*)\]$/u.exec(written)
    const id = named?.[1] ?? (written === '' ? `group ${this.#groups.length}` : labelOf(written))
    if (this.#groups.some((group) => group.id === id)) return false
    this.#groups.push({ id, title: labelOf(named?.[2] ?? written), ...this.#here() })
    this.#open.push(id)
    return true
  }

  #here(): { readonly group?: string } {
    const group = this.#open.at(-1)
    return group === undefined ? {} : { group }
  }

  /** Boxes with lines between them: `A & B --> C --> D`. */
  #readChain(statement: string): boolean {
    let [before, rest] = this.#readNodes(statement)
    if (before.length === 0) return false
    while (rest !== '') {
      const link = readLink(rest)
      if (!link) return false
      const [after, next] = this.#readNodes(link.rest)
      if (after.length === 0) return false
      this.#edges.push(...before.flatMap((from) => after.map((to) => ({ ...link.edge, from, to }))))
      ;[before, rest] = [after, next]
    }
    return true
  }

  #readNodes(text: string): [ids: readonly string[], rest: string] {
    const ids: string[] = []
    let rest = text
    for (;;) {
      const id = ID.exec(rest)?.[0]
      if (id === undefined) return [[], text]
      const left = this.#readShape(id, rest.slice(id.length))
      if (left === undefined) return [[], text]
      ids.push(id)
      rest = left.replace(/^:::[\w-]+/, '').trimStart()
      if (!rest.startsWith('&')) return [ids, rest]
      rest = rest.slice(1).trimStart()
    }
  }

  /** What follows the box; undefined where it is of a form that is not known. */
  #readShape(id: string, rest: string): string | undefined {
    if (rest.startsWith('@')) return undefined
    const found = SHAPES.flatMap(([open, close, shape]) => {
      if (!rest.startsWith(open)) return []
      const label = /^"[^"]*"/.exec(rest.slice(open.length))?.[0] ?? unquotedLabel(rest.slice(open.length), close)
      const end = open.length + (label?.length ?? 0)
      return label !== undefined && rest.startsWith(close, end)
        ? [{ label: labelOf(label), shape, rest: rest.slice(end + close.length) }]
        : []
    })[0]
    if (!found) {
      if (/^[[({]/.test(rest)) return undefined
      this.#put(id)
      return rest
    }
    this.#put(id, found)
    return found.rest
  }

  /** What is said of a box later holds; it lies in the first group that names it. */
  #put(id: string, said?: Pick<FlowNode, 'label' | 'shape'>): void {
    const { label, shape, group } = this.#nodes.get(id) ?? { label: id, shape: 'box' as const }
    const within = group === undefined ? this.#here() : { group }
    this.#nodes.set(id, { id, label: said?.label ?? label, shape: said?.shape ?? shape, ...within })
  }
}

/** Up to what closes it; none with a bracket of another kind, which would have to stand in quotation marks. */
function unquotedLabel(text: string, close: string): string | undefined {
  const end = text.indexOf(close)
  if (end < 0) return undefined
  const label = text.slice(0, end)
  return /["[\](){}]/.test(label) ? undefined : label
}

function readLink(text: string): Link | undefined {
  const found = LINKS.flatMap(([look, pattern]) => {
    const match = pattern.exec(text)
    return match ? [{ look, match }] : []
  })[0]
  if (!found) return undefined
  const { start = '', end = '', label = '' } = found.match.groups ?? {}
  const after = text.slice(found.match[0].length)
  // `A --o B` ends in a dot, `A --open` in a box of that name.
  if ((end === 'o' || end === 'x') && /^[\p{L}\p{N}_]/u.test(after)) return undefined
  const bars = /^\s*\|([^|]*)\|/.exec(after)
  return {
    edge: {
      look: found.look,
      label: labelOf(bars?.[1] ?? label),
      start: ENDS[start] ?? 'none',
      end: ENDS[end] ?? 'none',
    },
    rest: after.slice(bars?.[0].length ?? 0).trimStart(),
  }
}
