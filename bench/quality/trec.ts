import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { answerable, type Doc, type JudgedSet, judgementsOf, linesOf, type Query } from './collection.ts'

/** The files of a collection in the form of TREC. */
export interface TrecFiles {
  readonly documents: readonly string[]
  readonly topics: string
  readonly qrels: string
}

/** The files of a folder: `corpus/` or `*.trec` with documents, a name with `topic` or `quer`, a name with `qrel`. */
export function trecFilesOf(dir: string): TrecFiles | undefined {
  const names = globSync(['*', 'corpus/**/*', 'qrels/*'], { cwd: dir }).sort()
  const qrels = names.find((name) => /qrel/i.test(basename(name)))
  const topics = names.find((name) => /topic|quer/i.test(basename(name)) && name !== qrels)
  const isDocuments = (name: string) => name.startsWith('corpus/') || /\.(trec|sgml?)$/.test(name)
  const documents = names.filter((name) => isDocuments(name) && name !== topics && name !== qrels)
  if (qrels === undefined || topics === undefined || documents.length === 0) return undefined
  return {
    documents: documents.map((name) => join(dir, name)),
    topics: join(dir, topics),
    qrels: join(dir, qrels),
  }
}

/** Reads documents `<DOC>`, topics `<top>` and judgements `query 0 document relevance`; documents are streamed. */
export async function openTrec(name: string, files: TrecFiles): Promise<JudgedSet> {
  const judgements = judgementsOf(await qrelRows(files.qrels))
  const queries = topicsOf(readFileSync(files.topics, 'utf8'))
  return {
    name,
    kind: 'judged',
    documents: () => documentsOf(files.documents),
    queries: answerable(queries, judgements),
    judgements,
  }
}

async function* documentsOf(paths: readonly string[]): AsyncIterable<Doc> {
  for (const path of paths) {
    if (!existsSync(path)) throw new Error(`${path} is not there`)
    let open: string[] | undefined
    for await (const line of linesOf(path)) {
      if (/^\s*<DOC>/i.test(line)) open = []
      open?.push(line)
      if (!/<\/DOC>\s*$/i.test(line)) continue
      if (open !== undefined) yield documentOf(open.join('\n'))
      open = undefined
    }
  }
}

const TITLES = ['TITLE', 'HEADLINE', 'HEAD', 'TI']

function documentOf(sgml: string): Doc {
  const id = elementOf(sgml, 'DOCNO')?.inner.trim()
  if (id === undefined || id === '') throw new Error(`A document without DOCNO: ${sgml.slice(0, 80)}`)
  const title = TITLES.map((tag) => elementOf(sgml, tag)).find((element) => element !== undefined)
  const rest = [title?.outer, elementOf(sgml, 'DOCNO')?.outer].reduce<string>(
    (text, outer) => (outer === undefined ? text : text.replace(outer, () => '')),
    sgml,
  )
  return { id, path: '', title: plain(title?.inner ?? '').replace(/\s+/g, ' '), text: plain(rest) }
}

function elementOf(sgml: string, tag: string) {
  const found = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`, 'i').exec(sgml)
  return found ? { outer: found[0], inner: found[1] ?? '' } : undefined
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** The text of SGML: no tags, no entities, no lines that are empty only because a tag was there. */
function plain(sgml: string): string {
  return sgml
    .replace(/<\/?[A-Z][^<>]*>/gi, ' ')
    .replace(/&(\w+);/g, (entity, name: string) => ENTITIES[name.toLowerCase()] ?? entity)
    .replace(/[ \t]+\n/g, '\n')
    .trim()
}

/**
 * Topics with closed tags (`<num>1</num>`) or the open ones of the older tracks (`<num> Number: 301`, up to the next
 * tag). The query is the title.
 */
function topicsOf(text: string): Query[] {
  return [...text.matchAll(/<top>([\s\S]*?)<\/top>/gi)].map(([, topic = '']) => {
    const id = fieldOf(topic, 'num').replace(/^Number:\s*/i, '')
    if (id === '') throw new Error(`A topic without a number: ${topic.slice(0, 80)}`)
    return { id: id.replace(/^0+(?=\d)/, ''), text: fieldOf(topic, 'title').replace(/^Topic:\s*/i, '') }
  })
}

function fieldOf(topic: string, tag: string): string {
  const found = new RegExp(`<${tag}>([\\s\\S]*?)(?=<[/a-z]|$)`, 'i').exec(topic)
  return (found?.[1] ?? '').replace(/\s+/g, ' ').trim()
}

async function qrelRows(path: string): Promise<[string, string, number][]> {
  const rows: [string, string, number][] = []
  for await (const line of linesOf(path)) {
    const [query, , doc, relevance] = line.trim().split(/\s+/)
    if (query === undefined || query === '') continue
    if (doc === undefined || !/^-?\d+$/.test(relevance ?? '')) throw new Error(`${path}: not a judgement: ${line}`)
    rows.push([query.replace(/^0+(?=\d)/, ''), doc, Math.max(0, Number(relevance))])
  }
  return rows
}
