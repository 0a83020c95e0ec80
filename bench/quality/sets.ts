import { existsSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { splitTextUnits } from '../../src/retrieval/units.ts'
import { answerable, type Doc, type JudgedSet, judgementsOf, linesOf, type Query } from './collection.ts'
import { documentationSet, documentsOf } from './documentation.ts'

/**
 * Opens a judged set: a folder in the format of BEIR, of a classic collection, or of `test/quality/rules`; a file in the format
 * of SQuAD; or a folder of documentation in Markdown.
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
  /** The text that answers, as in one passage. */
  readonly gold: string
  /** `none`: the answer shares no word with the question. Default: `none`. */
  readonly kind?: 'none' | 'shared'
}

/** Each passage of the documents is a document. The passages with its gold answer a question. */
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
      passages.filter(({ text }) => joinLines(text).includes(gold)).map((passage) => [id, passage.id, 1] as const),
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

/** The names of the kinds in the table. */
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
  /** For documents with paths. Not part of BEIR. */
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

/** A page that is written from the figures themselves. */
const EXCLUDED_PAGE = 'figures/measurements.md'

interface OwnRow {
  readonly kind: string
  readonly query: string
  /** Grades by path: 2 answers the query, 1 is related to it. */
  readonly relevant: Readonly<Record<string, number>>
}

/** The sets that are part of the repository: a folder of Markdown, and a file of judged queries. */
export function openOwnSets(): JudgedSet[] {
  return [openOwnSet('harbour', 'test/quality/harbour'), openOwnSet('docs', 'docs')]
}

/** Opens a set of the repository. @throws Error if a judged path no longer exists, because the set would measure nothing */
function openOwnSet(name: string, folder: string): JudgedSet {
  const pages = join(ROOT, folder)
  const judged = join(ROOT, 'test/quality', `${name}.jsonl`)
  const lines = readFileSync(judged, 'utf8').trim().split('\n')
  const rows = lines.map((line, at): OwnRow & { readonly id: string } => ({ ...JSON.parse(line), id: `${at + 1}` }))
  const missing = rows
    .flatMap(({ relevant }) => Object.keys(relevant))
    .filter((path) => path === EXCLUDED_PAGE || !existsSync(join(pages, path)))
  if (missing.length > 0) throw new Error(`${judged} judges pages that do not exist: ${missing.join(', ')}`)
  const judgements = judgementsOf(
    rows.flatMap(({ id, relevant }) => Object.entries(relevant).map(([path, grade]) => [id, path, grade] as const)),
  )
  return {
    name,
    async *documents() {
      for await (const doc of documentsOf(pages)) if (doc.path !== EXCLUDED_PAGE) yield doc
    },
    queries: answerable(
      rows.map(({ id, query, kind }): Query => ({ id, text: query, kind })),
      judgements,
    ),
    judgements,
  }
}

/**
 * The classic test collections, from their original files: `data/cran` of olivernn/cranfield, and `data/*` of fbergh/IR_Project
 * at the parent of commit f8ef5d8. Relevance is binary. Most have no licence, so they are never committed.
 */

type Rows = [query: string, doc: string, relevance: number][]

interface Classic {
  readonly documents: readonly Doc[]
  readonly queries: readonly Query[]
  readonly rows: Rows
}

/** For each collection, the file that identifies it, and the function that reads it. */
const READERS: Readonly<Record<string, readonly [mark: string, read: (read: (name: string) => string) => Classic]>> = {
  cran: [
    'cran.qry',
    (read) => ({
      documents: smartDocuments(read('cran.all.1400'), ['W']),
      // Judgements number the queries by their position in the file. The ids in the file have gaps.
      queries: smartQueries(read('cran.qry')).map(({ text }, index) => ({ id: `${index + 1}`, text })),
      // The last column is a code from 1 to 4, or -1 if the document is only the source of the question.
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
      documents: slashRecords(read('doc-text')).map(({ id, text }) => ({ id, path: '', title: '', text })),
      queries: slashRecords(read('query-text')).map(({ id, text }) => ({ id, text: joinLines(text) })),
      rows: slashRecords(read('rlv-ass')).flatMap(({ id, text }) =>
        joinLines(text)
          .split(' ')
          .map((doc) => pair(id, doc)),
      ),
    }),
  ],
}

/** Reads a classic collection from a folder with its original files; undefined if the folder has none. */
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
    title: joinLines(fields.T ?? ''),
    text: body
      .map((name) => (fields[name] ?? '').trim())
      .filter((part) => part !== '')
      .join('\n\n'),
  }))
}

function smartQueries(text: string): Query[] {
  return smartRecords(text).map(({ id, fields }) => ({ id, text: joinLines(fields.W ?? '') }))
}

/** Reads records that end with a slash on a line: an id on its own line, then the text. */
function slashRecords(text: string): { readonly id: string; readonly text: string }[] {
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

function joinLines(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
