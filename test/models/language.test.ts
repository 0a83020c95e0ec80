import { describe, expect, it } from 'vitest'
import type { LanguageModel, Message, StepPart } from '../../src/models/language.ts'
import { openai } from '../../src/models/providers/language-openai.ts'
import { asked, askedOf, look, modelAt, QUICK } from '../agent/answering.ts'
import { languageServer, SPEECHES, type Speech } from '../support/language-server.ts'
import type { Fault } from '../support/model-server.ts'

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
    const input = speech === 'messages' ? 12 : 7
    expect(await said(modelAt(speech, server.url))).toEqual([
      { type: 'text', text: 'Be' },
      { type: 'text', text: 'cause' },
      { type: 'part', part: expect.objectContaining({ type: 'text', text: 'Because' }) },
      { type: 'finish', reason: 'stop', usage: { input, cached: 5, output: 3 } },
    ])
  })

  it.each<[string, Fault, string, RegExp]>([
    [
      'points elsewhere',
      { status: 302, headers: { location: 'http://127.0.0.1:1/' } },
      'unavailable',
      /does not follow/,
    ],
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
    const message = { id: 'm', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: null, usage }
    const pieces = [
      event('message_start', { message }),
      event('content_block_start', { index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } }),
      event('content_block_delta', { index: 0, delta: { type: 'thinking_delta', thinking: 'Hm' } }),
      event('content_block_delta', { index: 0, delta: { type: 'signature_delta', signature: 'SIGNED' } }),
      event('content_block_stop', { index: 0 }),
      event('message_delta', { delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 2 } }),
      event('message_stop', {}),
    ]
    expect(await givenBack('messages', pieces)).toEqual({
      role: 'assistant',
      content: [{ type: 'thinking', thinking: 'Hm', signature: 'SIGNED' }],
    })
  })

  const delta = (one: object, finish: string | null = null) =>
    `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta: one, finish_reason: finish }] })}\n\n`
  const END = [delta({}, 'stop'), 'data: [DONE]\n\n']

  /** What the second request says that the model said. */
  async function givenBack(speech: Speech, pieces: readonly string[]) {
    await using server = await languageServer(speech, [{ stream: { pieces } }, { text: 'So.' }])
    const model = modelAt(speech, server.url)
    await said(model, [asks('Why?'), { role: 'assistant', parts: thought(await said(model)) }, asks('So?')])
    return server.asked[1]?.body.messages.find(({ role }) => role === 'assistant')
  }

  it('goes back to those that give it as text', async () => {
    const back = await givenBack('chat', [delta({ reasoning_content: 'Hm' }), delta({ content: 'Yes' }), ...END])
    expect(back).toEqual({ role: 'assistant', content: 'Yes', reasoning_content: 'Hm' })
  })

  it.each<[string, readonly string[], string, string]>([
    ['in tags before it', ['\n<thi', 'nk>Hm', '</th', 'ink>\n\n', 'Yes'], 'Hm', 'Yes'],
    ['in tags that are never closed', ['<think>Hm'], 'Hm', ''],
    ['nowhere, though it begins so', ['<thin'], '', '<thin'],
    ['nowhere, though it tells of tags', ['Use <think>x</think>.'], '', 'Use <think>x</think>.'],
  ])('is taken out of a text that has it %s', async (_, texts, thoughtText, answer) => {
    const pieces = [...texts.map((content) => delta({ content })), ...END]
    await using server = await languageServer('chat', [{ stream: { pieces } }, { text: 'So.' }])
    const parts = await said(modelAt('chat', server.url))
    const told = parts.flatMap((one) => (one.type === 'text' ? [one.text] : [])).join('')
    const kept = thought(parts)
    expect([told, kept.find(({ type }) => type === 'text')?.text ?? '']).toEqual([answer, answer])
    expect(kept.find(({ type }) => type === 'reasoning')?.text ?? '').toBe(thoughtText)
  })

  it('goes back to OpenRouter in the pieces that it gave, sealed ones too', async () => {
    const details = (...all: object[]) => delta({ reasoning_details: all })
    const pieces = [
      details({ type: 'reasoning.text', index: 0, text: 'H' }),
      details({ type: 'reasoning.text', index: 0, text: 'm', signature: 'S' }),
      details({ type: 'reasoning.encrypted', index: 1, data: 'SEALED' }),
      delta({ content: 'Yes' }),
      ...END,
    ]
    expect(await givenBack('chat', pieces)).toMatchObject({
      content: 'Yes',
      reasoning_details: [
        { type: 'reasoning.text', text: 'Hm', signature: 'S' },
        { type: 'reasoning.encrypted', data: 'SEALED' },
      ],
    })
  })

  function thought(parts: readonly StepPart[]) {
    return parts.flatMap((one) => (one.type === 'part' ? [one.part] : []))
  }
})

