import { cachePerObject } from '../../core/cache-per-object.ts'
import type { ContextError } from '../../core/errors.ts'
import { bytes4 } from '../../core/tokens.ts'
import type { Attachment, LanguageModel, Message, StepRequest, Usage } from '../../models/language.ts'
import { dollars } from '../../models/prices.ts'
import { byCodeUnit } from '../../text/paths.ts'
import type { AgentCall } from '../events.ts'

/** Counts the usage of a question and of its delegated tasks. */
export class Meter {
  total: Usage = { input: 0, cached: 0, output: 0, cost: 0 }
  /** The usage that limits count. */
  #counted = this.total

  add({ usage, counted }: Readonly<Record<'usage' | 'counted', Usage>>): void {
    this.total = addTokenUsage(this.total, usage)
    // An unknown cost counts as 0.
    this.#counted = addTokenUsage(this.#counted, { ...counted, cost: counted.cost ?? 0 })
  }

  remainingTokens({ tokens }: Pick<AgentLimits, 'tokens'>): number {
    return tokens - this.#counted.input - this.#counted.output
  }

  /** Whether known costs have reached the limit. */
  hasReachedCost({ cost }: Pick<AgentLimits, 'cost'>): boolean {
    return (this.#counted.cost ?? 0) >= cost
  }
}

/** The sum of two usages. It has a cost only if both have one. */
export function addTokenUsage(first: Usage, second: Usage): Usage {
  const written = (first.written ?? 0) + (second.written ?? 0)
  const cost = dollars((first.cost ?? Number.NaN) + (second.cost ?? Number.NaN))
  return {
    input: first.input + second.input,
    cached: first.cached + second.cached,
    ...(written > 0 && { written }),
    output: first.output + second.output,
    ...(Number.isFinite(cost) && { cost }),
  }
}

/** Matches messages of services about a prompt that is too long. */
const TOO_LONG =
  /\b(prompt|input|messages?|request)\b.*\btoo (long|large|big)|\bcontext[_ ](length|window|size)|too many (input )?tokens|\btoken count\b.*\bexceeds/i

/** Whether a service refused a prompt for its length. */
export function isOverflow(error: ContextError | undefined): boolean {
  return error?.code === 'invalid-input' && TOO_LONG.test(error.message)
}

/** Share of a model's context for the prompt. The rest is for the answer. */
const PROMPT_SHARE = 0.8

/** Limits learned from refusals of services, in tokens of our estimate. */
const learnedLimits = new WeakMap<LanguageModel, number>()

/** Tokens that can be sent to a model, by our estimate. */
export function maxPromptTokens(model: LanguageModel, { promptTokens }: Pick<AgentLimits, 'promptTokens'>): number {
  const { contextTokens = Number.POSITIVE_INFINITY } = model
  return Math.min(promptTokens, learnedLimits.get(model) ?? contextTokens * PROMPT_SHARE)
}

/**
 * Learns a model's maximum prompt tokens, by our estimate, when its service refuses a prompt of `size` tokens. The
 * maximum is the limit that the refusal names, less a margin. If the refusal also names the service's count of the
 * prompt, the limit is scaled to our estimate. If the refusal names no limit, the maximum is half of `size`.
 */
export function learnPromptLimit(model: LanguageModel, { message }: ContextError, size: number): number {
  const numbers = (message.match(/\d[\d,]*/g) ?? []).map((one) => Number(one.replaceAll(',', '')))
  const counts = numbers.filter((one) => one >= MIN_LIMIT).sort((a, b) => a - b)
  const named = NAMED_LIMIT.exec(message)?.[1]
  const limit = named === undefined ? counts[0] : Number(named.replaceAll(',', ''))
  const count = counts.length > 1 ? (counts.at(-1) ?? size) : size
  const share = limit === undefined ? 1 / 2 : (limit / Math.max(count, limit)) * SAFETY_MARGIN
  const learned = Math.floor(size * Math.max(share, MIN_SHARE))
  learnedLimits.set(model, learned)
  return learned
}

/** A number after the word for a limit. Other numbers may belong to the model's name or to the prompt. */
const NAMED_LIMIT = /(?:maximum|limit|context length)[a-z ]{0,40}(\d[\d,]*)/i

/** Minimum share of a refused prompt that counts as a limit, because a message may have other numbers. */
const MIN_SHARE = 1 / 10

/** Smaller numbers in a message are not limits. */
const MIN_LIMIT = 512

/** Share of a learned limit that prompts may use. The remainder is for the answer, and for errors of the estimate. */
const SAFETY_MARGIN = 0.8

/** Detects loops of a model: the same calls three times in a row, or two alternating steps, twice each. */
export class LoopDetector {
  readonly #steps: string[] = []

