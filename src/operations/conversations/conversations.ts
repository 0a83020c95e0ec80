import type { AnswerOf } from '../../core/answer.ts'
import { conversationAnswer, conversationExport, conversationsAnswer, shownConversation } from '../../engine/engine.ts'
import { oneLine, stripControls } from '../../text/controls.ts'
import { countNoun } from '../../text/counts.ts'
import { quoteShell } from '../../text/shell-quote.ts'
import { countLimit, defineOperation } from '../schema.ts'

const idInput = {
  id: {
    is: 'text',
    required: true,
    names: 'conversations',
    description: 'the id of a conversation, as "ambit conversation list" shows it',
  },
} as const

/** The line of a conversation in a list. */
function conversationLine({ id, title, place, updatedAt, exchanges }: AnswerOf<typeof conversationAnswer>): string {
  const time = updatedAt.slice(0, 16).replace('T', ' ')
  return [id, time, countNoun(exchanges, 'question'), oneLine(title), oneLine(place)].join('\t')
}

const ofConversation = { positional: ['id'], inputs: idInput } as const

export const conversations = {
  list: defineOperation({
    name: 'conversations.list',
    summary: 'List conversations, the most recent first',
    effect: 'read',
    examples: { 'ambit conversation list': 'show the id, time, length, first question and place of each' },
    inputs: {
      limit: countLimit(50, 1000, 'maximum number of conversations'),
      after: { is: 'text', placeholder: 'NEXT', description: 'continue at "next" of the previous page' },
    },
    output: conversationsAnswer,
    run: async (engine, request) => (await engine.conversations()).list(request),
    text: ({ conversations }) =>
      conversations.map((one) => `${conversationLine(one)}\n`).join('') || 'There are no conversations yet.\n',
    notices: ({ conversations, next }) => {
      if (conversations.length === 0) return ['Begin one: ambit chat']
      return next === undefined ? [] : [`There are more: --after ${quoteShell(next)} shows more.`]
    },
  }),

  show: defineOperation({
    ...ofConversation,
    name: 'conversations.show',
    summary: 'Show a conversation: questions, answers and tool calls',
    effect: 'read',
    examples: { 'ambit conversation show ID': 'show each message and tool call' },
    output: shownConversation,
    run: async (engine, { id }) => (await engine.conversations()).show(id),
    text: ({ messages, ...conversation }) => {
      const messageTexts = messages.map(({ role, parts }) => {
        const lines = parts.flatMap((part) => {
          if (part.type === 'text') return part.text.trim()
          if (part.type === 'file') return `(${part.filename})`
          if (part.type !== 'dynamic-tool') return []
          return `${part.state === 'output-available' ? '✓' : '✗'} ${part.toolName} ${JSON.stringify(part.input)}`
        })
        return `${role === 'user' ? 'You' : 'Ambit'}:\n${lines.join('\n')}\n`
      })
      return stripControls(`${conversationLine(conversation)}\n\n${messageTexts.join('\n')}`)
    },
  }),

  rename: defineOperation({
    name: 'conversations.rename',
    summary: 'Rename a conversation',
    effect: 'write',
    // A principal changes only conversations of their own.
    scope: 'read',
    positional: ['id', 'title'],
    examples: { "ambit conversation rename ID 'Timeouts'": 'give it this title' },
    inputs: { ...idInput, title: { is: 'text', required: true, description: 'the new title, up to 200 characters' } },
    output: conversationAnswer,
    run: async (engine, { id, title }) => (await engine.conversations()).rename(id, title),
    text: (conversation) => `Renamed ${conversationLine(conversation)}\n`,
  }),

  remove: defineOperation({
    ...ofConversation,
    name: 'conversations.remove',
    summary: 'Remove a conversation',
    effect: 'write',
    // A principal changes only conversations of their own.
    scope: 'read',
    examples: { 'ambit conversation remove ID': 'remove it with all its messages' },
    output: conversationAnswer,
    run: async (engine, { id }) => (await engine.conversations()).remove(id),
    text: (conversation) => `Removed ${conversationLine(conversation)}\n`,
  }),

  export: defineOperation({
    ...ofConversation,
    name: 'conversations.export',
    summary: 'Print a conversation as Markdown',
    effect: 'read',
    examples: { 'ambit conversation export ID > talk.md': 'save it to a file' },
    output: conversationExport,
    run: async (engine, { id }) => (await engine.conversations()).export(id),
    text: ({ markdown }) => stripControls(markdown),
  }),
}
