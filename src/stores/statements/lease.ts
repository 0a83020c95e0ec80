import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { ContextError, throwIfAborted } from '../../core/errors.ts'
import { type Database, execute, type Part, queryColumn, type Statements, selectColumn } from './statement.ts'

/** Milliseconds. */
export interface LeaseTimes {
  /** Time without a renewal after which another process takes over. */
  readonly lastsMs: number
  readonly renewedMs: number
}

const TIMES: LeaseTimes = { lastsMs: 30_000, renewedMs: 5_000 }
const POLL_MS = 50

/** The subject of a lease: the command of its holder, with the collection or the session. */
export type Work =
  | `index ${string}`
  | 'merge'
  | 'embed'
  | `indexing ${string}`
  | `research ${string}`
  | `answer ${string}`

/** The work on a collection. Removing or renaming the collection deletes the lease: its name may mean another collection then. */
export function indexWork(collection: string): Work {
  return `index ${collection}`
}

/** The row of a lease that has not expired. */
export interface HeldLease {
  readonly name: string
  readonly holder: string
}

/** The collections with a living process under one of these leases. */
export function collectionsIn(leases: readonly HeldLease[]): string[] {
  const begin = indexWork('')
  const held = leases.filter(({ name, holder }) => name.startsWith(begin) && isAlive(holder))
  return held.map(({ name }) => name.slice(begin.length))
}

/** An answer in a conversation. The id has no blanks. */
export function answerWork(owner: string, conversation: string): Work {
  return `answer ${conversation} ${owner}`
}

/** The error when this process itself answers there, perhaps with an expired lease. */
export function answeredHere(conversation: string): ContextError {
  const hint = 'Wait until it is there, or stop it.'
  return new ContextError('conflict', `This process is ${describeWork(`answer ${conversation}`).doing}.`, { hint })
}

/** Sets the holder of a free row, or of one whose holder has ended. */
const TAKE = `
  INSERT INTO ambit.leases AS l (name, holder, expires) VALUES (?, ?, {now} + ?)
  ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires = excluded.expires
  WHERE l.expires <= {now} OR l.holder = ?`

const RENEW = 'UPDATE ambit.leases SET expires = {now} + ? WHERE name = ? AND holder = ?'
const RELEASE = 'DELETE FROM ambit.leases WHERE name = ? AND holder = ?'
const HOLDER = 'SELECT holder FROM ambit.leases WHERE name = ?'

interface LeaseOptions {
  readonly times?: LeaseTimes | undefined
  /** Called when another process has the lease, or its row is gone. */
  readonly lost?: (() => void) | undefined
  /** Decides within the write that takes the lease, one write of the part at a time. It throws to refuse. */
  readonly admission?: { readonly part: Part; readonly admit: () => Statements<void> } | undefined
}

/** The right to do some work: one process holds it, and loses it when it stops. Its row names the holder. */
export class Lease {
  readonly #database: Database
  readonly #work: Work
  readonly #options: LeaseOptions
  readonly #times: LeaseTimes
  /** The holder in the row, while this process holds the lease. */
  holder: string | undefined

  constructor(database: Database, work: Work, options: LeaseOptions = {}) {
    this.#database = database
    this.#work = work
    this.#options = options
    this.#times = options.times ?? TIMES
  }

  /** Runs `work` while this process holds the lease. @throws ContextError `conflict` when another keeps it; `cancelled`. */
  async hold<Value>(waitMs: number, work: () => Promise<Value>, signal?: AbortSignal): Promise<Value> {
    const id = randomUUID()
    const holder = JSON.stringify({ id, pid: process.pid, host: hostname() })
    holding.add(id)
    try {
      await this.#waitFor(holder, waitMs, signal)
    } catch (error) {
      holding.delete(id)
      throw error
    }
    this.holder = holder
    const renewal = setInterval(this.#renewal(holder), this.#times.renewedMs)
    renewal.unref()
    try {
      return await work()
    } finally {
      clearInterval(renewal)
      holding.delete(id)
      this.holder = undefined
      // After a failure the lease expires.
      await ignoreFailure(() => this.#database.writeOne(RELEASE, this.#work, holder))
    }
  }

  async #waitFor(holder: string, waitMs: number, signal?: AbortSignal): Promise<void> {
    const until = Date.now() + waitMs
    while (!(await this.#take(holder))) {
      throwIfAborted(signal)
      if (Date.now() >= until) throw heldLeaseError(this.#work, await this.#readHolder())
      await sleep(POLL_MS)
    }
  }

  /** Returns whether it was taken. It is one statement, so one of many simultaneous attempts succeeds. */
  async #take(holder: string): Promise<boolean> {
    const { admission } = this.#options
    const valuesToTake = (known: string | undefined) => this.#valuesToTake(holder, known)
    if (!admission) return (await this.#database.writeOne(TAKE, ...valuesToTake(await this.#readHolder()))) > 0
    const work = this.#work
    return this.#database.write(admission.part, function* () {
      yield* admission.admit()
      const [known] = yield* selectColumn<string>(HOLDER, work)
      return (yield* execute(TAKE, ...valuesToTake(known))) > 0
    })
  }

  /** `known`: the holder in the row. A lease of a dead process of this machine is free at once. */
  #valuesToTake(holder: string, known: string | undefined) {
    const dead = known !== undefined && !isAlive(known) ? known : ''
    return [this.#work, holder, this.#times.lastsMs, dead] as const
  }

  #readHolder(): Promise<string | undefined> {
    return this.#database.read(queryColumn<string>(HOLDER, this.#work), ([holder]) => holder)
  }

