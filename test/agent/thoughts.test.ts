import { describe, expect, it } from 'vitest'
import { compactRequest } from '../../src/agent/loop/compaction.ts'
import { withoutThoughts } from '../../src/agent/loop/meter.ts'
import type { Message } from '../../src/models/language.ts'
import { local } from '../../src/models/providers/language-local.ts'
import { asked } from './answering.ts'

const extra = { anthropic: { signature: 'SIGNED' } }
const thought = (text: string) => ({ type: 'reasoning' as const, text, extra })
const said = (text: string, from = 'Hm'): Message => ({
  role: 'assistant',
  parts: [thought(from), { type: 'text', text, extra }],
})

describe('what was thought', () => {
  it('is taken out with all that its provider wanted back, and nothing else is', () => {
    const call: Message = {
      role: 'assistant',
      parts: [thought('Hm'), { type: 'call', id: 'c', tool: 'look', input: { at: 'a' }, extra }],
    }
    const result: Message = { role: 'tool', results: [{ id: 'c', tool: 'look', text: 'a', isError: false }] }
    const all = [
      { role: 'user' as const, text: 'One?' },
      call,
      result,
      said('Yes.'),
      { role: 'assistant' as const, parts: [thought('x')] },
    ]
    expect(withoutThoughts(all)).toEqual([
      all[0],
      { role: 'assistant', parts: [{ type: 'call', id: 'c', tool: 'look', input: { at: 'a' } }] },
      result,
      { role: 'assistant', parts: [{ type: 'text', text: 'Yes.' }] },
    ])
  })

  it.each([
    ['in its field', 'reasoning_content', ''],
    ['in tags', 'content', '<think>'],
  ])('and never ends, %s, is cut off where its tokens are used up', async (_, field, open) => {
    const piece = (text: string) =>
      `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta: { [field]: text }, finish_reason: null }] })}\n\n`
    const pieces = [open, ...Array.from({ length: 40 }, () => 'hm '.repeat(100))].map(piece)
    const { outcome } = await asked('chat', [{ stream: { pieces, end: 'hang' } }], {
      limits: { tokens: 2000, ms: 9000 },
    })
    expect([outcome.reason, outcome.answer]).toEqual(['token-limit', ''])
  })

  it('stays in a compacted conversation while its question is being answered, and no longer', async () => {
    const messages: Message[] = [
      { role: 'user', text: 'x'.repeat(20_000) },
      said('Old.'),
      { role: 'user', text: 'Before?' },
      said('Before.', 'Before'),
      { role: 'user', text: 'Now?' },
      { role: 'assistant', parts: [thought('Now'), { type: 'call', id: 'c', tool: 'look', input: {} }] },
      { role: 'tool', results: [{ id: 'c', tool: 'look', text: 'a', isError: false }] },
    ]
    const parts = {
      model: local(),
      carryOver: () => [],
      maxTokens: 2000,
      maxSummaryUsage: 9000,
      signal: new AbortController().signal,
    }
    const shorter = await compactRequest({ system: '', messages, tools: [] }, { ...parts, count: () => {} })
    const kept = JSON.stringify(shorter?.messages)
    expect([kept.includes('"Now"'), kept.includes('"Before"'), kept.includes('Before.')]).toEqual([true, false, true])
  })
})
