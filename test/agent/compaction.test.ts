import { describe, expect, it } from 'vitest'
import { compactRequest, extractSummary } from '../../src/agent/loop/compaction.ts'
import { conversationTokens } from '../../src/agent/loop/meter.ts'
import type { Message } from '../../src/models/language.ts'
import { local } from '../../src/models/providers/language-local.ts'
import { elementsOf } from '../../src/text/elements.ts'
import { frameText } from '../../src/text/frames.ts'
import { type Body, languageServer, type Script, SPEECHES } from '../support/language-server.ts'
import { fc, forAllAsync } from '../support/property.ts'
import { askedOf, brokenRules, look, modelAt } from './answering.ts'

const call = (at: string) => ({ calls: [{ tool: 'look', input: { at } }] })
const LONG = 'x'.repeat(4000)
const asks = (text: string): Message => ({ role: 'user', text })
const says = (text: string): Message => ({ role: 'assistant', parts: [{ type: 'text', text }] })
const told = (body: Body) => JSON.stringify(body)
const carried = () => []

/** Of some thousand tokens. */
const BEFORE: readonly Message[] = [asks(`What of apples? ${LONG}`), says(`Apples are red. ${LONG}`)]

describe.each(SPEECHES)('a conversation with a model that speaks %s', (speech) => {
  const few = { tools: [look()], before: BEFORE, question: 'And pears?', limits: { promptTokens: 2500 } }

  it('goes on in fewer words when it comes near to what can be sent', async () => {
    await using server = await languageServer(speech, [{ text: 'Apples: red.' }, { text: 'Green.' }])
    const answered = await askedOf(modelAt(speech, server.url), server, { ...few, carried })
    expect([answered.outcome.reason, answered.outcome.answer, server.asked.length]).toEqual(['done', 'Green.', 2])
    expect(brokenRules(answered)).toEqual([])
    const compactions = answered.events.filter(({ type }) => type === 'compacted')
    expect(compactions).toMatchObject([{ by: 'model', before: expect.any(Number), after: expect.any(Number) }])
    const [first, second] = server.asked.map(({ body }) => told(body))
    expect(first).toContain('Apples are red.')
    // The oldest question is beyond what is sent for a summary.
    expect(first).not.toMatch(/"look"|What of apples/)
    expect(second).toMatch(/<summary>\\nApples: red\.\\n<\/summary>/)
    expect([second?.includes(LONG), second?.includes('And pears?')]).toEqual([false, true])
    expect(answered.outcome.conversation.map(({ role }) => role)).toEqual(['context', 'user', 'assistant'])
    expect(answered.outcome.messages).toHaveLength(1)
  })

  it('goes on in what the model wrote of a summary that became too long', async () => {
    await using server = await languageServer(speech, [{ text: 'Apples: red.', finish: 'length' }, { text: 'Green.' }])
    const { events } = await askedOf(modelAt(speech, server.url), server, { ...few, carried })
    expect(events).toContainEqual(expect.objectContaining({ type: 'compacted', by: 'model' }))
  })

  it('is told in an extract where the model fails to', async () => {
    const script: Script = [{ fault: { status: 400 } }, { text: 'Green.' }]
    await using server = await languageServer(speech, script)
    const { events, outcome } = await askedOf(modelAt(speech, server.url), server, { ...few, carried })
    expect(events).toContainEqual(expect.objectContaining({ type: 'compacted', by: 'extract' }))
    expect([outcome.reason, outcome.usage]).toEqual(['done', expect.not.objectContaining({ cost: expect.anything() })])
    expect(told(server.asked[1]?.body as Body)).toContain('Answered: Apples are red.')
  })

  it.each([
    'prompt is too long: 9000 tokens > 8000 maximum',
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
    'the request exceeds the available context size, try increasing it',
  ])('goes on in fewer words when the service says: %s', async (message) => {
    const body = JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message } })
    const script: Script = [{ fault: { status: 400, body } }, { text: 'Apples: red.' }, { text: 'Green.' }]
    await using server = await languageServer(speech, script)
    const answered = await askedOf(modelAt(speech, server.url), server, { ...few, limits: {}, carried })
    expect([answered.outcome.reason, answered.outcome.answer, server.asked.length]).toEqual(['done', 'Green.', 3])
    expect(brokenRules(answered)).toEqual([])
    expect(answered.events.filter(({ type }) => type === 'compacted')).toMatchObject([{ by: 'model' }])
  })

  it('fails where the service refuses it for another reason, or however short it is', async () => {
    const fault = (message: string) => ({ fault: { status: 400, body: JSON.stringify({ error: { message } }) } })
    await using other = await languageServer(speech, [fault('tool 3 is odd')])
    expect((await askedOf(modelAt(speech, other.url), other, { ...few, limits: {}, carried })).outcome.reason).toBe(
      'failed',
    )
    expect(other.asked).toHaveLength(1)
    await using stubborn = await languageServer(speech, [fault('prompt is too long')])
    const { outcome } = await askedOf(modelAt(speech, stubborn.url), stubborn, { ...few, limits: {}, carried })
    expect(['failed', 'token-limit']).toContain(outcome.reason)
    expect(stubborn.asked.length).toBeLessThan(8)
  })

  it('is refused as before where nobody says what is carried over', async () => {
    await using server = await languageServer(speech, [{ text: 'Green.' }])
    const { outcome } = await askedOf(modelAt(speech, server.url), server, { ...few, limits: { promptTokens: 1500 } })
    expect([outcome.reason, server.asked.length]).toEqual(['token-limit', 0])
  })

  it('is shortened in the middle of an exchange, too, and each call keeps its result', async () => {
    let at = 0
    const script: Script = [
      (body) =>
        told(body).includes('Write the notes.') ? { text: 'Seen some.' } : at < 8 ? call(`${at++}`) : { text: 'So.' },
    ]
    await using server = await languageServer(speech, script)
    const answered = await askedOf(modelAt(speech, server.url), server, {
      tools: [look(async (text) => `seen ${text} ${LONG}`)],
      limits: { promptTokens: 5000 },
      carried,
    })
    expect([answered.outcome.reason, server.problems]).toEqual(['done', []])
    expect(answered.events.filter(({ type }) => type === 'compacted').length).toBeGreaterThan(0)
    expect(brokenRules(answered)).toEqual([])
    for (const { body } of server.asked) expect(told(body).length / 4).toBeLessThan(5000)
  })

  it('cancelled while it is shortened, it ends at once', async () => {
    const controller = new AbortController()
    await using server = await languageServer(speech, [{ fault: 'hang' }])
    const stop = () => (server.asked.length > 0 ? controller.abort() : void setTimeout(stop, 5))
    stop()
    const { outcome } = await askedOf(modelAt(speech, server.url), server, {
      ...few,
      carried,
      signal: controller.signal,
    })
    expect([outcome.reason, server.asked.length]).toEqual(['cancelled', 1])
  })
})

