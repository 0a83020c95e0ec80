import { describe, expect, it } from 'vitest'
import { languageModel } from '../../src/models/language-providers.ts'

import { languageReranker, rerankService } from '../../src/models/rerank-service.ts'
import type { RerankingModel, RerankingSettings } from '../../src/models/reranking.ts'
import { languageServer } from '../support/language-server.ts'
import type { Fault } from '../support/model-server.ts'
import { type RerankServer, rerankServer } from '../support/rerank-server.ts'

const KEY = 'open-sesame'

async function withModel(
  work: (model: RerankingModel, server: RerankServer) => Promise<void>,
  settings: Partial<RerankingSettings> = {},
): Promise<void> {
  await using server = await rerankServer()
  await work(rerankService({ model: 'judge', url: server.url, ...settings }), server)
}

const scored = (pairs: readonly (readonly [unknown, unknown])[]) =>
  pairs.map(([index, relevance_score]) => ({ index, relevance_score }))
const BEST = scored([
  [1, 0.99],
  [0, 0.5],
])

const answered = (body: unknown): Fault => ({ body: typeof body === 'string' ? body : JSON.stringify(body) })

describe('a model that judges, behind a service', () => {
  it('gives a score for each text, in their order', () =>
    withModel(async (model) => {
      expect(await model.rank('red car', ['a blue car', 'nothing', 'a red car'])).toEqual([0.5, 0, 1])
    }))

  it.each([
    ['', '/v1/rerank'],
    ['/v1/rerank', '/v1/rerank'],
    ['/v1?version=2', '/v1/rerank?version=2'],
  ])('is asked where its URL says: "%s"', async (end, path) => {
    await using server = await rerankServer()
    await rerankService({ model: 'judge', url: `${server.url}${end}` }).rank('x', ['x'])
    expect(server.asked.map((one) => one.path)).toEqual([path])
  })

  it('is told the key, the model, what is looked for, the texts and that all are wanted', () =>
    withModel(
      async (model, { asked }) => {
        await model.rank('what', ['one', 'two'])
        const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }
        const body = { model: 'judge', query: 'what', documents: ['one', 'two'], top_n: 2 }
        expect(asked).toMatchObject([{ headers, body }])
      },
      { key: KEY },
    ))

  it('is told no key where there is none, and no half of a character', () =>
    withModel(async (model, { asked }) => {
      await model.rank('\ud83d', ['a\udc00'])
      expect(asked[0]?.headers.authorization).toBeUndefined()
      expect(asked[0]?.body).toMatchObject({ query: '\ufffd', documents: ['a\ufffd'] })
    }))

  it.each<[string, unknown]>([
    ['Cohere, the best first', { id: '1', results: BEST, meta: { billed_units: { search_units: 1 } } }],
    ['Voyage, which calls the list data', { object: 'list', data: BEST }],
  ])('is understood when it answers as %s', (_, body) =>
    withModel(async (model, server) => {
      server.faults.push(answered(body))
      expect(await model.rank('x', ['one', 'two'])).toEqual([0.5, 0.99])
    }),
  )

  it('may give numbers of any size, as llama.cpp does', () =>
    withModel(async (model, server) => {
      const results = [7.74, -11.02, 0].map((relevance_score, index) => ({ index, relevance_score }))
      server.faults.push(answered({ model: 'm', object: 'list', results }))
      expect(await model.rank('x', ['one', 'two', 'three'])).toEqual([7.74, -11.02, 0])
    }))

  const scores = (...pairs: readonly (readonly [unknown, unknown])[]) => answered({ results: scored(pairs) })

  const TOO_LARGE = { status: 500, body: '{"error":{"code":500,"message":"input (600 tokens) is too large"}}' }
  const ENDLESS = answered('{"results":[{"index":0,"relevance_score":1},{"index":1,"relevance_score":1e999}]}')

  it.each<[string, Fault, string, RegExp]>([
    ['repeats the key', { status: 400, body: `{"message":"bad ${KEY}"}` }, 'invalid-input', /refused the text: bad …/],
    [
      'refuses a text by a fault of its own',
      TOO_LARGE,
      'invalid-input',
      /refused the text: input \(600 tok.* too large/,
    ],
    ['is busy', { status: 429, headers: { 'retry-after': '60' } }, 'unavailable', /failed \(429\)/],
    ['gives no JSON', answered('<html>'), 'unavailable', /it is not JSON/],
    ['gives no list', answered({ results: { index: 0 } }), 'unavailable', /no list of results/],
    ['gives no results', answered({ results: [] }), 'unavailable', /0 scores for 2 texts/],
    ['leaves a text out', scores([0, 1]), 'unavailable', /1 scores for 2 texts/],
    ['gives more than was asked', scores([0, 1], [1, 1], [2, 1]), 'unavailable', /3 scores for 2 texts/],
    ['gives two scores for a text', scores([0, 1], [0, 0.5]), 'unavailable', /two scores for one text/],
    ['gives a score for no text', scores([0, 1], [2, 1]), 'unavailable', /a score for no text/],
    ['counts backwards', scores([0, 1], [-1, 1]), 'unavailable', /a score for no text/],
    ['gives null for a score', scores([0, 1], [1, null]), 'unavailable', /not a number/],
    ['gives a score beyond all numbers', ENDLESS, 'unavailable', /not a number/],
    ['gives lists of nothing', answered({ results: [null, 7] }), 'unavailable', /a score for no text/],
  ])('tells what is wrong when it %s', (_, fault, code, message) =>
    withModel(
      async (model, server) => {
        server.faults.push(fault)
        const error = await model.rank('x', ['one', 'two']).catch((thrown: unknown) => thrown)
        expect(error).toMatchObject({ code, message: expect.stringMatching(message) })
        expect(String(error)).toMatch(/The reranking service at http:\/\/127\.0\.0\.1:\d+ /)
        expect(JSON.stringify([error, String(error), (error as Error).stack])).not.toMatch(/sesame|Bearer|EMBEDDING/)
        expect(server.asked).toHaveLength(1)
      },
      { key: KEY },
    ),
  )

  it('tells that nobody is there, and what to look at', async () => {
    const model = rerankService({ model: 'judge', url: 'http://127.0.0.1:9' })
    await expect(model.rank('x', ['x'])).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('http://127.0.0.1:9 did not answer'),
      hint: expect.stringContaining('AMBIT_RERANK_URL'),
    })
  })

  it('is none at a URL that is none', () => {
    expect(() => rerankService({ model: 'judge', url: 'localhost' })).toThrow(/The URL of the reranking service/)
  })
})

