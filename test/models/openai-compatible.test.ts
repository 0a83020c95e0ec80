import { describe, expect, it, vi } from 'vitest'
import type { EmbeddingSettings } from '../../src/models/embedding.ts'
import { openaiCompatible } from '../../src/models/openai-compatible.ts'
import { serviceFetch } from '../../src/models/service/fetch.ts'
import { type EmbeddingServer, embeddingServer, vectorOf } from '../support/embedding-server.ts'
import type { Fault } from '../support/model-server.ts'

type Model = ReturnType<typeof openaiCompatible>

async function withModel(
  work: (model: Model, server: EmbeddingServer) => Promise<void>,
  settings: Partial<EmbeddingSettings> = {},
): Promise<void> {
  await using server = await embeddingServer()
  await work(openaiCompatible({ model: 'plain', url: server.url, ...settings }), server)
}

describe('a model behind a service', () => {
  it('gives a vector for each text, in their order', () =>
    withModel(async (model) => {
      const texts = ['a cat', 'a car', 'a cat']
      expect(await model.documents(texts)).toEqual(texts.map((text) => Float32Array.from(vectorOf(text))))
      expect(await model.query('a car')).toEqual(Float32Array.from(vectorOf('a car')))
    }))

  it.each([
    ['nomic-embed-text', {}, 'search_query: cat', 'search_document: cat'],
    ['intfloat/multilingual-e5-base', {}, 'query: cat', 'passage: cat'],
    ['mxbai-embed-large', {}, 'Represent this sentence for searching relevant passages: cat', 'cat'],
    ['text-embedding-3-small', {}, 'cat', 'cat'],
    ['nomic-embed-text', { queryPrefix: 'Q ', documentPrefix: '' }, 'Q cat', 'cat'],
  ])('%s is asked as it was trained, or as it is told to be: %j', (model, settings, query, document) =>
    withModel(
      async (made, server) => {
        await made.query('cat')
        await made.documents(['cat'])
        expect(server.texts).toEqual([query, document])
      },
      { model, ...settings },
    ),
  )

  it('is told the key, the model and the dimensions', () =>
    withModel(
      async (model, { asked }) => {
        await model.query('x')
        const body = { model: 'plain', dimensions: 64 }
        expect(asked[0]).toMatchObject({ path: '/v1/embeddings', headers: { authorization: 'Bearer sesame' }, body })
      },
      { key: 'sesame', dimensions: 64 },
    ))

  it('has another fingerprint where its vectors would be others', () => {
    const of = (settings: Partial<EmbeddingSettings>) =>
      openaiCompatible({ model: 'plain', url: 'http://127.0.0.1:1', ...settings }).fingerprint
    const all = [{}, { model: 'other' }, { dimensions: 64 }, { queryPrefix: 'q' }, { documentPrefix: 'd' }].map(of)
    expect(new Set(all).size).toBe(all.length)
    expect(of({ url: 'http://127.0.0.1:2', key: 'k' })).toBe(of({}))
  })

  it.each<[string, Fault]>([
    ['is busy', { status: 429, headers: { 'retry-after-ms': '1' } }],
    ['fails for a moment', { status: 503, headers: { 'retry-after-ms': '1' } }],
  ])('is asked again for documents when it %s', (_, fault) =>
    withModel(async (model, server) => {
      server.faults.push(fault, fault)
      expect(await model.documents(['a cat'])).toHaveLength(1)
      expect(server.asked).toHaveLength(3)
    }),
  )

  it('is asked once more for the first documents, and four times more for others', () =>
    withModel(async (model, server) => {
      const faults = Array.from({ length: 7 }, () => ({ status: 503, headers: { 'retry-after-ms': '1' } }))
      server.faults.push(...faults)
      await expect(model.documents(['a cat'], undefined, true)).rejects.toThrow('failed (503)')
      expect(server.asked).toHaveLength(2)
      await expect(model.documents(['a cat'])).rejects.toThrow('failed (503)')
      expect(server.asked).toHaveLength(7)
    }))

  it.each<[string, Fault, string]>([
    ['refuses the key', { status: 401, body: '{"error":{"message":"no sesame"}}' }, 'denied'],
    ['refuses the key without an end', { status: 401, body: 'endless' }, 'denied'],
    ['refuses the text', { status: 400, body: '{"error":{"message":"too long"}}' }, 'invalid-input'],
    ['does not know the model', { status: 404 }, 'unavailable'],
    ['breaks off', 'cut', 'unavailable'],
    ['points to another path', { status: 307, headers: { location: '/v2' } }, 'unavailable'],
    ['points elsewhere', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }, 'unavailable'],
  ])('tells what is wrong when it %s', (_, fault, code) =>
    withModel(
      async (model, server) => {
        server.faults.push(fault)
        const error = await model.query('x').catch((thrown: unknown) => thrown)
        const message = expect.stringContaining('embedding service')
        expect(error).toMatchObject({ code, message, hint: expect.any(String) })
        expect(JSON.stringify([error, String(error)])).not.toContain('Bearer')
        expect(server.asked).toHaveLength(1)
      },
      { key: 'sesame' },
    ),
  )

  it('tells each letter of an error, also one whose bytes come apart', async () => {
    const bytes = [...Buffer.from('{"error":{"message":"Zu groß."}}')].map((byte) => Uint8Array.of(byte))
    using _ = vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response(ReadableStream.from(bytes), { status: 400 }))
    const told = await serviceFetch('http://127.0.0.1:1')('http://127.0.0.1:1/')
    expect(await told.json()).toMatchObject({ error: { message: 'Zu groß.' } })
  })

  const answer = (...items: readonly string[]) => ({ body: `{"data":[${items.join()}]}` })
  const item = (numbers: string, index?: number) =>
    `{"embedding":[${numbers}]${index === undefined ? '' : `,"index":${index}`}}`

  it.each<[string, Fault, RegExp]>([
    ['is nothing', { status: 204 }, /failed \(204\)/],
    ['is not JSON', { body: 'no JSON' }, /answer that is not valid: Invalid JSON/],
    ['is other JSON', { body: '{"data":"x"}' }, /answer that is not valid/],
    ['has no vector', answer(), /answer that is not valid/],
    ['has too few', answer(item('1,2')), /answer that is not valid: Expected 2/],
    ['has too many', answer(item('1'), item('2'), item('3')), /answer that is not valid: Expected 2/],
    ['has none for a text', answer(item('1,2'), '{}'), /answer that is not valid/],
    ['has an empty one', answer(item('1,2'), item('')), /lacks a vector for each/],
    ['has two for one text', answer(item('1,2', 1), item('2,1', 1)), /lacks a vector for each/],
    ['has one for a text that was not sent', answer(item('1,2', 0), item('2,1', 2)), /lacks a vector for each/],
    ['has vectors of different lengths', answer(item('1,2'), item('1,2,3')), /different lengths: 2, 3/],
    ['has NaN', answer(item('1,2'), item('NaN,2')), /answer that is not valid/],
    ['has text', answer(item('1,2'), item('"1","2"')), /answer that is not valid/],
    ['has what is infinite', answer(item('1,2'), item('1e999,2')), /answer that is not valid/],
    ['has what 32 bits do not hold', answer(item('1,2'), item('1e39,2')), /not all values are numbers/],
    ['has no end', 'endless', /more than 32000000 bytes/],
  ])('is not believed when its answer %s', (_, fault, message) =>
    withModel(async (model, server) => {
      server.faults.push(fault)
      const expected = { code: 'unavailable', message: expect.stringMatching(message), hint: expect.any(String) }
      await expect(model.documents(['a', 'b'])).rejects.toMatchObject(expected)
      expect(server.asked).toHaveLength(1)
    }),
  )

  it.each([
    ['null for a number', item('null,2')],
    ['null for all', '{"embedding":null}'],
  ])('says with %s that it made nothing of a text, as JSON has no NaN', (_, vector) =>
    withModel(async (model, server) => {
      server.faults.push(answer(item('1,2'), vector))
      await expect(model.documents(['a', 'b'])).rejects.toMatchObject({ code: 'invalid-input' })
    }),
  )

  it('may answer in another order, when it says so', () =>
    withModel(async (model, server) => {
      server.faults.push(answer(item('3', 2), item('1', 0), item('2', 1)))
      expect((await model.documents(['a', 'b', 'c'])).map(([first]) => first)).toEqual([1, 2, 3])
    }))

  it('tells that nobody is there', async () => {
    const model = openaiCompatible({ model: 'plain', url: 'http://127.0.0.1:9' })
    await expect(model.query('x')).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining('9') })
  })

  it('is let go of when the caller stops waiting', () =>
    withModel(async (model, server) => {
      server.faults.push('hang')
      const controller = new AbortController()
      const waiting = model.query('x', controller.signal)
      while (server.asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
      controller.abort()
      await expect(waiting).rejects.toMatchObject({ code: 'cancelled' })
      while (server.closed === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    }))
})
