import { bytes4 } from '../core/tokens.ts'
import type { Message } from '../models/language.ts'
import { elementsOf, type FramedElement } from '../text/elements.ts'
import { SYSTEM } from './assistant/system.ts'

/** Elements that are no context, but say what is. */
const ABOUT = new Set(['sources', 'place', 'view', 'notice'])

/** The parts of the context that a conversation was told, in order. */
export function partsTold(messages: readonly Message[]): FramedElement[] {
  return elementsOf(textTold(messages)).filter(({ tag }) => !ABOUT.has(tag))
}

/** How much a conversation was told of places. */
export function toldIn(messages: readonly Message[]): { readonly parts: number; readonly tokens: number } {
  return { parts: partsTold(messages).length, tokens: bytes4(textTold(messages)) }
}

/** What a conversation was told of places, as it was told. */
export function textTold(messages: readonly Message[]): string {
  return messages.flatMap((message) => (message.role === 'context' ? [message.text] : [])).join('')
}

/** What a model is sent of a conversation, a text for each message. Bytes of pictures are left out. */
export function promptTold(messages: readonly Message[]) {
  const texts = [
    { role: 'system', text: SYSTEM },
    ...messages.map((message) => ({ role: message.role, text: textOf(message) })),
  ]
  return { messages: texts, tokens: texts.reduce((sum, { text }) => sum + bytes4(text), 0) }
}

function textOf(message: Message): string {
  if (message.role === 'assistant') {
    return message.parts
      .map((part) => (part.type === 'call' ? `${part.tool} ${JSON.stringify(part.input)}` : part.text))
      .join('\n')
  }
  return message.role === 'tool' ? message.results.map(({ text }) => text).join('\n') : message.text
}
