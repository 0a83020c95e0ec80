import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { SILENT } from '../src/core/flow.ts'
import type { Config } from '../src/engine/config.ts'
import type { Engine } from '../src/engine/engine.ts'
import { openWith } from '../src/open.ts'
import { AS_DEBIAN, OwnPostgres } from '../test/support/own-postgres.ts'
import { lacksPostgres } from '../test/support/postgres-server.ts'
import { tree } from '../test/support/tree.ts'
import { type Findings, mostMemory, type Table } from './harness.ts'
import { generatedCorpus } from './search/cache.ts'

/** Measures research and indexing with one and with several workers. */
export async function scaleFigures(): Promise<Findings> {
  const reason = lacksPostgres()
  if (reason !== undefined) return { verdicts: [], tables: [{ title: reason, columns: [''], rows: [] }] }
  return { verdicts: [], tables: [await runFigures(), await indexingFigures()] }
}

/** Numbers of workers on PostgreSQL. */
const WORKERS = [1, 2, 4]

/** Number of research runs that a worker executes at once. */
const JOBS = 4

/** The engine that starts work, and the number of workers. */
interface Workplace {
  /** An engine that leaves the work to the workers. */
  readonly engine: Engine
  readonly workers: number
}

/** The column that each row ends with. */
const PEAK = 'peak MB, worker'

/** Figures of one process on SQLite, then of one, two and four workers on PostgreSQL: a row each, with `PEAK` at its end. */
async function measureByWorkers(measured: (place: Workplace) => Promise<readonly string[]>): Promise<string[][]> {
  using directory = tree({})
  await using server = await OwnPostgres.start(AS_DEBIAN)
  const row = async (where: DatabaseConfig, workers: number) =>
    withWorkers(where, { workers, home: directory.base }, (engine) => measured({ engine, workers }))
  const rows = [['SQLite, one process', ...(await row({ db: directory.at('ambit.db') }, 1))]]
  for (const workers of WORKERS) {
    const database = { url: await server.database() }
    rows.push([`PostgreSQL, ${workers} of them`, ...(await row({ database }, workers))])
  }
  return rows
}

type DatabaseConfig = Pick<Config, 'db' | 'database'>

async function withWorkers(
  where: DatabaseConfig,
  { workers: count, home }: { readonly workers: number; readonly home: string },
  work: (engine: Engine) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const objects = join(home, 'objects')
  const engine = openWith({ file: undefined, unknown: [], home: false, objects, ...where }, 'api')
  const workers = await Promise.all(Array.from({ length: count }, () => worker(where, home)))
  try {
    const figures = await work(engine)
    return [...figures, (Math.max(...workers.map(({ pid }) => mostMemory(pid))) / 1e6).toFixed(0)]
  } finally {
    for (const child of workers) if (child.kill('SIGTERM')) await once(child, 'exit')
    await engine.close()
  }
}

async function worker({ db, database }: DatabaseConfig, home: string): Promise<ChildProcess> {
  const argv = ['serve', '--role', 'worker', '--port', '0', '--json', '--jobs', String(JOBS)]
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    AMBIT_OBJECTS: join(home, 'objects'),
    ...(database ? { AMBIT_DATABASE_URL: database.url } : { AMBIT_DB: db }),
  }
  const stdio = ['ignore', 'pipe', 'inherit'] as const
  const child = spawn(process.execPath, ['src/bin.ts', ...argv], { env, stdio: [...stdio] })
  await once(child.stdout, 'data')
  return child
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1000
}

/** Number of measured runs, and of runs of each worker before, which load all code. */
const RUNS = 40
const BEFORE = 2
/** Number of owners of the runs, because only eight runs of an owner execute at once. */
const OWNERS = 8

const OWN_FILES: Readonly<Record<string, string>> = {
  'ferry.md': '# Ferry\n\nA single ticket costs 4.50 euros.\nIn winter the last boat leaves at 19:40.\n',
  'harbour.md': '# Harbour\n\nThe crane of the harbour lifts 40 tons.\nA single ticket costs 5 euros at the harbour.\n',
  'crew.md': '# Crew\n\nThe captain of the ferry is Ada Holm.\nThe crew is four people in winter.\n',
}
const QUESTION =
  'How much is a single ticket, when does the last boat leave in winter, and who is the captain of the ferry?'

/** Measures the research runs that finish in a minute. */
async function runFigures(): Promise<Table> {
  const rows = await measureByWorkers(async ({ engine, workers }) => {
    await finishRuns(engine, await createRuns(engine, workers * BEFORE * JOBS))
    const runs = await createRuns(engine, RUNS)
    const seconds = await secondsOf(() => finishRuns(engine, runs))
    return [((RUNS * 60) / seconds).toFixed(0), seconds.toFixed(1)]
  })
  const title = `${RUNS} extractive runs with 3 files each, by workers that do ${JOBS} at once`
  return { title, columns: ['', 'runs/minute', 's', PEAK], rows }
}

interface Run {
  readonly owner: string
  readonly id: string
}

const researchOf = (engine: Engine, owner: string) => engine.as({ name: owner, scopes: ['research'] }).research()

async function createRuns(engine: Engine, count: number): Promise<Run[]> {
  const runs: Run[] = []
  for (let run = 0; run < count; run++) {
    const owner = `owner ${run % OWNERS}`
    const research = await researchOf(engine, owner)
    const { session_id: id } = await research.create({ question: QUESTION, extractive: true })
    for (const [name, text] of Object.entries(OWN_FILES)) {
      await research.addFile(id, { name, type: 'text/markdown', bytes: new TextEncoder().encode(text) })
    }
    runs.push({ owner, id })
  }
  return runs
}

async function finishRuns(engine: Engine, runs: readonly Run[]): Promise<void> {
  for (const { owner, id } of runs) await (await researchOf(engine, owner)).start(id)
  for (const { owner, id } of runs) {
    const { runs: store } = (await engine.as({ name: owner, scopes: ['research'] }).library()).port
    while ((await store.get(id))?.status !== 'completed') await sleep(20)
  }
}

/** Number of collections that the workers index at once, and of files in each. */
const COLLECTIONS = 8
const FILES = 2000

/** Measures the files that are indexed in a second, in collections that one request names. */
async function indexingFigures(): Promise<Table> {
  const { dir, files, bytes } = generatedCorpus(FILES)
  const rows = await measureByWorkers(async ({ engine, workers }) => {
    await addCollections(engine, dir, ['before'])
    // Indexes once before, to load all code; with many workers, in some of them.
    for (let worker = 0; worker < workers; worker++) await indexCollections(engine, ['before'])
    const names = Array.from({ length: COLLECTIONS }, (_, at) => `docs${at}`)
    await addCollections(engine, dir, names)
    const seconds = await secondsOf(() => indexCollections(engine, names))
    return [((COLLECTIONS * files) / seconds).toFixed(0), seconds.toFixed(1)]
  })
  const title = `${COLLECTIONS} collections of ${files} files, ${Math.round((COLLECTIONS * bytes) / 1e6)} MB in all, indexed by workers`
  return { title, columns: ['', 'files/s', 's', PEAK], rows }
}

async function addCollections(engine: Engine, root: string, names: readonly string[]): Promise<void> {
  const { collections } = await engine.library()
  for (const name of names) await collections.add({ name, root })
}

async function indexCollections(engine: Engine, names: readonly string[]): Promise<void> {
  const { collections, failed } = await engine.index({ names }, SILENT)
  const problem = collections.find((one) => one.problem !== undefined)
  if (failed > 0 || problem) throw new Error(`A collection could not be indexed: ${problem?.problem ?? failed}`)
}
