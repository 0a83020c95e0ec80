import { bytesInObject, type InObject, NO_BYTES, noBytes } from '../byte-store.ts'
import type { Watch } from '../change-notifier.ts'
import { deflateLongText, inflateLongText, inflateText } from '../deflated.ts'
import {
  aliasFor,
  type NewFile,
  type NewSession,
  noSession,
  type RunLimits,
  type RunStore,
  type StoredFile,
  type StoredRecord,
  type StoredSession,
  type Watched,
  writtenElsewhere,
} from '../run-store.ts'
import { JOBS } from './jobs.ts'
import type { Lease, LeaseTimes } from './lease.ts'
import { RunLease, readUsage } from './run-lease.ts'
import {
  type Database,
  execute,
  insertMany,
  notify,
  queryColumn,
  queryRow,
  queryRows,
  type Statements,
  selectColumn,
  selectRow,
  selectRows,
} from './statement.ts'

type SessionRow = Omit<StoredSession, 'follows' | 'wanted'> & {
  readonly follows: string | null
  readonly wanted: string
}

const SESSIONS = `
  SELECT id, question, follows, status, revision, settings, wanted, created_at AS "createdAt", updated_at AS "updatedAt"
  FROM ambit.research_sessions`

const SESSION = `${SESSIONS} WHERE owner = ? AND id = ?`

const LIST = `${SESSIONS}
  WHERE owner = ? AND (? = '' OR number < (SELECT number FROM ambit.research_sessions WHERE owner = ? AND id = ?))
  ORDER BY number DESC LIMIT ?`

const ADD = `
  INSERT INTO ambit.research_sessions (owner, id, question, follows, settings, created_at, updated_at)
  VALUES (?, ?, ?, ?, ?, ?, ?)`

/** NULL keeps the stored value. */
const UPDATE = `
  UPDATE ambit.research_sessions SET status = coalesce(?, status), settings = coalesce(?, settings),
    wanted = coalesce(?, wanted), updated_at = ?
  WHERE owner = ? AND id = ?`

const REVISE = `
  UPDATE ambit.research_sessions SET revision = revision + 1, updated_at = ? WHERE owner = ? AND id = ?
  RETURNING revision`

const REMOVE = 'DELETE FROM ambit.research_sessions WHERE owner = ? AND id = ?'

const FILES = `
  SELECT id, name, alias, size, type, sha256, revision, added_at AS "addedAt"
  FROM ambit.research_files WHERE session = ? AND removed = 0 ORDER BY number`

const ALIASES = 'SELECT alias FROM ambit.research_files WHERE session = ?'

const ADD_FILE = `
  INSERT INTO ambit.research_files (session, id, name, alias, size, type, sha256, revision, added_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`

const HIDE_FILE = 'UPDATE ambit.research_files SET removed = 1 WHERE session = ? AND id = ? AND removed = 0'
const REMOVE_FILE = 'DELETE FROM ambit.research_files WHERE session = ? AND id = ? AND removed = 0'

const BYTES = 'SELECT data, key FROM ambit.research_bytes WHERE sha256 = ?'
const ADD_BYTES =
  'INSERT INTO ambit.research_bytes (sha256, data, key) VALUES (?, ?, ?) ON CONFLICT (sha256) DO NOTHING'
const FORGET_BYTES = `DELETE FROM ambit.research_bytes AS b
  WHERE NOT EXISTS (SELECT 1 FROM ambit.research_files f WHERE f.sha256 = b.sha256)`

const LAST = `
  SELECT (SELECT coalesce(max(e.seq), 0) FROM ambit.research_events e WHERE e.session = s.id)
  FROM ambit.research_sessions s WHERE s.owner = ? AND s.id = ? {forUpdate s}`

const SET_STATUS = 'UPDATE ambit.research_sessions SET status = ?, updated_at = ? WHERE id = ?'

const RECORDS = `
  SELECT e.seq, e.at, e.data FROM ambit.research_events e JOIN ambit.research_sessions s ON s.id = e.session
  WHERE e.session = ? AND s.owner = ? AND e.seq > ? ORDER BY e.seq LIMIT ?`

const KEPT = 'SELECT data FROM ambit.research_kept WHERE key = ?'
const KEEP = `
  INSERT INTO ambit.research_kept (key, sha256, data)
  SELECT ?, sha256, ? FROM ambit.research_bytes WHERE sha256 = ?
  ON CONFLICT (key) DO UPDATE SET sha256 = excluded.sha256, data = excluded.data`

