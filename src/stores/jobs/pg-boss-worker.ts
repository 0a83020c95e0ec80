import { setTimeout as sleep } from 'node:timers/promises'
import type { Job as Claim, PgBoss } from 'pg-boss'
import { HANDED_OVER, type Job, type JobKind, LOST, MOST_EACH, type Worker } from '../jobs.ts'

/** Where pg-boss has its tables. */
export const SCHEMA = 'ambit_jobs'

/** How often is looked for jobs, and the longest pause while the database does not answer. Milliseconds. */
const LOOK_MS = 500
const MOST_PAUSE_MS = 5_000

/** How often is said how far a job is. Milliseconds. */
const NEWS_MS = 500

/** How often it is tried to tell the queue what became of a job, and at the end. Where that fails, its next holder finds it out. */
const SETTLES = { most: 300, last: 4 }

/** A job that fails at once again and again waits a little. Milliseconds. */
const FAILED_MS = 1_000

/** What a job carries. Its data are a text, in which no character is one that the database does not keep. */
export interface Carried extends Pick<Job, 'key' | 'owner'> {
  readonly data?: string
}

/** As pg-boss gives it out: `id` and `retryCount` together name this one attempt at it. */
type Claimed = Claim<Carried>

/** Milliseconds. */
export interface Times {
  readonly heartbeatMs: number
  readonly deadlineMs: number
}

/** A process that was stopped in the middle of it keeps the others waiting for ten seconds. */
const ALONE = `
  SELECT pg_advisory_xact_lock(hashtextextended($1, 0)), set_config('idle_in_transaction_session_timeout', '10s', true)`

/** Of this attempt, while it is worked on: what it comes to takes its place. */
const NEWS = `
  UPDATE ${SCHEMA}.job SET output = $4 WHERE name = $1 AND id = $2 AND retry_count = $3 AND state = 'active'`

/** What is said of a job to whoever waits for it. */
export interface Said {
  /** How far it is. */
  readonly news?: string | undefined
  /** What came of it. */
  readonly answer?: string | undefined
}

/** What a job says, as it is kept with it: texts in which no character is one that the database does not keep. */
function storableOutput(said: Said): object | null {
  const texts = Object.entries(said).filter(([, text]) => text !== undefined)
  return texts.length === 0 ? null : Object.fromEntries(texts.map(([name, text]) => [name, JSON.stringify(text)]))
}

export function saidIn(output: unknown): Said {
  const { news, answer } = Object(output)
  const textOf = (one: unknown) => (typeof one === 'string' ? String(JSON.parse(one)) : undefined)
  return { news: textOf(news), answer: textOf(answer) }
}

interface WorkerParts {
  readonly boss: PgBoss
  readonly kind: JobKind
  readonly queue: string
  readonly worker: Worker
  readonly times: Times
}

interface Held {
  readonly claim: Claimed
  readonly controller: AbortController
  readonly done: Promise<void>
  readonly told: Told
}

/** How far a job says it is, and whether that is kept. */
interface Told {
  news?: string
  isKept: boolean
}

/**
 * Takes jobs of one kind from the queue, shows that it lives, and gives away the jobs of those who do not. Whatever it says of a
 * job it says of the attempt that it was given: where the job was given to another meanwhile, that changes nothing.
 */
export class PgBossWorker {
  readonly #parts: WorkerParts
  readonly #held = new Map<string, Held>()
  readonly #closing = new AbortController()
  readonly #loops: readonly Promise<void>[]
  #wake = () => {}

