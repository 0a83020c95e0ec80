import type { JsonSchema } from '../core/answer.ts'
import { ContextError, invalidInput } from '../core/errors.ts'
import type { ToolDescription, ToolResult } from '../models/language.ts'
import { oneLine } from '../text/controls.ts'
import { cutElements } from '../text/elements.ts'
import { frameText } from '../text/frames.ts'
import type { AgentCall, AgentEvent } from './events.ts'
import type { AgentLimits, Meter } from './loop/meter.ts'

export { AGENT_LIMITS, type AgentLimits } from './loop/meter.ts'

/** A tool that a model may call. */
export interface AgentTool extends ToolDescription {
  /** The person must approve each call of a tool that writes. */
  readonly effect: 'read' | 'write'
  /** Data that must exist for the tool to be offered. Default: none. */
  readonly needs?: 'packages' | 'collections'
  /** Time limit in milliseconds. Default: `callMs` of the limits. */
  readonly ms?: number
  /**
   * Runs the tool. Returns a text for the model. Text of files is in frames (XML elements that mark it as untrusted).
   *
   * @throws ContextError that the model can correct. For invalid inputs, it is thrown before anything changes.
   */
  run(input: unknown, signal: AbortSignal, context: CallContext): Promise<string | ToolOutput>
  /** Cuts a text that is too long, and keeps its frames complete. Default: the beginning of the text and a notice. */
  cut?(text: string, maxBytes: number): string
}

/** Cuts a text of XML elements, and closes the element that the cut is in. */
export const cutFrames: NonNullable<AgentTool['cut']> = (text, maxBytes) =>
  cutElements(text, maxBytes, (shown, all) => `${shown} of ${all} bytes are given.`)

/** Output of a tool: a text, and the images that it describes. */
export type ToolOutput = Pick<ToolResult, 'text' | 'images'>

/** A failure of a tool server. */
export class ServerFailure extends ContextError {
  /** The message for the model, with the words of the server in a frame. */
  readonly framed: string

  constructor(what: string, server: string, words: string) {
    super('unavailable', `${what} ${words}`)
    this.framed = `${this.code}: ${what}\n${frameText({ tag: 'error', attributes: { server }, text: words })}`
  }
}

/** What a tool may use during a call. */
export interface CallContext {
  /** Id of the call. */
  readonly id: string
  readonly limits: AgentLimits
  /** Counts the usage of the question. */
  readonly meter: Meter
  /** Default: all questions are declined. */
  readonly answer?: AnswerServer | undefined
  /** Emits an event of the call. */
  emit(event: AgentEvent): void
}

/** A question of a tool server to the person, in the words of the server. */
export interface ServerQuestion {
  readonly server: string
  readonly message: string
  /** A URL to open in a browser, if the person agrees. */
  readonly url?: string
  readonly fields: readonly QuestionField[]
}

export interface QuestionField {
  readonly name: string
  readonly about: string
  readonly type: 'text' | 'number' | 'integer' | 'yes-no' | 'list'
  /** The only valid values. */
  readonly choices?: readonly string[]
  readonly isRequired: boolean
}

export type FieldValue = string | number | boolean | string[]
export type FormValues = Readonly<Record<string, FieldValue>>

export function isFieldValue({ type, choices }: QuestionField, value: unknown): value is FieldValue {
  const isText = (item: unknown) => typeof item === 'string' && item !== '' && (choices?.includes(item) ?? true)
  if (type === 'yes-no') return typeof value === 'boolean'
  if (type === 'list') return Array.isArray(value) && value.every(isText)
  return type === 'text' ? isText(value) : Number.isFinite(value) && (type === 'number' || Number.isInteger(value))
}

/** Asks the person a question of a server. Undefined: the person declines. */
export type AnswerServer = (question: ServerQuestion, signal: AbortSignal) => Promise<FormValues | undefined>

/** Asks the person whether to allow a call. */
export type Approve = (call: AgentCall, signal: AbortSignal) => Promise<boolean>

type Properties = NonNullable<JsonSchema['properties']>
export type Inputs = Readonly<Record<string, unknown>>

/** The JSON Schema of a tool's inputs. Other inputs than `properties` are refused. */
export function toolInput(properties: Properties, required: readonly string[] = []): JsonSchema {
  return { type: 'object', properties, ...(required.length > 0 && { required }), additionalProperties: false }
}

/**
 * A tool that only reads. All inputs are required, except those in `optional`. `run` receives the inputs by name,
 * without null values.
 */
export interface ToolDefinition extends Omit<AgentTool, 'input' | 'effect' | 'run'> {
  readonly properties: Properties
  readonly optional?: readonly string[]
  run(inputs: Inputs, signal: AbortSignal, context: CallContext): Promise<string | ToolOutput>
}

export function defineTool({ properties, optional = [], run, ...tool }: ToolDefinition): AgentTool {
  const names = Object.keys(properties)
  const required = names.filter((name) => !optional.includes(name))
  return {
    ...tool,
    effect: 'read',
    input: toolInput(properties, required),
    run: async (input, signal, context) => run(readInputs(input, names), signal, context),
  }
}

/**
 * The inputs of a call, by name, without null values. `names`: the inputs that the tool has. @throws ContextError
 * `invalid-input`.
 */
export function readInputs(input: unknown, names: readonly string[]): Inputs {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw invalidInput('The input must be an object.')
  const unknownName = Object.keys(input).find((name) => !names.includes(name))
  if (unknownName !== undefined) {
    const hint = `Inputs: ${names.join(', ')}.`
    throw invalidInput(`There is no input called ${oneLine(unknownName.slice(0, 100))}.`, hint)
  }
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null))
}

/** The text of an input. @throws ContextError `invalid-input` for a value that is not a text, or an empty text. */
export function requireText(inputs: Inputs, name: string): string {
  const value = inputs[name]
  if (typeof value === 'string' && value.trim() !== '') return value
  throw invalidInput(`${name} must be a text.`)
}
