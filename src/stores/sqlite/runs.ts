import { ContextError } from '../../core/errors.ts'
import { aliasFor } from '../alias.ts'
import { elsewhere, type InObject, NO_BYTES, noBytes } from '../byte-store.ts'
import type { Watch } from '../change-notifier.ts'
import { deflated, inflated } from '../deflated.ts'
import type { LeaseTimes } from '../lease.ts'
import type { NewFile, RunStore, StoredFile, StoredRecord, StoredSession, Watched } from '../run-store.ts'
import type { SqliteLease } from './lease.ts'
import { BELLS, type OtherWriters, type OwnedParts } from './other-writers.ts'
import { SqliteRunLease } from './run-lease.ts'
import type { Sql } from './sql.ts'

interface SessionRow {
  readonly id: string
  readonly question: string
  readonly follows: string | null
  readonly status: string
  readonly revision: number
  readonly settings: string
  readonly wanted: string
  readonly created_at: string
  readonly updated_at: string
}

interface FileRow {
  readonly id: string
  readonly name: string
  readonly alias: string
  readonly size: number
  readonly type: string
  readonly sha256: string
  readonly revision: number
  readonly added_at: string
}

const ADD = `
  INSERT INTO research_sessions (owner, id, question, follows, settings, created_at, updated_at)
  VALUES (?, ?, ?, ?, ?, ?, ?)`

const LIST = `
  SELECT * FROM research_sessions
  WHERE owner = ? AND (? = '' OR number < (SELECT number FROM research_sessions WHERE owner = ? AND id = ?))
  ORDER BY number DESC LIMIT ?`

const ADD_FILE = `
  INSERT INTO research_files (session, id, name, alias, size, type, sha256, revision, added_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`

const ADD_BYTES = 'INSERT INTO research_bytes (sha256, data, key) VALUES (?, ?, ?) ON CONFLICT (sha256) DO NOTHING'
const BYTES = 'SELECT data, key FROM research_bytes WHERE sha256 = ?'

const OWN = 'SELECT * FROM research_sessions WHERE owner = ? AND id = ?'

/** Research of one owner in SQLite. */
export class SqliteRuns implements RunStore {
  readonly #sql: Sql
  readonly #owner: string
  readonly #times: LeaseTimes | undefined
  readonly #others: OtherWriters
  /** Of the sessions that this process runs. */
  readonly #leases = new Map<string, SqliteLease>()

  constructor(sql: Sql, owner: string, { others, times }: OwnedParts) {
    this.#sql = sql
    this.#owner = owner
    this.#times = times
    this.#others = others
  }

