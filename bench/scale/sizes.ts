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
  const sizes: Size[] = []
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
  if (!smallest || !largest || smallest === largest) return { verdicts: [], tables: sizes.map(tableOf) }
  const steps = sizes.slice(1).map((after, at) => ({ before: sizes[at] ?? smallest, after }))
  const verdicts = growthOver({ before: smallest, after: largest }, GROWTH)
  const ofSteps = steps.length > 1 ? steps.flatMap((step) => growthOver(step, GROWTH_OF_STEP)) : []
  return { verdicts: [...verdicts, ...ofSteps], tables: sizes.map(tableOf) }
}

interface Size {
  readonly corpus: Prepared
  readonly figures: readonly Figures[]
}

/** What one size shows that the next does not is seen by steps alone. They have less to go by than the whole way. */
const GROWTH_OF_STEP = { build: 1.25, words: 1.25, sentence: 1.25 } as const

function growthOver(
  { before, after }: { readonly before: Size; readonly after: Size },
  limits: Readonly<Record<keyof typeof GROWTH, number>>,
): Verdict[] {
  const way = `${before.corpus.files.toLocaleString('en')} to ${after.corpus.files.toLocaleString('en')}`
  return STORES.flatMap(({ name }, at) => {
    const [small, large] = [before.figures[at], after.figures[at]]
    if (!small || !large) return []
    const growth = growthOf(small, large)
    const of = (what: string, key: keyof typeof growth) =>
      bound(`scale: ${name}, growth of ${what}, ${way}`, growth[key], { unit: 'exponent', limit: limits[key] })
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
    note: 'Peak: memory of the process that indexes, and of the process that searches, without the PostgreSQL server.',
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
