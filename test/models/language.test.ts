import { describe, expect, it } from 'vitest'
import type { LanguageModel, Message, StepPart } from '../../src/models/language.ts'
import { chatCompletions } from '../../src/models/language-compatible.ts'
import { modelAt, QUICK } from '../agent/answering.ts'
import { languageServer, type Script, type Speech } from '../support/language-server.ts'
import type { Fault } from '../support/model-server.ts'

const SPEECHES: readonly Speech[] = ['chat', 'messages']
const asks = (text: string): Message => ({ role: 'user', text })

async function said(model: LanguageModel, messages: readonly Message[] = [asks('Why?')], maxOutputTokens?: number) {
  const parts: StepPart[] = []
  const request = { system: 's', messages, tools: [], ...(maxOutputTokens && { maxOutputTokens }) }
  for await (const part of model.step(request)) parts.push(part)
  return parts
}

describe.each(SPEECHES)('a model that speaks %s', (speech) => {
  it('gives its text as it comes, then whole, then what it took', async () => {
    await using server = await languageServer(speech, [
      { text: ['Be', 'cause'], usage: { input: 7, output: 3, cached: 5 } },
    ])
    const input = speech === 'chat' ? 7 : 12
    expect(await said(modelAt(speech, server.url))).toEqual([
      { type: 'text', text: 'Be' },
      { type: 'text', text: 'cause' },
      { type: 'part', part: { type: 'text', text: 'Because' } },
      { type: 'finish', reason: 'stop', usage: { input, cached: 5, output: 3 } },
    ])
  })

  it.each<[string, Fault, string, RegExp]>([
    ['points elsewhere', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }, 'unavailable', /not followed/],
    ['refuses the key', { status: 403 }, 'denied', /refused the key/],
    ['breaks off before it said a word', 'cut', 'unavailable', /language model service/],
  ])('tells what is wrong when it %s', async (_, fault, code, message) => {
    await using server = await languageServer(speech, [{ fault }])
    const thrown = await said(modelAt(speech, server.url)).catch((error: unknown) => error)
    expect(thrown).toMatchObject({ code, message: expect.stringMatching(message), hint: expect.any(String) })
    expect(server.asked).toHaveLength(1)
  })

  it('has not answered where it gives something else than a stream', async () => {
    await using server = await languageServer(speech, [{ fault: { body: '{"a":1}' } }])
    expect(await said(modelAt(speech, server.url))).toMatchObject([{ type: 'finish', reason: 'interrupted' }])
  })

  it('is told as not there when nobody is', async () => {
    const gone = await languageServer(speech, [])
    await gone[Symbol.asyncDispose]()
    await expect(said(modelAt(speech, gone.url))).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('ECONNREFUSED'),
      hint: expect.stringContaining('AMBIT_MODEL_URL'),
    })
  })

  it('closes its request when nobody listens any more', async () => {
    await using server = await languageServer(speech, [{ text: 'Be', finish: null, end: 'hang' }])
    for await (const part of modelAt(speech, server.url).step({ system: 's', messages: [asks('a')], tools: [] })) {
      if (part.type === 'text') break
    }
    await expect.poll(() => server.closed).toBe(1)
  })
})

describe('what a model thought', () => {
  const event = (type: string, rest: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`

  it('goes back to Anthropic with its signature', async () => {
    const usage = { input_tokens: 1, output_tokens: 1 }
    const message = {
      id: 'm',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage,
    }
    const pieces = [
      event('message_start', { message }),
      event('content_block_start', { index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } }),
      event('content_block_delta', { index: 0, delta: { type: 'thinking_delta', thinking: 'Hm' } }),
      event('content_block_delta', { index: 0, delta: { type: 'signature_delta', signature: 'SIGNED' } }),
      event('content_block_stop', { index: 0 }),
      event('message_delta', { delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 2 } }),
      event('message_stop', {}),
    ]
    await using server = await languageServer('messages', [{ stream: { pieces } }, { text: 'So.' }])
    const model = modelAt('messages', server.url)
    await said(model, [asks('Why?'), { role: 'assistant', parts: thought(await said(model)) }, asks('So?')])
    expect(server.asked[1]?.body.messages[1]).toEqual({
      role: 'assistant',
      content: [{ type: 'thinking', thinking: 'Hm', signature: 'SIGNED' }],
    })
  })

  it('goes back to those that give it as text', async () => {
    const chunk = (delta: object, finish: string | null = null) =>
      `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
    const pieces = [
      chunk({ reasoning_content: 'Hm' }),
      chunk({ content: 'Yes' }),
      chunk({}, 'stop'),
      'data: [DONE]\n\n',
    ]
    await using server = await languageServer('chat', [{ stream: { pieces } }, { text: 'So.' }])
    const model = modelAt('chat', server.url)
    await said(model, [asks('Why?'), { role: 'assistant', parts: thought(await said(model)) }, asks('So?')])
    expect(server.asked[1]?.body.messages[2]).toEqual({ role: 'assistant', content: 'Yes', reasoning_content: 'Hm' })
  })

  function thought(parts: readonly StepPart[]) {
    return parts.flatMap((one) => (one.type === 'part' ? [one.part] : []))
  }
})

describe('a model of OpenAI', () => {
  it('is told a limit by the name that all of its models know', async () => {
    const script: Script = [{ text: 'Yes.' }]
    await using server = await languageServer('chat', script)
    await said(chatCompletions({ provider: 'openai', model: 'm', url: server.url }, QUICK), [asks('a')], 16)
    await said(chatCompletions({ provider: 'openai-compatible', model: 'm', url: server.url }, QUICK), [asks('a')], 16)
    const bodies = server.asked.map(({ body }) => Object.entries(body).filter(([name]) => name.startsWith('max_')))
    expect(bodies).toEqual([[['max_completion_tokens', 16]], [['max_tokens', 16]]])
  })
})