  async add({ id, question, follows, settings }: Parameters<RunStore['add']>[0]): Promise<StoredSession> {
    const now = new Date().toISOString()
    return this.#sql.write(() => {
      this.#sql.run(ADD, this.#owner, id, question, follows ?? null, settings, now, now)
      return this.#session(id)
    })
  }

  async get(id: string): Promise<StoredSession | undefined> {
    const row = this.#sql.get<SessionRow>(OWN, this.#owner, id)
    return row && sessionOf(row)
  }

  async list(limit: number, before = ''): Promise<StoredSession[]> {
    return this.#sql.all<SessionRow>(LIST, this.#owner, before, this.#owner, before, limit).map(sessionOf)
  }

  async update(id: string, change: Parameters<RunStore['update']>[1]): Promise<void> {
    const entries = Object.entries(change).filter(([, value]) => value !== undefined)
    this.#sql.write(() => {
      this.#leases.get(id)?.assertHeld()
      for (const [name, value] of entries) {
        this.#sql.run(CHANGES[name] ?? '', value, now(), this.#owner, id)
      }
    })
    BELLS.ring(`wanted ${id}`)
  }

  async remove(id: string): Promise<boolean> {
    const isRemoved = this.#sql.write(() => {
      const isGone = this.#sql.run('DELETE FROM research_sessions WHERE owner = ? AND id = ?', this.#owner, id) > 0
      this.#forgetBytes()
      return isGone
    })
    for (const what of ['events', 'wanted']) BELLS.ring(`${what} ${id}`)
    return isRemoved
  }

  async addFile(session: string, file: NewFile, bytes: Uint8Array | InObject): Promise<StoredFile> {
    return this.#sql.write(() => {
      const files = this.#files(session)
      const same = files.find(({ name, sha256 }) => name === file.name && sha256 === file.sha256)
      if (same) return same
      const taken = this.#sql.column<string>('SELECT alias FROM research_files WHERE session = ?', session)
      const alias = aliasFor(file.name, new Set(taken))
      const revision = this.#revised(session)
      const [data, key] = bytes instanceof Uint8Array ? [bytes, null] : [NO_BYTES, bytes.key]
      this.#sql.run(ADD_BYTES, file.sha256, data, key)
      return this.#add(session, { ...file, alias, revision, addedAt: now() })
    })
  }

  async copyFiles(from: string, to: string): Promise<void> {
    this.#sql.write(() => {
      const files = this.#files(from)
      this.#session(to)
      if (files.length === 0) return
      const revision = this.#revised(to)
      for (const file of files) this.#add(to, { ...file, revision })
    })
  }

  async files(session: string): Promise<StoredFile[]> {
    return this.#files(session)
  }

  async removeFile(session: string, file: string): Promise<boolean> {
    return this.#sql.write(() => {
      const isNew = this.#session(session).status === 'created'
      const isGone = this.#sql.run(isNew ? FORGET_FILE : HIDE_FILE, session, file) > 0
      if (isGone) this.#revised(session)
      this.#forgetBytes()
      return isGone
    })
  }

  async bytes(sha256: string): Promise<Uint8Array> {
    const row = this.#sql.get<{ data: Uint8Array; key: string | null }>(BYTES, sha256)
    if (!row) throw noBytes(sha256)
    if (row.key !== null) throw elsewhere({ key: row.key })
    return row.data
  }

  async append(session: string, after: number, records: readonly StoredRecord[], status?: string): Promise<void> {
    this.#sql.write(() => {
      const last = this.#sql.get<{ last: number | null }>(LAST, session)?.last ?? 0
      this.#session(session)
      if (last !== after) throw goesOnElsewhere(session)
      this.#leases.get(session)?.assertHeld()
      const insert = 'INSERT INTO research_events (session, seq, at, data) VALUES (?, ?, ?, ?)'
      for (const { seq, at, data } of records) this.#sql.run(insert, session, seq, at, deflated(data))
      const update = 'UPDATE research_sessions SET status = ?, updated_at = ? WHERE id = ?'
      if (status !== undefined) this.#sql.run(update, status, now(), session)
    })
    BELLS.ring(`events ${session}`)
  }

  async records(session: string, after: number, limit: number): Promise<StoredRecord[]> {
    const select = `
      SELECT seq, at, data FROM research_events WHERE session = ? AND seq > ?
      AND EXISTS (SELECT 1 FROM research_sessions WHERE owner = ? AND id = session) ORDER BY seq LIMIT ?`
    const rows = this.#sql.all<{ seq: number; at: string; data: Uint8Array }>(
      select,
      session,
      after,
      this.#owner,
      limit,
    )
    return rows.map(({ seq, at, data }) => ({ seq, at, data: inflated(data) }))
  }

  async kept(key: string): Promise<string | undefined> {
    const row = this.#sql.get<{ data: Uint8Array }>('SELECT data FROM research_kept WHERE key = ?', key)
    return row && inflated(row.data)
  }

  async keep(key: string, value: string, sha256: string): Promise<void> {
    const insert =
      'INSERT OR REPLACE INTO research_kept (key, sha256, data) SELECT ?, sha256, ? FROM research_bytes WHERE sha256 = ?'
    this.#sql.write(() => this.#sql.run(insert, key, deflated(value), sha256))
  }

  exclusively<Value>(session: string, work: () => Promise<Value>, most?: number): Promise<Value> {
    const lease = new SqliteRunLease(this.#sql, { session, owner: this.#owner, most, times: this.#times })
    const kept = async () => {
      this.#leases.set(session, lease)
      return work().finally(() => this.#leases.delete(session))
    }
    return lease.held(0, kept)
  }

  watch(session: string, what: Watched): Watch {
    return this.#others.watch(`${what} ${session}`)
  }

  #session(id: string): StoredSession {
    const row = this.#sql.get<SessionRow>(OWN, this.#owner, id)
    if (row) return sessionOf(row)
    const hint = 'See "ambit research list".'
    throw new ContextError('not-found', `There is no research session ${JSON.stringify(id.slice(0, 100))}.`, { hint })
  }

  #add(session: string, file: StoredFile): StoredFile {
    const { id, name, alias, size, type, sha256, revision, addedAt } = file
    this.#sql.run(ADD_FILE, session, id, name, alias, size, type, sha256, revision, addedAt)
    return file
  }

  #forgetBytes(): void {
    this.#sql.run('DELETE FROM research_bytes WHERE sha256 NOT IN (SELECT sha256 FROM research_files)')
  }

  #files(session: string): StoredFile[] {
    this.#session(session)
    const select = 'SELECT * FROM research_files WHERE session = ? AND removed = 0 ORDER BY number'
    return this.#sql.all<FileRow>(select, session).map(fileOf)
  }

  /** The number of the new revision. */
  #revised(session: string): number {
    const update = 'UPDATE research_sessions SET revision = revision + 1, updated_at = ? WHERE id = ?'
    this.#sql.run(update, now(), session)
    return this.#session(session).revision
  }
}

const LAST = 'SELECT max(seq) AS last FROM research_events WHERE session = ?'

const FORGET_FILE = 'DELETE FROM research_files WHERE session = ? AND id = ? AND removed = 0'
const HIDE_FILE = 'UPDATE research_files SET removed = 1 WHERE session = ? AND id = ? AND removed = 0'

const CHANGES: Readonly<Record<string, string>> = {
  status: 'UPDATE research_sessions SET status = ?, updated_at = ? WHERE owner = ? AND id = ?',
  settings: 'UPDATE research_sessions SET settings = ?, updated_at = ? WHERE owner = ? AND id = ?',
  wanted: 'UPDATE research_sessions SET wanted = ?, updated_at = ? WHERE owner = ? AND id = ?',
}

function now(): string {
  return new Date().toISOString()
}

function goesOnElsewhere(session: string): ContextError {
  const hint = 'Follow it there, or stop it: "ambit research stop".'
  return new ContextError('conflict', `Another process goes on with session ${session}.`, { hint })
}

function sessionOf(row: SessionRow): StoredSession {
  const { id, question, follows, status, revision, settings, wanted, created_at, updated_at } = row
  return {
    id,
    question,
    ...(follows !== null && { follows }),
    status,
    revision,
    settings,
    ...(wanted !== '' && { wanted }),
    createdAt: created_at,
    updatedAt: updated_at,
  }
}

function fileOf({ id, name, alias, size, type, sha256, revision, added_at }: FileRow): StoredFile {
  return { id, name, alias, size, type, sha256, revision, addedAt: added_at }
}
