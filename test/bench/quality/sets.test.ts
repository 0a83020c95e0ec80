import { describe, expect, it } from 'vitest'
import type { Doc, JudgedSet } from '../../../bench/quality/collection.ts'
import { openSet } from '../../../bench/quality/sets.ts'
import { tree } from '../../support/tree.ts'

const QRELS = 'query-id\tcorpus-id\tscore\nq1\td1\t1\nq1\td2\t0\nq2\td2\t2\n'

const BEIR = {
  'corpus.jsonl': '{"_id":"d1","title":"One","text":"first"}\n{"_id":"d2","text":"second"}\n',
  'queries.jsonl': '{"_id":"q1","text":"one?"}\n{"_id":"q2","text":"two?"}\n{"_id":"q3","text":"nobody judged"}\n',
  'qrels/test.tsv': QRELS,
}

async function documentsOf(set: JudgedSet): Promise<Doc[]> {
  return Array.fromAsync(set.documents())
}

describe('a set in the form of BEIR', () => {
  it('is read, without the queries that have no relevant document', async () => {
    using dir = tree(BEIR)
    const set = await openSet(dir.base)
    expect(set.queries).toEqual([
      { id: 'q1', text: 'one?' },
      { id: 'q2', text: 'two?' },
    ])
    expect(set.judgements.get('q1')).toEqual(
      new Map([
        ['d1', 1],
        ['d2', 0],
      ]),
    )
    expect(await documentsOf(set)).toEqual([
      { id: 'd1', path: '', title: 'One', text: 'first' },
      { id: 'd2', path: '', title: '', text: 'second' },
    ])
  })

  it('can be streamed twice', async () => {
    using dir = tree(BEIR)
    const set = await openSet(dir.base)
    expect(await documentsOf(set)).toEqual(await documentsOf(set))
  })

  it('is refused when a judgement is none', async () => {
    using dir = tree({ ...BEIR, 'qrels/test.tsv': `${QRELS}q9 d1 1\n` })
    await expect(openSet(dir.base)).rejects.toThrow('not a judgement: q9 d1 1')
  })
})

it('a folder without a set is refused', async () => {
  using dir = tree({ 'a.txt': '' })
  await expect(openSet(dir.base)).rejects.toThrow('holds no set')
})
