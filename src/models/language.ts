/** The interface of language models. One step is one request with its streamed answer. */

import type { JsonSchema } from '../core/answer.ts'

/** A part of a model's answer. `extra`: opaque data that its provider wants back with it. */
export type AssistantPart =
  | { readonly type: 'text'; readonly text: string; readonly extra?: unknown }
  | { readonly type: 'reasoning'; readonly text: string; readonly extra?: unknown }
  | {
      readonly type: 'call'
      readonly id: string
      readonly tool: string
      readonly input: unknown
      readonly extra?: unknown
    }

export interface ToolResult {
  readonly id: string
  readonly tool: string
  readonly text: string
  readonly isError: boolean
  /** Images for a model that accepts them; the text describes them. */
  readonly images?: readonly Image[]
}

export interface Image {
  /** `image/png`, `image/jpeg`, `image/gif` or `image/webp`. */
  readonly mediaType: string
  /** Base64. */
  readonly data: string
}

/** A file that the person sent with a question: an image, a PDF, or the text of another document (`text/plain`). */
export interface Attachment extends Image {
  /** Its file name, on one line. */
  readonly name: string
}

export type Message =
  | { readonly role: 'user'; readonly text: string; readonly files?: readonly Attachment[] }
  /** Context of the person's place. Sent in the user role, but separate from the person's words. */
  | { readonly role: 'context'; readonly text: string }
  | { readonly role: 'assistant'; readonly parts: readonly AssistantPart[] }
  | { readonly role: 'tool'; readonly results: readonly ToolResult[] }

export interface ToolDescription {
  readonly name: string
  readonly description: string
  readonly input: JsonSchema
}

export interface StepRequest {
  readonly system: string
  readonly messages: readonly Message[]
  readonly tools: readonly ToolDescription[]
  /** Maximum tokens of the answer. Default: the limit of the model. */
  readonly maxOutputTokens?: number
  /** Whether the model must not call tools. Tools are then described only because earlier messages call them. Default: false. */
  readonly callsNothing?: boolean
  /** The JSON Schema of the answer, which services with structured output enforce. */
  readonly form?: JsonSchema
}

/** Tokens of one or several requests; 0 if the service does not report them. */
export interface Usage {
  readonly input: number
  /** The part of `input` that the provider read from its cache. */
  readonly cached: number
  /** The part of `input` that the provider wrote to its cache. Absent if there is none. */
  readonly written?: number
  readonly output: number
  /** US dollars. Absent if the price or the usage is unknown. */
  readonly cost?: number
}

/** Parts of a step, in order; `finish` is the last, unless an error is thrown. */
export type StepPart =
  | { readonly type: 'text'; readonly text: string }
  /** A complete part of the message, to store. A part of text repeats the text that was streamed. */
  | { readonly type: 'part'; readonly part: Exclude<AssistantPart, { readonly type: 'call' }> }
  /** The input as the model wrote it: usually JSON. */
  | (Extract<AssistantPart, { readonly type: 'call' }> & { readonly input: string })
  /** `length`: UTF-16 units of reasoning that were received. A `part` follows when the reasoning is complete. */
  | { readonly type: 'thinking'; readonly length: number }
  /** `ms`: milliseconds until the request is sent again, as number `attempt`. Only reasoning was received so far. */
  | { readonly type: 'waiting'; readonly ms: number; readonly attempt: number }
  | { readonly type: 'finish'; readonly reason: FinishReason; readonly usage: Usage }

/** `length`: the answer was cut; `filter`: it was refused; `interrupted`: the stream broke off without an end. */
export type FinishReason = 'stop' | 'length' | 'filter' | 'interrupted'

export interface LanguageModel {
  /** Whether it accepts images. Otherwise none are sent. */
  readonly canSee: boolean
  /** Whether it accepts PDFs. Otherwise their text is sent. Default: false. */
  readonly readsPdf?: boolean
  /** `provider/model`, as configured. */
  readonly name: string
  /** Size of its context window in tokens. Absent if unknown. */
  readonly contextTokens?: number
  /** Absent if unknown. */
  readonly price?: Price | undefined
  /**
   * Sends the request, at most three times if the service is busy. If the iteration ends early, the request is closed.
   *
   * @throws ContextError `denied`, `unavailable`, `invalid-input`, `over-limit` (quota used up), `cancelled`.
   */
  step(request: StepRequest, signal?: AbortSignal): AsyncIterable<StepPart>
}

/** The text of an answer. The rest of the answer is dropped. Throws as `LanguageModel.step`. */
export async function answerText(model: LanguageModel, request: StepRequest, signal?: AbortSignal): Promise<string> {
  let text = ''
  for await (const part of model.step(request, signal)) if (part.type === 'text') text += part.text
  return text
}

/** US dollars for a million tokens. */
export interface Price {
  readonly input: number
  /** Input that the provider read from its cache. Default: the price of `input`. */
  readonly cached?: number
  /** Input that the provider wrote to its cache. Default: the price of `input`. */
  readonly written?: number
  readonly output: number
  /** Maximum tokens of input in one request. Above it, another, unknown price applies. Default: no maximum. */
  readonly upTo?: number
}

export const MODEL_PROVIDERS = [
  'anthropic',
  'openai',
  'openai-compatible',
  'google',
  'azure',
  'ollama',
  'openrouter',
  'github',
  'bedrock',
  'local',
] as const

export type ModelProvider = (typeof MODEL_PROVIDERS)[number]

/**
 * The environment variables of the providers' keys. The first variable that is set counts. Keys are sent only to the provider
 * itself.
 */
export const PROVIDER_KEYS: Partial<Record<ModelProvider, readonly string[]>> = {
  anthropic: ['ANTHROPIC_API_KEY'],
  openai: ['OPENAI_API_KEY'],
  google: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  azure: ['AZURE_OPENAI_API_KEY'],
  openrouter: ['OPENROUTER_API_KEY'],
  github: ['GITHUB_TOKEN'],
}

/** The reasoning effort of a model, if it can be set. */
export const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const

export type Effort = (typeof EFFORTS)[number]

/** The model, and its service. */
export interface LanguageSettings {
  readonly provider: ModelProvider
  readonly model: string
  readonly url?: string
  readonly key?: string
  /** Absent if unknown. */
  readonly price?: Price | undefined
  /** Whether it accepts images. Default: true for providers if all their current models accept images. */
  readonly canSee?: boolean
  /** Default: the provider's default. */
  readonly effort?: Effort | undefined
  /** Maximum tokens of an answer. Default: the limit of the model. */
  readonly output?: number
  /** Size of its context window in tokens. Absent if unknown. */
  readonly contextTokens?: number
  /** Additional headers of each request. */
  readonly headers?: Readonly<Record<string, string>>
  /** Additional fields in the body of each request. */
  readonly body?: Readonly<Record<string, unknown>>
}
