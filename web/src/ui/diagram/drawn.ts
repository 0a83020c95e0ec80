/** What a diagram says, before it is laid out. */

/** How a box looks. */
export type Shape =
  | 'box'
  | 'round'
  | 'stadium'
  | 'circle'
  | 'diamond'
  | 'hexagon'
  | 'cylinder'
  | 'start'
  | 'end'
  | 'bar'

/** What a line ends in. */
export type LineEnd = 'none' | 'arrow' | 'cross' | 'dot'

export interface FlowNode {
  readonly id: string
  readonly label: string
  readonly shape: Shape
  /** The group that it lies in, by its id. */
  readonly group?: string
}

/** Boxes with a frame around them. */
export interface FlowGroup {
  readonly id: string
  readonly title: string
  /** The group that it lies in. */
  readonly group?: string
}

export interface FlowEdge {
  readonly from: string
  readonly to: string
  readonly label: string
  readonly look: 'solid' | 'dotted' | 'thick' | 'hidden'
  readonly start: LineEnd
  readonly end: LineEnd
}

/** A flowchart, or states and how one becomes another. */
export interface Flow {
  readonly kind: 'flow'
  readonly isAcross: boolean
  /** From the bottom up, or from right to left. */
  readonly isBackwards: boolean
  readonly nodes: readonly FlowNode[]
  readonly groups: readonly FlowGroup[]
  readonly edges: readonly FlowEdge[]
}

export type SequenceStep =
  | {
      readonly type: 'message'
      readonly from: number
      readonly to: number
      readonly text: string
      readonly isDotted: boolean
      readonly end: LineEnd
    }
  /** Over those from the first to the last, or beside one. */
  | { readonly type: 'note'; readonly from: number; readonly to: number; readonly side: Side; readonly text: string }
  | { readonly type: 'open'; readonly word: string; readonly text: string }
  | { readonly type: 'next'; readonly text: string }
  | { readonly type: 'close' }

export type Side = 'left' | 'right' | 'over'

/** Who says what to whom, one after the other. */
export interface Sequence {
  readonly kind: 'sequence'
  readonly people: readonly { readonly id: string; readonly label: string }[]
  readonly steps: readonly SequenceStep[]
}

export type Drawn = Flow | Sequence
