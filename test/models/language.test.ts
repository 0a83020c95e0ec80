import { describe, expect, it } from 'vitest'
import type { LanguageModel, Message, StepPart } from '../../src/models/language.ts'
import { readStream } from '../../src/models/sdk/step.ts'
import { asked, modelAt } from '../agent/answering.ts'
import { languageServer, SPEECHES } from '../support/language-server.ts'
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
    ['points on', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }, 'unavailable', /does not follow/],
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
  const delta = (one: object, finish: string | null = null) =>
    `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta: one, finish_reason: finish }] })}\n\n`

  it('is taken out of a text that has it in tags', async () => {
    const texts = ['\n<thi', 'nk>Hm', '</th', 'ink>\n', '\n', 'Yes']
    const pieces = [...texts.map((content) => delta({ content })), delta({}, 'stop'), 'data: [DONE]\n\n']
    await using server = await languageServer('chat', [{ stream: { pieces } }])
    expect(await said(modelAt('chat', server.url))).toMatchObject([
      { type: 'thinking', length: 2 },
      { part: { type: 'reasoning', text: 'Hm' } },
      { type: 'text', text: 'Yes' },
      { part: { type: 'text', text: 'Yes' } },
      { type: 'finish' },
    ])
  })
})

it.each([[null], [{ a: 1 }]])('an error without words is told in ours: %j', async (message) => {
  const stream = ReadableStream.from([{ type: 'error' as const, error: { status: 400, message } }])
  await expect(readStream(stream).next()).rejects.toThrow('its answer reports an error')
})

describe('a model of OpenAI', () => {
  it('is told a limit by the name of its responses, and to keep nothing', async () => {
    await using server = await languageServer('responses', [{ text: 'Yes.' }])
    await said(modelAt('responses', server.url), [asks('a')], 16)
    expect(server.asked[0]?.body).toMatchObject({ max_output_tokens: 16, store: false, stream: true })
  })

  it('that tells in its stream, before anything was said, that it failed, is asked again', async () => {
    const failed = {
      type: 'response.failed',
      sequence_number: 1,
      response: { id: 'r', created_at: 1, model: 'm', error: { code: 'server_error', message: 'Out of order' } },
    }
    const pieces = [`data: ${JSON.stringify(failed)}\n\n`]
    const { outcome, server } = await asked('responses', [{ stream: { pieces } }])
    expect([outcome.reason, server.asked.length]).toEqual(['failed', 3])
    expect(outcome.error?.message).toContain('Out of order')
  })
})
