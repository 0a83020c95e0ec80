import { ContextError } from '../../core/errors.ts'
import { aliasFor } from '../alias.ts'
import { elsewhere, type InObject, NO_BYTES, noBytes } from '../byte-store.ts'
import type { Watch } from '../change-notifier.ts'
import { deflated, inflated } from '../deflated.ts'
import type { LeaseTimes } from '../lease.ts'
import type { NewFile, RunStore, StoredFile, StoredRecord, StoredSession, Watched } from '../run-store.ts'
import type { PostgresLease } from './lease.ts'
import { CHANNEL, type Listener, type OwnedParts, told } from './listener.ts'
import { grouped, packed } from './packed.ts'
import { PostgresRunLease } from './run-lease.ts'
import type { Queries, Sql } from './sql.ts'

type SessionRow = Omit<StoredSession, 'follows' | 'wanted'> & {
  readonly follows: string | null
  readonly wanted: string
}

const SESSIONS = `
  SELECT id, question, follows, status, revision, settings, wanted, created_at AS "createdAt", updated_at AS "updatedAt"
  FROM ambit.research_sessions`

const LIST = `${SESSIONS}
  WHERE owner = $3 AND ($2 = '' OR number < (SELECT number FROM ambit.research_sessions WHERE owner = $3 AND id = $2))
  ORDER BY number DESC LIMIT $1`

const FILES = `
  SELECT id, name, alias, size, type, sha256, revision, added_at AS "addedAt"
  FROM ambit.research_files WHERE session = $1 AND removed = 0 ORDER BY number`

const ADD = `
  INSERT INTO ambit.research_sessions (owner, id, question, follows, settings, created_at, updated_at)
  VALUES ($1, $2, $3, $4, $5, $6, $6)`

const UPDATE = `
  UPDATE ambit.research_sessions SET status = coalesce($2, status), settings = coalesce($3, settings),
    wanted = coalesce($4, wanted), updated_at = $5
  WHERE id = $1 AND owner = $6`

const ADD_FILE = `
  INSERT INTO ambit.research_files (session, id, name, alias, size, type, sha256, revision, added_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`

const ADD_BYTES = `
  INSERT INTO ambit.research_bytes (sha256, data, key) VALUES ($1, $2, $3) ON CONFLICT (sha256) DO NOTHING`

const APPEND = `
  INSERT INTO ambit.research_events (session, seq, at, data)
  SELECT $1, a.seq, a.at, substring($4::bytea FROM a.start FOR a.length)
  FROM unnest($2::bigint[], $3::text[], $5::int[], $6::int[]) AS a (seq, at, start, length)`

const REMOVE = 'DELETE FROM ambit.research_sessions WHERE id = $1 AND owner = $2'

const LAST = `
  SELECT (SELECT coalesce(max(e.seq), 0) FROM ambit.research_events e WHERE e.session = s.id)
  FROM ambit.research_sessions s WHERE s.id = $1 AND s.owner = $2 FOR UPDATE OF s`

/** What a session has come to, and the bell for those who follow it. */
const COME_TO = `
  UPDATE ambit.research_sessions
  SET status = coalesce($2, status), updated_at = CASE WHEN $2::text IS NULL THEN updated_at ELSE $3 END
  WHERE id = $1 RETURNING pg_notify('${CHANNEL}', 'events ' || id)`

const RECORDS = `
  SELECT e.seq, e.at, e.data FROM ambit.research_events e JOIN ambit.research_sessions s ON s.id = e.session
  WHERE e.session = $1 AND s.owner = $4 AND e.seq > $2 ORDER BY e.seq LIMIT $3`

const KEEP = `
  INSERT INTO ambit.research_kept (key, sha256, data)
  SELECT $1, sha256, $2 FROM ambit.research_bytes WHERE sha256 = $3
  ON CONFLICT (key) DO UPDATE SET sha256 = excluded.sha256, data = excluded.data`

const FORGET = `
  DELETE FROM ambit.research_bytes b
  WHERE NOT EXISTS (SELECT 1 FROM ambit.research_files f WHERE f.sha256 = b.sha256)`

