import { describe, expect, it } from 'vitest'
import { type Library, libraryOver } from '../../src/collections/library.ts'
import { ContextError } from '../../src/core/errors.ts'
import type { FlowEvent } from '../../src/core/flow.ts'
import { SAMPLES } from '../../src/ingest/embed.ts'
import { openaiCompatible } from '../../src/models/openai-compatible.ts'
import { type EmbeddingServer, embeddingServer } from '../support/embedding-server.ts'
import { type Shelf, type Shelved, shelf } from './search/shelf.ts'

const PETS: Shelved = {
  'pets.md': { title: 'Pets', text: '# Pets\n\nThe kitten sleeps.\n' },
  'cars.md': { title: 'Cars', text: '# Cars\n\nAn automobile needs fuel.\n' },
  'sea.md': { title: 'Sea', text: '# Sea\n\nWaves come and go.\n' },
}

interface Place {
  readonly server: EmbeddingServer
  readonly books: Shelf
  readonly library: Library
}

async function withPlace(shelved: Shelved, work: (place: Place) => Promise<void>): Promise<void> {
  await using server = await embeddingServer()
  await using books = await shelf(shelved)
  await work({ server, books, library: libraryFor(books, server) })
}

function libraryFor({ store }: Shelf, server: EmbeddingServer, model = 'plain'): Library {
  return libraryOver(store, { embedding: async () => openaiCompatible({ model, url: server.url }) })
}

/** What was sent of the documents. */
const ownOf = ({ texts }: EmbeddingServer) => texts.filter((text) => !SAMPLES.includes(text))

const paths = async (library: Library, query: string, more = {}) =>
  (await library.search({ query, ...more })).results.map(({ collection, path }) =>
    collection === 'docs' ? path : `${collection}:${path}`,
  )

describe('a model that cannot be opened', () => {
  it('leaves a search to words, which says why; a search by words does not ask for it', () =>
    withPlace(PETS, async ({ books: { store } }) => {
      const embedding = async () => {
        throw new ContextError('not-found', 'The folder of the model is gone.')
      }
      const library = libraryOver(store, { embedding })
      expect(await library.search({ query: 'kitten' })).toMatchObject({
        mode: 'lexical',
        degraded: ['vector'],
        notices: ['Searched without the embedding model: The folder of the model is gone.'],
        results: [{ path: 'pets.md' }],
      })
      expect((await library.search({ query: 'kitten', mode: 'lexical' })).degraded).toEqual([])
    }))
})