  /**
   * Within a write: throws if another process has taken over, because this one was suspended too long. No process can take over
   * before the write ends.
   */
  *assertHeld(): Statements<void> {
    if (this.holder === undefined) return
    const [holder] = yield* selectColumn<string>(`${HOLDER} {forShare}`, this.#work)
    if (holder !== this.holder) throw lostLeaseError(this.#work, holder)
  }

  /** As `assertHeld`, without a write. */
  async assertStillHeld(): Promise<void> {
    if (this.holder === undefined) return
    const holder = await this.#readHolder()
    if (holder !== this.holder) throw lostLeaseError(this.#work, holder)
  }

  /** The holder; undefined if its process has ended or its lease has expired. */
  findLiving(): Promise<string | undefined> {
    const query = queryColumn<string>(`${HOLDER} AND expires > {now}`, this.#work)
    return this.#database.read(query, ([holder]) => (holder !== undefined && isAlive(holder) ? holder : undefined))
  }

  /** Renews the lease. After a failure the next renewal may be in time; else the next write fails. */
  #renewal(holder: string): () => Promise<void> {
    let isRenewing = false
    // One at a time: renewals that wait for a write would take all connections.
    return async () => {
      if (isRenewing) return
      isRenewing = true
      const renewed = await ignoreFailure(() => this.#database.writeOne(RENEW, this.#times.lastsMs, this.#work, holder))
      if (renewed === 0 && this.holder === holder) this.#options.lost?.()
      isRenewing = false
    }
  }
}

/** As `Lease.assertHeld`, for a process that may not hold a lease. */
export function* assertHeld(lease: Lease | undefined): Statements<void> {
  if (lease) yield* lease.assertHeld()
}

/** The id of a holder, which is unique. */
export function idOfHolder(holder: string): string {
  return JSON.parse(holder).id
}

/** Ids of the holders that still work in this process. One that failed to release its lease is not among them. */
const holding = new Set<string>()

/** Whether the process lives; true for a process of another machine, whose state is unknown. */
export function isAlive(holder: string): boolean {
  const { id, pid, host } = JSON.parse(holder)
  if (host !== hostname()) return true
  if (pid === process.pid) return holding.has(id)
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

async function ignoreFailure<Value>(work: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ContextError)) throw error
    return undefined
  }
}

/** The error for a write after the lease was lost. `holder`: the new one, if any. */
function lostLeaseError(work: Work, holder: string | undefined): ContextError {
  const { doing, again, target } = describeWork(work)
  const hint = `Run "ambit ${again}" again: what is missing is done then.`
  const over = target === undefined ? 'has ended' : `has ended, or ${target} was removed or renamed`
  const now = holder === undefined ? over : `is ${doing}`
  return new ContextError('conflict', `Another process has taken over, and ${now}.`, { hint })
}

function heldLeaseError(work: Work, holder: string | undefined): ContextError {
  const hint = 'Wait until it is done, then run this again.'
  const message = `Another process is ${describeWork(work).doing} (${describeHolder(holder)}).`
  return new ContextError('conflict', message, { hint })
}

/** The activity of the holder, and the command for it. */
function describeWork(work: Work): { readonly doing: string; readonly again: string; readonly target?: string } {
  const [what, ...of] = work.split(' ')
  const name = of.join(' ')
  if (what === 'index' || what === 'indexing') {
    return { doing: `indexing ${name}`, again: `index ${name}`, target: name }
  }
  if (what === 'research') return { doing: `working at research session ${name}`, again: `research resume ${name}` }
  if (what === 'answer') return { doing: `giving an answer in conversation ${of[0]}`, again: `chat --resume ${of[0]}` }
  return what === 'merge'
    ? { doing: 'putting the index together', again: 'index' }
    : { doing: 'embedding', again: 'embed' }
}

function describeHolder(holder: string | undefined): string {
  if (holder === undefined) return 'it has just ended'
  const { pid, host } = JSON.parse(holder)
  return host === hostname() ? `process ${pid}` : `process ${pid} on ${host}`
}
