/** Operations on one conversation that is named. */

import { conversationAnswer, conversationExport, shownConversation } from '../../engine/engine.ts'
import { stripControls } from '../../text/controls.ts'
import { defineOperation } from '../schema.ts'
import { conversationLine, idInput } from './described.ts'

const common = { positional: ['id'], inputs: idInput } as const

/** What was said. */
export const showConversation = defineOperation({
  ...common,
  name: 'conversations.show',
  command: 'conversation show',
  summary: 'Show a conversation: questions, answers and tool calls',
  effect: 'read',
  examples: [{ command: 'ambit conversation show ID', does: 'show each message and tool call' }],
  output: shownConversation,
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
})

function markOf(state: string): string {
  return state === 'output-available' ? '✓' : '✗'
}

/** The conversation as a document. */
export const exportConversation = defineOperation({
  ...common,
  name: 'conversations.export',
  command: 'conversation export',
  summary: 'Print a conversation as Markdown',
  effect: 'read',
  examples: [{ command: 'ambit conversation export ID > talk.md', does: 'save it to a file' }],
  output: conversationExport,
  run: async (engine, { id }) => (await engine.conversations()).export(id),
  text: ({ markdown }) => stripControls(markdown),
})

/** Forgets what was said. */
export const removeConversation = defineOperation({
  ...common,
  name: 'conversations.remove',
  command: 'conversation remove',
  summary: 'Remove a conversation',
  effect: 'write',
  // Of one's own.
  scope: 'read',
  examples: [{ command: 'ambit conversation remove ID', does: 'remove it with all its messages' }],
  output: conversationAnswer,
  asks: () => false,
  run: async (engine, { id }) => (await engine.conversations()).remove(id),
  text: (conversation) => `Removed ${conversationLine(conversation)}\n`,
})

/** Calls a conversation otherwise. */
export const renameConversation = defineOperation({
  name: 'conversations.rename',
  command: 'conversation rename',
  summary: 'Rename a conversation',
  effect: 'write',
  // Of one's own.
  scope: 'read',
  positional: ['id', 'title'],
  examples: [{ command: "ambit conversation rename ID 'Timeouts'", does: 'give it this title' }],
  inputs: {
    ...idInput,
    title: { is: 'text', required: true, description: 'the new title, up to 200 characters' },
  },
  output: conversationAnswer,
  asks: () => false,
  run: async (engine, { id, title }) => (await engine.conversations()).rename(id, title),
  text: (conversation) => `Renamed ${conversationLine(conversation)}\n`,
})
