import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import { ContextError } from '../../core/errors.ts'
import type { Part, QueryStatement, StatementValue } from '../statements/statement.ts'
import { codeOf } from '../statements/trouble-table.ts'
import { guardPostgres, isConnectionGone, isWriteConflict, UnknownCommit } from './errors.ts'
import { encodeValue, translateText } from './values.ts'

/** Runs statements, within one transaction, or each in its own transaction. */
export interface Queries {
  ask(query: QueryStatement): Promise<unknown>
  /** The first column of all rows. */
  column<Item>(text: string, ...values: readonly StatementValue[]): Promise<Item[]>
  /** Returns the number of changed rows. */
  run(text: string, ...values: readonly StatementValue[]): Promise<number>
}

function createQueries(ask: Queries['ask']): Queries {
  return {
    ask,
    column: async <Item>(text: string, ...values: readonly StatementValue[]) =>
      (await ask({ kind: 'column', text, values })) as Item[],
    run: async (text, ...values) => (await ask({ kind: 'change', text, values })) as number,
  }
}

async function runOnClient(client: PoolClient, { kind, text, values }: QueryStatement): Promise<unknown> {
  const sql = { text: translateText(typeof text === 'string' ? text : text.postgres), values: values.map(encodeValue) }
  if (kind === 'column') return (await client.query<[unknown]>({ ...sql, rowMode: 'array' })).rows.map(([item]) => item)
  const { rows, rowCount } = await client.query(sql)
  return kind === 'change' ? (rowCount ?? 0) : kind === 'row' ? rows[0] : rows
}

/**
 * Number of rows of the table `changes` that together count the writes to one kind of part (`Part`). With a single row,
 * all writers would wait for its lock.
 */
const SHARDS = 16

/** Maximum number of attempts if the connection is dead or two transactions conflict. */
const MAX_TRIES = 3

/** Maximum milliseconds of the first pause before a conflicting transaction is retried. */
const CONFLICT_PAUSE_MS = 50

/** Tests whether work that failed with this error may be retried. */
type RetryTest = (error: unknown) => boolean

/** Runs statements over a pool of connections. Errors are ContextErrors with hints. */
export class Sql implements Queries {
  /** The name of the database in messages: its URL without the password. */
  readonly name: string
  readonly #pool: Pool
  readonly #settings: string

  /** `settings`: statements that run at the beginning of each transaction. */
  constructor(pool: Pool, name: string, settings = '') {
    this.#pool = pool
    this.name = name
    this.#settings = settings
    const { column, run } = createQueries((query) => this.ask(query))
    this.column = column
    this.run = run
  }

  ask(query: QueryStatement): Promise<unknown> {
    const work = (client: PoolClient) => runOnClient(client, query)
    return query.kind === 'change' ? this.#retry(work, isWriteConflict) : this.#retryRead(work)
  }

  readonly column: Queries['column']
  readonly run: Queries['run']

  /** Runs several reads that see the database as of one moment. */
  read<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result> {
    return this.#retryRead(this.#inSnapshot(work))
  }

  /** As `read`, for work that cannot be retried. */
  readOnce<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result> {
    return guardPostgres(this.name, () => this.#withClient(this.#inSnapshot(work)))
  }

  /**
   * Runs a write atomically. Writes of one part run one after the other. After a conflict, undoes `work` and runs it
   * again, so `work` must have no effects other than its statements, and must be able to read its input twice.
   */
  write<Result>(part: Part, work: (queries: Queries) => Promise<Result>): Promise<Result> {
    const mayRetry = (error: unknown) => isErrorOfBegin(error) || isWriteConflict(error)
    return this.#write(`ambit ${part}`, withChangeCount(part, work), mayRetry)
  }

  /** As `write`, for work that cannot be retried. */
  writeOnce<Result>(part: Part, work: (queries: Queries) => Promise<Result>): Promise<Result> {
    return this.#write(`ambit ${part}`, withChangeCount(part, work), isErrorOfBegin)
  }

  /** Runs a change of the schema atomically, while no other process changes the schema. */
  migration<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result> {
    return this.#write('ambit schema', work, isErrorOfBegin)
  }

  #inSnapshot<Result>(work: (queries: Queries) => Promise<Result>): (client: PoolClient) => Promise<Result> {
    return (client) => transaction(client, { begin: BEGIN_SNAPSHOT, settings: this.#settings }, work)
  }

  #write<Result>(lock: string, work: (queries: Queries) => Promise<Result>, mayRetry: RetryTest): Promise<Result> {
    const lockedWork = async (queries: Queries) => {
      await queries.run(lock.startsWith('ambit session ') ? LOCK_BRIEFLY : LOCK, lock)
      return work(queries)
    }
    const options = { begin: BEGIN_WRITE, settings: this.#settings } as const
    return this.#retry((client) => transaction(client, options, lockedWork), mayRetry)
  }

  /** Reads may always be retried. */
  #retryRead<Result>(work: (client: PoolClient) => Promise<Result>): Promise<Result> {
    return this.#retry(work, (error) => isConnectionLost(error) || isWriteConflict(error))
  }

  #retry<Result>(work: (client: PoolClient) => Promise<Result>, mayRetry: RetryTest): Promise<Result> {
    return guardPostgres(this.name, async () => {
      for (let tries = 1; ; tries++) {
        try {
          return await this.#withClient(work)
        } catch (error) {
          if (tries >= MAX_TRIES || !mayRetry(error)) throw error
          if (isWriteConflict(error)) await sleep(Math.random() * CONFLICT_PAUSE_MS * tries)
        }
      }
    })
  }

