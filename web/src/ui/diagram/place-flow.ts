/** Where the boxes, groups and lines of a flowchart are. */

import { arrange, type Point, type Size } from './arrange.ts'
import type { Flow, FlowEdge, FlowGroup, FlowNode, Shape } from './drawn.ts'

/** Width of a line of text, in pixels. */
export type Measure = (line: string) => number

export interface PlacedBox extends Size {
  readonly x: number
  readonly y: number
}

export interface PlacedFlow extends Size {
  readonly nodes: readonly (PlacedBox & { readonly node: FlowNode })[]
  /** The outer ones first. */
  readonly groups: readonly (PlacedBox & { readonly group: FlowGroup })[]
  readonly edges: readonly { readonly edge: FlowEdge; readonly points: readonly Point[]; readonly label?: Point }[]
}

/** Pixels of a line of text. */
export const LINE = 18
const PAD = { x: 14, y: 9, group: 16, title: 26, edge: 8 }
/** Around a box that leads to itself. */
const LOOP = 22

/**
 * The middles of everything. Undefined where a line leads from a group into itself, or would pass under a box: it would seem to begin
 * or end there.
 */
export function placeFlow(flow: Flow, measure: Measure): PlacedFlow | undefined {
  const placing = new Placing(flow, measure)
  if (!placing.isPossible()) return undefined
  const placed = placing.placed()
  const isHidden = placed.edges.some(({ edge, points }) =>
    placed.nodes.some((box) => box.node.id !== edge.from && box.node.id !== edge.to && isUnder(points, box)),
  )
  return isHidden ? undefined : placed
}

/** Whether a line passes under a box: looked at every few pixels. */
function isUnder(points: readonly Point[], { x, y, width, height }: PlacedBox): boolean {
  return points.slice(1).some((to, at) => {
    const from = points[at] ?? to
    const steps = Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / 4)
    return Array.from({ length: steps + 1 }, (_, step) => step / Math.max(1, steps)).some((part) => {
      const [across, down] = [from.x + (to.x - from.x) * part - x, from.y + (to.y - from.y) * part - y]
      return Math.abs(across) < width / 2 - 2 && Math.abs(down) < height / 2 - 2
    })
  })
}

/** What lies in one group, or in none. */
interface Level extends Size {
  /** The middle of each, from the corner of the level. */
  readonly places: ReadonlyMap<string, Point>
  readonly routes: ReadonlyMap<number, { readonly points: readonly Point[]; readonly label?: Point }>
}

class Placing {
  readonly #flow: Flow
  readonly #measure: Measure
  readonly #parents: ReadonlyMap<string, string | undefined>
  readonly #sizes = new Map<string, Size>()
  readonly #levels = new Map<string | undefined, Level>()

  constructor(flow: Flow, measure: Measure) {
    this.#flow = flow
    this.#measure = measure
    this.#parents = new Map([...flow.groups, ...flow.nodes].map(({ id, group }) => [id, group]))
  }

  isPossible(): boolean {
    return this.#flow.edges.every(({ from, to }) => from === to || !(this.#lies(from, to) || this.#lies(to, from)))
  }

