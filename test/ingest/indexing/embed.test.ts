import { describe, expect, it } from 'vitest'
import { SILENT } from '../../../src/core/flow.ts'
import { type EmbedOptions, embedDocuments, SAMPLES } from '../../../src/ingest/embed.ts'
import { nameVectors } from '../../../src/ingest/embedded.ts'
import { openaiCompatible } from '../../../src/models/openai-compatible.ts'
import type { Store } from '../../../src/stores/store.ts'
import { type Shelf, type Shelved, shelf } from '../../collections/search/shelf.ts'
import { DIMENSIONS, type EmbeddingServer, embeddingServer, vectorOf } from '../../support/embedding-server.ts'
import type { Fault } from '../../support/model-server.ts'

interface Place {
  readonly server: EmbeddingServer
  readonly books: Shelf
  readonly store: Store
  /** By its model of this name. */
  embedded(options?: Partial<EmbedOptions>, model?: string): ReturnType<typeof embedDocuments>
  chunks(model?: string): Promise<number>
  centre(model?: string): Promise<Float32Array | undefined>
}

async function withPlace(shelved: Shelved, work: (place: Place) => Promise<void>): Promise<void> {
  await using server = await embeddingServer()
  await using books = await shelf(shelved)
  const { store } = books
  const modelOf = (model = 'plain') => openaiCompatible({ model, url: server.url })
  const embedded: Place['embedded'] = (options, model) =>
    store.vectors.exclusively(1000, () =>
      embedDocuments(store, modelOf(model), { collections: [], ...options }, SILENT),
    )
  const chunks: Place['chunks'] = async (model) => (await store.vectors.counts(nameVectors(modelOf(model)))).chunks
  const centre: Place['centre'] = (model) => store.vectors.centre(nameVectors(modelOf(model)))
  await work({ server, books, store, embedded, chunks, centre })
}

const TWO: Shelved = { 'a.md': 'a lion', 'notes:b.md': 'a whale' }

describe('the centre of a model', () => {
  it('is the mean of what it makes of the samples, which are sent once', () =>
    withPlace(TWO, async ({ server, books, embedded, centre }) => {
      await embedded()
      expect(server.asked[0]?.body.input).toEqual(SAMPLES)
      const units = SAMPLES.map(vectorOf).map((vector) => vector.map((one) => one / Math.hypot(...vector)))
      const mean = Array.from({ length: DIMENSIONS }, (_, at) =>
        units.reduce((sum, unit) => sum + (unit[at] ?? 0) / units.length, 0),
      )
      const found = await centre()
      for (const [at, value] of mean.entries()) expect(found?.[at]).toBeCloseTo(value, 6)
      await books.put({ 'c.md': 'a shark' })
      await embedded()
      await embedded({ collections: ['notes'], force: true })
      expect(server.texts.filter((text) => text === SAMPLES[0])).toHaveLength(1)
      await embedded({ force: true })
      expect(server.texts.filter((text) => text === SAMPLES[0])).toHaveLength(2)
      expect(await centre()).toEqual(found)
    }))

  it('is not asked for where nothing is to be embedded', () =>
    withPlace({}, async ({ server, embedded, centre }) => {
      await embedded()
      await embedded({ force: true })
      expect(server.asked).toEqual([])
      expect(await centre()).toBeUndefined()
    }))
})

const answer = (...embeddings: readonly string[]) => ({
  body: `{"data":[${embeddings.map((numbers) => `{"embedding":${numbers}}`).join()}]}`,
})
const WHOLE = JSON.stringify(vectorOf('x'))

describe('what a service answers wrongly', () => {
  const FAULTS: readonly (readonly [string, Fault])[] = [
    ['is not JSON', { body: '<html>' }],
    ['has no end', 'endless'],
    ['has NaN', answer(WHOLE, WHOLE.replace('[', '[NaN,'))],
    ['has what is infinite', answer(WHOLE, WHOLE.replace('[', '[1e999,'))],
    ['has text', answer(WHOLE, '["1"]')],
    ['has too few vectors', answer(WHOLE)],
    ['has vectors of different lengths', answer(WHOLE, '[1,2]')],
  ]

  it.each(FAULTS)('is not stored, nor anything that came with it: it %s', (_, fault) =>
    withPlace({ 'a.md': 'a lion' }, async ({ server, books, store, embedded, chunks }) => {
      await embedded()
      await books.put({ 'b.md': 'a whale', 'c.md': 'a shark' })
      server.faults.push(fault)
      await expect(embedded()).rejects.toMatchObject({ code: 'unavailable' })
      expect(await chunks()).toBe(1)
      expect(await store.check()).toEqual([])
      expect(await embedded()).toMatchObject({ embedded: 2 })
    }),
  )

  it.each(FAULTS)('makes no centre: it %s', (_, fault) =>
    withPlace(TWO, async ({ server, embedded, centre }) => {
      server.faults.push(fault)
      await expect(embedded()).rejects.toMatchObject({ code: 'unavailable' })
      expect(await centre()).toBeUndefined()
    }),
  )

  it('is told as a conflict when its dimensions are others than before', () =>
    withPlace({ 'a.md': 'a lion' }, async ({ server, books, embedded, chunks }) => {
      await embedded()
      await books.put({ 'b.md': 'a whale' })
      server.faults.push(answer('[1,2,3]'))
      await expect(embedded()).rejects.toMatchObject({
        code: 'conflict',
        message: 'The model gave vectors of 3 dimensions; earlier ones have 256.',
        hint: expect.stringContaining('--force'),
      })
      expect(await chunks()).toBe(1)
    }))

  it.each([
    ['nothing but zeros', '[0,0]'],
    ['null for a number', '[1,null]'],
  ])('is left out, with its text, where it has %s', (_, vector) =>
    withPlace({ 'a.md': 'a lion' }, async ({ server, books, embedded, chunks }) => {
      await embedded()
      await books.put({ 'b.md': 'a whale' })
      server.faults.push(answer(vector))
      expect(await embedded()).toMatchObject({ embedded: 0, failed: 1, left: [{ path: 'b.md' }] })
      expect(await chunks()).toBe(1)
    }),
  )
})

describe('vectors that there are', () => {
  it('stay where those of one collection are made anew', () =>
    withPlace(TWO, async ({ embedded, chunks }) => {
      await embedded()
      expect(await embedded({ collections: ['notes'], force: true })).toMatchObject({ embedded: 1 })
      expect(await chunks()).toBe(2)
    }))

  it('of another model go when the new one has made its own, and not before', () =>
    withPlace(TWO, async ({ server, embedded, chunks }) => {
      await embedded()
      server.faults.push({ status: 404 })
      await expect(embedded({}, 'mistyped')).rejects.toMatchObject({ code: 'unavailable' })
      expect([await chunks(), await chunks('mistyped')]).toEqual([2, 0])
      await embedded({}, 'other')
      expect([await chunks(), await chunks('other')]).toEqual([0, 2])
    }))
})
