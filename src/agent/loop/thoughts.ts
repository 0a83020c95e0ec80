import type { Message, SaidPart } from '../../models/language.ts'

/**
 * Messages without what was thought, and without what a provider wanted back: it is of the model that made it, and of the
 * conversation as it was, and others refuse it.
 */
export function withoutThoughts(messages: readonly Message[]): readonly Message[] {
  return messages.flatMap((message): Message[] => {
    if (message.role !== 'assistant') return [message]
    const parts = message.parts.flatMap(plain)
    return parts.length > 0 ? [{ role: 'assistant', parts }] : []
  })
}

function plain(part: SaidPart): SaidPart[] {
  if (part.type === 'reasoning') return []
  const { extra: _, ...rest } = part
  return [rest]
}