  constructor(parts: WorkerParts) {
    this.#parts = parts
    const { heartbeatMs } = parts.times
    this.#loops = [
      this.#loop(
        () => this.#take(),
        () => this.#pause(),
      ),
      this.#loop(
        () => this.#beat(),
        () => this.#sleep(heartbeatMs / 4),
      ),
      this.#loop(
        () => this.#tell(),
        () => this.#sleep(NEWS_MS),
      ),
      this.#loop(
        () => this.#reap(),
        () => this.#sleep(Math.min(5_000, heartbeatMs / 3) * (0.75 + Math.random() / 2)),
      ),
    ]
  }

  get kind(): JobKind {
    return this.#parts.kind
  }

  get running(): number {
    return this.#held.size
  }

  /** What it works on goes back to the queue, for another one to take at once. */
  async close(): Promise<void> {
    this.#closing.abort()
    this.#wake()
    const { signal } = this.#closing
    for (const { controller } of this.#held.values()) controller.abort(HANDED_OVER)
    await Promise.all([...this.#held.values()].map(({ done }) => done))
    if (signal.aborted) await Promise.all(this.#loops)
    // What was taken at the last moment.
    for (const { controller } of this.#held.values()) controller.abort(HANDED_OVER)
    await Promise.all([...this.#held.values()].map(({ done }) => done))
  }

  /** While the database does not answer, the pauses become longer. */
  async #loop(step: () => Promise<void>, between: () => Promise<void>): Promise<void> {
    let failures = 0
    while (!this.#closing.signal.aborted) {
      try {
        await step()
        failures = 0
        await between()
      } catch {
        failures++
        await this.#sleep(Math.min(MOST_PAUSE_MS, 200 * 2 ** failures) * (0.5 + Math.random() / 2))
      }
    }
  }

  async #sleep(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#closing.signal }).catch(() => {})
  }

  /** Until there may be something to take. */
  async #pause(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#wake = resolve
    await Promise.race([promise, this.#sleep(LOOK_MS)])
  }

  /** One process at a time, so that all of them together keep to the limit of an owner. */
  async #take(): Promise<void> {
    const { boss, queue, worker } = this.#parts
    const batchSize = worker.most - this.running
    if (batchSize < 1) return
    const transaction = await boss.getDb().beginTransaction?.()
    if (!transaction) return
    let claims: readonly Claimed[]
    try {
      const { db } = transaction
      await db.executeSql(ALONE, [`${SCHEMA} ${queue}`])
      claims = await boss.fetch<Carried>(queue, { batchSize, groupConcurrency: MOST_EACH, db })
      await transaction.commit()
    } catch (error) {
      await transaction.rollback()
      throw error
    }
    for (const claim of claims) this.#begin(claim)
  }

  #begin(claim: Claimed): void {
    const { worker, kind, times } = this.#parts
    const controller = new AbortController()
    const { signal } = controller
    const late = setTimeout(() => controller.abort(HANDED_OVER), times.deadlineMs * 0.95).unref()
    const began = Date.now()
    const { data, ...job } = claim.data
    const told: Told = { isKept: true }
    const tell = (news: string) => void Object.assign(told, { news, isKept: false })
    const task = { ...job, kind, signal, tell, ...(data !== undefined && { data: JSON.parse(data) }) }
    const done = (async () => worker.handler(task))()
      .then(
        (answer) =>
          this.#settle((boss, queue) =>
            boss.complete(
              queue,
              claim,
              storableOutput({ news: told.news, ...(typeof answer === 'string' && { answer }) }),
            ),
          ),
        async () => {
          if (signal.reason !== HANDED_OVER) await this.#sleep(Math.max(0, began + FAILED_MS - Date.now()))
          await this.#settle((boss, queue) => boss.fail(queue, claim))
        },
      )
      .finally(() => {
        clearTimeout(late)
        this.#held.delete(claim.id)
        this.#wake()
      })
    this.#held.set(claim.id, { claim, controller, done, told })
  }

  /** Its job is kept until then, unless this process ends or another one has the job. */
  async #settle(settle: (boss: PgBoss, queue: string) => Promise<unknown>): Promise<void> {
    for (let tries = 1; tries <= (this.#closing.signal.aborted ? SETTLES.last : SETTLES.most); tries++) {
      try {
        await settle(this.#parts.boss, this.#parts.queue)
        return
      } catch {
        await sleep(Math.min(1_000, 100 * 2 ** tries))
      }
    }
  }

  /** Keeps how far jobs are, for those who wait for them: nothing is lost where that fails. */
  async #tell(): Promise<void> {
    const { boss, queue } = this.#parts
    for (const { claim, told } of this.#held.values()) {
      if (told.isKept) continue
      told.isKept = true
      const said = JSON.stringify(storableOutput({ news: told.news }))
      await boss.getDb().executeSql(NEWS, [queue, claim.id, claim.retryCount, said])
    }
  }

  /** Shows that this process lives. Jobs that are not its own any more are let go. */
  async #beat(): Promise<void> {
    const { boss, queue } = this.#parts
    const held = [...this.#held.values()]
    if (held.length === 0) return
    if (affectedIn(await boss.touch(queue, held.map(attemptOf))) === held.length) return
    for (const one of held) {
      if (affectedIn(await boss.touch(queue, attemptOf(one))) === 0) one.controller.abort(LOST)
    }
  }

  /** Gives the jobs of those who show no sign of life to others. By the clock of the database. */
  async #reap(): Promise<void> {
    const { boss, queue, times } = this.#parts
    const select = `
      SELECT id, retry_count AS "retryCount" FROM ${SCHEMA}.job
      WHERE name = $1 AND state = 'active' AND heartbeat_on < now() - $2 * interval '1 millisecond'`
    const { rows } = await boss.getDb().executeSql(select, [queue, times.heartbeatMs])
    const dead = rows.map(({ id, retryCount }) => ({ id: String(id), retryCount: Number(retryCount) }))
    if (dead.length > 0) await boss.fail(queue, dead, { message: 'Its worker does not respond.' })
  }
}

function attemptOf({ claim: { id, retryCount } }: Held): { readonly id: string; readonly retryCount: number } {
  return { id, retryCount }
}

/** Its answers say how many jobs they changed; its types do not. */
function affectedIn(answer: object): number {
  return 'affected' in answer ? Number(answer.affected) : 0
}
