import { expect, it } from 'vitest'
import { ExactTextReader } from '../../../src/collections/search/exact-text.ts'
import { fuseHits } from '../../../src/collections/search/fusion.ts'
import { type ComparedHit, tableMeaning } from '../../../src/collections/search/meaning.ts'
import { modelMeaning } from '../../../src/collections/search/model-meaning.ts'
import { shelf } from './shelf.ts'

const hits = [
  { document: { id: 1, title: 'Pets' }, shown: undefined },
  { document: { id: 2, title: 'Bank' }, shown: undefined },
] as unknown as readonly ComparedHit[]
const texts = new ExactTextReader(
  async () =>
    new Map([
      [1, 'The kitten naps.'],
      [2, 'Shares fell.'],
    ]),
)

/** A model of two dimensions: texts of kittens, and others. */
function askedModel(name: string, read: string[]) {
  const encode = async (asked: readonly string[]) => {
    read.push(...asked)
    return asked.map((text) => new Float32Array(text.includes('kitten') ? [1, 0] : [0, 1]))
  }
  return { name, vector: new Float32Array([1, 0]), centre: new Float32Array(2), encode }
}

const cosines = async (meaning: ReturnType<typeof modelMeaning>) => {
  const near = await meaning.nearest(hits, texts, 1)
  return hits.map(({ document }) => near.get(document.id)?.cosine)
}

it('reads the passages of a search that have no vectors, and the same ones once', async () => {
  const read: string[] = []
  for (let times = 0; times < 2; times++) {
    const meaning = modelMeaning([], askedModel('a', read), undefined)
    expect(await cosines(meaning)).toEqual([1, 0])
  }
  expect(read).toEqual(['Pets\n\nThe kitten naps.', 'Bank\n\nShares fell.'])
})

it('keeps the passages of each model apart', async () => {
  const read: string[] = []
  await modelMeaning([], askedModel('b', read), undefined).nearest(hits, texts, 1)
  expect(read).toHaveLength(2)
})

it('sends no passage of a search to a service', async () => {
  const { encode: _, ...service } = askedModel('c', [])
  const meaning = modelMeaning([], service, undefined)
  expect(await cosines(meaning)).toEqual([undefined, undefined])
})

it.each([
  [0.5, [2, 1]],
  [0.7, [1, 2]],
])('puts words that cover %s of the question beside a nearer text: %s', (coverage, order) => {
  const meaning = modelMeaning([], askedModel('d', []), undefined)
  const [words, near] = hits.map(({ document }) => document) as [never, never]
  const found = [
    { document: words, score: 1, lexical: { rank: 1, score: 1, boost: { factor: 1, isExact: false, pairs: 0 } } },
  ]
  const nearestById = new Map([
    [1, { cosine: 0.5 }],
    [2, { cosine: 0.8 }],
  ])
  const fused = fuseHits(found, [near], { meaning, coverage, nearestById, hasName: false })
  expect(fused.map(({ document }) => document.id)).toEqual(order)
})

it('compares all of a text by the table where words cover little of the question, else what they found', async () => {
  const filler = `${'The sea is calm, blue and warm at noon. '.repeat(20).slice(0, 799)}\n`
  const text = `${filler}${filler}${'Removing files from a folder deletes them. '.repeat(18)}`
  const document = { id: 1, hash: 'files', title: '', format: 'text' }
  const compared = [{ document, shown: { start: 810, end: 820 } }] as unknown as readonly ComparedHit[]
  const read = new ExactTextReader(async () => new Map([[1, text]]))
  const searched = {
    store: undefined as never,
    filter: {},
    documentCount: 1,
    isPlain: true,
    texts: read,
    minScore: undefined,
  }
  const meaning = tableMeaning('how do I delete a file', [], searched)
  const startFor = async (coverage: number) => (await meaning?.nearest(compared, read, coverage))?.get(1)?.start ?? -1
  expect(await startFor(0.9)).toBeLessThan(1500)
  expect(await startFor(0.5)).toBeGreaterThan(1500)
})

const MINUTES = 'Present: the chair and two members. Apologies: the secretary, who could not attend the meeting.'

it.each([
  ['are near', 'Which of the members did not attend?', {}, ['minutes.md']],
  ['are nearest, where words find a guess', 'Who was absent?', { minScore: 0 }, ['minutes.md', 'zones.md']],
  ['are nearest, with a minimum score of 0', 'What colour is the carpet?', { minScore: 0 }, ['minutes.md', 'zones.md']],
  ['are not near: no', 'What colour is the carpet?', {}, []],
])('finds documents that %s', async (_, query, request, found) => {
  await using books = await shelf({ 'minutes.md': MINUTES, 'zones.md': 'The ambient zone is warm.' })
  const { results } = await books.search(query, request)
  expect(results.map(({ path }) => path).sort()).toEqual(found)
})
