import { ContextError } from '../../core/errors.ts'
import { aliasFor } from '../alias.ts'
import { deflated, inflated } from '../deflated.ts'
import type { NewFile, RunStore, StoredFile, StoredRecord, StoredSession } from '../run-store.ts'
import { Lease, type LeaseTimes } from './lease.ts'
import { grouped, packed } from './packed.ts'
import type { Queries, Sql } from './sql.ts'

type SessionRow = Omit<StoredSession, 'follows' | 'wanted'> & {
  readonly follows: string | null
  readonly wanted: string
}

const SESSIONS = `
  SELECT id, question, follows, status, revision, settings, wanted, created_at AS "createdAt", updated_at AS "updatedAt"
  FROM ambit.research_sessions`

const LIST = `${SESSIONS}
  WHERE $2 = '' OR number < (SELECT number FROM ambit.research_sessions WHERE id = $2)
  ORDER BY number DESC LIMIT $1`

const FILES = `
  SELECT id, name, alias, size, type, sha256, revision, added_at AS "addedAt"
  FROM ambit.research_files WHERE session = $1 AND removed = 0 ORDER BY number`

const ADD = `
  INSERT INTO ambit.research_sessions (id, question, follows, settings, created_at, updated_at)
  VALUES ($1, $2, $3, $4, $5, $5)`

const UPDATE = `
  UPDATE ambit.research_sessions SET status = coalesce($2, status), settings = coalesce($3, settings),
    wanted = coalesce($4, wanted), updated_at = $5
  WHERE id = $1`

const ADD_FILE = `
  INSERT INTO ambit.research_files (session, id, name, alias, size, type, sha256, revision, added_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`

const APPEND = `
  INSERT INTO ambit.research_events (session, seq, at, data)
  SELECT $1, a.seq, a.at, substring($4::bytea FROM a.start FOR a.length)
  FROM unnest($2::bigint[], $3::text[], $5::int[], $6::int[]) AS a (seq, at, start, length)`

const KEEP = `
  INSERT INTO ambit.research_kept (key, sha256, data)
  SELECT $1, sha256, $2 FROM ambit.research_bytes WHERE sha256 = $3
  ON CONFLICT (key) DO UPDATE SET sha256 = excluded.sha256, data = excluded.data`

const FORGET = `
  DELETE FROM ambit.research_bytes b
  WHERE NOT EXISTS (SELECT 1 FROM ambit.research_files f WHERE f.sha256 = b.sha256)`

/** Research in PostgreSQL. What concerns bytes is done one after the other; each log is its own. */
export class PostgresRuns implements RunStore {
  readonly #sql: Sql
  readonly #times: LeaseTimes | undefined

  constructor(sql: Sql, times?: LeaseTimes) {
    this.#sql = sql
    this.#times = times
  }