describe('what is compacted', () => {
  const results = (at: number): readonly Message[] => [
    { role: 'assistant', parts: [{ type: 'call', id: `c${at}`, tool: 'look', input: { at } }] },
    {
      role: 'tool',
      results: [
        { id: `c${at}`, tool: 'look', text: frameText({ tag: 'hit', attributes: {}, text: LONG }), isError: false },
      ],
    },
  ]
  const message = fc.oneof(
    fc.nat(2000).map((size) => [asks(`q${'y'.repeat(size)}`)]),
    fc.nat(2000).map((size) => [says(`a${'z'.repeat(size)}`)]),
    fc.nat(1000).map(results),
    fc
      .nat(50)
      .map((at): Message[] => [
        { role: 'context', text: frameText({ tag: 'context', attributes: {}, text: `c${at}` }) },
      ]),
  )

  it('has its calls with their results, its last question, and its end as it was, whatever was said', () =>
    forAllAsync(
      200,
      fc.array(message, { maxLength: 30 }),
      fc.integer({ min: 500, max: 20_000 }),
      async (all, tokens) => {
        const messages = [...all.flat(), asks('The last?')]
        const shorter = await compactRequest(
          { system: '', messages, tools: [] },
          {
            model: local(),
            carryOver: carried,
            maxTokens: tokens,
            maxSummaryUsage: 10_000,
            signal: new AbortController().signal,
            count: () => {},
          },
        )
        if (!shorter) return
        const kept = shorter.messages
        const ids = kept
          .flatMap((one) => (one.role === 'assistant' ? one.parts : []))
          .flatMap((part) => (part.type === 'call' ? [part.id] : []))
        const answered = kept.flatMap((one) => (one.role === 'tool' ? one.results.map(({ id }) => id) : []))
        expect(answered).toEqual(ids)
        expect(kept.at(-1)).toEqual(asks('The last?'))
        expect(shorter.by).toBe('extract')
        for (const one of kept) {
          if (one.role !== 'tool') continue
          for (const { text } of one.results)
            expect(
              elementsOf(text)
                .map(({ whole }) => whole)
                .join(''),
            ).toBe(text)
        }
        const spoken = kept.filter(({ role }) => role !== 'context')
        expect(conversationTokens(spoken)).toBeLessThanOrEqual(tokens * 0.3 + 600)
      },
    ))

  it('has the results of its end cut, within their frames, where they alone are too long', async () => {
    const [calling, framed] = results(1) as [Message, Extract<Message, { role: 'tool' }>]
    const both = [...framed.results, { id: 'c2', tool: 'look', text: LONG, isError: false }]
    const messages: Message[] = [says('Old.'), asks('Now?'), calling, { role: 'tool', results: both }]
    const parts = {
      model: local(),
      carryOver: carried,
      maxTokens: 1000,
      maxSummaryUsage: 1,
      signal: new AbortController().signal,
      count: () => {},
    }
    const shorter = await compactRequest({ system: '', messages, tools: [] }, parts)
    const [now, called, cut] = shorter?.messages.slice(-3) ?? []
    expect([now, called]).toEqual([asks('Now?'), calling])
    const [first = '', second] = cut?.role === 'tool' ? cut.results.map(({ text }) => text) : []
    expect(elementsOf(first).map(({ tag }) => tag)).toEqual(['hit', 'notice'])
    expect(first).toMatch(/\d of 40\d\d bytes are kept: call the tool again for the rest\.\n<\/notice>\n$/)
    expect(first.length).toBeLessThan(700)
    expect(second).toBe(`${'x'.repeat(600)}\n[cut]`)
  })

  it('is an extract of what was asked, called and answered, and of an earlier one', () => {
    const earlier: Message = {
      role: 'context',
      text: frameText({ tag: 'summary', attributes: {}, text: '- Asked: <One>?' }),
    }
    const all = [earlier, asks('Two?'), ...results(7), says('Seven.')]
    expect(extractSummary(all, 1000)).toBe('- Asked: <One>?- Asked: Two?\n- Called look {"at":7}\n- Answered: Seven.\n')
    expect(extractSummary(all, 6)).toBe('- Answered: Seven.\n')
  })
})
