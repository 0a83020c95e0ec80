import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool, PoolClient, QueryResult } from 'pg'
import { ContextError } from '../../core/errors.ts'
import type { Part } from '../statements/statement.ts'
import { guardPostgres, isClash, isConnectionGone, Unsure } from './errors.ts'
import { encodeValue, translateText, type Value } from './values.ts'

/** Statements, within a transaction or each by itself. */
export interface Queries {
  all<Row>(text: string, ...values: readonly Value[]): Promise<Row[]>
  /** The first column of all rows. */
  column<Item>(text: string, ...values: readonly Value[]): Promise<Item[]>
  /** Returns how many rows changed. */
  run(text: string, ...values: readonly Value[]): Promise<number>
}

/** Rows of `changes` for what many processes write at once: they need not wait for each other to count. */
const SHARDS = 16

/** How often something is tried where the connection turns out to be dead, or another one was in its way. */
const TRIES = 3

/** Those who were in each other's way begin again at different moments: the first pause, at most. Milliseconds. */
const APART_MS = 50

/** A pool of connections, with failures in words. */
export class Sql implements Queries {
  /** Without a password. */
  readonly name: string
  readonly #pool: Pool
  readonly #settings: string

  /** `settings`: statements that each transaction begins with. */
  constructor(pool: Pool, name: string, settings = '') {
    this.#pool = pool
    this.name = name
    this.#settings = settings
  }

  all<Row>(text: string, ...values: readonly Value[]): Promise<Row[]> {
    return this.#reading((client) => new Statements(client).all<Row>(text, ...values))
  }

  column<Item>(text: string, ...values: readonly Value[]): Promise<Item[]> {
    return this.#reading((client) => new Statements(client).column<Item>(text, ...values))
  }

  run(text: string, ...values: readonly Value[]): Promise<number> {
    return this.#again((client) => new Statements(client).run(text, ...values), isClash)
  }

  /** Several reads of one moment. */
  read<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result> {
    return this.#reading(this.#moment(work))
  }

  /** As `read`, for what cannot be begun anew. */
  moment<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result> {
    return guardPostgres(this.name, () => this.#with(this.#moment(work)))
  }

  /**
   * Everything or nothing, one after the other for each part. What the server ends because two were in each other's way is
   * undone, and begun anew: so `work` changes nothing but rows, and is given nothing that it uses up.
   */
  write<Result>(part: Part, work: (queries: Queries) => Promise<Result>): Promise<Result> {
    return this.#writing(`ambit ${part}`, countWork(part, work), (error) => isUnbegun(error) || isClash(error))
  }

  /** As `write`, for what cannot be begun anew. */
  writeOnce<Result>(part: Part, work: (queries: Queries) => Promise<Result>): Promise<Result> {
    return this.#writing(`ambit ${part}`, countWork(part, work), isUnbegun)
  }

  /** Everything or nothing, while no other process does the same. */
  migration<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result> {
    return this.#writing('ambit schema', work, isUnbegun)
  }

  #moment<Result>(work: (queries: Queries) => Promise<Result>): (client: PoolClient) => Promise<Result> {
    return (client) => transaction(client, { begin: MOMENT, settings: this.#settings }, work)
  }

  #writing<Result>(
    lock: string,
    work: (queries: Queries) => Promise<Result>,
    may: (error: unknown) => boolean,
  ): Promise<Result> {
    const locked = async (queries: Queries) => {
      await queries.run(lock.startsWith('ambit session ') ? LOCK_BRIEFLY : LOCK, lock)
      return work(queries)
    }
    return this.#again((client) => transaction(client, { begin: WRITE, settings: this.#settings }, locked), may)
  }

  /** What only reads may be asked again. */
  #reading<Result>(work: (client: PoolClient) => Promise<Result>): Promise<Result> {
    return this.#again(work, (error) => isCut(error) || isClash(error))
  }

