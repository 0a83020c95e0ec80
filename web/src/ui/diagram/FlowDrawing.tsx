import { useId } from 'react'
import { cn } from '../cn.ts'
import type { Point } from './arrange.ts'
import type { FlowEdge, FlowNode, LineEnd } from './drawn.ts'
import { Ends, Label, Sheet } from './parts.tsx'
import { LINE, type PlacedBox, type PlacedFlow } from './place-flow.ts'

interface FlowDrawingProps {
  readonly placed: PlacedFlow
  readonly label: string
}

/** A flowchart, or states, as it was laid out. */
export function FlowDrawing({ placed, label }: FlowDrawingProps) {
  const id = useId()
  return (
    <Sheet width={placed.width} height={placed.height} label={label}>
      <Ends id={id} />
      {placed.groups.map(({ group, ...box }) => (
        <g key={group.id}>
          <rect {...cornerOf(box)} rx={6} className="fill-surface stroke-line-strong" />
          <Label text={group.title} x={box.x} y={box.y - box.height / 2 + LINE / 2 + 4} className="font-medium" />
        </g>
      ))}
      {placed.edges.map(({ edge, points }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they have no other.
        <path key={at} d={curveOf(points)} className={lookOf(edge)} {...markers(edge, id)} />
      ))}
      {placed.nodes.map(({ node, ...box }) => (
        <g key={node.id}>
          <Outline shape={node.shape} box={box} />
          <Label text={node.label} x={box.x} y={node.shape === 'cylinder' ? box.y + 5 : box.y} />
        </g>
      ))}
      {placed.edges.map(
        ({ edge, label: place }, at) =>
          place &&
          edge.label !== '' && (
            // biome-ignore lint/suspicious/noArrayIndexKey: they have no other.
            <Label key={at} text={edge.label} x={place.x} y={place.y} isOver className="fill-ink-2" />
          ),
      )}
    </Sheet>
  )
}

function cornerOf({ x, y, width, height }: PlacedBox) {
  return { x: x - width / 2, y: y - height / 2, width, height }
}

const BOX = 'fill-raised stroke-line-strong'

function Outline({ shape, box }: { readonly shape: FlowNode['shape']; readonly box: PlacedBox }) {
  const { x, y, width, height } = box
  const [right, bottom] = [x + width / 2, y + height / 2]
  const [left, top] = [x - width / 2, y - height / 2]
  switch (shape) {
    case 'circle':
      return <ellipse cx={x} cy={y} rx={width / 2} ry={height / 2} className={BOX} />
    case 'start':
      return <circle cx={x} cy={y} r={width / 2} className="fill-ink" />
    case 'end':
      return (
        <>
          <circle cx={x} cy={y} r={width / 2 - 1} className="fill-canvas stroke-ink" />
          <circle cx={x} cy={y} r={width / 4} className="fill-ink" />
        </>
      )
    case 'bar':
      return <rect {...cornerOf(box)} rx={2} className="fill-ink" />
    case 'diamond':
      return <path d={`M${x} ${top}L${right} ${y}L${x} ${bottom}L${left} ${y}Z`} className={BOX} />
    case 'hexagon':
      return (
        <path
          d={`M${left + 12} ${top}H${right - 12}L${right} ${y}L${right - 12} ${bottom}H${left + 12}L${left} ${y}Z`}
          className={BOX}
        />
      )
    case 'cylinder': {
      const [rx, ry] = [width / 2, 6]
      const lid = `M${left} ${top + ry}A${rx} ${ry} 0 0 1 ${right} ${top + ry}`
      return (
        <path
          d={`${lid}V${bottom - ry}A${rx} ${ry} 0 0 1 ${left} ${bottom - ry}ZM${left} ${top + ry}A${rx} ${ry} 0 0 0 ${right} ${top + ry}`}
          className={BOX}
        />
      )
    }
    default: {
      const radius = { box: 2, round: 8, stadium: height / 2 }[shape]
      return <rect {...cornerOf(box)} rx={radius} className={BOX} />
    }
  }
}

function lookOf({ look }: FlowEdge): string {
  return cn(
    'fill-transparent stroke-ink-3',
    look === 'thick' && 'stroke-3',
    look === 'dotted' && '[stroke-dasharray:4_4]',
    look === 'hidden' && 'invisible',
  )
}

function markers({ start, end }: FlowEdge, id: string) {
  const url = (kind: LineEnd) => (kind === 'none' ? undefined : `url(#${id}${kind})`)
  return { markerStart: url(start), markerEnd: url(end) }
}

/** Through the points, its corners rounded; straight at both ends, so that arrows look where they point. */
function curveOf(points: readonly Point[]): string {
  const [first, ...rest] = points
  const last = rest.at(-1)
  if (!first || !last) return ''
  const bends = rest.slice(0, -1).map(({ x, y }, at) => {
    const next = rest[at + 1] ?? last
    return `Q${x} ${y} ${(x + next.x) / 2} ${(y + next.y) / 2}`
  })
  return `M${first.x} ${first.y}${bends.join('')}L${last.x} ${last.y}`
}
