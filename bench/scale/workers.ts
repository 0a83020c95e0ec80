import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Config } from '../../src/engine/config.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { openWith } from '../../src/open.ts'
import { AS_DEBIAN, OwnPostgres } from '../../test/support/own-postgres.ts'
import { tree } from '../../test/support/tree.ts'
import { mostMemory } from '../memory.ts'

/** How many workers there are on PostgreSQL. */
const WORKERS = [1, 2, 4]

/** Runs of research at once of a worker. */
export const JOBS = 4

/** What works, seen by who asks it to. */
export interface Workplace {
  /** One that leaves the work to the workers. */
  readonly engine: Engine
  readonly workers: number
}

/** The column that each row ends with. */
export const PEAK = 'peak MB, worker'

/** Figures of one process on SQLite, then of one, two and four workers on PostgreSQL: a row each, with `PEAK` at its end. */
export async function byWorkers(measured: (place: Workplace) => Promise<readonly string[]>): Promise<string[][]> {
  using directory = tree({})
  await using server = await OwnPostgres.start(AS_DEBIAN)
  const row = async (where: Where, workers: number) =>
    withWorkers(where, { workers, home: directory.base }, (engine) => measured({ engine, workers }))
  const rows = [['SQLite, one process', ...(await row({ db: directory.at('ambit.db') }, 1))]]
  for (const workers of WORKERS) {
    const database = { url: await server.database() }
    rows.push([`PostgreSQL, ${workers} of them`, ...(await row({ database }, workers))])
  }
  return rows
}

type Where = Pick<Config, 'db' | 'database'>

async function withWorkers(
  where: Where,
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

async function worker({ db, database }: Where, home: string): Promise<ChildProcess> {
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

export async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1000
}
