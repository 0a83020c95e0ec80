import { describe, expect, it } from 'vitest'
import { type Library, libraryOver } from '../../src/collections/library.ts'
import { createReranker } from '../../src/collections/search/reranking.ts'
import type { SearchRequest } from '../../src/collections/search.ts'
import { SILENT } from '../../src/core/flow.ts'
import { libraryChecks } from '../../src/engine/doctor/part-checks.ts'
import { openaiCompatible } from '../../src/models/openai-compatible.ts'
import { rerankService } from '../../src/models/rerank-service.ts'
import { embeddingServer } from '../support/embedding-server.ts'
import { type RerankServer, rerankServer } from '../support/rerank-server.ts'
import { SOON } from '../support/soon.ts'
import { type Shelf, type Shelved, shelf } from './search/shelf.ts'

interface Place {
  readonly server: RerankServer
  readonly books: Shelf
  readonly library: Library
}

async function withPlace(shelved: Shelved, work: (place: Place) => Promise<void>): Promise<void> {
  await using server = await rerankServer()
  await using books = await shelf(shelved)
  await work({ server, books, library: libraryFor(books, server) })
}

const modelOf = (server: RerankServer) => rerankService({ model: 'judge', url: server.url, key: 'sesame' })

function libraryFor({ store }: Shelf, server: RerankServer): Library {
  return libraryOver(store, { reranking: async () => modelOf(server) })
}

/** By words the order is a, b, c; a text says what it is worth to the model. */
const RETRIES: Shelved = {
  'a.md': { title: 'Retry', text: '# Retry\n\nRetry, retry, retry. worth=0.1\n' },
  'b.md': { title: 'Errors', text: '# Errors\n\nWe retry twice. worth=0.9\n' },
  'c.md': { title: 'More', text: '# More\n\nOf a retry much more can be said, which is not said here. worth=0.5\n' },
  'sea.md': { title: 'Sea', text: '# Sea\n\nWaves. worth=1\n' },
}

const worth = (_: string, document: string) => Number(/worth=(-?[\d.]+)/.exec(document)?.[1] ?? 0)

const paths = (results: readonly { readonly path: string }[]) => results.map(({ path }) => path)

const many = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      `${String(at).padStart(3, '0')}.md`,
      { title: `Number ${at}`, text: `${'retry '.repeat(count - at)}\n\nworth=0.${String(at).padStart(3, '0')}` },
    ]),
  )

