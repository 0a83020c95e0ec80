import { describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../../src/agent/events.ts'
import { type Body, type Said, SPEECHES } from '../../support/language-server.ts'
import { call, FILES, results, standing } from './standing.ts'

const delegate = (task: string) => call('delegate', { task })
const within = (events: readonly AgentEvent[]) =>
  events.flatMap((event) => (event.type === 'within' ? [[event.id, event.event] as const] : []))
const toolsIn = ({ tools = [] }: Body) => tools.map((tool) => String(tool.name ?? Object(tool.function).name))

describe.each(SPEECHES)('a task that is delegated to a model that speaks %s', (speech) => {
  it('is done in a conversation of its own, of which the answer comes back, with its sources', () =>
    standing(
      [
        delegate('Find out what happens after a timeout.'),
        call('read', { path: 'docs/errors.md' }),
        { text: 'It is sent again [3].' },
        { text: 'Twice [3].' },
      ],
      { speech },
      async ({ ask, assistant, server, events }) => {
        const { answer, citations, reason } = await ask('What after a timeout?')
        expect([reason, answer, server.problems]).toEqual(['done', 'Twice [3].', []])
        expect(citations).toEqual([{ number: 3, place: 'ambit://docs/errors.md' }])
        expect(results(assistant)).toMatchObject([
          { text: expect.stringMatching(/<sources>\n\[3\] ambit.*<answer>\nIt is sent again \[3\]\.\n<\/answer>/s) },
        ])
        // The parent reads nothing of what was read.
        expect(JSON.stringify(server.asked[3]?.body)).not.toContain('After a timeout a request')
        const [first, child] = server.asked.map(({ body }) => body)
        expect(JSON.stringify(child)).toContain('Tests first.')
        expect(JSON.stringify(child)).not.toContain('What after a timeout?')
        expect([first && toolsIn(first).includes('delegate'), child && toolsIn(child)]).toEqual([
          true,
          expect.not.arrayContaining(['delegate', 'set_path_context', 'navigate']),
        ])
        const nested = within(events)
        const [started] = events.flatMap((event) => (event.type === 'tool-started' ? [event.id] : []))
        expect(new Set(nested.map(([id]) => id))).toEqual(new Set([started]))
        expect(nested.map(([, { type }]) => type)).toEqual(
          expect.arrayContaining(['step', 'tool-started', 'tool-finished', 'text', 'usage', 'end']),
        )
        expect(events.filter(({ type }) => type === 'end')).toHaveLength(1)
      },
    ))

  it('takes of the same tokens: what it took counts, and where they are used up it ends', () =>
    standing(
      [
        { ...delegate('Look.'), usage: { input: 9000, output: 500 } },
        { ...call('list', {}), usage: { input: 9000, output: 1000 } },
        { text: 'Never.' },
      ],
      { speech, parts: { limits: { tokens: 20_000 } } },
      async ({ ask, assistant }) => {
        const { reason, usage } = await ask('Well?')
        expect([reason, usage.input + usage.output]).toEqual(['token-limit', 19_500])
        expect(results(assistant)).toMatchObject([{ text: expect.stringContaining('It did not finish (token-limit)') }])
      },
    ))
})

describe('what is delegated', () => {
  /** The parent calls two at once; each of them answers its own task. */
  const split = ({ messages }: Body): Said => {
    const last = messages.at(-1)
    if (last?.role === 'tool') return { text: 'Both.' }
    const task = /^Task (\w+)$/m.exec(String(last?.content))?.[1]
    if (task) return { text: `Done ${task}.` }
    const calls = ['one', 'two'].map((name) => ({
      tool: 'delegate',
      input: { task: `Task ${name}` },
      id: `call_${name}`,
    }))
    return { calls }
  }

  it('can be several tasks side by side, each under its own call', () =>
    standing([split], async ({ ask, assistant, events }) => {
      expect((await ask('Well?')).answer).toBe('Both.')
      expect(results(assistant).map(({ text }) => /Done (\w+)/.exec(text)?.[1])).toEqual(['one', 'two'])
      expect(new Set(within(events).map(([id]) => id))).toEqual(new Set(['call_one', 'call_two']))
    }))

  it('touches what the parent is told of, and does not take from what it was told', () =>
    standing(
      [delegate('Read.'), call('read', { path: 'docs/errors.md' }), { text: 'Read.' }, { text: 'Yes.' }],
      async ({ ask, server }) => {
        await ask('Well?')
        const last = JSON.stringify(server.asked.at(-1)?.body)
        expect([last.split('In docs be brief.').length - 1, last.split('Tests first.').length - 1]).toEqual([1, 1])
      },
    ))

  it('writes nothing, even where the person would let it', () =>
    standing(
      [delegate('Write.'), call('set_path_context', { path: 'docs', text: 'Mine' }), { text: 'No.' }, { text: 'No.' }],
      { parts: { approve: async () => true } },
      async ({ ask, events }) => {
        await ask('Well?')
        expect(within(events).find(([, { type }]) => type === 'tool-failed')?.[1]).toMatchObject({
          result: expect.stringContaining('There is no tool called "set_path_context"'),
        })
      },
    ))

  it('is cancelled with the question', async () => {
    const controller = new AbortController()
    await standing(
      [delegate('Wait.'), { text: 'Be', finish: null, end: 'hang' }],
      { shape: FILES },
      async ({ assistant, server }) => {
        const emit = (event: AgentEvent) => {
          if (event.type === 'within' && event.event.type === 'text') controller.abort()
        }
        const { reason } = await assistant.ask('Well?', { signal: controller.signal, emit })
        expect(reason).toBe('cancelled')
        await expect.poll(() => server.closed).toBe(1)
      },
    )
  })
})
