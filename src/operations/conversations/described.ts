import type { Engine } from '../../engine/engine.ts'
import { oneLine } from '../../text/controls.ts'
import { countNoun } from '../../text/counts.ts'
import { array, count, object, text } from '../schema.ts'

/** The part of the engine that keeps conversations. */
export type ConversationsEngine = Pick<Engine, 'conversations'>

type Conversations = Awaited<ReturnType<ConversationsEngine['conversations']>>

/** What each of its methods answers, by name. */
export type ConversationAnswers = {
  readonly [Name in keyof Conversations]: Conversations[Name] extends (...args: never[]) => Promise<infer Answer>
    ? Answer
    : never
}

/** The input that names one. */
export const idInput = {
  id: {
    is: 'text',
    required: true,
    names: 'conversations',
    description: 'the id of a conversation, as "ambit conversation list" shows it',
  },
} as const

const time = { type: 'string', description: 'ISO 8601, UTC' } as const

/** A conversation as a program sees it. */
export const headSchema = {
  id: text,
  title: text,
  place: { type: 'string', description: 'the last place' },
  model: { type: 'string', description: 'the model of the last answer' },
  createdAt: time,
  updatedAt: time,
  exchanges: count,
} as const

const anyObject = { type: 'object' } as const

/** A message as the AI SDK's user interfaces have it. */
export const messages = array(
  object({
    id: text,
    role: { type: 'string', enum: ['user', 'assistant'] },
    parts: array(anyObject),
    metadata: anyObject,
  }),
)

/** A line of a list. */
export function conversationLine({ id, title, place, updatedAt, exchanges }: ConversationAnswers['remove']): string {
  const when = updatedAt.slice(0, 16).replace('T', ' ')
  return [id, when, countNoun(exchanges, 'question'), oneLine(title), oneLine(place)].join('\t')
}