  async #withClient<Result>(work: (client: PoolClient) => Promise<Result>): Promise<Result> {
    const client = await this.#pool.connect()
    try {
      return await work(client)
    } catch (error) {
      // A broken connection must not be reused: its next user would get the answer to this query.
      if (!(error instanceof ContextError) && isConnectionGone(error)) brokenClients.add(client)
      throw error
    } finally {
      client.release(brokenClients.has(client))
    }
  }

  async close(): Promise<void> {
    if (!this.#pool.ended) await this.#pool.end()
  }
}

const LOCK = 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))'
/** As `LOCK`, for a session. A process that is suspended in the transaction blocks other processes for at most ten seconds. */
const LOCK_BRIEFLY = `${LOCK}, set_config('idle_in_transaction_session_timeout', '10s', true)`

const COUNT_CHANGE = `
  INSERT INTO ambit.changes AS c (what, count) VALUES ($1, 1) ON CONFLICT (what) DO UPDATE SET count = c.count + 1`

const BEGIN_SNAPSHOT = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'
const BEGIN_WRITE = 'BEGIN ISOLATION LEVEL READ COMMITTED'

/** Returns `work` with a last statement that counts a change of the part. */
function withChangeCount<Result>(part: Part, work: (queries: Queries) => Promise<Result>) {
  const counterName =
    part.includes(' ') || part === 'research' ? `${part.split(' ')[0]} ${Math.floor(Math.random() * SHARDS)}` : part
  return async (queries: Queries): Promise<Result> => {
    const result = await work(queries)
    await queries.run(COUNT_CHANGE, counterName)
    return result
  }
}

/** Whether an error means that an open connection was lost. False for a connection that could not be opened. */
function isConnectionLost(error: unknown): boolean {
  const isCode = /^(57P01|57P05|08006|ECONNRESET|EPIPE)$/.test(codeOf(error) ?? '')
  return isCode || /connection terminated|not queryable/i.test(String(error))
}

async function transaction<Result>(
  client: PoolClient,
  { begin, settings }: { readonly begin: typeof BEGIN_SNAPSHOT | typeof BEGIN_WRITE; readonly settings: string },
  work: (queries: Queries) => Promise<Result>,
): Promise<Result> {
  try {
    await client.query(settings === '' ? begin : `${begin}; ${settings}`)
  } catch (error) {
    errorsOfBegin.add(Object(error))
    throw error
  }
  let result: Result
  try {
    result = await work(createQueries((query) => runOnClient(client, query)))
  } catch (error) {
    // A broken connection is closed, which also rolls the transaction back.
    if (!(error instanceof ContextError) && isConnectionGone(error)) brokenClients.add(client)
    else await client.query('ROLLBACK').catch(() => brokenClients.add(client))
    throw error
  }
  try {
    await client.query('COMMIT')
  } catch (error) {
    throw isConnectionGone(error) && begin !== BEGIN_SNAPSHOT ? new UnknownCommit(error) : error
  }
  return result
}

/** Connections that must not be used again. */
const brokenClients = new WeakSet<PoolClient>()

/** Errors of the statement that begins a transaction. */
const errorsOfBegin = new WeakSet<object>()

/** Whether the connection was lost before the transaction began, so that nothing was done. */
function isErrorOfBegin(error: unknown): boolean {
  return isConnectionLost(error) && errorsOfBegin.has(Object(error))
}
