import { statSync } from 'node:fs'
import { SILENT } from '../src/core/flow.ts'
import { createEngine, type Engine } from '../src/engine/engine.ts'
import { openPostgres } from '../src/stores/postgres/postgres.ts'
import { openSqlite } from '../src/stores/sqlite/sqlite.ts'
import { AS_DEBIAN, OwnPostgres } from '../test/support/own-postgres.ts'
import { lacksPostgres } from '../test/support/postgres-server.ts'
import { tree } from '../test/support/tree.ts'
import { type Findings, inTurn, medianOf, timingOf, type Verdict } from './harness.ts'
import { madeCorpus, type Prepared } from './search/cache.ts'
import { type BenchQuery, queriesOf } from './search/queries.ts'

const FILES = 10_000

/** Indexing and searching in PostgreSQL, on this machine and over its loopback, beside SQLite. */
export async function postgresFigures({ files = FILES }: { readonly files?: number }): Promise<Findings> {
  const reason = lacksPostgres()
  if (reason !== undefined) return { verdicts: [], tables: [{ title: reason, columns: [''], rows: [] }] }
  using directory = tree({})
  await using server = await OwnPostgres.start(AS_DEBIAN)
  return await measured(madeCorpus(files), { file: directory.at('ambit.db'), url: await server.database() })
}

interface Places {
  readonly file: string
  readonly url: string
}

async function measured(corpus: Prepared, { file, url }: Places): Promise<Findings> {
  const config = { file: undefined, unknown: [], home: false } as const
  const sqlite = createEngine(config, { store: async () => openSqlite(file) })
  const postgres = createEngine(config, { store: () => openPostgres(url) })
  const subjects = [
    ['SQLite', sqlite],
    ['PostgreSQL', postgres],
  ] as const
  const queries = queriesOf(corpus.dir)
  const built = new Map<string, number>()
  for (const [name, engine] of subjects) built.set(name, await indexed(engine, corpus.dir))
  const times = await asked(subjects, queries)
  const sizes = [statSync(file).size, await (await postgres.library()).port.size()]
  const again = await inTurn(
    subjects.map(([name, engine]) => ({
      name,
      run: async () => (await engine.library()).collections.index({}, SILENT),
    })),
    { runs: 3, warmup: 1 },
  )
  await Promise.all(subjects.map(([, engine]) => engine.close()))
  const ratio = (built.get('PostgreSQL') ?? 0) / (built.get('SQLite') ?? 1)
  const figures = times.map(({ kind, of }) => overSqlite(kind, of))
  const rows = subjects.map(([name], at) => [
    name,
    ((built.get(name) ?? 0) / 1000).toFixed(1),
    ((sizes[at] ?? 0) / 1_000_000).toFixed(1),
    medianOf(again[at] ?? []).toFixed(0),
    ...times.map(({ of }) => medianOf(of[at] ?? []).toFixed(1)),
  ])
  const columns = ['', 'index s', 'MB', 'nothing new ms', 'words p50 ms', 'sentence p50 ms']
  const title = `${corpus.files} files, ${Math.round(corpus.bytes / 1_000_000)} MB, in both stores`
  return {
    verdicts: [
      { figure: 'postgres: index, over SQLite', value: ratio, unit: '×', limit: 2, held: ratio <= 2 },
      ...figures,
    ],
    tables: [{ title, columns, rows }],
  }
}

async function indexed(engine: Engine, root: string): Promise<number> {
  const { collections } = await engine.library()
  await collections.add({ name: 'bench', root })
  const start = performance.now()
  await collections.index({}, SILENT)
  return performance.now() - start
}

interface Asked {
  readonly kind: BenchQuery['kind']
  /** Milliseconds, by subject. */
  readonly of: readonly (readonly number[])[]
}

/** In turn, and what one finds the other finds. */
async function asked(
  subjects: readonly (readonly [string, Engine])[],
  queries: readonly BenchQuery[],
): Promise<Asked[]> {
  const libraries = await Promise.all(subjects.map(([, engine]) => engine.library()))
  const taken: Record<BenchQuery['kind'], number[][]> = { words: [[], []], sentence: [[], []] }
  for (const round of ['warm', 'told']) {
    for (const { kind, text } of queries) {
      const answers: string[] = []
      for (const [at, library] of libraries.entries()) {
        const start = performance.now()
        const { results } = await library.search({ query: text })
        if (round === 'told') taken[kind][at]?.push(performance.now() - start)
        answers.push(JSON.stringify(results))
      }
      if (answers[0] !== answers[1]) throw new Error(`The stores answer ${JSON.stringify(text)} otherwise.`)
    }
  }
  return [
    { kind: 'words', of: taken.words },
    { kind: 'sentence', of: taken.sentence },
  ]
}

function overSqlite(kind: string, [sqlite = [], postgres = []]: Asked['of']): Verdict {
  const figure = `postgres: a search, ${kind}, over SQLite`
  const value = medianOf(postgres) / medianOf(sqlite)
  const [measured, baseline] = [timingOf('PostgreSQL', postgres), timingOf('SQLite', sqlite)]
  return { figure, measured, baseline, value, unit: '×', limit: 4, held: value <= 4 }
}
