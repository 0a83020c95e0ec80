import type { JsonSchema } from '../core/answer.ts'
/** The port of models that talk: one step is one request, and what comes of it as it comes. */

/** A part of what a model said. `extra`: what its provider wants back with it, opaque. */
export type SaidPart =
  | { readonly type: 'text'; readonly text: string; readonly extra?: unknown }
  | { readonly type: 'reasoning'; readonly text: string; readonly extra?: unknown }
  | {
      readonly type: 'call'
      readonly id: string
      readonly tool: string
      readonly input: unknown
      readonly extra?: unknown
    }

/** Result of a tool call. */
export interface ToolResult {
  readonly id: string
  readonly tool: string
  readonly text: string
  /** The text says what went wrong. */
  readonly isError: boolean
  /** Pictures for a model that can see them; the text describes them. */
  readonly images?: readonly Image[]
}

export interface Image {
  /** `image/png`, `image/jpeg`, `image/gif` or `image/webp`. */
  readonly mediaType: string
  /** Base64. */
  readonly data: string
}

/** A file that the person sent with a question: a picture, a PDF, or the text of another document (`text/plain`). */
export interface Attachment extends Image {
  /** Its file name, on one line. */
  readonly name: string
}

/** One message of a conversation, in the order in which they were said. */
export type Message =
  | { readonly role: 'user'; readonly text: string; readonly files?: readonly Attachment[] }
  /** Context of the person's place: sent in the person's role, and told apart from their words. */
  | { readonly role: 'context'; readonly text: string }
  | { readonly role: 'assistant'; readonly parts: readonly SaidPart[] }
  | { readonly role: 'tool'; readonly results: readonly ToolResult[] }

/** A tool as a model sees it. */
export interface ToolDescription {
  readonly name: string
  readonly description: string
  readonly input: JsonSchema
}

export interface StepRequest {
  readonly system: string
  readonly messages: readonly Message[]
  readonly tools: readonly ToolDescription[]
  /** Most tokens of the answer. Default: as many as the model gives. */
  readonly maxOutputTokens?: number
  /** Tools are described only because messages hold calls of them. Default: the model may call them. */
  readonly callsNothing?: boolean
  /** The answer is one JSON object of this form: a service that can is asked to see to it. */
  readonly form?: JsonSchema
}

/** Tokens of one request, or of several together; 0 where the service does not say. */
export interface Usage {
  readonly input: number
  /** Of `input`, those that the provider had kept. */
  readonly cached: number
  /** Of `input`, those that the provider keeps from now on. Absent where there are none. */
  readonly written?: number
  readonly output: number
  /** US dollars. Absent where the price, or all that was used, is not known. */
  readonly cost?: number
}

/** Parts of a step, in order; `finish` is the last, unless an error is thrown. */
export type StepPart =
  | { readonly type: 'text'; readonly text: string }
  /** A whole part of the message to keep; it repeats the text when that ends. */
  | { readonly type: 'part'; readonly part: Exclude<SaidPart, { readonly type: 'call' }> }
  /** The input as the model wrote it: JSON, if the model can. */
  | {
      readonly type: 'call'
      readonly id: string
      readonly tool: string
      readonly input: string
      readonly extra?: unknown
    }
  /** The service is asked again after so many milliseconds; nothing was heard of it yet. */
  | { readonly type: 'waiting'; readonly ms: number; readonly attempt: number }
  | { readonly type: 'finish'; readonly reason: FinishReason; readonly usage: Usage }

/** `length`: the answer was cut; `filter`: it was refused; `interrupted`: the service broke off without saying that it ends. */
export type FinishReason = 'stop' | 'length' | 'filter' | 'interrupted'

export interface LanguageModel {
  /** Whether it can look at images. To one that cannot, none are sent. */
  readonly canSee: boolean
  /** Whether it reads PDFs as they are. To one that does not, their text is sent. Default: it does not. */
  readonly readsPdf?: boolean
  /** `provider/model`, as it is set. */
  readonly name: string
  /** Tokens that it reads at once. Absent where it is not known. */
  readonly reads?: number
  /** Absent where it is not known. */
  readonly price?: Price | undefined
  /**
   * Asks once, and again when the service is busy: at most three times together. Ended early, it closes its request.
   *
   * @throws ContextError `denied`, `unavailable`, `invalid-input`, `over-limit` (nobody pays), `cancelled`.
   */
  step(request: StepRequest, signal?: AbortSignal): AsyncIterable<StepPart>
}

/** US dollars for a million tokens. */
export interface Price {
  readonly input: number
  /** Of the input, what the provider had kept. Default: as `input`. */
  readonly cached?: number
  /** Of the input, what the provider keeps from now on. Default: as `input`. */
  readonly written?: number
  readonly output: number
  /** Tokens of input in one request, above which another price holds, which is not known here. Default: none. */
  readonly upTo?: number
}

/** Providers of language models. */
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

/** The variables that providers have for their own keys, the first that is set. They are sent to the provider itself, and nowhere else. */
export const PROVIDER_KEYS: Partial<Record<ModelProvider, readonly string[]>> = {
  anthropic: ['ANTHROPIC_API_KEY'],
  openai: ['OPENAI_API_KEY'],
  google: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  azure: ['AZURE_OPENAI_API_KEY'],
  openrouter: ['OPENROUTER_API_KEY'],
  github: ['GITHUB_TOKEN'],
}

/** How much a model thinks before it answers, where that can be set. */
export const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const

export type Effort = (typeof EFFORTS)[number]

/** The model, and its service. */
export interface LanguageSettings {
  readonly provider: ModelProvider
  readonly model: string
  readonly url?: string
  readonly key?: string
  /** Absent where it is not known. */
  readonly price?: Price | undefined
  /** Whether it can look at images. Default: whether all current ones of its provider can. */
  readonly canSee?: boolean
  /** Default: as its provider has it. */
  readonly effort?: Effort | undefined
  /** Most tokens of an answer. Default: as many as the model gives. */
  readonly output?: number
  /** Tokens that it reads at once. Absent where it is not known. */
  readonly reads?: number
  /** Sent with each request, besides its own. */
  readonly headers?: Readonly<Record<string, string>>
  /** Put into the body of each request. */
  readonly body?: Readonly<Record<string, unknown>>
}
