import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Config } from '../src/config.ts'
import type { Engine } from '../src/engine.ts'
import { openWith } from '../src/open.ts'
import { lacksPostgres, startServer, stopServer } from '../test/support/postgres-server.ts'
import type { Findings } from './harness.ts'

/** Runs that are measured each time, and what each worker does before, so that all is loaded. */
const RUNS = 40
const BEFORE = 2
const WORKERS = [1, 2, 4]
/** Runs at once of a worker. */
const JOBS = 4
/** They belong to so many, since of one only eight go on at once. */
const OWNERS = 8

const FILES: Readonly<Record<string, string>> = {
  'ferry.md': '# Ferry\n\nA single ticket costs 4.50 euros.\nIn winter the last boat leaves at 19:40.\n',
  'harbour.md': '# Harbour\n\nThe crane of the harbour lifts 40 tons.\nA single ticket costs 5 euros at the harbour.\n',
  'crew.md': '# Crew\n\nThe captain of the ferry is Ada Holm.\nThe crew is four people in winter.\n',
}
const QUESTION =
  'How much is a single ticket, when does the last boat leave in winter, and who is the captain of the ferry?'

/** As Debian sets it up: what is said to be kept is on the disk. */
const SETTINGS = ['shared_buffers=128MB']

/** Runs of research that are finished in a minute: by workers on PostgreSQL, and by one process on SQLite. */
export async function scaleFigures(): Promise<Findings> {
  const reason = lacksPostgres()
  if (reason !== undefined) return { verdicts: [], tables: [{ title: reason, columns: [''], rows: [] }] }
  const directory = mkdtempSync(join(tmpdir(), 'ambit-bench-'))
  chmodSync(directory, 0o711)
  const url = await startServer(join(directory, 'server'), SETTINGS)
  try {
    const rows = [['SQLite, one process', ...(await measured({ db: join(directory, 'ambit.db') }, 1, directory))]]
    for (const workers of WORKERS) {
      const database = { url: await created(url, `workers_${workers}`) }
      rows.push([`PostgreSQL, ${workers} of them`, ...(await measured({ database }, workers, directory))])
    }
    const title = `${RUNS} extractive runs with 3 files each, by workers that do ${JOBS} at once`
    return { verdicts: [], tables: [{ title, columns: ['', 'runs/minute', 's'], rows }] }
  } finally {
    await stopServer(join(directory, 'server'))
    rmSync(directory, { recursive: true, force: true })
  }
}

async function created(server: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  await client.query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`)
  await client.end()
  return Object.assign(new URL(server), { pathname: `/${name}` }).href
}

type Where = Pick<Config, 'db' | 'database'>

async function measured(where: Where, count: number, home: string): Promise<string[]> {
  const engine = openWith({ file: undefined, unknown: [], home: false, ...where }, 'api')
  const workers = await Promise.all(Array.from({ length: count }, () => worker(where, home)))
  try {
    await finished(engine, await prepared(engine, count * BEFORE * JOBS))
    const runs = await prepared(engine, RUNS)
    const began = performance.now()
    await finished(engine, runs)
    const seconds = (performance.now() - began) / 1000
    return [((RUNS * 60) / seconds).toFixed(0), seconds.toFixed(1)]
  } finally {
    for (const child of workers) if (child.kill('SIGTERM')) await once(child, 'exit')
    await engine.close()
  }
}

async function worker({ db, database }: Where, home: string): Promise<ChildProcess> {
  const argv = ['serve', '--role', 'worker', '--port', '0', '--json', '--jobs', String(JOBS)]
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    ...(database ? { AMBIT_DATABASE_URL: database.url } : { AMBIT_DB: db }),
  }
  const stdio = ['ignore', 'pipe', 'inherit'] as const
  const child = spawn(process.execPath, ['src/bin.ts', ...argv], { env, stdio: [...stdio] })
  await once(child.stdout, 'data')
  return child
}

interface Run {
  readonly owner: string
  readonly id: string
}

const researchOf = (engine: Engine, owner: string) => engine.as({ name: owner, scopes: ['research'] }).research()

async function prepared(engine: Engine, count: number): Promise<Run[]> {
  const runs: Run[] = []
  for (let run = 0; run < count; run++) {
    const owner = `owner ${run % OWNERS}`
    const research = await researchOf(engine, owner)
    const { session_id: id } = await research.create({ question: QUESTION, extractive: true })
    for (const [name, text] of Object.entries(FILES)) {
      await research.addFile(id, { name, type: 'text/markdown', bytes: new TextEncoder().encode(text) })
    }
    runs.push({ owner, id })
  }
  return runs
}

async function finished(engine: Engine, runs: readonly Run[]): Promise<void> {
  for (const { owner, id } of runs) await (await researchOf(engine, owner)).start(id)
  for (const { owner, id } of runs) {
    const { runs: store } = (await engine.as({ name: owner, scopes: ['research'] }).library()).port
    while ((await store.get(id))?.status !== 'completed') await sleep(20)
  }
}