describe('a model of OpenAI', () => {
  it('is told a limit by the name of its responses, and to keep nothing', async () => {
    await using server = await languageServer('responses', [{ text: 'Yes.' }])
    await said(modelAt('responses', server.url), [asks('a')], 16)
    expect(server.asked[0]?.body).toMatchObject({ max_output_tokens: 16, store: false, stream: true })
  })

  it('gets back what it thought, encrypted, before what came of it', async () => {
    const event = (type: string, rest: object) => `data: ${JSON.stringify({ type, ...rest })}\n\n`
    const head = { id: 'resp', created_at: 1, model: 'gpt-5' }
    const thought = { type: 'reasoning', id: 'rs_1', encrypted_content: 'SEALED', summary: [] }
    const call = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'look', arguments: '{"at":"a"}' }
    const pieces = [
      event('response.created', { response: head }),
      event('response.output_item.added', { output_index: 0, item: { ...thought, encrypted_content: null } }),
      event('response.output_item.done', { output_index: 0, item: thought }),
      event('response.output_item.added', { output_index: 1, item: { ...call, arguments: '' } }),
      event('response.output_item.done', { output_index: 1, item: { ...call, status: 'completed' } }),
      event('response.completed', { response: { ...head, usage: { input_tokens: 1, output_tokens: 1 } } }),
    ]
    await using server = await languageServer('responses', [{ stream: { pieces } }, { text: 'So.' }])
    const model = openai({ provider: 'openai', model: 'gpt-5', url: server.url }, QUICK)
    const tool = look()
    const { outcome } = await askedOf(model, server, { tools: [tool] })
    expect([outcome.reason, tool.ran, server.problems]).toEqual(['done', ['a'], []])
    expect(server.asked[0]?.body).toMatchObject({ include: ['reasoning.encrypted_content'] })
    expect(server.asked[1]?.body.messages.slice(2)).toMatchObject([
      { type: 'reasoning', encrypted_content: 'SEALED' },
      { type: 'function_call', call_id: 'call_1', arguments: '{"at":"a"}' },
      { type: 'function_call_output', call_id: 'call_1', output: 'seen a' },
    ])
  })

  it.each([
    ['before anything was said', [], 'failed', 3],
    [
      'in the middle',
      [{ type: 'response.output_text.delta', item_id: 'm', output_index: 0, delta: 'Be' }],
      'failed',
      1,
    ],
  ] as const)('that tells in its stream, %s, that it failed, has failed', async (_, before, reason, requests) => {
    const failed = {
      type: 'response.failed',
      sequence_number: 1,
      response: { id: 'r', created_at: 1, model: 'm', error: { code: 'server_error', message: 'Out of order' } },
    }
    const pieces = [...before, failed].map((one) => `data: ${JSON.stringify(one)}\n\n`)
    const { outcome, server } = await asked('responses', [{ stream: { pieces } }])
    expect([outcome.reason, server.asked.length]).toEqual([reason, requests])
    expect(outcome.error?.message).toContain('Out of order')
  })
})
