import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { ContextError, orElse, throwIfAborted } from '../../core/errors.ts'
import { type Database, execute, type Part, queryColumn, type Statements, selectColumn } from './statement.ts'

/** Durations of a lease (the temporary right of one process to do some work), in milliseconds. */
export interface LeaseTimes {
  /** Another process may take over after this time without a renewal. */
  readonly lastsMs: number
  /** Time between two renewals. */
  readonly renewedMs: number
}

const TIMES: LeaseTimes = { lastsMs: 30_000, renewedMs: 5_000 }
const POLL_MS = 50

/** The name of a lease: the kind of work, with its collection, session or conversation. */
export type LeaseName =
  | `index ${string}`
  | 'merge'
  | 'embed'
  | `indexing ${string}`
  | `research ${string}`
  | `answer ${string}`

/**
 * The lease for writing the index of a collection. The lease is deleted when the collection is removed or renamed,
 * because another collection may get the name.
 */
export function indexLease(collection: string): LeaseName {
  return `index ${collection}`
}

/** The row of a lease that has not expired. */
export type HeldLease = Readonly<Record<'name' | 'holder', string>>

/** The names of the collections that living processes index under these leases. */
export function collectionsIn(leases: readonly HeldLease[]): string[] {
  const prefix = indexLease('')
  const heldLeases = leases.filter(({ name, holder }) => name.startsWith(prefix) && isAlive(holder))
  return heldLeases.map(({ name }) => name.slice(prefix.length))
}

/** The lease for an answer in a conversation. Ids of conversations contain no blanks. */
export function answerLease(owner: string, conversation: string): LeaseName {
  return `answer ${conversation} ${owner}`
}

/** The error when this process already answers in the conversation, perhaps with an expired lease. */
export function answeringError(conversation: string): ContextError {
  const hint = 'Wait until the answer is complete, or stop it.'
  return new ContextError('conflict', `This process is ${describeWork(`answer ${conversation}`).doing}.`, { hint })
}

/** Takes a lease that is free, has expired, or belongs to the holder in the last value (a dead process). */
const TAKE = `
  INSERT INTO ambit.leases AS l (name, holder, expires) VALUES (?, ?, {now} + ?)
  ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires = excluded.expires
  WHERE l.expires <= {now} OR l.holder = ?`

const RENEW = 'UPDATE ambit.leases SET expires = {now} + ? WHERE name = ? AND holder = ?'
const RELEASE = 'DELETE FROM ambit.leases WHERE name = ? AND holder = ?'
const HOLDER_OF = 'SELECT holder FROM ambit.leases WHERE name = ?'

interface LeaseOptions {
  readonly times?: LeaseTimes | undefined
  /** Called when another process has the lease, or its row is gone. */
  readonly onLost?: (() => void) | undefined
  /**
   * `admit` runs in the write that takes the lease, and throws to refuse the lease. Writes of the same `part` run one
   * after the other.
   */
  readonly admission?: { readonly part: Part; readonly admit: () => Statements<void> } | undefined
}

/**
 * The right of one process to do some work. The process renews the lease, and loses the lease some time after it stops
 * renewing. The row of the lease contains the holder: JSON with a random id, the process id and the host name.
 */
export class Lease {
  readonly #database: Database
  readonly #name: LeaseName
  readonly #options: LeaseOptions
  readonly #times: LeaseTimes
  /** The holder as in the row, while this process holds the lease; else undefined. */
  holder: string | undefined

  constructor(database: Database, name: LeaseName, options: LeaseOptions = {}) {
    this.#database = database
    this.#name = name
    this.#options = options
    this.#times = options.times ?? TIMES
  }

  /**
   * Runs `work` while this process holds the lease. @throws ContextError `conflict` if another process still holds it after
   * `waitMs`; `cancelled`.
   */
  async hold<Value>(waitMs: number, work: () => Promise<Value>, signal?: AbortSignal): Promise<Value> {
    const id = randomUUID()
    const holder = JSON.stringify({ id, pid: process.pid, host: hostname() })
    activeIds.add(id)
    try {
      await this.#waitFor(holder, waitMs, signal)
    } catch (error) {
      activeIds.delete(id)
      throw error
    }
    this.holder = holder
    const renewal = setInterval(this.#renewal(holder), this.#times.renewedMs)
    renewal.unref()
    try {
      return await work()
    } finally {
      clearInterval(renewal)
      activeIds.delete(id)
      this.holder = undefined
      // If the release fails, the lease expires by itself.
      await ignoreFailure(this.#database.writeOne(RELEASE, this.#name, holder))
    }
  }

  async #waitFor(holder: string, waitMs: number, signal?: AbortSignal): Promise<void> {
    const deadline = Date.now() + waitMs
    while (!(await this.#take(holder))) {
      throwIfAborted(signal)
      if (Date.now() >= deadline) throw heldLeaseError(this.#name, await this.#readHolder())
      await sleep(POLL_MS)
    }
  }

  /**
   * Tries to take the lease, and returns whether it succeeded. A single statement takes the lease, so only one of many
   * simultaneous attempts succeeds.
   */
  async #take(holder: string): Promise<boolean> {
    const { admission } = this.#options
    const valuesToTake = (currentHolder: string | undefined) => this.#valuesToTake(holder, currentHolder)
    if (!admission) return (await this.#database.writeOne(TAKE, ...valuesToTake(await this.#readHolder()))) > 0
    const name = this.#name
    return this.#database.write(admission.part, function* () {
      yield* admission.admit()
      const [currentHolder] = yield* selectColumn<string>(HOLDER_OF, name)
      return (yield* execute(TAKE, ...valuesToTake(currentHolder))) > 0
    })
  }

  /**
   * The values of `TAKE`. `currentHolder`: the holder in the row. The lease of a dead process of this machine is free at once.
   */
  #valuesToTake(holder: string, currentHolder: string | undefined) {
    const deadHolder = currentHolder !== undefined && !isAlive(currentHolder) ? currentHolder : ''
    return [this.#name, holder, this.#times.lastsMs, deadHolder] as const
  }

  #readHolder(): Promise<string | undefined> {
    return this.#database.read(queryColumn<string>(HOLDER_OF, this.#name), ([holder]) => holder)
  }

