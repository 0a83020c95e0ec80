import { bytes4 } from '../../core/tokens.ts'
import type { Attachment, Message, SaidPart, StepRequest, ToolResult } from '../../models/language.ts'

/** Tokens that an image takes, whatever its size: services make it smaller until it takes about as many. */
const IMAGE_TOKENS = 1600

/** Messages are never changed, and each is sent again with every request. */
const messageSizes = new WeakMap<Message, number>()

/** Tokens of a request, by the estimate of four bytes each. */
export function promptTokens({ system, messages, tools }: StepRequest): number {
  return bytes4(system) + bytes4(JSON.stringify(tools)) + conversationTokens(messages)
}

export function conversationTokens(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + messageSize(message), 0)
}

function messageSize(message: Message): number {
  const size = messageSizes.get(message) ?? measureMessage(message)
  messageSizes.set(message, size)
  return size
}

function measureMessage(message: Message): number {
  if (message.role === 'user') {
    const { files = [], ...said } = message
    return bytes4(JSON.stringify(said)) + files.reduce((sum, file) => sum + attachmentTokens(file), 0)
  }
  if (message.role !== 'tool') return bytes4(JSON.stringify(message))
  const images = message.results.reduce((sum, { images = [] }) => sum + images.length, 0)
  return bytes4(JSON.stringify(message.results.map(withoutImages))) + images * IMAGE_TOKENS
}

/** A page of a PDF is sent as a picture and as its text, and seldom has fewer bytes than this. */
const PDF_PAGE = 30_000

function attachmentTokens({ mediaType, data }: Attachment): number {
  if (mediaType === 'text/plain') return Math.ceil((data.length * 0.75) / 4)
  const pages = mediaType === 'application/pdf' ? Math.max(1, Math.ceil((data.length * 0.75) / PDF_PAGE)) : 1
  return pages * IMAGE_TOKENS
}

function withoutImages({ images: _, ...result }: ToolResult): Omit<ToolResult, 'images'> {
  return result
}

/**
 * Messages without what was thought, and without what a provider wanted back: it is of the model that made it, and of the
 * conversation as it was, and others refuse it.
 */
export function withoutThoughts(messages: readonly Message[]): readonly Message[] {
  return messages.flatMap((message): Message[] => {
    if (message.role !== 'assistant') return [message]
    const parts = message.parts.flatMap(dropReasoning)
    return parts.length > 0 ? [{ role: 'assistant', parts }] : []
  })
}

function dropReasoning(part: SaidPart): SaidPart[] {
  if (part.type === 'reasoning') return []
  const { extra: _, ...rest } = part
  return [rest]
}
