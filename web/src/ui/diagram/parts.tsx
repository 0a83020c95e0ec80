import type { ReactNode } from 'react'
import { cn } from '../cn.ts'
import type { Size } from './arrange.ts'
import { LINE } from './place-flow.ts'

const MARGIN = 10

interface SheetProps extends Size {
  readonly label: string
  readonly children: ReactNode
}

/** What a diagram is drawn on, in its own size: a column that is narrower scrolls. */
export function Sheet({ width, height, label, children }: SheetProps) {
  const [across, down] = [Math.ceil(width + 2 * MARGIN), Math.ceil(height + 2 * MARGIN)]
  return (
    <svg
      role="img"
      aria-label={label}
      width={across}
      height={down}
      viewBox={`${-MARGIN} ${-MARGIN} ${across} ${down}`}
      className="mx-auto block max-w-none"
    >
      {children}
    </svg>
  )
}

interface LabelProps {
  readonly text: string
  /** Its middle. */
  readonly x: number
  readonly y: number
  /** It covers what is under it. */
  readonly isOver?: boolean
  readonly className?: string
}

/** Lines of text about their middle. */
export function Label({ text, x, y, isOver = false, className }: LabelProps) {
  const lines = text.split('\n')
  return (
    <text
      textAnchor="middle"
      className={cn('fill-ink text-sm', isOver && 'stroke-canvas stroke-4 [paint-order:stroke]', className)}
    >
      {lines.map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other.
        <tspan key={at} x={x} y={y + (at - (lines.length - 1) / 2) * LINE} dominantBaseline="central">
          {line}
        </tspan>
      ))}
    </text>
  )
}

/** What lines end in. */
export function Ends({ id }: { readonly id: string }) {
  const box = { viewBox: '0 0 10 10', refY: 5, markerWidth: 8, markerHeight: 8, markerUnits: 'userSpaceOnUse' as const }
  return (
    <defs>
      <marker id={`${id}arrow`} {...box} refX={9} orient="auto-start-reverse">
        <path d="M0 0L10 5L0 10Z" className="fill-ink-3" />
      </marker>
      <marker id={`${id}cross`} {...box} refX={5} orient="auto">
        <path d="M1 1L9 9M9 1L1 9" className="stroke-ink-3 stroke-2" />
      </marker>
      <marker id={`${id}dot`} {...box} refX={9} orient="auto">
        <circle cx={5} cy={5} r={4} className="fill-ink-3" />
      </marker>
    </defs>
  )
}
