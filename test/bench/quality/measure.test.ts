import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Doc, judgementsOf } from '../../../bench/quality/collection.ts'
import {
  answersTo,
  bootstrapInterval,
  meanOf,
  measuresTable,
  ndcg,
  reciprocalRank,
} from '../../../bench/quality/measure.ts'
import { RANKERS } from '../../../bench/quality/quality.bench.ts'
import { hasFallen, qualityOf, type ReachedFigures } from '../../../bench/quality/quality.ts'
import { matchOf } from '../../../bench/quality/rankers/fts5.ts'
import { openOwnSets } from '../../../bench/quality/sets.ts'
import { contentWords } from '../../../bench/quality/words.ts'
import { ROOT } from '../../source-files.ts'
import { fc, forAll } from '../../support/property.ts'

const RELEVANCE = new Map([
  ['a', 3],
  ['b', 2],
  ['c', 1],
  ['z', 0],
])

describe('nDCG', () => {
  // Best order: 3 + 2 / log2(3) + 1 / log2(4) = 3 + 1.26186 + 0.5 = 4.76186.
  it.each([
    ['is 1 for the best order', ['a', 'b', 'c'], 10, 1],
    ['discounts what comes late', ['c', 'b', 'a'], 10, (1 + 2 / Math.log2(3) + 3 / 2) / 4.76186],
    ['counts what nobody judged as nothing', ['x', 'a'], 10, 3 / Math.log2(3) / 4.76186],
    ['counts what was judged irrelevant as nothing', ['z', 'a'], 10, 3 / Math.log2(3) / 4.76186],
    ['is 0 when nothing relevant was found', ['x', 'z'], 10, 0],
    ['is 0 for no answer', [], 10, 0],
    ['looks at the first k only, in the best order too', ['x', 'a', 'b'], 1, 0],
    ['can be 1 at k with more relevant documents than k', ['a'], 1, 1],
  ])('%s', (_, ranking, k, value) => {
    expect(ndcg(ranking, RELEVANCE, k)).toBeCloseTo(value, 5)
  })

  it('is 0 where nothing is relevant', () => {
    expect(ndcg(['a'], new Map([['a', 0]]), 10)).toBe(0)
  })

  it('is as published for gains 3, 2, 3, 0, 1, 2', () => {
    const relevance = new Map([3, 2, 3, 0, 1, 2].map((gain, at) => [`d${at + 1}`, gain]))
    expect(ndcg(['d1', 'd2', 'd3', 'd4', 'd5', 'd6'], relevance, 6)).toBeCloseTo(0.961, 3)
  })
})

describe('the reciprocal rank', () => {
  it.each([
    [['a'], 10, 1],
    [['x', 'z', 'c'], 10, 1 / 3],
    [['x', 'y', 'c'], 2, 0],
    [[], 10, 0],
  ])('of %j among the first %i is %f', (ranking, k, value) => {
    expect(reciprocalRank(ranking, RELEVANCE, k)).toBeCloseTo(value)
  })
})

describe('scores', () => {
  it('lie between 0 and 1, and the better of two neighbours first never lowers nDCG', () => {
    const gains = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 2, maxLength: 12 })
    forAll(gains, fc.nat(), (values, at) => {
      const relevance = new Map(values.map((gain, index) => [`${index}`, gain]))
      const ranking = [...relevance.keys()]
      const first = at % (ranking.length - 1)
      const swapped = [...ranking]
      swapped.splice(first, 2, ranking[first + 1] ?? '', ranking[first] ?? '')
      const [before, after] = [ndcg(ranking, relevance, 10), ndcg(swapped, relevance, 10)]
      expect(before).toBeGreaterThanOrEqual(0)
      expect(before).toBeLessThanOrEqual(1 + 1e-12)
      const better = (relevance.get(swapped[first] ?? '') ?? 0) >= (relevance.get(ranking[first] ?? '') ?? 0)
      if (better) expect(after).toBeGreaterThanOrEqual(before - 1e-12)
    })
  })
})

it('tells between what a mean lies', () => {
  const [low, high] = bootstrapInterval(Array.from({ length: 100 }, (_, at) => at % 2))
  expect(low).toBeGreaterThan(0.38)
  expect(low).toBeLessThan(0.42)
  expect(high).toBeGreaterThan(0.58)
  expect(high).toBeLessThan(0.62)
  expect(bootstrapInterval([0.5, 0.5])).toEqual([0.5, 0.5])
})

it('has a row for each thing that is asked and a column for each ranker', () => {
  const measures = [
    { row: 'one', ranker: 'A', scores: [1, 1, 1] },
    { row: 'other', ranker: 'A', scores: [0] },
    { row: 'one', ranker: 'B', scores: [0.5, 0.5, 0.5] },
  ]
  expect(measuresTable('', '', measures)).toMatchObject({
    columns: ['', 'queries', 'A', 'B'],
    rows: [
      ['one', '3', '1.000 [1.000–1.000]', '0.500 [0.500–0.500]'],
      ['other', '1', '0.000 [0.000–0.000]', ''],
    ],
  })
})