  /** Whether these calls would continue a loop. */
  isLoop(calls: readonly Pick<AgentCall, 'tool' | 'input'>[]): boolean {
    const texts = calls.map(({ tool, input }) => `${tool} ${sortedJson(input)}`)
    this.#steps.push(texts.sort().join('\n'))
    // From the newest step, `d`, to the oldest.
    const [d, c, b, a] = this.#steps.slice(-4).reverse()
    return (d === c && c === b) || (d !== c && d === b && c === a && a !== undefined)
  }
}

/** JSON with sorted property names, so that their order makes no difference. */
function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_, one) => {
    if (typeof one !== 'object' || one === null || Array.isArray(one)) return one
    return Object.fromEntries(Object.entries(one).sort(([a], [b]) => byCodeUnit(a, b)))
  })
}

/** Limits of one question. */
export const AGENT_LIMITS = {
  /** Requests to the model. */
  steps: 20,
  /** Tokens of all requests and answers together. */
  tokens: 1_000_000,
  /** Tokens of one request, by the estimate of four bytes each. */
  promptTokens: 150_000,
  /** US dollars of all requests together, as far as prices are known. */
  cost: Number.POSITIVE_INFINITY,
  /** Milliseconds. */
  ms: 600_000,
  /** Maximum calls of one step. Further calls are refused. */
  calls: 16,
  /** Maximum calls that run in parallel. */
  atOnce: 4,
  /** Milliseconds of one call. */
  callMs: 60_000,
  /** Bytes of the result of one call. */
  resultBytes: 48_000,
}

export type AgentLimits = Readonly<typeof AGENT_LIMITS>

/** The message before the last step. */
export const LAST_STEP =
  '<notice>\nNo more tools can be called for this question. Answer with what you have found, and say what you could not look up.\n</notice>\n'

/** Tokens of an image of any size, because services scale images down to about this number. */
const IMAGE_TOKENS = 1600

/** Tokens of a request, by the estimate of four bytes each. */
export function promptTokens({ system, messages, tools }: StepRequest): number {
  return bytes4(system) + bytes4(JSON.stringify(tools)) + conversationTokens(messages)
}

export function conversationTokens(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + messageSize(message), 0)
}

/** Cached, because messages never change and are sent with every request. */
const messageSize = cachePerObject((message: Message): number => {
  if (message.role === 'user') {
    const { files = [], ...text } = message
    return bytes4(JSON.stringify(text)) + files.reduce((sum, file) => sum + attachmentTokens(file), 0)
  }
  if (message.role !== 'tool') return bytes4(JSON.stringify(message))
  const images = message.results.reduce((sum, { images = [] }) => sum + images.length, 0)
  const texts = message.results.map(({ images: _, ...result }) => result)
  return bytes4(JSON.stringify(texts)) + images * IMAGE_TOKENS
})

/**
 * Bytes of a small PDF page, by which the number of pages is estimated: services read a page as a picture. The value is
 * low, so that the estimate is seldom too low.
 */
const PDF_PAGE_BYTES = 30_000

function attachmentTokens({ mediaType, data }: Attachment): number {
  if (mediaType === 'text/plain') return Math.ceil((data.length * 0.75) / 4)
  const pages = mediaType === 'application/pdf' ? Math.max(1, Math.ceil((data.length * 0.75) / PDF_PAGE_BYTES)) : 1
  return pages * IMAGE_TOKENS
}

/**
 * Messages without reasoning and without data for the provider. Both are valid only for the same model and the unchanged
 * conversation.
 */
export function withoutThoughts(messages: readonly Message[]): readonly Message[] {
  return messages.flatMap((message): Message[] => {
    if (message.role !== 'assistant') return [message]
    const parts = message.parts.flatMap(({ extra: _, ...part }) => (part.type === 'reasoning' ? [] : [part]))
    return parts.length > 0 ? [{ role: 'assistant', parts }] : []
  })
}