  /** Runs statements as a write, after `assertHeld`. */
  write<Result>(part: Part, statements: () => Statements<Result>): Promise<Result> {
    const assertThisHeld = () => this.assertHeld()
    return this.#database.write(part, function* () {
      yield* assertThisHeld()
      return yield* statements()
    })
  }

  /**
   * Within a write: throws if this object held the lease and lost it, for example because this process was suspended
   * too long. If it does not throw, no process can take over before the write ends.
   */
  *assertHeld(): Statements<void> {
    if (this.holder === undefined) return
    const [holder] = yield* selectColumn<string>(`${HOLDER_OF} {forShare}`, this.#name)
    if (holder !== this.holder) throw lostLeaseError(this.#name, holder)
  }

  /** As `assertHeld`, without a write. */
  async assertStillHeld(): Promise<void> {
    if (this.holder === undefined) return
    const holder = await this.#readHolder()
    if (holder !== this.holder) throw lostLeaseError(this.#name, holder)
  }

  /** The holder; undefined if its process has ended or its lease has expired. */
  findLiving(): Promise<string | undefined> {
    const query = queryColumn<string>(`${HOLDER_OF} AND expires > {now}`, this.#name)
    return this.#database.read(query, ([holder]) => (holder !== undefined && isAlive(holder) ? holder : undefined))
  }

  /**
   * Returns a function that renews the lease. A failed renewal is ignored: either the next renewal is in time, or the next write
   * fails.
   */
  #renewal(holder: string): () => Promise<void> {
    let isRenewing = false
    // One renewal at a time, because renewals that wait for a write would take all connections.
    return async () => {
      if (isRenewing) return
      isRenewing = true
      const renewed = await ignoreFailure(this.#database.writeOne(RENEW, this.#times.lastsMs, this.#name, holder))
      if (renewed === 0 && this.holder === holder) this.#options.onLost?.()
      isRenewing = false
    }
  }
}

/** As `Lease.assertHeld`. Does nothing if `lease` is undefined. */
export function* assertHeld(lease: Lease | undefined): Statements<void> {
  if (lease) yield* lease.assertHeld()
}

/** The id of a holder, which is unique. */
export function idOfHolder(holder: string): string {
  return JSON.parse(holder).id
}

/**
 * Ids of the holders in this process whose work has not ended. The lease of another holder in this process is free,
 * even if its row still exists.
 */
const activeIds = new Set<string>()

/**
 * Whether the process of a holder is alive and still works under the lease. True for a process of another machine, because its
 * state is unknown.
 */
export function isAlive(holder: string): boolean {
  const { id, pid, host } = JSON.parse(holder)
  if (host !== hostname()) return true
  if (pid === process.pid) return activeIds.has(id)
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

function ignoreFailure(work: Promise<number>): Promise<number | undefined> {
  return orElse(work, () => undefined)
}

/** The error for a write after the lease was lost. `holder`: the new holder, if there is one. */
function lostLeaseError(name: LeaseName, holder: string | undefined): ContextError {
  const { doing, command: again, target } = describeWork(name)
  const hint = `Run "ambit ${again}" again: it does only what is missing.`
  const end = target === undefined ? 'has ended' : `has ended, or ${target} was removed or renamed`
  const newState = holder === undefined ? end : `is ${doing}`
  return new ContextError('conflict', `Another process has taken over, and ${newState}.`, { hint })
}

function heldLeaseError(name: LeaseName, holder: string | undefined): ContextError {
  const hint = 'Wait until it is done, then run this again.'
  const message = `Another process is ${describeWork(name).doing} (${describeHolder(holder)}).`
  return new ContextError('conflict', message, { hint })
}

/**
 * The work under a lease in words, and the command for it. `target`: the collection, which may be removed meanwhile.
 */
function describeWork(lease: LeaseName) {
  const [kind, ...words] = lease.split(' ')
  const subject = words.join(' ')
  if (kind === 'index' || kind === 'indexing') {
    return { doing: `indexing ${subject}`, command: `index ${subject}`, target: subject }
  }
  if (kind === 'research')
    return { doing: `working on research session ${subject}`, command: `research resume ${subject}` }
  if (kind === 'answer')
    return { doing: `giving an answer in conversation ${words[0]}`, command: `chat --resume ${words[0]}` }
  return kind === 'merge' ? { doing: 'merging the index', command: 'index' } : { doing: 'embedding', command: 'embed' }
}

function describeHolder(holder: string | undefined): string {
  if (holder === undefined) return 'it has just ended'
  const { pid, host } = JSON.parse(holder)
  return host === hostname() ? `process ${pid}` : `process ${pid} on ${host}`
}
