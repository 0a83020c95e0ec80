import { once } from 'node:events'
import { createWriteStream, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { answerable, type Doc, type JudgedSet, judgementsOf, linesOf, type Query, type SetKind } from './collection.ts'

/** The file beside the three of BEIR that tells where the judgements come from. */
const ABOUT = 'set.json'

interface CorpusRow {
  readonly _id: string
  readonly title?: string
  readonly text: string
  /** Not in BEIR: a converter writes it where documents have paths. */
  readonly path?: string
}

interface QueryRow {
  readonly _id: string
  readonly text: string
  readonly kind?: string
}

/** Whether a folder holds a set in the form of BEIR. */
export function isBeir(dir: string): boolean {
  return existsSync(join(dir, 'corpus.jsonl'))
}

/** Reads `corpus.jsonl`, `queries.jsonl` and `qrels/test.tsv`; the corpus is streamed. */
export async function openBeir(dir: string): Promise<JudgedSet> {
  const judgements = judgementsOf(await judgementRows(join(dir, 'qrels', 'test.tsv')))
  const queries: Query[] = []
  for await (const { _id, text, kind } of rowsOf<QueryRow>(join(dir, 'queries.jsonl')))
    queries.push({ id: _id, text, ...(kind === undefined ? {} : { kind }) })
  return {
    name: basename(dir),
    kind: kindOf(dir),
    documents: () => documentsOf(join(dir, 'corpus.jsonl')),
    queries: answerable(queries, judgements),
    judgements,
  }
}

function kindOf(dir: string): SetKind {
  const path = join(dir, ABOUT)
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).kind : 'judged'
}

async function* documentsOf(path: string): AsyncIterable<Doc> {
  for await (const row of rowsOf<CorpusRow>(path))
    yield { id: row._id, path: row.path ?? '', title: row.title ?? '', text: row.text }
}

async function* rowsOf<T>(path: string): AsyncIterable<T> {
  for await (const line of linesOf(path)) if (line.trim() !== '') yield JSON.parse(line)
}

/** The first line is a header: `query-id	corpus-id	score`. */
async function judgementRows(path: string): Promise<[string, string, number][]> {
  const rows: [string, string, number][] = []
  for await (const line of linesOf(path)) {
    const [query = '', doc = '', score = ''] = line.split('\t')
    if (/^-?\d+(\.\d+)?$/.test(score.trim())) rows.push([query, doc, Number(score)])
    else if (rows.length > 0 && line.trim() !== '') throw new Error(`${path}: not a judgement: ${line}`)
  }
  return rows
}

/** Writes a set in the form of BEIR, the corpus as a stream; gives the number of documents. */
export async function writeBeir(dir: string, set: Omit<JudgedSet, 'name'>): Promise<number> {
  mkdirSync(join(dir, 'qrels'), { recursive: true })
  const count = await writeCorpus(join(dir, 'corpus.jsonl'), set.documents())
  const queries = set.queries.map(({ id, text, kind }) => `${JSON.stringify({ _id: id, text, kind })}\n`)
  writeFileSync(join(dir, 'queries.jsonl'), queries.join(''))
  const rows = [...set.judgements].flatMap(([query, of]) => [...of].map(([doc, score]) => `${query}\t${doc}\t${score}`))
  writeFileSync(join(dir, 'qrels', 'test.tsv'), `${['query-id\tcorpus-id\tscore', ...rows].join('\n')}\n`)
  writeFileSync(join(dir, ABOUT), `${JSON.stringify({ kind: set.kind })}\n`)
  return count
}

async function writeCorpus(path: string, documents: AsyncIterable<Doc>): Promise<number> {
  const out = createWriteStream(path)
  let count = 0
  for await (const { id, title, text, path: at } of documents) {
    const row = { _id: id, title, text, ...(at === '' ? {} : { path: at }) }
    if (!out.write(`${JSON.stringify(row)}\n`)) await once(out, 'drain')
    count++
  }
  out.end()
  await once(out, 'finish')
  return count
}
