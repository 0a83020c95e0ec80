import { conversationsAnswer } from '../../engine/engine.ts'
import { defineOperation } from '../schema.ts'
import { conversationLine } from './described.ts'

/** The conversations that are kept. */
export const listConversations = defineOperation({
  name: 'conversations.list',
  command: 'conversation list',
  summary: 'List conversations, the most recent first',
  effect: 'read',
  examples: [
    { command: 'ambit conversation list', does: 'show the id, time, length, first question and place of each' },
  ],
  inputs: {
    limit: { is: 'integer', minimum: 1, maximum: 1000, default: 50, description: 'maximum number of conversations' },
    after: { is: 'text', placeholder: 'NEXT', description: 'continue after the previous page' },
  },
  output: conversationsAnswer,
  run: async (engine, request) => (await engine.conversations()).list(request),
  text: ({ conversations }) =>
    conversations.length === 0
      ? 'There are no conversations yet.\n'
      : conversations.map((each) => `${conversationLine(each)}\n`).join(''),
  notices: ({ conversations, next }) => {
    if (conversations.length === 0) return ['Begin one: ambit chat']
    return next === undefined ? [] : [`There are more: --after '${next}' shows more.`]
  },
})
