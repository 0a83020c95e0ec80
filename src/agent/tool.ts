import type { ToolDescription } from '../models/language.ts'

/** Something that a model may have done. */
export interface AgentTool extends ToolDescription {
  /** What writes is done only when the person says so, each time. */
  readonly effect: 'read' | 'write'
  /**
   * Does it. The text is for the model, and in frames where it comes from files.
   *
   * @throws ContextError that the model can use: for inputs that are wrong, before anything is done.
   */
  run(input: unknown, signal: AbortSignal): Promise<string>
  /** A text that is too long, cut so that its frames stay whole. Default: the beginning, with a sentence behind it. */
  cut?(text: string, mostBytes: number): string
}

/** A call that is about to be done. */
export interface AgentCall {
  readonly id: string
  readonly tool: string
  readonly input: unknown
}

/** Asks the person. */
export type Approve = (call: AgentCall, signal: AbortSignal) => Promise<boolean>