/** Research of one owner in PostgreSQL. What concerns bytes is done one after the other; each log is its own. */
export class PostgresRuns implements RunStore {
  readonly #sql: Sql
  readonly #owner: string
  readonly #times: LeaseTimes
  readonly #listener: Listener
  /** Of the sessions that this process runs. */
  readonly #leases = new Map<string, PostgresLease>()

  constructor(sql: Sql, owner: string, { listener, times }: OwnedParts) {
    this.#sql = sql
    this.#owner = owner
    this.#times = times
    this.#listener = listener
  }

  async add({ id, question, follows, settings }: Parameters<RunStore['add']>[0]): Promise<StoredSession> {
    return this.#sql.write('research', async (queries) => {
      await queries.run(ADD, this.#owner, id, question, follows ?? null, settings, now())
      return this.#session(queries, id)
    })
  }

  async get(id: string): Promise<StoredSession | undefined> {
    const row = await this.#sql.get<SessionRow>(`${SESSIONS} WHERE id = $1 AND owner = $2`, id, this.#owner)
    return row && sessionOf(row)
  }

  async list(limit: number, before = ''): Promise<StoredSession[]> {
    return (await this.#sql.all<SessionRow>(LIST, limit, before, this.#owner)).map(sessionOf)
  }

  async update(id: string, { status, settings, wanted }: Parameters<RunStore['update']>[1]): Promise<void> {
    if (status === undefined && settings === undefined && wanted === undefined) return
    await this.#sql.write(`session ${id}`, async (queries) => {
      await this.#leases.get(id)?.assertHeld(queries)
      await queries.run(UPDATE, id, status ?? null, settings ?? null, wanted ?? null, now(), this.#owner)
      if (wanted !== undefined) await told(queries, 'wanted', id)
    })
  }

  async remove(id: string): Promise<boolean> {
    return this.#sql.write('research', async (queries) => {
      const isGone = (await queries.run(REMOVE, id, this.#owner)) > 0
      await queries.run(FORGET)
      for (const what of ['events', 'wanted'] as const) await told(queries, what, id)
      return isGone
    })
  }

  async addFile(session: string, file: NewFile, bytes: Uint8Array | InObject): Promise<StoredFile> {
    return this.#sql.write('research', async (queries) => {
      const files = await this.#files(queries, session)
      const same = files.find(({ name, sha256 }) => name === file.name && sha256 === file.sha256)
      if (same) return same
      const select = 'SELECT alias FROM ambit.research_files WHERE session = $1'
      const taken = await queries.column<string>(select, session)
      const alias = aliasFor(file.name, new Set(taken))
      const revision = await this.#revised(queries, session)
      const [data, key] = bytes instanceof Uint8Array ? [bytes, null] : [NO_BYTES, bytes.key]
      await queries.run(ADD_BYTES, file.sha256, data, key)
      return addedFile(queries, session, { ...file, alias, revision, addedAt: now() })
    })
  }

  async copyFiles(from: string, to: string): Promise<void> {
    await this.#sql.write('research', async (queries) => {
      const files = await this.#files(queries, from)
      await this.#session(queries, to)
      if (files.length === 0) return
      const revision = await this.#revised(queries, to)
      for (const file of files) await addedFile(queries, to, { ...file, revision })
    })
  }

  async files(session: string): Promise<StoredFile[]> {
    return this.#sql.read((queries) => this.#files(queries, session))
  }

  async removeFile(session: string, file: string): Promise<boolean> {
    return this.#sql.write('research', async (queries) => {
      const isNew = (await this.#session(queries, session)).status === 'created'
      const remove = isNew ? 'DELETE FROM ambit.research_files' : 'UPDATE ambit.research_files SET removed = 1'
      const isGone = (await queries.run(`${remove} WHERE session = $1 AND id = $2 AND removed = 0`, session, file)) > 0
      if (isGone) await this.#revised(queries, session)
      await queries.run(FORGET)
      return isGone
    })
  }

  async bytes(sha256: string): Promise<Uint8Array> {
    const select = 'SELECT data, key FROM ambit.research_bytes WHERE sha256 = $1'
    const row = await this.#sql.get<{ data: Uint8Array; key: string | null }>(select, sha256)
    if (!row) throw noBytes(sha256)
    if (row.key !== null) throw elsewhere({ key: row.key })
    return row.data
  }

  async append(session: string, after: number, records: readonly StoredRecord[], status?: string): Promise<void> {
    await this.#sql.write(`session ${session}`, async (queries) => {
      // Its row is held, so that it is not removed meanwhile.
      const [last] = await queries.column<number>(LAST, session, this.#owner)
      if (last === undefined) throw notFound(session)
      if (last !== after) throw goesOnElsewhere(session)
      await this.#leases.get(session)?.assertHeld(queries)
      await insertRecords(queries, session, records)
      await queries.run(COME_TO, session, status ?? null, now())
    })
  }

  async records(session: string, after: number, limit: number): Promise<StoredRecord[]> {
    const values = [session, after, limit, this.#owner] as const
    const rows = await this.#sql.all<Omit<StoredRecord, 'data'> & { data: Uint8Array }>(RECORDS, ...values)
    return rows.map(({ data, ...row }) => ({ ...row, data: inflated(data) }))
  }

  async kept(key: string): Promise<string | undefined> {
    const [data] = await this.#sql.column<Uint8Array>('SELECT data FROM ambit.research_kept WHERE key = $1', key)
    return data && inflated(data)
  }

  async keep(key: string, value: string, sha256: string): Promise<void> {
    await this.#sql.write('research', (queries) => queries.run(KEEP, key, deflated(value), sha256))
  }

  watch(session: string, what: Watched): Watch {
    return this.#listener.watch(`${what} ${session}`)
  }

  exclusively<Value>(session: string, work: () => Promise<Value>, most?: number): Promise<Value> {
    const lease = new PostgresRunLease(this.#sql, { session, owner: this.#owner, most, times: this.#times })
    const kept = async () => {
      this.#leases.set(session, lease)
      return work().finally(() => this.#leases.delete(session))
    }
    return lease.held(0, kept)
  }

  async #session(queries: Queries, id: string, lock: '' | 'FOR UPDATE' = ''): Promise<StoredSession> {
    const row = await queries.get<SessionRow>(`${SESSIONS} WHERE id = $1 AND owner = $2 ${lock}`, id, this.#owner)
    if (row) return sessionOf(row)
    throw notFound(id)
  }

  async #files(queries: Queries, session: string): Promise<StoredFile[]> {
    await this.#session(queries, session)
    return queries.all<StoredFile>(FILES, session)
  }

  /** The number of the new revision. */
  async #revised(queries: Queries, session: string): Promise<number> {
    await this.#session(queries, session, 'FOR UPDATE')
    const update = 'UPDATE ambit.research_sessions SET revision = revision + 1, updated_at = $1 WHERE id = $2'
    await queries.run(update, now(), session)
    return (await this.#session(queries, session)).revision
  }
}

async function addedFile(queries: Queries, session: string, file: StoredFile): Promise<StoredFile> {
  const { id, name, alias, size, type, sha256, revision, addedAt } = file
  await queries.run(ADD_FILE, session, id, name, alias, size, type, sha256, revision, addedAt)
  return file
}

async function insertRecords(queries: Queries, session: string, records: readonly StoredRecord[]): Promise<void> {
  const rows = records.map(({ data, ...row }) => ({ ...row, bytes: deflated(data) }))
  for (const group of grouped(rows, ({ bytes }) => bytes.length)) {
    const { data, offsets, lengths } = packed(group.map(({ bytes }) => bytes))
    const [seqs, times] = [group.map(({ seq }) => seq), group.map(({ at }) => at)]
    await queries.run(APPEND, session, seqs, times, data, offsets, lengths)
  }
}

function now(): string {
  return new Date().toISOString()
}

function notFound(id: string): ContextError {
  const hint = 'See "ambit research list".'
  return new ContextError('not-found', `There is no research session ${JSON.stringify(id.slice(0, 100))}.`, { hint })
}

function goesOnElsewhere(session: string): ContextError {
  const hint = 'Follow it there, or stop it: "ambit research stop".'
  return new ContextError('conflict', `Another process goes on with session ${session}.`, { hint })
}

function sessionOf({ follows, wanted, ...row }: SessionRow): StoredSession {
  return { ...row, ...(follows !== null && { follows }), ...(wanted !== '' && { wanted }) }
}