  #again<Result>(work: (client: PoolClient) => Promise<Result>, may: (error: unknown) => boolean): Promise<Result> {
    return guardPostgres(this.name, async () => {
      for (let tries = 1; ; tries++) {
        try {
          return await this.#with(work)
        } catch (error) {
          if (tries >= TRIES || !may(error)) throw error
          if (isClash(error)) await sleep(Math.random() * APART_MS * tries)
        }
      }
    })
  }

  async #with<Result>(work: (client: PoolClient) => Promise<Result>): Promise<Result> {
    const client = await this.#pool.connect()
    try {
      return await work(client)
    } catch (error) {
      // What is still being asked would be answered to the next who has it.
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
/** A process that was stopped in the middle of it keeps whoever takes over waiting for ten seconds. */
const LOCK_BRIEFLY = `${LOCK}, set_config('idle_in_transaction_session_timeout', '10s', true)`

const COUNT = `
  INSERT INTO ambit.changes AS c (what, count) VALUES ($1, 1) ON CONFLICT (what) DO UPDATE SET count = c.count + 1`

const MOMENT = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'
const WRITE = 'BEGIN ISOLATION LEVEL READ COMMITTED'

/** The work, and that the part was changed. */
function countWork<Result>(part: Part, work: (queries: Queries) => Promise<Result>) {
  const counted = part.includes(' ') || part === 'research' ? `${part.split(' ')[0]} ${shard()}` : part
  return async (queries: Queries): Promise<Result> => {
    const result = await work(queries)
    await queries.run(COUNT, counted)
    return result
  }
}

function shard(): number {
  return Math.floor(Math.random() * SHARDS)
}

/** The server ended it, or it ended: not one that could not be made. */
function isCut(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return (
    /^(57P01|57P05|08006|ECONNRESET|EPIPE)$/.test(code) || /connection terminated|not queryable/i.test(error.message)
  )
}

async function transaction<Result>(
  client: PoolClient,
  { begin, settings }: { readonly begin: typeof MOMENT | typeof WRITE; readonly settings: string },
  work: (queries: Queries) => Promise<Result>,
): Promise<Result> {
  try {
    await client.query(settings === '' ? begin : `${begin}; ${settings}`)
  } catch (error) {
    if (error instanceof Error) unbegun.add(error)
    throw error
  }
  let result: Result
  try {
    result = await work(new Statements(client))
  } catch (error) {
    // Where that fails, the connection is given up, which undoes as much.
    if (!(error instanceof ContextError) && isConnectionGone(error)) brokenClients.add(client)
    else await client.query('ROLLBACK').catch(() => brokenClients.add(client))
    throw error
  }
  try {
    await client.query('COMMIT')
  } catch (error) {
    throw isConnectionGone(error) && begin !== MOMENT ? new Unsure(error) : error
  }
  return result
}

/** Connections that are of no use any more. */
const brokenClients = new WeakSet<PoolClient>()

/** Errors before anything was asked of the database. */
const unbegun = new WeakSet<Error>()

/** A connection that was dead already: nothing was done on it. */
function isUnbegun(error: unknown): boolean {
  return isCut(error) && error instanceof Error && unbegun.has(error)
}

class Statements implements Queries {
  readonly #client: PoolClient

  constructor(client: PoolClient) {
    this.#client = client
  }

  async all<Row>(text: string, ...values: readonly Value[]): Promise<Row[]> {
    return (await this.#ask(text, values)).rows
  }

  async column<Item>(text: string, ...values: readonly Value[]): Promise<Item[]> {
    const query = { text: translateText(text), values: values.map(encodeValue), rowMode: 'array' as const }
    const { rows } = await this.#client.query<[Item]>(query)
    return rows.map(([item]) => item)
  }

  async run(text: string, ...values: readonly Value[]): Promise<number> {
    return (await this.#ask(text, values)).rowCount ?? 0
  }

  #ask(text: string, values: readonly Value[]): Promise<QueryResult> {
    return this.#client.query(translateText(text), values.map(encodeValue))
  }
}
