import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import { ContextError } from '../../core/errors.ts'
import type { Part, QueryStatement, StatementValue } from '../statements/statement.ts'
import { codeOf } from '../statements/trouble-table.ts'
import { guardPostgres, isConnectionGone, isWriteConflict, UnknownCommit } from './errors.ts'
import { encodeValue, translateText } from './values.ts'

/** Statements, within a transaction or each by itself. */
export interface Queries {
  ask(query: QueryStatement): Promise<unknown>
  /** The first column of all rows. */
  column<Item>(text: string, ...values: readonly StatementValue[]): Promise<Item[]>
  /** Returns how many rows changed. */
  run(text: string, ...values: readonly StatementValue[]): Promise<number>
}

function queriesOver(ask: Queries['ask']): Queries {
  return {
    ask,
    column: async <Item>(text: string, ...values: readonly StatementValue[]) =>
      (await ask({ kind: 'column', text, values })) as Item[],
    run: async (text, ...values) => (await ask({ kind: 'change', text, values })) as number,
  }
}

async function askClient(client: PoolClient, { kind, text, values }: QueryStatement): Promise<unknown> {
  const sql = { text: translateText(typeof text === 'string' ? text : text.postgres), values: values.map(encodeValue) }
  if (kind === 'column') return (await client.query<[unknown]>({ ...sql, rowMode: 'array' })).rows.map(([item]) => item)
  const { rows, rowCount } = await client.query(sql)
  return kind === 'change' ? (rowCount ?? 0) : kind === 'row' ? rows[0] : rows
}

/** Number of counters in `changes` for parts of one kind: with one, all their writers would wait for its row. */
const SHARDS = 16

/** Maximum attempts at work that fails because the connection is dead or because two transactions conflict. */
const MAX_TRIES = 3

/** Maximum milliseconds of the first pause before a conflicting transaction runs again. */
const CONFLICT_PAUSE_MS = 50

/** Whether work that failed may run again. */
type RetryTest = (error: unknown) => boolean

/** A pool of connections. Its errors say what to do. */
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
    const { column, run } = queriesOver((query) => this.ask(query))
    this.column = column
    this.run = run
  }

  ask(query: QueryStatement): Promise<unknown> {
    const work = (client: PoolClient) => askClient(client, query)
    return query.kind === 'change' ? this.#retry(work, isWriteConflict) : this.#retryRead(work)
  }

  readonly column: Queries['column']
  readonly run: Queries['run']

  /** Several reads as of one moment. */
  read<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result> {
    return this.#retryRead(this.#inSnapshot(work))
  }

  /** As `read`, for work that cannot run again. */
  readOnce<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result> {
    return guardPostgres(this.name, () => this.#withClient(this.#inSnapshot(work)))
  }

  /**
   * Runs a write, completely or not at all. Writes of one part run one after the other. After a conflict, the work is undone and runs
   * again, so it must change nothing but rows, and its input must be readable twice.
   */
  write<Result>(part: Part, work: (queries: Queries) => Promise<Result>): Promise<Result> {
    const mayRetry = (error: unknown) => isErrorOfBegin(error) || isWriteConflict(error)
    return this.#write(`ambit ${part}`, countWork(part, work), mayRetry)
  }

  /** As `write`, for work that cannot run again. */
  writeOnce<Result>(part: Part, work: (queries: Queries) => Promise<Result>): Promise<Result> {
    return this.#write(`ambit ${part}`, countWork(part, work), isErrorOfBegin)
  }

  /** Runs a change of the schema, completely or not at all, while no other process changes it. */
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

  /** A read may always run again. */
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
      // A broken connection must not be used again: its next user would get the answer to this query.
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
/** As `LOCK`, for a session: a process that is suspended in the transaction blocks the next one for at most ten seconds. */
const LOCK_BRIEFLY = `${LOCK}, set_config('idle_in_transaction_session_timeout', '10s', true)`

const COUNT_CHANGE = `
  INSERT INTO ambit.changes AS c (what, count) VALUES ($1, 1) ON CONFLICT (what) DO UPDATE SET count = c.count + 1`

const BEGIN_SNAPSHOT = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'
const BEGIN_WRITE = 'BEGIN ISOLATION LEVEL READ COMMITTED'

/** Adds to the work that it counts a change of its part. */
function countWork<Result>(part: Part, work: (queries: Queries) => Promise<Result>) {
  const counterName =
    part.includes(' ') || part === 'research' ? `${part.split(' ')[0]} ${Math.floor(Math.random() * SHARDS)}` : part
  return async (queries: Queries): Promise<Result> => {
    const result = await work(queries)
    await queries.run(COUNT_CHANGE, counterName)
    return result
  }
}

/** Whether an error says that an open connection ended. False for a connection that could not be opened. */
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
    result = await work(queriesOver((query) => askClient(client, query)))
  } catch (error) {
    // A broken connection is closed, which also rolls back.
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

/** Whether the connection was dead before the transaction began, so that nothing was done. */
function isErrorOfBegin(error: unknown): boolean {
  return isConnectionLost(error) && errorsOfBegin.has(Object(error))
}