describe('embed', () => {
  it('sends each text once, with its title, and tells how far it is', () =>
    withPlace(PETS, async ({ library, server }) => {
      const told: FlowEvent[] = []
      const answer = await library.collections.embed({}, { emit: (event) => told.push(event) })
      expect(answer).toEqual({ model: 'plain', embedded: 3, chunks: 3, failed: 0, left: [] })
      expect(ownOf(server).sort()).toEqual([
        'Cars\n\n# Cars\n\nAn automobile needs fuel.',
        'Pets\n\n# Pets\n\nThe kitten sleeps.',
        'Sea\n\n# Sea\n\nWaves come and go.',
      ])
      expect(told.at(-1)).toEqual({ type: 'progress', what: 'plain', done: 3, total: 3 })
      expect(await library.collections.embed()).toMatchObject({ embedded: 0 })
      expect(ownOf(server)).toHaveLength(3)
    }))

  it('sends what is new, and what is in two collections once', () =>
    withPlace(PETS, async ({ library, books, server }) => {
      await library.collections.embed()
      const same = { title: 'N', text: 'new', hash: '0'.repeat(64) }
      await books.put({ 'new.md': same, 'notes:copy.md': same })
      expect(await library.collections.embed()).toMatchObject({ embedded: 1 })
      expect(ownOf(server)).toHaveLength(4)
      const { embedding } = await library.collections.status()
      expect(embedding).toEqual({ model: 'plain', documents: 5, missing: 0, chunks: 4 })
    }))

  it('is done for the collections that are named', () =>
    withPlace({ ...PETS, 'notes:a.md': 'lion' }, async ({ library }) => {
      expect(await library.collections.embed({ names: ['notes'] })).toMatchObject({ embedded: 1 })
      expect((await library.collections.status()).embedding).toMatchObject({ missing: 3 })
      await expect(library.collections.embed({ names: ['none'] })).rejects.toMatchObject({ code: 'not-found' })
    }))

  it('names a text that the model refuses, and goes on', () =>
    withPlace({ ...PETS, 'bad.md': 'unspeakable' }, async ({ library, server }) => {
      server.refused = 'unspeakable'
      expect(await library.collections.embed()).toMatchObject({
        embedded: 3,
        failed: 1,
        left: [{ collection: 'docs', path: 'bad.md', detail: expect.stringContaining('too long') }],
      })
      server.refused = undefined
      expect(await library.collections.embed()).toMatchObject({ embedded: 1, failed: 0 })
    }))

  it('stops when the model refuses everything', () =>
    withPlace({ ...PETS, 'a.md': 'a', 'b.md': 'b' }, async ({ library, server }) => {
      server.refused = ''
      await expect(library.collections.embed()).rejects.toMatchObject({ code: 'invalid-input' })
      expect(server.asked.length).toBeLessThan(8)
    }))

  it('keeps what was done when the service fails, and goes on from there', async () => {
    const many = Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`${at}.md`, `lion number ${at}`]))
    await withPlace(many, async ({ library, server }) => {
      const gone = { status: 401 } as const
      const emit = (event: FlowEvent) => {
        if (event.type === 'progress' && event.done >= 100) server.faults.push(gone)
      }
      await expect(library.collections.embed({}, { emit })).rejects.toMatchObject({ code: 'denied' })
      server.faults.length = 0
      const { missing = 0 } = (await library.collections.status()).embedding ?? {}
      expect(missing).toBeGreaterThan(0)
      expect(missing).toBeLessThan(350)
      expect(await library.collections.embed()).toMatchObject({ embedded: missing })
    })
  })

  it('makes all anew for another model, and when it is told to', () =>
    withPlace(PETS, async ({ library, books, server }) => {
      await library.collections.embed()
      expect(await libraryFor(books, server, 'other').collections.embed()).toMatchObject({ embedded: 3 })
      expect((await library.collections.status()).embedding).toMatchObject({ missing: 3, chunks: 0 })
      await library.collections.embed()
      expect(await library.collections.embed({ force: true })).toMatchObject({ embedded: 3 })
    }))

  it('keeps the vectors that there are where they cannot be made anew', () =>
    withPlace(PETS, async ({ library, server }) => {
      await library.collections.embed()
      server.faults.push({ status: 401 })
      await expect(library.collections.embed({ force: true })).rejects.toMatchObject({ code: 'denied' })
      expect((await library.collections.status()).embedding).toMatchObject({ missing: 0, chunks: 3 })
    }))

  it('says what to set where no model is set', async () => {
    await using books = await shelf(PETS)
    await expect(libraryOver(books.store).collections.embed()).rejects.toMatchObject({
      code: 'invalid-input',
      hint: expect.stringContaining('AMBIT_EMBEDDING_URL'),
    })
  })

  it('forgets what no document holds any more', () =>
    withPlace({ ...PETS, 'notes:a.md': 'lion' }, async ({ library, books }) => {
      await library.collections.embed()
      await books.remove('pets.md')
      await library.collections.embed()
      expect((await library.collections.status()).embedding).toMatchObject({ chunks: 3 })
      await library.collections.remove('notes')
      expect((await library.collections.status()).embedding).toMatchObject({ chunks: 2 })
      expect(await books.store.check()).toEqual([])
    }))
})

const TWO = { body: '{"data":[{"embedding":[1,2]}]}' }

