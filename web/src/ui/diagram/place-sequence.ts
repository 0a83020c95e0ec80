/** Where those who speak are, and what they say. */

import type { Size } from './arrange.ts'
import type { Sequence, SequenceStep } from './drawn.ts'
import { LINE, type Measure } from './place-flow.ts'

export interface PlacedStep {
  readonly step: SequenceStep
  readonly y: number
  readonly height: number
}

export interface Frame {
  readonly word: string
  readonly text: string
  readonly top: number
  readonly bottom: number
  /** How many frames are around it. */
  readonly depth: number
  /** Where its parts begin, after the first. */
  readonly parts: readonly { readonly y: number; readonly text: string }[]
}

export interface PlacedSequence extends Size {
  readonly people: readonly { readonly label: string; readonly x: number; readonly width: number }[]
  readonly head: number
  readonly steps: readonly PlacedStep[]
  readonly frames: readonly Frame[]
}

const PAD = { box: 14, gap: 30, text: 24, frame: 12 }

/** Room at both sides, for frames. */
export const SIDE = 16

export function placeSequence({ people, steps }: Sequence, measure: Measure): PlacedSequence {
  const widthOf = (text: string) => Math.max(...text.split('\n').map(measure))
  const widths = people.map(({ label }) => Math.max(70, widthOf(label) + 2 * PAD.box))
  const xs = columnsOf(widths, steps, widthOf)
  const head = Math.max(...people.map(({ label }) => label.split('\n').length)) * LINE + PAD.box
  const { placed, frames, bottom } = rowsOf(steps, head + 12)
  const last = people.length - 1
  const overhang = Math.max(0, ...steps.map((step) => reachRight(step, last, widthOf)))
  return {
    width: (xs[last] ?? 0) + Math.max((widths[last] ?? 0) / 2, overhang) + SIDE,
    height: bottom + head + 8,
    people: people.map(({ label }, at) => ({ label, x: xs[at] ?? 0, width: widths[at] ?? 0 })),
    head,
    steps: placed,
    frames,
  }
}

/** Far enough from each other for what is written between them. */
function columnsOf(widths: readonly number[], steps: readonly SequenceStep[], widthOf: Measure): number[] {
  const left = Math.max(0, ...steps.map((step) => reachLeft(step, 0, widthOf)))
  const xs = [Math.max((widths[0] ?? 0) / 2, left) + SIDE]
  for (let at = 1; at < widths.length; at++) {
    const boxes = (xs[at - 1] ?? 0) + ((widths[at - 1] ?? 0) + (widths[at] ?? 0)) / 2 + PAD.gap
    const needed = steps.map((step) => {
      if (step.type === 'message' || (step.type === 'note' && step.side === 'over' && step.from !== step.to)) {
        const [first, last] = [Math.min(step.from, step.to), Math.max(step.from, step.to)]
        if (last === at && first < at) return (xs[first] ?? 0) + widthOf(step.text) + PAD.text
      }
      return (xs[at - 1] ?? 0) + Math.max(reachRight(step, at - 1, widthOf), reachLeft(step, at, widthOf)) + 10
    })
    xs.push(Math.max(boxes, ...needed))
  }
  return xs
}

/** How far a step reaches to the right of somebody, alone. */
function reachRight(step: SequenceStep, at: number, widthOf: Measure): number {
  if (step.type === 'message' && step.from === at && step.to === at) return widthOf(step.text) + 50
  if (step.type !== 'note' || step.to !== at) return 0
  if (step.side === 'right') return widthOf(step.text) + 2 * PAD.box
  return step.side === 'over' && step.from === step.to ? widthOf(step.text) / 2 + PAD.box : 0
}

function reachLeft(step: SequenceStep, at: number, widthOf: Measure): number {
  if (step.type !== 'note' || step.from !== at) return 0
  if (step.side === 'left') return widthOf(step.text) + 2 * PAD.box
  return step.side === 'over' && step.from === step.to ? widthOf(step.text) / 2 + PAD.box : 0
}

interface OpenFrame extends Omit<Frame, 'bottom' | 'parts'> {
  readonly parts: { readonly y: number; readonly text: string }[]
}

function rowsOf(steps: readonly SequenceStep[], start: number) {
  const frames: Frame[] = []
  const open: OpenFrame[] = []
  let y = start
  const placed = steps.map((step): PlacedStep => {
    const top = y
    y += heightOf(step)
    if (step.type === 'open') open.push({ word: step.word, text: step.text, top, depth: open.length, parts: [] })
    if (step.type === 'next') open.at(-1)?.parts.push({ y: top, text: step.text })
    const closed = step.type === 'close' ? open.pop() : undefined
    if (closed) frames.push({ ...closed, bottom: top + PAD.frame / 2 })
    return { step, y: top, height: y - top }
  })
  return { placed, frames: frames.sort((one, other) => one.depth - other.depth), bottom: y + 10 }
}

function heightOf(step: SequenceStep): number {
  if (step.type === 'close') return PAD.frame
  if (step.type === 'open' || step.type === 'next') return LINE + 8
  const lines = step.text === '' ? 0 : step.text.split('\n').length
  if (step.type === 'note') return Math.max(1, lines) * LINE + 20
  return lines * LINE + (step.from === step.to ? 34 : 18)
}
