import { readUIMessageStream, type UIMessage, type UIMessageChunk } from 'ai'
import { describe, expect, it } from 'vitest'
import { AnswerBuilder, type ShownEvent, type ShownPart } from '../../../src/agent/transcript.ts'
import { ContextError } from '../../../src/core/errors.ts'
import { AnswerFollower, type StreamChunk, transientChunks } from '../../../src/surfaces/http/chat/chunks.ts'
import { fc, forAllAsync } from '../../support/property.ts'

/** The chunks of events, and those of somebody who comes when so many were heard. All that is asked is approved. */
function chunksOf(events: readonly ShownEvent[], joinsAt = 0) {
  const shown = new AnswerBuilder()
  const approvals = new Map(
    events.flatMap((event) => (event.type === 'approval' ? [[event.approvalId, true] as const] : [])),
  )
  const clientFrom = () => {
    const chunks: StreamChunk[] = []
    const put = (more: readonly StreamChunk[]) => void chunks.push(...more)
    return { chunks, put, follower: new AnswerFollower({ isGone: false, begin: put, put, end: () => {} }, approvals) }
  }
  const given = (end: string | null) => ({ id: 'question', answer: { parts: shown.parts, facts: shown.facts }, end })
  const [first, late] = [clientFrom(), clientFrom()]
  first.follower.update(given(null))
  for (const [at, event] of events.entries()) {
    if (at === joinsAt) late.follower.update(given(null))
    shown.apply(event)
    for (const one of at < joinsAt ? [first] : [first, late]) {
      one.put(transientChunks(event))
      one.follower.update(given(event.type === 'end' ? event.reason : null))
    }
  }
  return { all: first.chunks, late: late.chunks, shown }
}

/** What the SDK makes of chunks; and what went wrong. */
async function read(chunks: readonly StreamChunk[]) {
  const stream = new ReadableStream<UIMessageChunk>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk as UIMessageChunk)
      controller.close()
    },
  })
  let message: UIMessage | undefined
  const errors: unknown[] = []
  for await (const next of readUIMessageStream({ stream, onError: (error) => errors.push(error) })) message = next
  return { message: message && JSON.parse(JSON.stringify(message)), errors }
}

const plain = (shown: AnswerBuilder) => JSON.parse(JSON.stringify(shown.answer.parts))
/** The SDK says of a text that is not over that it streams, keeps the id of a thought, and no number of a preliminary output. */
const bare = (parts: readonly object[]) => parts.map((part) => ({ ...part, id: undefined, preliminary: undefined }))

type Step = readonly ('text' | 'thought' | 'finished' | 'failed' | 'denied' | 'allowed' | 'delegated')[]

/** The events of an answer of such steps: what is said first, then calls, all of them told before one is done. */
function eventsOf(steps: readonly Step[], reason: 'done' | 'cancelled' | 'step-limit'): ShownEvent[] {
  const events: ShownEvent[] = [{ type: 'facts', facts: { model: 'acme/m' } }]
  for (const [number, step] of steps.entries()) {
    events.push({ type: 'step', number: number + 1 })
    for (const [at, what] of step.entries())
      if (what === 'text' || what === 'thought') events.push({ type: what, text: `${number}.${at} ` })
    const calls = step.flatMap((what, at) =>
      what === 'text' || what === 'thought' ? [] : [{ what, id: `c${at}`, tool: 'look', input: { at } }],
    )
    for (const { what: _, ...call } of calls) events.push({ type: 'tool-started', ...call })
    for (const { what, ...call } of calls) {
      const approval = { id: call.id, approvalId: `a${number}-${call.id}` }
      if (what === 'denied' || what === 'allowed') {
        events.push({ type: 'approval', ...approval })
        events.push({ type: 'approved', ...approval, isApproved: what === 'allowed' })
      }
      if (what === 'delegated') {
        const event = { type: 'tool-finished', id: 'x', tool: 'read', input: { path: 'a' }, result: 'inner' } as const
        events.push({ type: 'within', id: call.id, event }, { type: 'within', id: call.id, event })
      }
      const type = what === 'failed' || what === 'denied' ? 'tool-failed' : 'tool-finished'
      events.push({ type, ...call, result: `result ${number}` })
    }
    const usage = { input: number, cached: 0, output: 1 }
    events.push({ type: 'usage', step: usage, total: usage })
  }
  return [...events, { type: 'end', reason }]
}

const step: fc.Arbitrary<Step> = fc.array(
  fc.constantFrom('text', 'thought', 'finished', 'failed', 'denied', 'allowed', 'delegated'),
  { maxLength: 5 },
)
const steps = fc.array(step, { minLength: 1, maxLength: 4 })
const reasons = fc.constantFrom('done', 'cancelled', 'step-limit')

