/** The queue in PostgreSQL, by pg-boss, in a schema of its own: any number of processes put jobs in and take them. */

import { setTimeout as sleep } from 'node:timers/promises'
import type { ConstructorOptions, PgBoss, QueueOptions } from 'pg-boss'
import { ContextError, invalidInput, packageError } from '../../core/errors.ts'
import { type Asking, JOB_KINDS, type Job, type JobKind, type Jobs, jobCancelled, type Worker } from '../jobs.ts'
import { type Carried, PgBossWorker, SCHEMA, saidIn, type Times } from './pg-boss-worker.ts'

/** How the queue is opened. */
export interface PgBossOptions {
  readonly url: string
  /** Whether this process takes jobs, too. */
  readonly isWorker: boolean
  /** After so long without a sign of life a job is given to another process. Milliseconds. */
  readonly heartbeatMs?: number
  /** After so long a job goes back to the queue, whoever works on it. Milliseconds. */
  readonly deadlineMs?: number
}

const HEARTBEAT_MS = 15_000
const DEADLINE_MS = 4 * 3600 * 1000

/**
 * Opens it, and makes its tables where there are none.
 *
 * @throws ContextError `invalid-input` where the package `pg-boss` is not installed; `unavailable` where the database cannot be
 * reached.
 */
export async function pgBossJobs(options: PgBossOptions): Promise<Jobs> {
  const { url, isWorker, heartbeatMs = HEARTBEAT_MS, deadlineMs = DEADLINE_MS } = options
  const boss = await startPgBoss({
    connectionString: url,
    schema: SCHEMA,
    application_name: 'ambit jobs',
    max: CONNECTIONS,
    schedule: false,
    supervise: isWorker,
    superviseIntervalSeconds: SUPERVISE,
    monitorIntervalSeconds: SUPERVISE,
    maintenanceIntervalSeconds: 300,
  })
  return new PgBossJobs(boss, { heartbeatMs, deadlineMs })
}

/** How often whoever waits for a job looks whether it is done. Milliseconds. */
const ANSWER_MS = 500

/** By the index of the jobs that wait. The numbers of pg-boss are a minute old at least, and it counts all jobs for them. */
const WAITING = `
  SELECT name, count(*)::int AS count FROM ${SCHEMA}.job
  WHERE name = ANY($1) AND state < 'active' AND NOT blocked GROUP BY name`

const CONNECTIONS = 4
/** Seconds: how often pg-boss itself looks for jobs of the dead. We look more often, and to the millisecond. */
const SUPERVISE = 10

async function startPgBoss(options: ConstructorOptions): Promise<PgBoss> {
  const { PgBoss } = await loadPgBoss()
  const boss = new PgBoss(options)
  // Whatever fails is told to whoever asked for it; without a listener it would end the process.
  boss.on('error', () => {})
  try {
    await boss.start()
    return boss
  } catch (cause) {
    await boss.stop({ graceful: false }).catch(() => {})
    const hint = 'Check that the server runs, and that its user may create the schema "ambit_jobs".'
    throw new ContextError('unavailable', 'The queue of jobs cannot be opened in the database.', { hint, cause })
  }
}

async function loadPgBoss(): Promise<typeof import('pg-boss')> {
  try {
    return await import('pg-boss')
  } catch (cause) {
    const error = packageError(cause, 'A server on PostgreSQL needs the package pg-boss', 'pg-boss')
    // It is not there the next time either: whoever waits for the queue gives up.
    throw error instanceof ContextError ? invalidInput(error.message, error.hint) : error
  }
}

class PgBossJobs implements Jobs {
  readonly isAlone = false
  readonly lookMs = 15_000
  readonly #boss: PgBoss
  readonly #times: Times
  readonly #queues = new Map<JobKind, Promise<string>>()
  readonly #workers: PgBossWorker[] = []
  #isClosed = false

  constructor(boss: PgBoss, times: Times) {
    this.#boss = boss
    this.#times = times
  }

  get running(): number {
    return this.#workers.reduce((sum, worker) => sum + worker.running, 0)
  }

  async enqueue(job: Job): Promise<void> {
    await this.#put(job)
  }