describe('a search that is reranked', () => {
  it('has pages in the order of the model, and other orders as they are asked for', () =>
    withPlace(RETRIES, async ({ library, server }) => {
      server.judge = worth
      const page = async (request: Partial<SearchRequest>) =>
        paths((await library.search({ query: 'retry', rerank: true, limit: 1, ...request })).results)
      expect([await page({}), await page({ offset: 1 }), await page({ offset: 2 }), await page({ offset: 3 })]).toEqual(
        [['b.md'], ['c.md'], ['a.md'], []],
      )
      const changed = async (rerank: boolean) =>
        paths((await library.search({ query: 'retry', sort: 'changed', rerank })).results)
      expect(await changed(true)).toEqual(await changed(false))
    }))

  it('is in the order of the model, with its scores, and says why', () =>
    withPlace(RETRIES, async ({ library, server }) => {
      server.judge = worth
      const plain = await library.search({ query: 'retry', explain: true })
      expect(paths(plain.results)[0]).toBe('a.md')
      const reranked = await library.search({ query: 'retry', explain: true, rerank: true })
      const { results, degraded, notices, mode, total } = reranked
      expect(results.map(({ path, score, explain }) => [path, score, explain?.rerank])).toEqual([
        ['b.md', 0.9, { rank: 1, score: 0.9 }],
        ['c.md', 0.5, { rank: 2, score: 0.5 }],
        ['a.md', 0.1, { rank: 3, score: 0.1 }],
      ])
      expect(results[2]?.explain?.lexical).toEqual(plain.results[0]?.explain?.lexical)
      expect({ degraded, notices, mode, total }).toEqual({ degraded: [], notices: [], mode: 'lexical', total: 3 })
      expect(results.map(({ snippet }) => snippet)).not.toContain('')
    }))

  it('sends what is looked for without its signs, and of each hit its place and a passage', () =>
    withPlace(RETRIES, async ({ library, server, books }) => {
      const hay = Array.from({ length: 2000 }, (_, at) => `Hay ${at}.\n`).join('')
      const text = `# Guide\n\n${hay}\n## Network\n\nWe retry here.\n\n${hay}`
      await books.put({ 'long.md': { title: 'Guide', text, format: 'markdown' } })
      await library.search({ query: 'retry "we" -twice title:long path:long', rerank: true })
      const [asked] = server.asked
      expect(asked?.body).toMatchObject({ query: 'retry we long', model: 'judge', top_n: 1 })
      const [document = ''] = asked?.body.documents ?? []
      expect(document).toMatch(/^Guide > Network\n\n/)
      expect(document).toContain('We retry here.')
      expect(document.length).toBeGreaterThan(1200)
      expect(document.length).toBeLessThan(1700)
      expect(asked?.headers.authorization).toBe('Bearer sesame')
    }))

  it.each([
    [3, 40, 50],
    [40, 40, 50],
    [45, 45, 50],
    [200, 100, 130],
  ])('of %i results has %i judged', (limit, judged, count) =>
    withPlace(many(count), async ({ library, server }) => {
      server.judge = worth
      const { results } = await library.search({ query: 'retry', limit, rerank: true, explain: true })
      expect(server.asked.map(({ body }) => body.documents.length)).toEqual([judged])
      expect(results).toHaveLength(Math.min(limit, count))
      const before = paths((await library.search({ query: 'retry', limit: 200 })).results)
      const expected = [...before.slice(0, judged).reverse(), ...before.slice(judged)].slice(0, limit)
      expect(paths(results)).toEqual(expected)
      const scores = results.map(({ score }) => score)
      expect(scores).toEqual([...scores].sort((a, b) => b - a))
      expect(results.findIndex(({ explain }) => explain?.rerank === undefined)).toBe(limit > judged ? judged : -1)
    }),
  )

  it('brings raw numbers of a model between 0 and 1', () =>
    withPlace(RETRIES, async ({ library, server }) => {
      server.judge = (_, document) => worth('', document) * 20 - 10
      const { results } = await library.search({ query: 'retry', rerank: true, explain: true })
      expect(results.map(({ path, score, explain }) => [path, score, explain?.rerank?.score])).toEqual([
        ['b.md', 0.9997, 8],
        ['c.md', 0.5, 0],
        ['a.md', 0.0003, -8],
      ])
    }))

  it('leaves out what scores less in the end', () =>
    withPlace(RETRIES, async ({ library, server }) => {
      server.judge = worth
      const search = (minScore: number) => library.search({ query: 'retry', rerank: true, minScore })
      const before = (await library.search({ query: 'retry' })).results.find(({ path }) => path === 'b.md')
      expect(before?.score).toBeLessThan(0.9)
      expect(paths((await search(0.9)).results)).toEqual(['b.md'])
      expect(paths((await search(0.5)).results)).toEqual(['b.md', 'c.md'])
      server.faults.push({ status: 500 })
      const plain = await library.search({ query: 'retry', minScore: 0.9 })
      expect((await search(0.9)).results).toEqual(plain.results)
    }))

  it.each<[string, Partial<SearchRequest>]>([
    ['a sign', { query: 'retry -twice' }],
    ['a phrase', { query: '"much more"' }],
    ['a title', { query: 'retry title:more' }],
    ['a path', { query: 'retry path:c' }],
    ['a glob', { path: ['c*'] }],
    ['a day', { after: '2025-01-01' }],
    ['a condition', { where: ['status=done'] }],
    ['a collection', { collections: ['notes'] }],
  ])('never brings back what %s left out, however much it is worth', (_, more) =>
    withPlace(
      {
        'a.md': { text: 'retry retry', modifiedAt: '2020-01-01' },
        'b.md': { text: 'retry twice. worth=1', modifiedAt: '2020-01-01' },
        'c.md': { title: 'More', text: 'retry much more', modifiedAt: '2026-01-01', metadata: { status: 'done' } },
        'notes:d.md': { text: 'retry. worth=0.5', modifiedAt: '2020-01-01' },
      },
      async ({ library, server }) => {
        server.judge = worth
        const request = { query: 'retry', ...more }
        const plain = paths((await library.search(request)).results)
        expect(plain).not.toContain('b.md')
        expect(plain.length).toBeGreaterThan(0)
        const { results, degraded } = await library.search({ ...request, rerank: true })
        expect(degraded).toEqual([])
        expect(paths(results).sort()).toEqual(plain.sort())
        expect(server.asked.flatMap(({ body }) => body.documents).join()).not.toContain('twice')
      },
    ),
  )

  it('asks nobody where it is not asked for, or there is nothing to judge', () =>
    withPlace(RETRIES, async ({ library, server }) => {
      await library.search({ query: 'retry' })
      await library.search({ query: 'retry', rerank: false })
      expect(await library.search({ query: 'nowhere', rerank: true })).toMatchObject({ degraded: [], results: [] })
      expect(await library.search({ query: '-sea', rerank: true })).toMatchObject({ degraded: [] })
      expect(server.asked).toEqual([])
    }))

  it('sends no more of a long query than a model reads', () =>
    withPlace(RETRIES, async ({ library, server }) => {
      await library.search({ query: `retry ${'word '.repeat(2000)}`, rerank: true })
      expect(server.asked[0]?.body.query).toHaveLength(1000)
    }))

  it('judges what was found by meaning, by the lines that it was found by', async () => {
    await using vectors = await embeddingServer()
    await using server = await rerankServer()
    const filler = Array.from({ length: 60 }, (_, at) => `Waves come and go, ${at} times, on the shore.\n`).join('\n')
    await using books = await shelf({
      'long.md': { title: 'Sea', text: `# Sea\n\n${filler}\n## Animals\n\nA kitten sleeps on the boat.\n\n${filler}` },
      'cars.md': { title: 'Cars', text: '# Cars\n\nAn automobile needs fuel. worth=1\n' },
    })
    server.judge = worth
    const library = libraryOver(books.store, {
      embedding: async () => openaiCompatible({ model: 'plain', url: vectors.url }),
      reranking: async () => modelOf(server),
    })
    await library.collections.embed()
    for (const mode of ['vector', 'hybrid'] as const) {
      expect(paths((await library.search({ query: 'feline', mode })).results)).toEqual(['long.md', 'cars.md'])
      const answer = await library.search({ query: 'feline', mode, rerank: true, explain: true })
      expect(answer).toMatchObject({ mode, degraded: [], results: [{ path: 'cars.md' }, { path: 'long.md' }] })
      expect(answer.results[0]?.explain).toMatchObject({ vector: { rank: 2 }, rerank: { rank: 1, score: 1 } })
      expect(server.asked.at(-1)?.body.documents[0]).toContain('A kitten sleeps on the boat.')
    }
    vectors.faults.push({ status: 500 })
    server.faults.push({ status: 500 })
    expect(await library.search({ query: 'automobile', rerank: true })).toMatchObject({
      mode: 'lexical',
      degraded: ['vector', 'rerank'],
      results: [{ path: 'cars.md' }],
      notices: [expect.stringContaining('without the embedding model'), expect.stringContaining('Not reranked')],
    })
  })
})

