import { existsSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { splitTextUnits } from '../../src/retrieval/units.ts'
import { answerable, type Doc, type JudgedSet, judgementsOf, linesOf, type Query } from './collection.ts'
import { documentationSet, documentsOf } from './documentation.ts'

/**
 * A judged set: a folder in the form of BEIR, of one of the classic collections, or of `test/quality/rules`; a file in the form of SQuAD; or a folder of
 * documentation in Markdown.
 */
export async function openSet(path: string): Promise<JudgedSet> {
  const dir = resolve(path)
  if (existsSync(join(dir, 'corpus.jsonl'))) return openBeir(dir)
  if (existsSync(join(dir, 'questions.jsonl'))) return openPassages(dir)
  if (dir.endsWith('.json')) return openSquad(dir)
  const set = readClassic(dir) ?? documentationSet(dir)
  if (set.queries.length === 0) throw new Error(`${path} holds no set: neither judgements nor Markdown to ask about`)
  return set
}

interface PassageQuestion {
  readonly question: string
  /** What answers, as it stands in one passage. */
  readonly gold: string
  /** Whether it shares no word with the question; default. */
  readonly kind?: 'none' | 'shared'
}

/** Each passage of the documents is a document; a question is answered by the passages with its gold. */
async function openPassages(dir: string): Promise<JudgedSet> {
  const pages = await Array.fromAsync(documentsOf(join(dir, 'documents')))
  const passages = pages.flatMap(({ path, title, text }) =>
    splitTextUnits(text, { title }).map((unit, at) => ({ id: `${path}#${at}`, path: '', title, text: unit.text })),
  )
  const asked = (await Array.fromAsync(rowsOf<PassageQuestion>(join(dir, 'questions.jsonl')))).map((row, at) => ({
    ...row,
    id: `${at + 1}`,
  }))
  const judgements = judgementsOf(
    asked.flatMap(({ id, gold }) =>
      passages.filter(({ text }) => joined(text).includes(gold)).map((passage) => [id, passage.id, 1] as const),
    ),
  )
  return {
    name: basename(dir),
    async *documents() {
      yield* passages
    },
    queries: answerable(
      asked.map(({ id, question, kind = 'none' }) => ({ id, text: question, kind: KINDS_OF_QUESTIONS[kind] })),
      judgements,
    ),
    judgements,
  }
}

/** How the rows of the table call them. */
const KINDS_OF_QUESTIONS = { none: 'unshared', shared: 'shared' } as const

interface SquadArticle {
  readonly paragraphs: readonly {
    readonly context: string
    readonly qas: readonly { readonly id: string; readonly question: string }[]
  }[]
}

/** Each paragraph is a document, and answers its own questions. */
function openSquad(path: string): JudgedSet {
  const { data }: { data: readonly SquadArticle[] } = JSON.parse(readFileSync(path, 'utf8'))
  const paragraphs = data.flatMap((article) => article.paragraphs).map((one, at) => ({ ...one, id: `${at + 1}` }))
  return {
    name: basename(path, '.json'),
    async *documents() {
      for (const { id, context } of paragraphs) yield { id, path: '', title: '', text: context }
    },
    queries: paragraphs.flatMap(({ qas }) => qas.map(({ id, question }) => ({ id, text: question }))),
    judgements: judgementsOf(paragraphs.flatMap(({ id, qas }) => qas.map((qa) => [qa.id, id, 1] as const))),
  }
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

/**
 * The classic test collections, from the files in which they were handed down: `data/cran` of olivernn/cranfield, and `data/*` of
 * fbergh/IR_Project at the parent of commit f8ef5d8. Relevance is binary. Most have no licence: they are never committed.
 */

type Rows = [query: string, doc: string, relevance: number][]

interface Classic {
  readonly documents: readonly Doc[]
  readonly queries: readonly Query[]
  readonly rows: Rows
}

/** By name: the file that tells a collection, and how it is read. */
const READERS: Readonly<Record<string, readonly [mark: string, read: (read: (name: string) => string) => Classic]>> = {
  cran: [
    'cran.qry',
    (read) => ({
      documents: smartDocuments(read('cran.all.1400'), ['W']),
      // Judgements count the queries by their place in the file; the ids that stand in it have gaps.
      queries: smartQueries(read('cran.qry')).map(({ text }, index) => ({ id: `${index + 1}`, text })),
      // The last column is a code from 1 to 4, and -1 where the document is only the source of the question.
      rows: columns(read('cranqrel')).flatMap(([query, doc, code]) => (Number(code) > 0 ? [pair(query, doc)] : [])),
    }),
  ],
  cisi: [
    'CISI.QRY',
    (read) => ({
      documents: smartDocuments(read('CISI.ALL'), ['W']),
      queries: smartQueries(read('CISI.QRY')),
      rows: columns(read('CISI.REL')).map(([query, doc]) => pair(query, doc)),
    }),
  ],
  cacm: [
    'cacm.all',
    (read) => ({
      documents: smartDocuments(read('cacm.all'), ['W', 'K']),
      queries: smartQueries(read('query.text')),
      rows: columns(read('qrels.text')).map(([query, doc]) => pair(query, doc)),
    }),
  ],
  med: [
    'MED.QRY',
    (read) => ({
      documents: smartDocuments(read('MED.ALL'), ['W']),
      queries: smartQueries(read('MED.QRY')),
      rows: columns(read('MED.REL')).flatMap(([query, , doc, code]) => (Number(code) > 0 ? [pair(query, doc)] : [])),
    }),
  ],
  npl: [
    'doc-text',
    (read) => ({
      documents: slashed(read('doc-text')).map(({ id, text }) => ({ id, path: '', title: '', text })),
      queries: slashed(read('query-text')).map(({ id, text }) => ({ id, text: joined(text) })),
      rows: slashed(read('rlv-ass')).flatMap(({ id, text }) =>
        joined(text)
          .split(' ')
          .map((doc) => pair(id, doc)),
      ),
    }),
  ],
}

/** Reads a classic collection from a folder that holds its original files; undefined where it holds none. */
export function readClassic(dir: string): JudgedSet | undefined {
  const [name, [, reader] = []] = Object.entries(READERS).find(([, [mark]]) => existsSync(join(dir, mark))) ?? []
  if (name === undefined || reader === undefined) return undefined
  const { documents, queries, rows } = reader((file) => readFileSync(join(dir, file), 'latin1'))
  const judgements = judgementsOf(rows)
  return {
    name,
    async *documents() {
      yield* documents
    },
    queries: answerable(queries, judgements),
    judgements,
  }
}

/** A record of the SMART system: `.I 1`, then fields, each after a line like `.T`. */
interface SmartRecord {
  readonly id: string
  readonly fields: Readonly<Record<string, string>>
}

function smartRecords(text: string): SmartRecord[] {
  return text
    .split(/^\.I[ \t]+/m)
    .slice(1)
    .map((record) => {
      const [id = '', ...parts] = record.split(/^\.([A-Z])[ \t]*\r?$/m)
      const fields: Record<string, string> = {}
      for (let at = 0; at + 1 < parts.length; at += 2) {
        const name = parts[at] ?? ''
        fields[name] = `${fields[name] ?? ''}${parts[at + 1] ?? ''}`
      }
      return { id: String(Number(id)), fields }
    })
}

function smartDocuments(text: string, body: readonly string[]): Doc[] {
  return smartRecords(text).map(({ id, fields }) => ({
    id,
    path: '',
    title: joined(fields.T ?? ''),
    text: body
      .map((name) => (fields[name] ?? '').trim())
      .filter((part) => part !== '')
      .join('\n\n'),
  }))
}

function smartQueries(text: string): Query[] {
  return smartRecords(text).map(({ id, fields }) => ({ id, text: joined(fields.W ?? '') }))
}

/** Records that end in a line with a slash: an id on its own line, then the text. */
function slashed(text: string): { readonly id: string; readonly text: string }[] {
  return text
    .split(/^[ \t]*\/[ \t]*\r?$/m)
    .map((record) => /^\s*(\d+)\s*\n([\s\S]*)$/.exec(record))
    .flatMap((found) => (found ? [{ id: found[1] ?? '', text: (found[2] ?? '').trim() }] : []))
}

function columns(text: string): string[][] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim().split(/\s+/))
    .filter(([first]) => first !== '')
}

function pair(query = '', doc = ''): [string, string, number] {
  return [String(Number(query)), String(Number(doc)), 1]
}

function joined(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