  async add({ id, question, follows, settings }: Parameters<RunStore['add']>[0]): Promise<StoredSession> {
    return this.#sql.write('research', async (queries) => {
      await queries.run(ADD, id, question, follows ?? null, settings, now())
      return sessionIn(queries, id)
    })
  }

  async get(id: string): Promise<StoredSession | undefined> {
    const row = await this.#sql.get<SessionRow>(`${SESSIONS} WHERE id = $1`, id)
    return row && sessionOf(row)
  }

  async list(limit: number, before = ''): Promise<StoredSession[]> {
    return (await this.#sql.all<SessionRow>(LIST, limit, before)).map(sessionOf)
  }

  async update(id: string, { status, settings, wanted }: Parameters<RunStore['update']>[1]): Promise<void> {
    if (status === undefined && settings === undefined && wanted === undefined) return
    await this.#sql.write(`session ${id}`, (queries) =>
      queries.run(UPDATE, id, status ?? null, settings ?? null, wanted ?? null, now()),
    )
  }

  async remove(id: string): Promise<boolean> {
    return this.#sql.write('research', async (queries) => {
      const isGone = (await queries.run('DELETE FROM ambit.research_sessions WHERE id = $1', id)) > 0
      await queries.run(FORGET)
      return isGone
    })
  }

  async addFile(session: string, file: NewFile, bytes: Uint8Array): Promise<StoredFile> {
    return this.#sql.write('research', async (queries) => {
      const files = await filesIn(queries, session)
      const same = files.find(({ name, sha256 }) => name === file.name && sha256 === file.sha256)
      if (same) return same
      const select = 'SELECT alias FROM ambit.research_files WHERE session = $1'
      const taken = await queries.column<string>(select, session)
      const alias = aliasFor(file.name, new Set(taken))
      const revision = await revised(queries, session)
      const insert = 'INSERT INTO ambit.research_bytes (sha256, data) VALUES ($1, $2) ON CONFLICT DO NOTHING'
      await queries.run(insert, file.sha256, bytes)
      return addedFile(queries, session, { ...file, alias, revision, addedAt: now() })
    })
  }

  async copyFiles(from: string, to: string): Promise<void> {
    await this.#sql.write('research', async (queries) => {
      const files = await filesIn(queries, from)
      if (files.length === 0) return
      const revision = await revised(queries, to)
      for (const file of files) await addedFile(queries, to, { ...file, revision })
    })
  }

  async files(session: string): Promise<StoredFile[]> {
    return this.#sql.read((queries) => filesIn(queries, session))
  }

  async removeFile(session: string, file: string): Promise<boolean> {
    return this.#sql.write('research', async (queries) => {
      const isNew = (await sessionIn(queries, session)).status === 'created'
      const remove = isNew ? 'DELETE FROM ambit.research_files' : 'UPDATE ambit.research_files SET removed = 1'
      const isGone = (await queries.run(`${remove} WHERE session = $1 AND id = $2 AND removed = 0`, session, file)) > 0
      if (isGone) await revised(queries, session)
      await queries.run(FORGET)
      return isGone
    })
  }

  async bytes(sha256: string): Promise<Uint8Array> {
    const select = 'SELECT data FROM ambit.research_bytes WHERE sha256 = $1'
    const [data] = await this.#sql.column<Uint8Array>(select, sha256)
    if (data) return data
    throw new ContextError('not-found', `There are no bytes of ${sha256}.`, { hint: 'Add the file again.' })
  }

  async append(session: string, after: number, records: readonly StoredRecord[], status?: string): Promise<void> {
    await this.#sql.write(`session ${session}`, async (queries) => {
      // Its row is held, so that it is not removed meanwhile.
      await sessionIn(queries, session, 'FOR UPDATE')
      const select = 'SELECT coalesce(max(seq), 0) FROM ambit.research_events WHERE session = $1'
      const [last] = await queries.column<number>(select, session)
      if (last !== after) throw goesOnElsewhere(session)
      await insertRecords(queries, session, records)
      if (status !== undefined) await queries.run(UPDATE, session, status, null, null, now())
    })
  }

  async records(session: string, after: number, limit: number): Promise<StoredRecord[]> {
    const select =
      'SELECT seq, at, data FROM ambit.research_events WHERE session = $1 AND seq > $2 ORDER BY seq LIMIT $3'
    const rows = await this.#sql.all<Omit<StoredRecord, 'data'> & { data: Uint8Array }>(select, session, after, limit)
    return rows.map(({ data, ...row }) => ({ ...row, data: inflated(data) }))
  }

  async kept(key: string): Promise<string | undefined> {
    const [data] = await this.#sql.column<Uint8Array>('SELECT data FROM ambit.research_kept WHERE key = $1', key)
    return data && inflated(data)
  }

  async keep(key: string, value: string, sha256: string): Promise<void> {
    await this.#sql.write('research', (queries) => queries.run(KEEP, key, deflated(value), sha256))
  }

  exclusively<Value>(session: string, work: () => Promise<Value>, signal?: AbortSignal): Promise<Value> {
    return new Lease(this.#sql, `research ${session}`, this.#times).held(0, work, signal)
  }
}

async function sessionIn(queries: Queries, id: string, lock: '' | 'FOR UPDATE' = ''): Promise<StoredSession> {
  const row = await queries.get<SessionRow>(`${SESSIONS} WHERE id = $1 ${lock}`, id)
  if (row) return sessionOf(row)
  const hint = 'See "ambit research list".'
  throw new ContextError('not-found', `There is no research session ${JSON.stringify(id.slice(0, 100))}.`, { hint })
}

async function filesIn(queries: Queries, session: string): Promise<StoredFile[]> {
  await sessionIn(queries, session)
  return queries.all<StoredFile>(FILES, session)
}

/** The number of the new revision. */
async function revised(queries: Queries, session: string): Promise<number> {
  const update = 'UPDATE ambit.research_sessions SET revision = revision + 1, updated_at = $1 WHERE id = $2'
  await queries.run(update, now(), session)
  return (await sessionIn(queries, session)).revision
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

function goesOnElsewhere(session: string): ContextError {
  const hint = 'Follow it there, or stop it: "ambit research stop".'
  return new ContextError('conflict', `Another process goes on with session ${session}.`, { hint })
}

function sessionOf({ follows, wanted, ...row }: SessionRow): StoredSession {
  return { ...row, ...(follows !== null && { follows }), ...(wanted !== '' && { wanted }) }
}
