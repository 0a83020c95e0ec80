import { defineInputs } from '../../core/define-inputs.ts'
import type { InputOf } from '../../core/input.ts'
import type { Operation } from '../../core/operation.ts'
import { array, object, text } from '../schema.ts'
import { type ConversationAnswers, type ConversationsEngine, conversationLine, headSchema } from './described.ts'

const input = {
  limit: { is: 'integer', minimum: 1, maximum: 1000, default: 50, description: 'maximum number of conversations' },
  after: { is: 'text', placeholder: 'NEXT', description: 'continue after the previous page' },
} as const

/** The conversations that are kept. */
export const listConversations: Operation<ConversationsEngine, InputOf<typeof input>, ConversationAnswers['list']> = {
  name: 'conversations.list',
  command: 'conversation list',
  summary: 'List conversations, the most recent first',
  effect: 'read',
  examples: [
    { command: 'ambit conversation list', does: 'show the id, time, length, first question and place of each' },
  ],
  input: defineInputs(input),
  output: () => object({ conversations: array(object(headSchema)), 'next?': text }),
  run: async (engine, request) => (await engine.conversations()).list(request),
  text: ({ conversations }) =>
    conversations.length === 0
      ? 'There are no conversations yet.\n'
      : conversations.map((each) => `${conversationLine(each)}\n`).join(''),
  notices: ({ conversations, next }) => {
    if (conversations.length === 0) return ['Begin one: ambit chat']
    return next === undefined ? [] : [`There are more: --after '${next}' shows more.`]
  },
}
