import { describe, expect, it } from 'vitest'
import { openBeir, writeBeir } from '../../../bench/quality/beir.ts'
import { type Doc, type JudgedSet, judgementsOf } from '../../../bench/quality/collection.ts'
import { openSet } from '../../../bench/quality/open-set.ts'
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
    expect(set.kind).toBe('judged')
  })

  it('can be streamed twice', async () => {
    using dir = tree(BEIR)
    const set = await openSet(dir.base)
    expect(await documentsOf(set)).toEqual(await documentsOf(set))
  })

  it('is the same after it was written and read', async () => {
    using dir = tree({})
    const documents: Doc[] = [
      { id: 'a/b.md', path: 'a/b.md', title: 'Ä "quoted"', text: 'line one\nline\ttwo\u2028three' },
      { id: '2', path: '', title: '', text: '' },
    ]
    const written: Omit<JudgedSet, 'name'> = {
      kind: 'anchor',
      async *documents() {
        yield* documents
      },
      queries: [{ id: '1', text: 'what, "now"?', kind: 'words' }],
      judgements: judgementsOf([['1', 'a/b.md', 1]]),
    }
    expect(await writeBeir(dir.base, written)).toBe(2)
    const { name: _, documents: stream, ...read } = await openBeir(dir.base)
    expect(read).toEqual({ kind: 'anchor', queries: written.queries, judgements: written.judgements })
    expect(await Array.fromAsync(stream())).toEqual(documents)
  })

  it('is refused when a judgement is none', async () => {
    using dir = tree({ ...BEIR, 'qrels/test.tsv': `${QRELS}q9 d1 1\n` })
    await expect(openSet(dir.base)).rejects.toThrow('not a judgement: q9 d1 1')
  })
})

const DOCUMENTS = `<DOC>
<DOCNO> FT-1 </DOCNO>
<HEADLINE>
Sea &amp; sand
</HEADLINE>
<TEXT>
<P>Waves &lt; tides.</P>
</TEXT>
</DOC>
<DOC><DOCNO>FT-2</DOCNO>short</DOC>
`

describe('a set in the form of TREC', () => {
  it('is read, with titles, and without tags and entities', async () => {
    using dir = tree({
      'corpus/part1.trec': DOCUMENTS,
      'topics.txt': '<top>\n<num> Number: 301\n<title> Topic: sea  and sand\n<desc> Description:\nLong.\n</top>\n',
      qrels: '301 0 FT-1 1\n301 0 FT-2 -1\n',
    })
    const set = await openSet(dir.base)
    expect(await documentsOf(set)).toEqual([
      { id: 'FT-1', path: '', title: 'Sea & sand', text: 'Waves < tides.' },
      { id: 'FT-2', path: '', title: '', text: 'short' },
    ])
    expect(set.queries).toEqual([{ id: '301', text: 'sea and sand' }])
    expect([...(set.judgements.get('301') ?? [])]).toEqual([
      ['FT-1', 1],
      ['FT-2', 0],
    ])
  })

  it('may have closed topics, and numbers that are padded on one side only', async () => {
    using dir = tree({
      'docs.trec': DOCUMENTS,
      'query-text.trec': '<top>\n<num>1</num><title>\nMEASUREMENT OF WAVES\n</title>\n</top>\n',
      qrels: '01 0 FT-1 1\n',
    })
    const set = await openSet(dir.base)
    expect(set.queries).toEqual([{ id: '1', text: 'MEASUREMENT OF WAVES' }])
  })

  it.each([
    ['a document without a number', { 'corpus/a': '<DOC>\nx\n</DOC>\n' }, 'without DOCNO'],
    ['a judgement that is none', { qrels: '1 0 FT-1\n' }, 'not a judgement'],
  ])('is refused for %s', async (_, files, problem) => {
    using dir = tree({
      'corpus/a': DOCUMENTS,
      topics: '<top><num>1</num><title>x</title></top>',
      qrels: '1 0 FT-1 1\n',
      ...files,
    })
    await expect(openSet(dir.base).then(documentsOf)).rejects.toThrow(problem)
  })
})

it('a folder without a set is refused', async () => {
  using dir = tree({ 'a.txt': '' })
  await expect(openSet(dir.base)).rejects.toThrow('holds no set')
})
