import { existsSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readClassic } from './classic.ts'
import { answerable, type Doc, type JudgedSet, judgementsOf, linesOf, type Query } from './collection.ts'
import { documentationSet, documentsOf } from './documentation.ts'

/** A folder with a judged set, in the form of BEIR or of one of the classic collections; or with documentation in Markdown. */
export async function openSet(path: string): Promise<JudgedSet> {
  const dir = resolve(path)
  if (existsSync(join(dir, 'corpus.jsonl'))) return openBeir(dir)
  const set = readClassic(dir) ?? documentationSet(dir)
  if (set.queries.length === 0) throw new Error(`${path} holds no set: neither judgements nor Markdown to ask about`)
  return set
}

interface CorpusRow {
  readonly _id: string
  readonly title?: string
  readonly text: string
  /** Not in BEIR: where documents have paths. */
  readonly path?: string
}

/** Reads `corpus.jsonl`, `queries.jsonl` and `qrels/test.tsv`; the corpus is streamed. */
async function openBeir(dir: string): Promise<JudgedSet> {
  const judgements = judgementsOf(await judgementRows(join(dir, 'qrels', 'test.tsv')))
  const queries: Query[] = []
  for await (const { _id, text } of rowsOf<{ readonly _id: string; readonly text: string }>(join(dir, 'queries.jsonl')))
    queries.push({ id: _id, text })
  return {
    name: basename(dir),
    async *documents(): AsyncIterable<Doc> {
      for await (const { _id, path = '', title = '', text } of rowsOf<CorpusRow>(join(dir, 'corpus.jsonl')))
        yield { id: _id, path, title, text }
    },
    queries: answerable(queries, judgements),
    judgements,
  }
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

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** Pages that are written from the figures themselves. */
const WITHOUT = 'figures/measurements.md'

interface OwnRow {
  readonly kind: string
  readonly query: string
  /** By path: 2 answers the query, 1 has to do with it. */
  readonly relevant: Readonly<Record<string, number>>
}

/** The sets that are part of the repository: a folder of Markdown, and a file of judged queries. */
export function openOwnSets(): JudgedSet[] {
  return [openOwnSet('harbour', 'test/quality/harbour'), openOwnSet('docs', 'docs')]
}

/** A judged path that is not there any more is an error: the set would measure nothing. */
function openOwnSet(name: string, folder: string): JudgedSet {
  const pages = join(ROOT, folder)
  const judged = join(ROOT, 'test/quality', `${name}.jsonl`)
  const lines = readFileSync(judged, 'utf8').trim().split('\n')
  const rows = lines.map((line, at): OwnRow & { readonly id: string } => ({ ...JSON.parse(line), id: `${at + 1}` }))
  const gone = rows
    .flatMap(({ relevant }) => Object.keys(relevant))
    .filter((path) => path === WITHOUT || !existsSync(join(pages, path)))
  if (gone.length > 0) throw new Error(`${judged} judges what is not there: ${gone.join(', ')}`)
  const judgements = judgementsOf(
    rows.flatMap(({ id, relevant }) => Object.entries(relevant).map(([path, grade]) => [id, path, grade] as const)),
  )
  return {
    name,
    async *documents() {
      for await (const doc of documentsOf(pages)) if (doc.path !== WITHOUT) yield doc
    },
    queries: answerable(
      rows.map(({ id, query, kind }): Query => ({ id, text: query, kind })),
      judgements,
    ),
    judgements,
  }
}