  placed(): PlacedFlow {
    const { width, height } = this.#arrangeLevel(undefined)
    const corners = this.#corners()
    const boxOf = (id: string): PlacedBox => ({ ...this.#centre(id, corners), ...this.#size(id) })
    const { nodes, groups, edges } = this.#flow
    return {
      width,
      height,
      nodes: nodes.map((node) => ({ node, ...boxOf(node.id) })),
      groups: groups.map((group) => ({ group, ...boxOf(group.id) })),
      edges: edges.map((edge, at) => this.#routed(edge, at, { corners, boxOf })),
    }
  }

  /** Whether one lies in the other, however deep. */
  #lies(id: string, within: string): boolean {
    for (let at = this.#parents.get(id); at !== undefined; at = this.#parents.get(at)) if (at === within) return true
    return false
  }

  #size(id: string): Size {
    return this.#sizes.get(id) ?? { width: 0, height: 0 }
  }

  /** The boxes and groups of a level, in the order in which they are first spoken of. */
  #itemsOf(group: string | undefined): readonly string[] {
    const items = this.#flow.nodes.map(({ id }) => {
      for (let at: string | undefined = id; at !== undefined; at = this.#parents.get(at))
        if (this.#parents.get(at) === group) return at
      return undefined
    })
    const empty = this.#flow.groups.filter((each) => each.group === group).map(({ id }) => id)
    return [...new Set([...items, ...empty])].filter((id) => id !== undefined)
  }

  /** A box that leads to itself has its loop at the right, and as much room at the left. */
  #room(id: string): Size {
    const { width, height } = this.#size(id)
    const loops = this.#flow.edges.filter(({ from, to }) => from === id && to === id)
    const room = Math.max(0, ...loops.map((edge) => LOOP + (this.#labelSize(edge).label?.width ?? 0)))
    return { width: width + 2 * room, height }
  }

  #arrangeLevel(group: string | undefined): Level {
    const items = this.#itemsOf(group)
    for (const { id } of this.#flow.groups.filter((each) => items.includes(each.id)))
      this.#sizes.set(id, this.#groupSize(id))
    for (const node of this.#flow.nodes.filter(({ id }) => items.includes(id)))
      this.#sizes.set(node.id, this.#nodeSize(node))
    const lines = this.#flow.edges.flatMap((edge, at) => {
      const [from, to] = this.#within(edge, items)
      return from < 0 || to < 0 || from === to ? [] : [{ at, from, to, ...this.#labelSize(edge) }]
    })
    const { isAcross, isBackwards } = this.#flow
    const turned = (size: Size): Size => (isAcross ? { width: size.height, height: size.width } : size)
    const made = arrange(
      items.map((id) => turned(this.#room(id))),
      lines.map(({ from, to, label }) => ({ from, to, ...(label && { label: turned(label) }) })),
    )
    const point = ({ x, y }: Point): Point => {
      const down = isBackwards ? made.height - y : y
      return isAcross ? { x: down, y: x } : { x, y: down }
    }
    const level = {
      ...turned(made),
      places: new Map(items.map((id, at) => [id, point(made.boxes[at] ?? { x: 0, y: 0 })])),
      routes: new Map(
        lines.map(({ at }, index) => {
          const { points = [], label } = made.lines[index] ?? {}
          return [at, { points: points.map(point), ...(label && { label: point(label) }) }]
        }),
      ),
    }
    this.#levels.set(group, level)
    return level
  }

  /** The items of a level that the line leads between, or that hold what it leads between. */
  #within({ from, to }: FlowEdge, items: readonly string[]): readonly [number, number] {
    const holder = (id: string) => items.findIndex((item) => item === id || this.#lies(id, item))
    return [holder(from), holder(to)]
  }

  #groupSize(id: string): Size {
    const { width, height } = this.#arrangeLevel(id)
    const title = this.#flow.groups.find((group) => group.id === id)?.title ?? ''
    return {
      width: Math.max(width, this.#textSize(title).width) + 2 * PAD.group,
      height: height + PAD.title + PAD.group,
    }
  }

  #textSize(text: string): Size {
    const lines = text.split('\n')
    return { width: Math.max(...lines.map(this.#measure)), height: lines.length * LINE }
  }

  #labelSize({ label }: FlowEdge): { readonly label?: Size } {
    if (label === '') return {}
    const { width, height } = this.#textSize(label)
    return { label: { width: width + PAD.edge, height } }
  }

  #nodeSize({ label, shape }: FlowNode): Size {
    const text = this.#textSize(label)
    const [width, height] = [Math.max(36, text.width + 2 * PAD.x), text.height + 2 * PAD.y]
    if (shape === 'start' || shape === 'end') return { width: 18, height: 18 }
    if (shape === 'bar') return this.#flow.isAcross ? { width: 8, height: 70 } : { width: 70, height: 8 }
    if (shape === 'circle') return { width: Math.max(width, height), height: Math.max(width, height) }
    if (shape === 'diamond') return { width: width * 1.35 + 12, height: height * 1.35 + 12 }
    if (shape === 'hexagon' || shape === 'stadium') return { width: width + 16, height }
    return { width, height: shape === 'cylinder' ? height + 14 : height }
  }

  /** The corner of each level, from that of all. */
  #corners(): ReadonlyMap<string | undefined, Point> {
    const corners = new Map<string | undefined, Point>([[undefined, { x: 0, y: 0 }]])
    for (const { id, group } of this.#outerFirst()) {
      const outer = corners.get(group) ?? { x: 0, y: 0 }
      const middle = this.#levels.get(group)?.places.get(id) ?? { x: 0, y: 0 }
      const { width: inner = 0 } = this.#levels.get(id) ?? {}
      const { height } = this.#size(id)
      corners.set(id, {
        x: outer.x + middle.x - inner / 2,
        y: outer.y + middle.y - height / 2 + PAD.title,
      })
    }
    return corners
  }

  #outerFirst(): readonly FlowGroup[] {
    const depth = (id: string): number => {
      const parent = this.#parents.get(id)
      return parent === undefined ? 0 : 1 + depth(parent)
    }
    return [...this.#flow.groups].sort((one, other) => depth(one.id) - depth(other.id))
  }

  #centre(id: string, corners: ReadonlyMap<string | undefined, Point>): Point {
    const group = this.#parents.get(id)
    const [corner, place] = [corners.get(group), this.#levels.get(group)?.places.get(id)]
    return { x: (corner?.x ?? 0) + (place?.x ?? 0), y: (corner?.y ?? 0) + (place?.y ?? 0) }
  }

  #routed(
    edge: FlowEdge,
    at: number,
    { corners, boxOf }: { corners: ReadonlyMap<string | undefined, Point>; boxOf: (id: string) => PlacedBox },
  ): PlacedFlow['edges'][number] {
    const [from, to] = [boxOf(edge.from), boxOf(edge.to)]
    if (edge.from === edge.to) {
      const reach = from.x + from.width / 2 + LOOP + (this.#labelSize(edge).label?.width ?? 0) / 2
      return { edge, points: loopOf(from), label: { x: reach, y: from.y } }
    }
    const found = [...this.#levels].find(([, { routes }]) => routes.has(at))
    const corner = corners.get(found?.[0]) ?? { x: 0, y: 0 }
    const moved = ({ x, y }: Point): Point => ({ x: x + corner.x, y: y + corner.y })
    const { points = [], label } = found?.[1].routes.get(at) ?? {}
    const passed = points.map(moved)
    const shapeOf = (id: string) => this.#flow.nodes.find((node) => node.id === id)?.shape
    const begin = borderOf(from, passed[0] ?? to, shapeOf(edge.from))
    const end = borderOf(to, passed.at(-1) ?? from, shapeOf(edge.to))
    return { edge, points: [begin, ...passed, end], ...(label && { label: moved(label) }) }
  }
}

/** A line from a box to itself, at its right side. */
function loopOf({ x, y, width, height }: PlacedBox): Point[] {
  const [right, step] = [x + width / 2, Math.min(10, height / 3)]
  return [
    { x: right, y: y - step },
    { x: right + LOOP, y: y - step },
    { x: right + LOOP, y: y + step },
    { x: right, y: y + step },
  ]
}

/** Where the line from the middle of a box to a point leaves the box. */
function borderOf({ x, y, width, height }: PlacedBox, to: Point, shape?: Shape): Point {
  const [dx, dy] = [to.x - x, to.y - y]
  const [across, down] = [Math.abs(dx) / (width / 2), Math.abs(dy) / (height / 2)]
  const reach =
    shape === 'diamond' ? across + down : ROUND.has(shape ?? 'box') ? Math.hypot(across, down) : Math.max(across, down)
  return reach > 1 ? { x: x + dx / reach, y: y + dy / reach } : { x, y }
}

const ROUND: ReadonlySet<Shape> = new Set(['circle', 'start', 'end'])