describe('the chunks of an answer', () => {
  it('are for the SDK what is kept and shown, whatever happens in it', () =>
    forAllAsync(steps, reasons, async (made, reason) => {
      const { all, shown } = chunksOf(eventsOf(made, reason))
      const { message, errors } = await read(all)
      expect(errors).toEqual([])
      expect(bare(message.parts)).toEqual(bare(plain(shown)))
      expect(message.metadata).toEqual(shown.facts)
      expect(all.filter(({ type }) => type === 'start-step')).toHaveLength(made.length)
      expect(all.filter(({ type }) => type === 'finish-step')).toHaveLength(made.length)
      expect(all.at(-1)?.type).toBe('finish')
    }))

  it('are the same for whoever comes late, whenever that is', () =>
    forAllAsync(steps, reasons, fc.nat(60), async (made, reason, at) => {
      const events = eventsOf(made, reason)
      const { all, late } = chunksOf(events, at % events.length)
      const [first, second] = [await read(all), await read(late)]
      expect(second.errors).toEqual([])
      expect(bare(second.message.parts)).toEqual(bare(first.message.parts))
      expect(second.message.metadata).toEqual(first.message.metadata)
    }))

  it.each([
    ['failed', new ContextError('denied', 'There is no key.', { hint: 'Set one.' }), 'There is no key. Set one.'],
    ['interrupted', undefined, 'The service broke off in the middle of the answer.'],
    ['refused', undefined, 'The model refused to answer. Use other words, or another model.'],
  ] as const)('end with an error where it %s, behind what is known of it', (reason, error, errorText) => {
    const { all } = chunksOf([
      { type: 'step', number: 1 },
      { type: 'text', text: 'Half' },
      { type: 'end', reason, ...(error && { error }) },
    ])
    expect(all.slice(-4)).toEqual([
      { type: 'text-end', id: 'text-1' },
      { type: 'finish-step' },
      { type: 'message-metadata', messageMetadata: { end: expect.objectContaining({ reason }) } },
      { type: 'error', errorText },
    ])
  })

  it.each([
    ['done', 'stop'],
    ['token-limit', 'length'],
    ['loop', 'other'],
    ['cancelled', 'other'],
  ] as const)('say of an answer that is %s that it is over by %s', (reason, finishReason) => {
    const { all } = chunksOf([{ type: 'end', reason }])
    expect(all.at(-1)).toMatchObject({ type: 'finish', finishReason, messageMetadata: { end: { reason } } })
    expect(all.some(({ type }) => type === 'abort')).toBe(reason === 'cancelled')
  })

  it('say facts when they are known, lead the person, and say that a service is busy, once: not to who comes late', () => {
    const events: ShownEvent[] = [
      { type: 'step', number: 1 },
      { type: 'facts', facts: { model: 'acme/m' } },
      { type: 'waiting', ms: 500, attempt: 2 },
      { type: 'navigate', place: 'ambit://docs' },
      { type: 'text', text: 'Here.' },
    ]
    const { all, late } = chunksOf(events, 4)
    const facts = all.filter(({ type }) => type === 'message-metadata')
    expect(facts).toEqual([{ type: 'message-metadata', messageMetadata: { model: 'acme/m' } }])
    const kinds = (chunks: readonly StreamChunk[]) =>
      chunks.filter(({ transient }) => transient).map(({ type }) => type)
    expect([kinds(all), kinds(late)]).toEqual([['data-waiting', 'data-navigate'], []])
  })
})

it('a client that has a part of an answer gets its beginning, and of its parts what is new', () => {
  const shown = new AnswerBuilder()
  for (const event of eventsOf([['text']], 'done').slice(0, -1)) shown.apply(event)
  const given = () => ({ id: 'question', answer: { parts: shown.parts, facts: shown.facts }, end: null })
  const chunks: StreamChunk[] = []
  const put = (more: readonly StreamChunk[]) => void chunks.push(...more)
  const follower = new AnswerFollower({ isGone: false, begin: put, put, end: () => {} }, new Map(), given())
  shown.apply({ type: 'text', text: 'more' })
  follower.update({ ...given(), end: 'done' } as never)
  expect(chunks.map(({ type }) => type).slice(0, 2)).toEqual(['start', 'text-delta'])
  expect(chunks[1]).toMatchObject({ delta: 'more' })
})

it.each<[string, boolean]>([
  ['approval-requested', true],
  ['approval-requested output-available output-error', true],
  ['approval-requested input-available', false],
  ['approval-requested approval-responded', false],
  ['approval-requested preliminary', false],
])('a stream of calls that are %s ends until the person answers: %s', (states, isOver) => {
  const parts = states.split(' ').map((state, at) => {
    const call = { type: 'dynamic-tool', toolCallId: `c${at}`, toolName: 'look', input: {}, approval: { id: `a${at}` } }
    return state === 'preliminary' ? { ...call, state: 'output-available', preliminary: true } : { ...call, state }
  })
  const follower = new AnswerFollower({ isGone: false, begin: () => {}, put: () => {}, end: () => {} })
  follower.update({ id: 'question', answer: { parts, facts: {} }, end: null } as never)
  expect(follower.hasEnded).toBe(isOver)
})

it('a part that became another kind, or another text, is not sent: a stream cannot replace what it has sent', () => {
  const call = { toolCallId: 'c', toolName: 'look', input: {}, state: 'input-available' } as const
  const parts: readonly ShownPart[] = [
    { type: 'text', text: 'One.', state: 'done' },
    { type: 'text', text: 'Two and more.', state: 'done' },
    { type: 'data-question', id: 'q', data: { state: 'asked' } as never },
    { type: 'dynamic-tool', ...call },
  ]
  for (const known of parts)
    for (const part of parts) {
      const chunks: StreamChunk[] = []
      const put = (more: readonly StreamChunk[]) => void chunks.push(...more)
      const stateOf = (one: ShownPart) => ({ id: 'question', answer: { parts: [one], facts: {} }, end: null })
      const follower = new AnswerFollower({ isGone: false, begin: put, put, end: () => {} }, new Map(), stateOf(known))
      follower.update(stateOf(part))
      expect(chunks.map(({ type }) => type)).toEqual(['start'])
    }
})
