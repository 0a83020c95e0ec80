import type { Image, ToolDescription } from '../models/language.ts'
import type { AgentCall, AgentEvent } from './events.ts'
import type { Limits } from './limits.ts'
import type { Meter } from './loop/meter.ts'

/** Something that a model may have done. */
export interface AgentTool extends ToolDescription {
  /** What writes is done only when the person says so, each time. */
  readonly effect: 'read' | 'write'
  /** Milliseconds that it may take. Default: as the limits say. */
  readonly ms?: number
  /**
   * Does it. The text is for the model, and in frames where it comes from files.
   *
   * @throws ContextError that the model can use: for inputs that are wrong, before anything is done.
   */
  run(input: unknown, signal: AbortSignal, around: CallAround): Promise<string | ToolOutput>
  /** A text that is too long, cut so that its frames stay whole. Default: the beginning, with a sentence behind it. */
  cut?(text: string, mostBytes: number): string
}

/** What a tool gives that is more than a text. */
export interface ToolOutput {
  readonly text: string
  readonly images?: readonly Image[]
}

/** What a call is a part of. */
export interface CallAround {
  readonly id: string
  readonly limits: Limits
  /** Of the question that it is done for. */
  readonly meter: Meter
  /** Tells what happens within it. */
  emit(event: AgentEvent): void
}

/** Asks the person. */
export type Approve = (call: AgentCall, signal: AbortSignal) => Promise<boolean>
