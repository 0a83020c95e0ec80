import { bytes4 } from '../../core/tokens.ts'
import type { Message, StepRequest, ToolResult } from '../../models/language.ts'

/** Tokens that an image takes, whatever its size: services make it smaller until it takes about as many. */
const IMAGE_TOKENS = 1600

/** Messages are never changed, and each is sent again with every request. */
const known = new WeakMap<Message, number>()

/** Tokens of a request, by the estimate of four bytes each. */
export function promptTokens({ system, messages, tools }: StepRequest): number {
  return bytes4(system) + bytes4(JSON.stringify(tools)) + tokensOf(messages)
}

export function tokensOf(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + sizeOf(message), 0)
}

function sizeOf(message: Message): number {
  const size = known.get(message) ?? measured(message)
  known.set(message, size)
  return size
}

function measured(message: Message): number {
  if (message.role !== 'tool') return bytes4(JSON.stringify(message))
  const images = message.results.reduce((sum, { images = [] }) => sum + images.length, 0)
  return bytes4(JSON.stringify(message.results.map(withoutImages))) + images * IMAGE_TOKENS
}

function withoutImages({ images: _, ...result }: ToolResult): Omit<ToolResult, 'images'> {
  return result
}