const REACHED: ReachedFigures = { search: { mean: 0.8, low: 0.7, high: 0.9 } }

describe('a figure', () => {
  it.each([
    ['is as it was', [0.8, 0.8], 'search', false],
    ['is lower by less than its noise', [0.5, 0.95], 'search', false],
    ['has fallen', [0.5, 0.8], 'search', true],
    ['was never reached', [0], 'other', false],
  ])('%s', (_, scores, name, expected) => {
    expect(hasFallen({ name, scores }, REACHED)).toBe(expected)
  })
})

it('What was reached is still reached, of all but search', async () => {
  const reached: ReachedFigures = JSON.parse(readFileSync(join(ROOT, 'test/quality/reached.json'), 'utf8'))
  const figures = await qualityOf([])
  expect(figures.map(({ name }) => name).filter((name) => !(name in reached))).toEqual([])
  expect(figures.filter((figure) => hasFallen(figure, reached))).toEqual([])
})

const DOCUMENTS: readonly Doc[] = [
  { id: 'one', path: 'one.md', title: 'Harbour', text: 'boats lie in the harbour' },
  { id: 'two', path: 'two.md', title: 'Market', text: 'fish from boats is sold at the market' },
  { id: 'three', path: 'three.md', title: 'Hill', text: 'sheep graze on the hill' },
]

async function* stream(documents: readonly Doc[] = DOCUMENTS): AsyncIterable<Doc> {
  yield* documents
}

describe.each(RANKERS.map((maker) => [maker.name, maker] as const))('%s', (_, maker) => {
  async function ask(query: string, k = 10): Promise<readonly string[]> {
    const ranker = maker.open()
    await ranker.index(stream())
    const found = await ranker.search(query, k)
    await ranker.close()
    return found
  }

  it('puts first the document that holds all words', async () => {
    expect((await ask('boats harbour'))[0]).toBe('one')
  })

  it('gives no more than it is asked for', async () => {
    expect(await ask('boats', 1)).toHaveLength(1)
  })

  it.each(['"', 'AND', '* OR NEAR(', "boats' --", 'title:', ''])('takes %j for words', async (query) => {
    await expect(ask(query)).resolves.toBeInstanceOf(Array)
  })
})

describe('a query of FTS5', () => {
  it.each([
    [['a', 'b'], 'OR', false, '"a" OR "b"'],
    [['a', 'b'], 'AND', true, '"a"* AND "b"*'],
    [['a"b'], 'OR', false, '"a""b"'],
    [[], 'OR', false, ''],
  ] as const)('of %j with %s is %j', (words, join, prefix, match) => {
    expect(matchOf(words, join, prefix)).toBe(match)
  })
})

it.each([
  ['how are the boats given', ['boats', 'given']],
  ['to be or not to be', ['to', 'be', 'or', 'not', 'to', 'be']],
])('the telling words of %j are %j', (query, words) => {
  expect(contentWords(query)).toEqual(words)
})

it('refuses a ranking that has a document twice', async () => {
  const set = {
    name: 'tiny',
    documents: () => stream(),
    queries: [{ id: '1', text: 'x' }],
    judgements: judgementsOf([['1', 'one', 1]]),
  }
  const open = () => ({ index: async () => {}, search: async () => ['one', 'one'], close: async () => {} })
  await expect(answersTo({ name: 'fixed', open }, set)).rejects.toThrow('twice')
})

describe("the repository's own sets", () => {
  it('judge only what is there', async () => {
    const sets = openOwnSets()
    expect(sets.map(({ name }) => name)).toEqual(['harbour', 'docs'])
    for (const set of sets) {
      const ids = new Set((await Array.fromAsync(set.documents())).map(({ id }) => id))
      const judged = [...set.judgements.values()].flatMap((of) => [...of.keys()])
      expect(judged.filter((id) => !ids.has(id))).toEqual([])
      expect(set.queries).toHaveLength(set.judgements.size)
    }
  })

  it('try every kind of query', async () => {
    const [harbour] = openOwnSets()
    const kinds = new Set(harbour?.queries.map(({ kind }) => kind))
    expect([...kinds]).toEqual(['words', 'sentence', 'identifier', 'path', 'cjk', 'accents', 'typo'])
  })

  it('tell rankers apart: OR beats AND', async () => {
    const [harbour] = openOwnSets()
    const scoreOf = async (name: string) => {
      const ranker = RANKERS.find((maker) => maker.name === name)
      if (!ranker || !harbour) return Number.NaN
      const answers = await answersTo(ranker, harbour)
      return meanOf(answers.map(({ ranking, relevance }) => ndcg(ranking, relevance, 10)))
    }
    expect(await scoreOf('FTS5, OR')).toBeGreaterThan((await scoreOf('FTS5, AND of prefixes')) + 0.1)
  })
})