const ELSEWHERE = { status: 302, headers: { location: 'http://127.0.0.1:1/x' } } as const

describe('a search whose model does not judge', () => {
  it.each<[string, (place: Place) => unknown, RegExp]>([
    ['is down', ({ server }) => server[Symbol.asyncDispose](), /did not answer: .*AMBIT_RERANK_URL/],
    ['refuses the key', ({ server }) => server.faults.push({ status: 401 }), /refused the key\. Set AMBIT_RERANK_KEY/],
    ['fails', ({ server }) => server.faults.push({ status: 500, body: 'sesame' }), /failed \(500\): … Try again/],
    ['refuses a text', ({ server }) => server.faults.push({ status: 400 }), /longer than the model can read/],
    ['knows no such model', ({ server }) => server.faults.push({ status: 404 }), /AMBIT_RERANK_MODEL/],
    ['gives no JSON', ({ server }) => server.faults.push({ body: '<html>' }), /not JSON/],
    ['judges half of them', ({ server }) => server.faults.push({ body: '{"results":[]}' }), /0 scores for 3 texts/],
    ['points elsewhere', ({ server }) => server.faults.push(ELSEWHERE), /redirects to http:\/\/127\.0\.0\.1:1 /],
    ['breaks off', ({ server }) => server.faults.push('cut'), /Not reranked/],
  ])('is as it was without, and says so, when the service %s', (_, spoil, notice) =>
    withPlace(RETRIES, async (place) => {
      const plain = await place.library.search({ query: 'retry', explain: true, limit: 2 })
      await spoil(place)
      const answer = await place.library.search({ query: 'retry', explain: true, limit: 2, rerank: true })
      expect(answer).toEqual({ ...plain, degraded: ['rerank'], notices: [expect.stringMatching(notice)] })
      expect(answer.notices[0]).toMatch(/^Not reranked: /)
      expect(JSON.stringify(answer)).not.toContain('sesame')
    }),
  )

  it('says what to set where no model is', async () => {
    await using books = await shelf(RETRIES)
    const library = libraryOver(books.store)
    const plain = await library.search({ query: 'retry' })
    expect(await library.search({ query: 'retry', rerank: true })).toEqual({
      ...plain,
      degraded: ['rerank'],
      notices: [expect.stringContaining('see AMBIT_RERANK_MODEL')],
    })
  })

  it('waits no longer than it should', () =>
    withPlace(RETRIES, async ({ server }) => {
      server.faults.push('hang')
      const reranker = createReranker(modelOf(server), SILENT, 50)
      const hits = [{ document: { id: 1 } as never, score: 1 }]
      const why = 'the reranking service took longer than 0.05 seconds. A smaller model may be fast enough.'
      const left = { hits, degraded: ['rerank'], notices: [`Not reranked: ${why}`] }
      expect(await reranker('x', hits, () => 'x')).toEqual(left)
      while (server.closed === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    }))

  it('is given up with the search', () =>
    withPlace(RETRIES, async ({ library, server }) => {
      server.faults.push('hang')
      const controller = new AbortController()
      const searching = library.search({ query: 'retry', rerank: true }, { ...SILENT, signal: controller.signal })
      while (server.asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
      controller.abort()
      const aborted = performance.now()
      await expect(searching).rejects.toMatchObject({ code: 'cancelled' })
      while (server.closed === 0) await new Promise((resolve) => setTimeout(resolve, 5))
      // Well before the model would be given up anyway.
      expect(performance.now() - aborted).toBeLessThan(SOON)
    }))
})

describe('the check of the reranking service', () => {
  const check = async (server?: RerankServer) =>
    libraryChecks({}, async () => Promise.reject(new Error('no library')), {
      reranking: async () => server && modelOf(server),
    }).reranking?.({}, SILENT)

  it('tells that it answers, that none is set, or what is wrong', async () => {
    await using server = await rerankServer()
    expect(await check()).toEqual({ status: 'ok', message: expect.stringContaining('No reranking model is set') })
    expect(await check(server)).toEqual({ status: 'ok', message: 'judge answers, with scores.' })
    server.faults.push({ status: 401 })
    await expect(check(server)).rejects.toMatchObject({ code: 'denied', hint: 'Set AMBIT_RERANK_KEY.' })
  })
})