  async ask(job: Job, asking: Asking = {}): Promise<string | undefined> {
    const { kind, key } = job
    const { signal, heard } = asking
    let last: string | undefined
    const id = (await this.#put(job)) ?? (await this.#open(kind, key))[0]?.id
    if (id === undefined) return this.ask(job, asking)
    for (; ; await sleep(ANSWER_MS, undefined, signal && { signal }).catch(() => {})) {
      if (signal?.aborted) {
        await this.cancel(kind, key)
        throw jobCancelled()
      }
      const [found] = await this.#ask((queue) => this.#boss.findJobs<Carried>(queue, { id }), kind)
      const { news, answer } = saidIn(found?.output)
      if (news !== undefined && news !== last) heard?.(news)
      last = news
      if (found && isOpen(found.state)) continue
      if (found?.state !== 'completed') throw jobCancelled()
      return answer
    }
  }

  /** Its id; null where there is one of its kind and key. */
  async #put({ kind, key, owner, data }: Job): Promise<string | null> {
    const carried: Carried = { key, owner, ...(data && { data: JSON.stringify(data) }) }
    const options = { singletonKey: key, group: { id: `/${owner}` } }
    return this.#ask((queue) => this.#boss.send(queue, carried, options), kind)
  }

  /** Those of a key that are not done. */
  async #open(kind: JobKind, key: string) {
    const found = await this.#ask((queue) => this.#boss.findJobs<Carried>(queue, { key }), kind)
    return found.filter(({ state }) => isOpen(state))
  }

  async work(kind: JobKind, worker: Worker): Promise<void> {
    const queue = await askQueue(() => this.#queue(kind))
    // Who began with one kind, and could not with the next, begins again with both.
    if (this.#isClosed || this.#workers.some((one) => one.kind === kind)) return
    this.#workers.push(new PgBossWorker({ boss: this.#boss, kind, queue, worker, times: this.#times }))
  }

  async cancel(kind: JobKind, key: string): Promise<void> {
    const ids = (await this.#open(kind, key)).map(({ id }) => id)
    if (ids.length > 0) await this.#ask((queue) => this.#boss.cancel(queue, ids), kind)
  }

  async state(kind: JobKind, key: string): Promise<'queued' | 'active' | undefined> {
    const states = (await this.#open(kind, key)).map(({ state }) => state)
    return states.includes('active') ? 'active' : states.length > 0 ? 'queued' : undefined
  }

  async waiting(): Promise<Readonly<Record<JobKind, number>>> {
    const { rows } = await askQueue(async () => this.#boss.getDb().executeSql(WAITING, [JOB_KINDS]))
    const of = (kind: JobKind) => Number(rows.find(({ name }) => name === kind)?.count ?? 0)
    return { research: of('research'), index: of('index') }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all(this.#workers.map((worker) => worker.close()))
    await this.#boss.stop({ graceful: false }).catch(() => {})
  }

  async #ask<Answer>(ask: (queue: string) => Promise<Answer>, kind: JobKind): Promise<Answer> {
    return askQueue(async () => ask(await this.#queue(kind)))
  }

  #queue(kind: JobKind): Promise<string> {
    const made = this.#queues.get(kind) ?? this.#made(kind)
    this.#queues.set(kind, made)
    made.catch(() => this.#queues.delete(kind))
    return made
  }

  async #made(kind: JobKind): Promise<string> {
    const { heartbeatMs, deadlineMs } = this.#times
    const settings: QueueOptions = {
      // What pg-boss takes: whole seconds, ten at least.
      heartbeatSeconds: Math.max(10, Math.ceil(heartbeatMs / 1000)),
      expireInSeconds: Math.ceil(deadlineMs / 1000),
      // How often a run may be taken up is for its log to say.
      retryLimit: 1_000_000,
      retryDelay: 0,
      deleteAfterSeconds: 3600,
    }
    await this.#boss.createQueue(kind, { ...settings, policy: 'exclusive' })
    await this.#boss.updateQueue(kind, settings)
    return kind
  }
}

async function askQueue<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask()
  } catch (cause) {
    if (cause instanceof ContextError) throw cause
    const hint = 'Check that the database runs, then try again.'
    throw new ContextError('unavailable', 'The queue of jobs does not answer.', { hint, cause })
  }
}

function isOpen(state: string): boolean {
  return state === 'created' || state === 'retry' || state === 'active'
}