/** Research of one owner, in a database. Writes of bytes run one after the other; each log is a part of its own. */
export class ResearchStatements implements RunStore {
  readonly #database: Database
  readonly #owner: string
  readonly #times: LeaseTimes | undefined
  /** Leases of the sessions that this process runs. */
  readonly #leases = new Map<string, Lease>()
  readonly usage = () => readUsage(this.#database, this.#owner)

  constructor(database: Database, owner: string, times?: LeaseTimes) {
    this.#database = database
    this.#owner = owner
    this.#times = times
  }

  add({ id, question, follows, settings }: NewSession): Promise<StoredSession> {
    const now = new Date().toISOString()
    const values = [this.#owner, id, question, follows ?? null, settings, now, now]
    const requireSession = () => this.#requireSession(id)
    return this.#database.write('research', function* () {
      yield* execute(ADD, ...values)
      return yield* requireSession()
    })
  }

  get(id: string): Promise<StoredSession | undefined> {
    return this.#database.read(queryRow<SessionRow>(SESSION, this.#owner, id), (row) => row && sessionOf(row))
  }

  list(limit: number, before = ''): Promise<StoredSession[]> {
    const query = queryRows<SessionRow>(LIST, this.#owner, before, this.#owner, before, limit)
    return this.#database.read(query, (rows) => rows.map(sessionOf))
  }

  async update(id: string, change: Parameters<RunStore['update']>[1]): Promise<void> {
    if (Object.values(change).every((value) => value === undefined)) return
    await this.#database.write(`session ${id}`, () => this.#update(id, change))
  }

  *#update(id: string, change: Parameters<RunStore['update']>[1]): Statements<void> {
    const { status = null, settings = null, wanted = null } = change
    yield* this.#assertHeld(id)
    yield* execute(UPDATE, status, settings, wanted, new Date().toISOString(), this.#owner, id)
    if (wanted === null) return
    yield* notify(`wanted ${id}`)
    yield* notify(JOBS)
  }

  remove(id: string): Promise<boolean> {
    const owner = this.#owner
    return this.#database.write('research', function* () {
      const isGone = (yield* execute(REMOVE, owner, id)) > 0
      yield* execute(FORGET_BYTES)
      for (const what of ['events', 'wanted']) yield* notify(`${what} ${id}`)
      return isGone
    })
  }

  addFile(session: string, file: NewFile, bytes: Uint8Array | InObject): Promise<StoredFile> {
    return this.#database.write('research', () => this.#addFile(session, file, bytes))
  }

  *#addFile(session: string, file: NewFile, bytes: Uint8Array | InObject): Statements<StoredFile> {
    const files = yield* this.#selectFiles(session)
    const same = files.find(({ name, sha256 }) => name === file.name && sha256 === file.sha256)
    if (same) return same
    const alias = aliasFor(file.name, new Set(yield* selectColumn<string>(ALIASES, session)))
    const revision = yield* this.#revise(session)
    const [data, key] = bytes instanceof Uint8Array ? [bytes, null] : [NO_BYTES, bytes.key]
    yield* execute(ADD_BYTES, file.sha256, data, key)
    return yield* insertFile(session, { ...file, alias, revision, addedAt: new Date().toISOString() })
  }

  copyFiles(from: string, to: string): Promise<void> {
    return this.#database.write('research', () => this.#copyFiles(from, to))
  }

  *#copyFiles(from: string, to: string): Statements<void> {
    const files = yield* this.#selectFiles(from)
    yield* this.#requireSession(to)
    if (files.length === 0) return
    const revision = yield* this.#revise(to)
    for (const file of files) yield* insertFile(to, { ...file, revision })
  }

  files(session: string): Promise<StoredFile[]> {
    return this.#database.readTogether(() => this.#selectFiles(session))
  }

  removeFile(session: string, file: string): Promise<boolean> {
    return this.#database.write('research', () => this.#removeFile(session, file))
  }

  *#removeFile(session: string, file: string): Statements<boolean> {
    const { status } = yield* this.#requireSession(session)
    const isGone = (yield* execute(status === 'created' ? REMOVE_FILE : HIDE_FILE, session, file)) > 0
    if (isGone) yield* this.#revise(session)
    yield* execute(FORGET_BYTES)
    return isGone
  }

  bytes(sha256: string): Promise<Uint8Array> {
    return this.#database.read(queryRow<{ data: Uint8Array; key: string | null }>(BYTES, sha256), (row) => {
      if (!row) throw noBytes(sha256)
      if (row.key !== null) throw bytesInObject({ key: row.key })
      return row.data
    })
  }

  async append(session: string, after: number, records: readonly StoredRecord[], status?: string): Promise<void> {
    const pack = async ({ seq, at, data }: StoredRecord) => [session, seq, at, await deflateLongText(data)]
    const rows = await Promise.all(records.map(pack))
    await this.#database.write(`session ${session}`, () => this.#append(session, { after, rows, status }))
  }

  *#append(session: string, { after, rows, status }: NewRecords): Statements<void> {
    // Locks the row, so that no process removes it meanwhile.
    const [last] = yield* selectColumn<number>(LAST, this.#owner, session)
    if (last === undefined) throw noSession(session)
    if (last !== after) throw writtenElsewhere(session)
    yield* this.#assertHeld(session)
    yield* insertMany('research_events', ['session', 'seq', 'at', 'data'], rows)
    if (status !== undefined) yield* execute(SET_STATUS, status, new Date().toISOString(), session)
    yield* notify(`events ${session}`)
  }

  records(session: string, after: number, limit: number): Promise<StoredRecord[]> {
    const query = queryRows<RecordRow>(RECORDS, session, this.#owner, after, limit)
    return this.#database.read(query, (rows) => rows.map(({ seq, at, data }) => ({ seq, at, data: inflateText(data) })))
  }

  async kept(key: string): Promise<string | undefined> {
    return await this.#database.read(queryColumn<Uint8Array>(KEPT, key), ([data]) => data && inflateLongText(data))
  }

  async keep(key: string, value: string, sha256: string): Promise<void> {
    const data = await deflateLongText(value)
    await this.#database.write('research', () => execute(KEEP, key, data, sha256))
  }

  exclusively<Value>(session: string, work: () => Promise<Value>, limits?: RunLimits): Promise<Value> {
    const lease = this.#lease(session, limits)
    return lease.hold(0, async () => {
      this.#leases.set(session, lease)
      return work().finally(() => this.#leases.delete(session))
    })
  }

  async isHeld(session: string): Promise<boolean> {
    return (await this.#lease(session).findLiving()) !== undefined
  }

  #lease(session: string, limits: RunLimits = {}): RunLease {
    return new RunLease(this.#database, { ...limits, session, owner: this.#owner, times: this.#times })
  }

  watch(session: string, what: Watched): Watch {
    return this.#database.watch(`${what} ${session}`)
  }

  *#assertHeld(session: string): Statements<void> {
    const lease = this.#leases.get(session)
    if (lease) yield* lease.assertHeld()
  }

  *#requireSession(id: string): Statements<StoredSession> {
    const row = yield* selectRow<SessionRow>(SESSION, this.#owner, id)
    if (row) return sessionOf(row)
    throw noSession(id)
  }

  *#selectFiles(session: string): Statements<StoredFile[]> {
    yield* this.#requireSession(session)
    return yield* selectRows<StoredFile>(FILES, session)
  }

  /** Returns the new revision. */
  *#revise(session: string): Statements<number> {
    const [revision] = yield* selectColumn<number>(REVISE, new Date().toISOString(), this.#owner, session)
    if (revision === undefined) throw noSession(session)
    return revision
  }
}

type RecordRow = Omit<StoredRecord, 'data'> & { readonly data: Uint8Array }

interface NewRecords {
  readonly after: number
  readonly rows: readonly (readonly (string | number | Uint8Array)[])[]
  readonly status: string | undefined
}

function* insertFile(session: string, file: StoredFile): Statements<StoredFile> {
  const { id, name, alias, size, type, sha256, revision, addedAt } = file
  yield* execute(ADD_FILE, session, id, name, alias, size, type, sha256, revision, addedAt)
  return file
}

function sessionOf({ follows, wanted, ...row }: SessionRow): StoredSession {
  return { ...row, ...(follows !== null && { follows }), ...(wanted !== '' && { wanted }) }
}
