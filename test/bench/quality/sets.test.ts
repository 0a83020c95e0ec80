import { describe, expect, it } from 'vitest'
import type { Doc, JudgedSet } from '../../../bench/quality/collection.ts'
import { openSet, readClassic } from '../../../bench/quality/sets.ts'
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
    expect(set.queries.map(({ id, text }) => `${id} ${text}`)).toEqual(['q1 one?', 'q2 two?'])
    expect(Object.fromEntries(set.judgements.get('q1') ?? [])).toEqual({ d1: 1, d2: 0 })
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

const SMART =
  '.I 1\n.T\nfirst\ntitle\n.A\nnobody\n.W\nfirst text .\nsecond line\n.X\n1\t5\t1\n.I 2\n.T\nother\n.W\nother text\n'

/** Pairs of query and document that are relevant. */
function pairsOf({ judgements }: JudgedSet): string[] {
  return [...judgements].flatMap(([query, of]) => [...of.keys()].map((doc) => `${query}:${doc}`))
}

function setIn(name: string, dir: string): JudgedSet {
  const set = readClassic(dir)
  if (set?.name !== name) throw new Error(`It was taken for ${set?.name}.`)
  return set
}

describe('Cranfield', () => {
  it('counts queries by their place, not by their id, and drops what has the code -1', () => {
    using dir = tree({
      'cran.all.1400': SMART,
      'cran.qry': '.I 001\n.W\nfirst query\n.I 004\n.W\nsecond\nquery\n',
      cranqrel: '1 2 3 \n2 1 -1\n2 2 1\n',
    })
    const set = setIn('cran', dir.base)
    expect(set.queries.map(({ id, text }) => `${id} ${text}`)).toEqual(['1 first query', '2 second query'])
    expect(pairsOf(set)).toEqual(['1:2', '2:2'])
  })

  it('has titles and texts, not authors and citations', async () => {
    using dir = tree({ 'cran.all.1400': SMART, 'cran.qry': '', cranqrel: '' })
    expect(await Array.fromAsync(setIn('cran', dir.base).documents())).toEqual([
      { id: '1', path: '', title: 'first title', text: 'first text .\nsecond line' },
      { id: '2', path: '', title: 'other', text: 'other text' },
    ])
  })
})

describe('the others', () => {
  it('CISI: judgements without a code, CRLF', () => {
    using dir = tree({
      'CISI.ALL': SMART,
      'CISI.QRY': '.I 1\n.T \nof a paper\n.W\nasked\n.I 2\n.W\nnobody judged\n',
      'CISI.REL': '     1     28\t0\t0.000000\r\n     1     35\t0\t0.000000\r\n',
    })
    const set = setIn('cisi', dir.base)
    expect(pairsOf(set)).toEqual(['1:28', '1:35'])
    expect(set.queries).toEqual([{ id: '1', text: 'asked' }])
  })

  it('CACM: padded numbers, keywords as part of the text', async () => {
    using dir = tree({
      'cacm.all': '.I 1\n.T\nreport\n.B\nCACM 1958\n.K\nstandard code,\nshift\n.N\nCA58\n',
      'query.text': '.I 1\n.W\n asked\n.N\n 1. somebody\n',
      'qrels.text': '01 1410  0 0\n',
    })
    const set = setIn('cacm', dir.base)
    expect(pairsOf(set)).toEqual(['1:1410'])
    expect(set.queries).toEqual([{ id: '1', text: 'asked' }])
    expect(await Array.fromAsync(set.documents())).toEqual([
      { id: '1', path: '', title: 'report', text: 'standard code,\nshift' },
    ])
  })

  it('MED: the code in the last column', () => {
    using dir = tree({ 'MED.ALL': SMART, 'MED.QRY': '.I 1\n.W\n lens .\n', 'MED.REL': '1 0 13 1\n1 0 14 0\n' })
    expect(pairsOf(setIn('med', dir.base))).toEqual(['1:13'])
  })

  it('NPL: records that end in a slash, and lists of numbers over several lines', async () => {
    using dir = tree({
      'doc-text': '1\ncompact memories\nwith and/or logic\n   /\n2\nsecond\n   /\n   /\n',
      'query-text': '1\nMEASUREMENT OF\nWAVES\n/\n',
      'rlv-ass': '1\n 1239  1502\n 7923\n   /\n',
    })
    const set = setIn('npl', dir.base)
    expect(await Array.fromAsync(set.documents())).toEqual([
      { id: '1', path: '', title: '', text: 'compact memories\nwith and/or logic' },
      { id: '2', path: '', title: '', text: 'second' },
    ])
    expect(set.queries).toEqual([{ id: '1', text: 'MEASUREMENT OF WAVES' }])
    expect(pairsOf(set)).toEqual(['1:1239', '1:1502', '1:7923'])
  })
})
