import { describe, expect, it } from 'vitest'
import { type Doc, type JudgedSet, judgementsOf } from '../../../bench/quality/collection.ts'
import { evaluate } from '../../../bench/quality/evaluate.ts'
import { openOwnSets } from '../../../bench/quality/own-set.ts'
import type { Ranker } from '../../../bench/quality/ranker.ts'
import { matchOf } from '../../../bench/quality/rankers/fts5.ts'
import { RANKERS } from '../../../bench/quality/rankers.ts'
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

describe('an evaluation', () => {
  const set: JudgedSet = {
    name: 'tiny',
    kind: 'judged',
    documents: () => stream(),
    queries: [
      { id: '1', text: 'x', kind: 'words' },
      { id: '2', text: 'y', kind: 'typo' },
    ],
    judgements: judgementsOf([
      ['1', 'one', 1],
      ['2', 'two', 1],
    ]),
  }
  const maker = (answers: Readonly<Record<string, readonly string[]>>) => ({
    name: 'fixed',
    open: (): Ranker => ({
      name: 'fixed',
      async index() {},
      search: async (query) => answers[query] ?? [],
      async close() {},
    }),
  })

  it('gives the figures of the set, and of each kind of query', async () => {
    const { scores, kinds } = await evaluate(maker({ x: ['three', 'one'] }), set)
    expect([scores.mrr10, scores.empty]).toEqual([0.25, 1])
    expect(kinds.words?.mrr10).toBe(0.5)
    expect(kinds.typo?.empty).toBe(1)
  })

  it('refuses a ranking that has a document twice', async () => {
    await expect(evaluate(maker({ x: ['one', 'one'] }), set)).rejects.toThrow('twice')
  })
})

describe("the repository's own sets", () => {
  it('judge only what is there', async () => {
    const sets = await openOwnSets()
    expect(sets.map(({ name }) => name)).toEqual(['harbour', 'docs'])
    for (const set of sets) {
      const ids = new Set((await Array.fromAsync(set.documents())).map(({ id }) => id))
      const judged = [...set.judgements.values()].flatMap((of) => [...of.keys()])
      expect(judged.filter((id) => !ids.has(id))).toEqual([])
      expect(set.queries).toHaveLength(set.judgements.size)
    }
  })

  it('try every kind of query', async () => {
    const [harbour] = await openOwnSets()
    const kinds = new Set(harbour?.queries.map(({ kind }) => kind))
    expect([...kinds]).toEqual(['words', 'sentence', 'identifier', 'path', 'cjk', 'accents', 'typo'])
  })

  it('tell rankers apart: OR beats AND', async () => {
    const [harbour] = await openOwnSets()
    const scoreOf = async (name: string) => {
      const ranker = RANKERS.find((maker) => maker.name === name)
      return ranker && harbour ? (await evaluate(ranker, harbour)).scores.ndcg10 : Number.NaN
    }
    expect(await scoreOf('FTS5, OR')).toBeGreaterThan((await scoreOf('FTS5, AND of prefixes')) + 0.1)
  })
})
