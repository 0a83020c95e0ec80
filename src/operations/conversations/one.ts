/** Operations on one conversation that is named. */

import { defineInputs } from '../../core/define-inputs.ts'
import type { InputOf } from '../../core/input.ts'
import type { Operation } from '../../core/operation.ts'
import { stripControls } from '../../text/controls.ts'
import { object, text } from '../schema.ts'
import {
  type ConversationAnswers,
  type ConversationsEngine,
  conversationLine,
  headSchema,
  idInput,
  messages,
} from './described.ts'

type One<Answer> = Operation<ConversationsEngine, InputOf<typeof idInput>, Answer>

const common = { positional: ['id'], input: defineInputs(idInput) } as const

/** What was said. */
export const showConversation: One<ConversationAnswers['show']> = {
  ...common,
  name: 'conversations.show',
  command: 'conversation show',
  summary: 'Show a conversation: questions, answers and tool calls',
  effect: 'read',
  examples: [{ command: 'ambit conversation show ID', does: 'show each message and tool call' }],
  output: () => object({ ...headSchema, messages }),
  run: async (engine, { id }) => (await engine.conversations()).show(id),
  text: ({ messages, ...conversation }) => {
    const said = messages.map(({ role, parts }) => {
      const lines = parts.flatMap((part) => {
        if (part.type === 'text') return [part.text.trim()]
        if (part.type === 'file') return [`(${part.filename})`]
        return part.type === 'dynamic-tool'
          ? [`${markOf(part.state)} ${part.toolName} ${JSON.stringify(part.input)}`]
          : []
      })
      return `${role === 'user' ? 'You' : 'Ambit'}:\n${lines.join('\n')}\n`
    })
    return stripControls(`${conversationLine(conversation)}\n\n${said.join('\n')}`)
  },
}

function markOf(state: string): string {
  return state === 'output-available' ? '✓' : '✗'
}

/** The conversation as a document. */
export const exportConversation: One<ConversationAnswers['export']> = {
  ...common,
  name: 'conversations.export',
  command: 'conversation export',
  summary: 'Print a conversation as Markdown',
  effect: 'read',
  examples: [{ command: 'ambit conversation export ID > talk.md', does: 'save it to a file' }],
  output: () => object({ id: text, title: text, markdown: text }),
  run: async (engine, { id }) => (await engine.conversations()).export(id),
  text: ({ markdown }) => stripControls(markdown),
}

/** Forgets what was said. */
export const removeConversation: One<ConversationAnswers['remove']> = {
  ...common,
  name: 'conversations.remove',
  command: 'conversation remove',
  summary: 'Remove a conversation',
  effect: 'write',
  // Of one's own.
  scope: 'read',
  examples: [{ command: 'ambit conversation remove ID', does: 'remove it with all its messages' }],
  output: () => object(headSchema),
  asks: () => false,
  run: async (engine, { id }) => (await engine.conversations()).remove(id),
  text: (conversation) => `Removed ${conversationLine(conversation)}\n`,
}

const renaming = {
  ...idInput,
  title: { is: 'text', required: true, description: 'the new title, up to 200 characters' },
} as const

/** Calls a conversation otherwise. */
export const renameConversation: Operation<
  ConversationsEngine,
  InputOf<typeof renaming>,
  ConversationAnswers['rename']
> = {
  name: 'conversations.rename',
  command: 'conversation rename',
  summary: 'Rename a conversation',
  effect: 'write',
  // Of one's own.
  scope: 'read',
  positional: ['id', 'title'],
  examples: [{ command: "ambit conversation rename ID 'Timeouts'", does: 'give it this title' }],
  input: defineInputs(renaming),
  output: () => object(headSchema),
  asks: () => false,
  run: async (engine, { id, title }) => (await engine.conversations()).rename(id, title),
  text: (conversation) => `Renamed ${conversationLine(conversation)}\n`,
}
