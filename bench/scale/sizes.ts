import { AS_DEBIAN, OwnPostgres } from '../../test/support/own-postgres.ts'
import { bound, type Table, type Verdict } from '../harness.ts'
import { milliseconds } from '../report.ts'
import { madeCorpus, type Prepared } from '../search/cache.ts'
import { GROWTH, growthOf } from '../search/limits.ts'
import { type Figures, measureSubject } from '../search/order.ts'
import { queriesOf } from '../search/queries.ts'
import { ambitSubject } from '../search/subjects/ambit.ts'
import { postgresSubject } from '../search/subjects/postgres.ts'

/** Documents of the corpora, up to as many as are asked for. */
const SIZES = [10_000, 100_000, 1_000_000]
const STORES = [
  { name: 'SQLite', subject: ambitSubject },
  { name: 'PostgreSQL', subject: postgresSubject },
] as const

/** Indexing and searching as collections grow, in both stores, each in processes of its own. */
export async function sizeFigures(most: number): Promise<{ readonly verdicts: Verdict[]; readonly tables: Table[] }> {
  await using server = await OwnPostgres.start(AS_DEBIAN)
  const sizes: { readonly corpus: Prepared; readonly figures: Figures[] }[] = []
  for (const size of SIZES.filter((one) => one <= most)) {
    const corpus = madeCorpus(size)
    const queries = queriesOf(corpus.dir)
    const figures: Figures[] = []
    for (const { name, subject } of STORES) {
      const task = { dir: corpus.dir, queries, database: await server.database(), isLarge: size > 50_000 }
      figures.push(measureSubject(subject, task, corpus.files))
      console.error(`${size} files: ${name}`)
    }
    sizes.push({ corpus, figures })
  }
  const [smallest] = sizes
  const largest = sizes.at(-1)
  const growth = smallest && largest && smallest !== largest ? growthFrom(smallest.figures, largest.figures) : []
  return { verdicts: growth, tables: sizes.map(tableOf) }
}

function growthFrom(small: readonly Figures[], large: readonly Figures[]): Verdict[] {
  return STORES.flatMap(({ name }, at) => {
    const [before, after] = [small[at], large[at]]
    if (!before || !after) return []
    const growth = growthOf(before, after)
    const of = (what: string, key: keyof typeof growth) =>
      bound(`scale: ${name}, growth of ${what}`, growth[key], { unit: 'exponent', limit: GROWTH[key] })
    return [of('index', 'build'), of('words p50', 'words'), of('sentences p50', 'sentence')]
  })
}

const COLUMNS = [
  'store',
  'index s',
  'files/s',
  'MB',
  'nothing new ms',
  '1 % changed ms',
  'words p50',
  'words p95',
  'sentences p50',
  'sentences p95',
  'first search',
  'peak MB, index',
  'peak MB, search',
]

function tableOf({ corpus, figures }: { readonly corpus: Prepared; readonly figures: readonly Figures[] }): Table {
  return {
    title: `${corpus.files.toLocaleString('en')} files, ${Math.round(corpus.bytes / 1e6)} MB`,
    note: 'Peak: memory of the process that indexes, and of the one that searches; that of the PostgreSQL server is not in it.',
    columns: COLUMNS,
    rows: figures.map((of, at) => [STORES[at]?.name ?? '', ...cellsOf(of)]),
  }
}

function cellsOf({ built, updated, asked: { words, sentence, peak } }: Figures): string[] {
  return [
    (built.time / 1000).toFixed(1),
    (built.documents / (built.time / 1000)).toFixed(0),
    (built.size / 1e6).toFixed(0),
    updated ? updated.unchanged.toFixed(0) : '',
    updated ? updated.changed.toFixed(0) : '',
    ...[words.p50, words.p95, sentence.p50, sentence.p95, words.first].map(milliseconds),
    (built.peak / 1e6).toFixed(0),
    (peak / 1e6).toFixed(0),
  ]
}