describe('a search by meaning', () => {
  const withVectors = (shelved: Shelved, work: (place: Place) => Promise<void>) =>
    withPlace(shelved, async (place) => {
      await place.library.collections.embed()
      await work(place)
    })

  it('finds what words do not', () =>
    withVectors(PETS, async ({ library }) => {
      expect(await paths(library, 'feline', { mode: 'lexical' })).toEqual([])
      expect((await paths(library, 'feline', { mode: 'vector' }))[0]).toBe('pets.md')
      expect((await paths(library, 'vehicle'))[0]).toBe('cars.md')
      expect(await library.search({ query: 'vehicle' })).toMatchObject({ mode: 'hybrid', degraded: [] })
    }))

  it('puts first what both find', () =>
    withVectors({ ...PETS, 'more.md': 'feline' }, async ({ library }) => {
      const { results } = await library.search({ query: 'feline', explain: true })
      expect(results[0]).toMatchObject({ path: 'more.md', explain: { lexical: { rank: 1 }, vector: { rank: 1 } } })
      expect(results[1]).toMatchObject({ path: 'pets.md', explain: { vector: { rank: 2 } } })
      expect(results[1]?.explain?.lexical).toBeUndefined()
      const scores = results.map(({ score }) => score)
      expect(scores).toEqual([...scores].sort((a, b) => b - a))
      expect(Math.min(...scores)).toBeGreaterThanOrEqual(0)
    }))

  it('shows the lines that it found', () => {
    const filler = Array.from({ length: 60 }, (_, at) => `Waves come and go, ${at} times, on the shore.\n`).join('\n')
    const text = `# Sea\n\n${filler}\n## Animals\n\nA kitten sleeps on the boat.\n\n${filler}`
    return withVectors({ 'long.md': { title: 'Sea', text } }, async ({ library }) => {
      const { results } = await library.search({ query: 'feline', mode: 'vector', explain: true })
      const [hit] = results
      const lines = text.split('\n')
      const { start = 0, end = 0 } = hit?.lines ?? {}
      expect(lines.slice(start - 1, end).join('\n')).toBe(hit?.snippet)
      expect(lines.indexOf('## Animals') + 1).toBe(start)
      expect(hit?.headings).toEqual(['Sea', 'Animals'])
      expect(hit?.score).toBeCloseTo(hit?.explain?.vector?.cosine ?? 1)
    })
  })

  it.each([
    ['-automobile', ['pets.md', 'sea.md']],
    ['-title:cars', ['pets.md', 'sea.md']],
    ['-auto*', ['pets.md', 'sea.md']],
    ['-"automobile needs"', ['pets.md', 'sea.md']],
    ['"needs fuel"', ['cars.md']],
    ['title:cars', ['cars.md']],
    ['path:sea', ['sea.md']],
    ['-path:sea', ['cars.md', 'pets.md']],
  ])('heeds the sign of vehicle %s', (signs, expected) =>
    withVectors(PETS, async ({ library }) => {
      for (const mode of ['vector', 'hybrid'] as const)
        expect((await paths(library, `vehicle ${signs}`, { mode })).sort()).toEqual(expected)
    }),
  )

  it('heeds filters and paused collections', () =>
    withVectors(
      { ...PETS, 'notes:a.md': 'kitten', 'old.md': { text: 'kitten', modifiedAt: '2020-01-01' } },
      async (place) => {
        const { library } = place
        const all = (more: object) => paths(library, 'feline', { mode: 'vector', ...more })
        expect(await all({ collections: ['notes'] })).toEqual(['notes:a.md'])
        expect(await all({ path: ['p*.md'] })).toEqual(['pets.md'])
        expect(await all({ after: '2025-01-01' })).not.toContain('old.md')
        expect(await all({})).toContain('notes:a.md')
        await library.collections.change('notes', { isPaused: true })
        expect(await all({})).not.toContain('notes:a.md')
        expect(await all({ collections: ['notes'] })).toEqual(['notes:a.md'])
        await place.books.remove('old.md')
        expect(await all({})).not.toContain('old.md')
      },
    ))

  it('finds the same text in each place that has it, in the order of their names', () => {
    const same = { text: 'kitten', title: 'K', hash: 'a'.repeat(64) }
    return withVectors({ 'b.md': same, 'a.md': same, 'z:a.md': same }, async ({ library }) => {
      expect(await paths(library, 'feline', { mode: 'vector' })).toEqual(['a.md', 'b.md', 'z:a.md'])
    })
  })

  it.each<[string, (place: Place) => unknown, RegExp]>([
    ['is down', ({ server }) => server[Symbol.asyncDispose](), /did not answer/],
    ['refuses the key', ({ server }) => server.faults.push({ status: 401 }), /refused the key/],
    ['fails', ({ server }) => server.faults.push({ status: 500 }), /failed/],
    ['gives nonsense', ({ server }) => server.faults.push({ body: '?' }), /embedding service/],
    ['hangs', ({ server }) => server.faults.push('hang'), /too long/],
    [
      'gives other vectors',
      ({ server }) => server.faults.push(TWO),
      /2 dimensions, and gave 256 .*"ambit embed --force"/,
    ],
  ])('goes by words, and says so, when the service %s', (_, spoil, notice) =>
    withVectors(PETS, async (place) => {
      await spoil(place)
      const answer = await place.library.search({ query: 'kitten' })
      expect(answer).toMatchObject({ mode: 'lexical', degraded: ['vector'], results: [{ path: 'pets.md' }] })
      expect(answer.notices[0]).toMatch(notice)
    }),
  )

  it('goes by words where nothing is embedded, or no model is set', () =>
    withPlace(PETS, async ({ library, books, server }) => {
      const asked = { query: 'kitten', mode: 'vector' } as const
      expect(await library.search(asked)).toMatchObject({ mode: 'lexical', degraded: ['vector'], results: [{}] })
      expect(server.asked).toEqual([])
      const bare = libraryOver(books.store)
      const notices = [expect.stringContaining('AMBIT_')]
      expect(await bare.search(asked)).toMatchObject({ degraded: ['vector'], notices })
      expect(await bare.search({ query: 'kitten' })).toMatchObject({ mode: 'lexical', degraded: [], notices: [] })
    }))

  it('sends what is looked for without its signs, and nothing where words are asked for', () =>
    withVectors(PETS, async ({ library, server }) => {
      const before = server.texts.length
      await library.search({ query: 'a "big vehicle" -sea title:cars path:x run*' })
      await library.search({ query: '-sea' })
      await library.search({ query: 'kitten', mode: 'lexical' })
      expect(server.texts.slice(before)).toEqual(['a big vehicle cars run'])
    }))
})
