import { describe, expect, it } from 'vitest'
import { type Doc, judgementsOf } from '../../../bench/quality/collection.ts'
import { answersTo, meanOf, ndcg } from '../../../bench/quality/measure.ts'
import { RANKERS } from '../../../bench/quality/quality.bench.ts'
import { matchOf } from '../../../bench/quality/rankers/fts5.ts'
import { openOwnSets } from '../../../bench/quality/sets.ts'
import { tellingWords } from '../../../bench/quality/words.ts'

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
  expect(tellingWords(query)).toEqual(words)
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
