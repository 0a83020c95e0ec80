import { useId } from 'react'
import { cn } from '../cn.ts'
import { Ends, Label, Sheet } from './parts.tsx'
import { LINE } from './place-flow.ts'
import { type PlacedSequence, type PlacedStep, SIDE } from './place-sequence.ts'

interface SequenceDrawingProps {
  readonly placed: PlacedSequence
  readonly label: string
}

/** Who says what to whom, from above to below. */
export function SequenceDrawing({ placed, label }: SequenceDrawingProps) {
  const id = useId()
  const { width, height, head, people, steps, frames } = placed
  return (
    <Sheet width={width} height={height} label={label}>
      <Ends id={id} />
      {people.map(({ label: name, x, width: own }) => (
        <g key={`${name} ${x}`}>
          <path d={`M${x} ${head}V${height - head}`} className="stroke-line-strong [stroke-dasharray:4_4]" />
          {[0, height - head].map((top) => (
            <g key={top}>
              <rect
                x={x - own / 2}
                y={top}
                width={own}
                height={head}
                rx={4}
                className="fill-raised stroke-line-strong"
              />
              <Label text={name} x={x} y={top + head / 2} />
            </g>
          ))}
        </g>
      ))}
      {frames.map(({ word, text, top, bottom, depth, parts }) => {
        const inset = Math.min(depth * 4, SIDE - 2)
        return (
          <g key={top}>
            <rect
              x={inset}
              y={top}
              width={width - 2 * inset}
              height={bottom - top}
              rx={4}
              className="fill-transparent stroke-line-strong"
            />
            <Tag
              text={word === '' ? '' : `${word} ${text === '' ? '' : `[${text}]`}`}
              x={inset + 8}
              y={top + LINE / 2 + 2}
            />
            {parts.map((part) => (
              <g key={part.y}>
                <path
                  d={`M${inset} ${part.y}H${width - inset}`}
                  className="stroke-line-strong [stroke-dasharray:4_4]"
                />
                <Tag text={part.text === '' ? '' : `[${part.text}]`} x={inset + 8} y={part.y + LINE / 2 + 2} />
              </g>
            ))}
          </g>
        )
      })}
      {steps.map((step, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they have no other.
        <Step key={at} id={id} xs={people.map(({ x }) => x)} {...step} />
      ))}
    </Sheet>
  )
}

function Tag({ text, x, y }: { readonly text: string; readonly x: number; readonly y: number }) {
  return (
    <text
      x={x}
      y={y}
      dominantBaseline="central"
      className="fill-ink-2 stroke-canvas stroke-4 text-xs font-medium [paint-order:stroke]"
    >
      {text}
    </text>
  )
}

interface StepProps extends PlacedStep {
  readonly id: string
  readonly xs: readonly number[]
}

function Step({ id, xs, step, y, height }: StepProps) {
  if (step.type === 'note') return <Note xs={xs} step={step} y={y} height={height} />
  if (step.type !== 'message') return null
  const [from, to] = [xs[step.from] ?? 0, xs[step.to] ?? 0]
  const { text } = step
  const isSelf = step.from === step.to
  const lines = text.split('\n').length
  const line = isSelf ? y + lines * LINE + 4 : y + height - 8
  const path = isSelf ? `M${from} ${line}h30v16H${from}` : `M${from} ${line}H${to}`
  return (
    <>
      <path
        d={path}
        className={cn('fill-transparent stroke-ink-3', step.isDotted && '[stroke-dasharray:4_4]')}
        markerEnd={step.end === 'none' ? undefined : `url(#${id}${step.end})`}
      />
      {isSelf ? (
        <Label text={text} x={from + 30} y={y + (lines * LINE) / 2} isOver />
      ) : (
        <Label text={text} x={(from + to) / 2} y={line - 4 - (lines * LINE) / 2} isOver />
      )}
    </>
  )
}

interface NoteProps {
  readonly xs: readonly number[]
  readonly step: Extract<PlacedStep['step'], { readonly type: 'note' }>
  readonly y: number
  readonly height: number
}

function Note({ xs, step, y, height }: NoteProps) {
  const [first, last] = [xs[step.from] ?? 0, xs[step.to] ?? 0]
  const own = Math.max(...step.text.split('\n').map((line) => line.length)) * 7.5 + 16
  const width = Math.max(own, last - first + 40)
  const middle = { over: (first + last) / 2, left: first - own / 2 - 8, right: last + own / 2 + 8 }[step.side]
  const across = step.side === 'over' ? width : own
  return (
    <>
      <rect
        x={middle - across / 2}
        y={y + 4}
        width={across}
        height={height - 10}
        rx={2}
        className="fill-mark stroke-line-strong"
      />
      <Label text={step.text} x={middle} y={y + height / 2 - 1} />
    </>
  )
}
