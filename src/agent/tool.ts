import { invalidInput } from '../core/errors.ts'
import type { Image, ToolDescription } from '../models/language.ts'
import { oneLine } from '../text/controls.ts'
import type { AgentCall, AgentEvent } from './events.ts'
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
  readonly limits: AgentLimits
  /** Of the question that it is done for. */
  readonly meter: Meter
  /** Tells what happens within it. */
  emit(event: AgentEvent): void
}

/** Asks the person. */
export type Approve = (call: AgentCall, signal: AbortSignal) => Promise<boolean>

/** What a model gave, by the names of a tool, without what it left out as null. @throws ContextError `invalid-input`. */
export function readInputs(input: unknown, names: readonly string[]): Readonly<Record<string, unknown>> {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw invalidInput('The input must be an object.')
  }
  const stranger = Object.keys(input).find((name) => !names.includes(name))
  if (stranger !== undefined) {
    const hint = `Inputs: ${names.join(', ')}.`
    throw invalidInput(`There is no input called ${oneLine(stranger.slice(0, 100))}.`, hint)
  }
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null))
}

/** @throws ContextError `invalid-input` for what is not text, or an empty one. */
export function requireText(inputs: Readonly<Record<string, unknown>>, name: string): string {
  const value = inputs[name]
  if (typeof value === 'string' && value.trim() !== '') return value
  throw invalidInput(`${name} must be a text.`)
}

/** How much one question may take. */
export interface AgentLimits {
  /** Requests to the model. Default: 20. */
  readonly steps: number
  /** Tokens of all requests and answers together. Default: 1,000,000. */
  readonly tokens: number
  /** Tokens of one request, by the estimate of four bytes each. Default: 150,000. */
  readonly promptTokens: number
  /** US dollars of all requests together, as far as prices are known. Default: no limit. */
  readonly cost: number
  /** Milliseconds. Default: 10 minutes. */
  readonly ms: number
  /** Calls of one step; those above are refused. Default: 16. */
  readonly calls: number
  /** Calls that are done at once. Default: 4. */
  readonly atOnce: number
  /** Milliseconds of one call. Default: one minute. */
  readonly callMs: number
  /** Bytes of what one call gives. Default: 48,000. */
  readonly resultBytes: number
}

export const AGENT_LIMITS: AgentLimits = {
  steps: 20,
  tokens: 1_000_000,
  promptTokens: 150_000,
  cost: Number.POSITIVE_INFINITY,
  ms: 600_000,
  calls: 16,
  atOnce: 4,
  callMs: 60_000,
  resultBytes: 48_000,
}

/** What a model is told whose steps are used up. */
export const LAST_STEP =
  '<notice>\nNo more tools can be called for this question. Answer with what you have found, and say what you could not look up.\n</notice>\n'