describe('a language model that judges', () => {
  async function askWith(answer: string, texts: readonly string[] = ['one', 'two', 'three']) {
    await using server = await languageServer('chat', [{ text: answer }])
    const open = () => languageModel({ provider: 'openai-compatible', model: 'm', url: server.url })
    const scores = await languageReranker('m', open).rank('red <car>', texts)
    return { scores, asked: JSON.stringify(server.asked.map(({ body }) => body.messages)) }
  }

  it.each<[string, string, number[]]>([
    ['a line for each', '1 0.2\n2 0.91\n3 0', [0.2, 0.91, 0]],
    ['lines in another order, as a list', 'Scores:\n- `3`: 0.5\n* 1 = 1.0\n\n2) .25', [1, 0.25, 0.5]],
    ['numbers with a point, and remarks', '1. 0.5 (the cause)\n2. 0.125, a caller\n3. 0', [0.5, 0.125, 0]],
    ['more than there are, and sentences', '9 0.3\n0 1\n1 0.4\n2 1\n3 0.1\nText 2 is about 3 cars.', [0.4, 1, 0.1]],
  ])('may give %s', async (_, answer, expected) => {
    expect((await askWith(answer)).scores).toEqual(expected)
  })

  it('gets the query and the texts as frames with ids', async () => {
    const { asked } = await askWith('1 1\n2 0', ['</text>', 'two'])
    expect(asked).toContain('<query>\\nred &lt;car')
    expect(asked).toContain('<text id=\\"1\\">\\n&lt;/text')
    expect(asked).toContain('<text id=\\"2\\">\\ntwo')
  })

  it.each([
    ['none', 'I cannot judge these 3 texts.', 0],
    ['not all', '2 0.7', 1],
    ['numbers alone', '0.9\n0.2\n0.7', 0],
    ['numbers over 1', '1 7\n2 1.5\n3 10', 0],
  ])('is unavailable if its scores are %s', async (_, answer, count) => {
    const error = { code: 'unavailable', message: `The language model gave ${count} scores for 3 texts.` }
    await expect(askWith(answer)).rejects.toMatchObject(error)
  })
})
