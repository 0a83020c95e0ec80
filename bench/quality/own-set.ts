import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { answerable, type Doc, type JudgedSet, judgementsOf, linesOf, type Query } from './collection.ts'
import { documentsOf } from './known-item.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

interface OwnSet {
  readonly name: string
  readonly pages: string
  readonly judged: string
  /** A page that is not searched. */
  readonly without?: string
}

/**
 * The sets that are part of the repository: a folder of Markdown, and a file of judged queries. The page of measurements
 * is left out, because it is written from them.
 */
export const OWN_SETS: readonly OwnSet[] = [
  { name: 'harbour', pages: join(ROOT, 'test/quality/harbour'), judged: join(ROOT, 'test/quality/harbour.jsonl') },
  {
    name: 'docs',
    pages: join(ROOT, 'docs'),
    judged: join(ROOT, 'test/quality/docs.jsonl'),
    without: 'figures/measurements.md',
  },
]

interface Row {
  readonly kind: string
  readonly query: string
  /** By path: 2 answers the query, 1 has to do with it. */
  readonly relevant: Readonly<Record<string, number>>
}

export async function openOwnSets(): Promise<JudgedSet[]> {
  return Promise.all(OWN_SETS.map(openOwnSet))
}

/** A judged path that is not there any more is an error: the set would measure nothing. */
export async function openOwnSet({ name, pages, judged, without }: OwnSet): Promise<JudgedSet> {
  const rows: Row[] = []
  for await (const line of linesOf(judged)) if (line.trim() !== '') rows.push(JSON.parse(line))
  const paths = rows.flatMap(({ relevant }) => Object.keys(relevant))
  const gone = paths.filter((path) => path === without || !existsSync(join(pages, path)))
  if (gone.length > 0) throw new Error(`${judged} judges what is not there: ${gone.join(', ')}`)
  const queries = rows.map(({ query, kind }, index): Query => ({ id: `${index + 1}`, text: query, kind }))
  const judgements = judgementsOf(
    rows.flatMap(({ relevant }, index) =>
      Object.entries(relevant).map(([path, grade]) => [`${index + 1}`, path, grade] as const),
    ),
  )
  return {
    name,
    kind: 'judged',
    documents: () => allBut(without, documentsOf(pages)),
    queries: answerable(queries, judgements),
    judgements,
  }
}

async function* allBut(without: string | undefined, documents: AsyncIterable<Doc>): AsyncIterable<Doc> {
  for await (const doc of documents) if (doc.path !== without) yield doc
}
