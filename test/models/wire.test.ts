/** What services receive, byte for byte where it matters. */

import { describe, expect, it } from 'vitest'
import type { Message } from '../../src/models/language.ts'
import { askedOf, look, modelAt } from '../agent/answering.ts'
import {
  type Body,
  languageServer,
  messagesIn,
  type Script,
  SPEECHES,
  type Speech,
} from '../support/language-server.ts'

const call = (at: string) => ({ tool: 'look', input: { at } })
const SCHEMA = { type: 'object', properties: { at: { type: 'string' } }, required: ['at'], additionalProperties: false }

const HISTORY: readonly Message[] = [
  { role: 'context', text: '<context filename="/p/AGENTS.md">\nTests first.\n</context>\n' },
  { role: 'user', text: 'One?' },
  {
    role: 'assistant',
    parts: [
      { type: 'text', text: 'Hm.' },
      { type: 'call', id: 'c1', tool: 'look', input: { at: 'a' } },
      { type: 'call', id: 'c2', tool: 'look', input: { at: 'b' } },
    ],
  },
  {
    role: 'tool',
    results: [
      { id: 'c1', tool: 'look', text: 'seen a', isError: false },
      { id: 'c2', tool: 'look', text: 'not-found: no b', isError: true },
    ],
  },
  { role: 'assistant', parts: [{ type: 'text', text: 'Done.' }] },
]

/** The whole body, but for its model and its prompt. */
const BODIES: Readonly<Record<Speech, (body: Body) => unknown>> = {
  chat: ({ messages, tools }) => ({ messages, tools }),
  responses: ({ messages, tools }) => ({ messages, tools }),
  messages: ({ system, messages, tools }) => ({ system, messages, tools }),
}

const CONTEXT = '<context filename="/p/AGENTS.md">\nTests first.\n</context>\n'
const KEEP = { cache_control: { type: 'ephemeral' } }
const called = (id: string, at: string) => ({
  id,
  type: 'function',
  function: { name: 'look', arguments: JSON.stringify({ at }) },
})

const SENT: Readonly<Record<Speech, unknown>> = {
  chat: {
    messages: [
      { role: 'system', content: 'You help.' },
      { role: 'user', content: `${CONTEXT}\nOne?` },
      { role: 'assistant', content: 'Hm.', tool_calls: [called('c1', 'a'), called('c2', 'b')] },
      { role: 'tool', tool_call_id: 'c1', content: 'seen a' },
      { role: 'tool', tool_call_id: 'c2', content: 'not-found: no b' },
      { role: 'assistant', content: 'Done.' },
      { role: 'user', content: 'Two?' },
    ],
    tools: [{ type: 'function', function: { name: 'look', description: 'Looks at something.', parameters: SCHEMA } }],
  },
  responses: {
    messages: [
      { role: 'system', content: 'You help.' },
      { role: 'user', content: [{ type: 'input_text', text: `${CONTEXT}\nOne?` }] },
      { role: 'assistant', content: 'Hm.' },
      { type: 'function_call', call_id: 'c1', name: 'look', arguments: '{"at":"a"}' },
      { type: 'function_call', call_id: 'c2', name: 'look', arguments: '{"at":"b"}' },
      { type: 'function_call_output', call_id: 'c1', output: 'seen a' },
      { type: 'function_call_output', call_id: 'c2', output: '{"error":"not-found: no b"}' },
      { role: 'assistant', content: 'Done.' },
      { role: 'user', content: [{ type: 'input_text', text: 'Two?' }] },
    ],
    tools: [{ type: 'function', name: 'look', description: 'Looks at something.', parameters: SCHEMA, strict: false }],
  },
  messages: {
    system: [{ type: 'text', text: 'You help.', ...KEEP }],
    messages: [
      { role: 'user', content: [{ type: 'text', text: `${CONTEXT}\nOne?` }] },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Hm.' },
          { type: 'tool_use', id: 'c1', name: 'look', input: { at: 'a' } },
          { type: 'tool_use', id: 'c2', name: 'look', input: { at: 'b' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'c1', content: 'seen a' },
          { type: 'tool_result', tool_use_id: 'c2', content: 'not-found: no b', is_error: true },
        ],
      },
      { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] },
      { role: 'user', content: [{ type: 'text', text: 'Two?', ...KEEP }] },
    ],
    tools: [{ name: 'look', description: 'Looks at something.', input_schema: SCHEMA }],
  },
}

describe.each(SPEECHES)('what a service that speaks %s receives', (speech) => {
  it('is the history in its order, results behind their calls, and the schema of each tool', async () => {
    await using server = await languageServer(speech, [{ text: 'Yes.' }])
    await askedOf(modelAt(speech, server.url), server, { before: HISTORY, question: 'Two?', tools: [look()] })
    const [{ body } = { body: undefined }] = server.asked
    expect(server.problems).toEqual([])
    expect(body && JSON.parse(JSON.stringify(BODIES[speech](body)))).toMatchObject(Object(SENT[speech]))
    expect(body?.messages).toHaveLength(Object(SENT[speech]).messages.length)
  })

  it('keeps its bytes from exchange to exchange: nothing before the new is another', async () => {
    const [first, second] = [{ calls: [call('a'), call('b')] }, { calls: [call('c')] }]
    const script: Script = [first, { text: 'One.' }, second, { text: 'Two.' }]
    await using server = await languageServer(speech, script)
    const model = modelAt(speech, server.url)
    let before: readonly Message[] = HISTORY
    for (const question of ['Two?', 'Three?']) {
      const { outcome } = await askedOf(model, server, { before, question, tools: [look()] })
      before = [...before, { role: 'user', text: question }, ...outcome.messages]
    }
    const sent = server.asked.map(({ body }) => messagesIn(body).join('\n'))
    for (const [at, bytes] of sent.entries()) expect(bytes.startsWith(sent[at - 1] ?? '')).toBe(true)
    expect(sent.map((bytes) => bytes.split('Tests first.').length - 1)).toEqual([1, 1, 1, 1])
    expect([sent.length, server.problems]).toEqual([4, []])
  })
})
