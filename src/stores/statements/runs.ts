import { LimitReached } from '../../core/errors.ts'
import { freeName } from '../../text/paths.ts'
import { bytesInObjectError, NO_BYTES, noBytesError, type ObjectLocation } from '../byte-store.ts'
import { deflateLongText, inflateLongText, inflateText } from '../deflated.ts'
import { JOBS } from '../jobs.ts'
import { assertHeld, isAlive, Lease, type LeaseTimes } from './lease.ts'
import {
  logConflict,
  type NewFile,
  type NewSession,
  noSession,
  type RunLimits,
  type SessionChange,
  type StoredFile,
  type StoredRecord,
  type StoredSession,
} from './run-data.ts'
import {
  type Database,
  execute,
  insertMany,
  notify,
  queryColumn,
  queryRow,
  queryRows,
  readRow,
  type Statements,
  selectColumn,
  selectRow,
  selectRows,
} from './statement.ts'

interface StoreContext {
  readonly database: Database
  readonly owner: string
  /** Leases of the sessions that this process runs. */
  readonly leases: Map<string, Lease>
}

const SESSIONS = `
  SELECT id, question, status, revision, settings, created_at AS "createdAt", updated_at AS "updatedAt", follows,
    nullif(wanted, '') AS wanted
  FROM ambit.research_sessions`
const SESSION = `${SESSIONS} WHERE owner = ? AND id = ?`

const LIST_SESSIONS = `${SESSIONS}
  WHERE owner = ? AND (? = '' OR number < (SELECT number FROM ambit.research_sessions WHERE owner = ? AND id = ?))
  ORDER BY number DESC LIMIT ?`

const ADD_SESSION = `
  INSERT INTO ambit.research_sessions (owner, id, question, follows, settings, created_at, updated_at)
  VALUES (?, ?, ?, ?, ?, ?, ?)`

/** A value NULL leaves the stored value unchanged. */
const UPDATE_SESSION = `
  UPDATE ambit.research_sessions SET status = coalesce(?, status), settings = coalesce(?, settings),
    wanted = coalesce(?, wanted), updated_at = ?
  WHERE owner = ? AND id = ?`

const REVISE = `
  UPDATE ambit.research_sessions SET revision = revision + 1, updated_at = ? WHERE owner = ? AND id = ?
  RETURNING revision`
const REMOVE_SESSION = 'DELETE FROM ambit.research_sessions WHERE owner = ? AND id = ?'

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
  WHERE NOT EXISTS (SELECT * FROM ambit.research_files f WHERE f.sha256 = b.sha256)`

const LAST_SEQ = `
  SELECT (SELECT coalesce(max(e.seq), 0) FROM ambit.research_events e WHERE e.session = s.id)
  FROM ambit.research_sessions s WHERE s.owner = ? AND s.id = ? {forUpdate s}`
const SET_STATUS = 'UPDATE ambit.research_sessions SET status = ?, updated_at = ? WHERE id = ?'

const RECORDS = `
  SELECT e.seq, e.at, e.data FROM ambit.research_events e JOIN ambit.research_sessions s ON s.id = e.session
  WHERE e.session = ? AND s.owner = ? AND e.seq > ? ORDER BY e.seq LIMIT ?`
const DERIVED = 'SELECT data FROM ambit.research_kept WHERE key = ?'
const PUT_DERIVED = `
  INSERT INTO ambit.research_kept (key, sha256, data)
  SELECT ?, sha256, ? FROM ambit.research_bytes WHERE sha256 = ?
  ON CONFLICT (key) DO UPDATE SET sha256 = excluded.sha256, data = excluded.data`

/** The number of sessions of an owner, and the bytes of their files. */
const USAGE = `
  SELECT count(DISTINCT s.id) AS sessions, coalesce(sum(f.size), 0) AS bytes
  FROM ambit.research_sessions s LEFT JOIN ambit.research_files f ON f.session = s.id WHERE s.owner = ?`

/** Holders of the unexpired leases of other sessions of the owner. */
const OTHER_HOLDERS = `
  SELECT l.holder FROM ambit.leases l JOIN ambit.research_sessions s ON l.name = 'research ' || s.id
  WHERE s.owner = ? AND s.id <> ? AND l.expires > {now}`

/** Stores the research of one owner. Writes run one after the other, except writes to logs of different sessions. */
export function createRunStore(database: Database, owner: string, times?: LeaseTimes) {
  const context: StoreContext = { database, owner, leases: new Map() }
  return { ...sessionsOf(context), ...filesOf(context), ...logsOf(context), ...runsOf(context, times) }
}

function sessionsOf({ database, owner, leases }: StoreContext) {
  return {
    add: ({ id, question, follows, settings }: NewSession): Promise<StoredSession> =>
      database.write('research', function* () {
        const now = new Date().toISOString()
        yield* execute(ADD_SESSION, owner, id, question, follows ?? null, settings, now, now)
        return yield* requireSession(owner, id)
      }),
    get: (id: string): Promise<StoredSession | undefined> =>
      database.read(queryRow<object>(SESSION, owner, id), (row) => row && readRow(row)),
    /** Sessions, the newest first. `before`: id of a session; only older sessions are listed. */
    list: (limit: number, before = ''): Promise<StoredSession[]> =>
      database.read(queryRows<object>(LIST_SESSIONS, owner, before, owner, before, limit), (rows) =>
        rows.map((row) => readRow<StoredSession>(row)),
      ),
    /** The number of sessions of the owner, and the bytes of their files; a shared file counts for each session. */
    usage: () =>
      database.read(queryRow<{ sessions: number; bytes: number | string }>(USAGE, owner), (row) => ({
        sessions: Number(row?.sessions ?? 0),
        bytes: Number(row?.bytes ?? 0),
      })),
    /** Changes fields; `wanted: ''` removes it. @throws ContextError `conflict` if another process has taken over. */
    update: async (
      id: string,
      { status, settings, wanted }: Partial<Pick<StoredSession, 'status' | 'settings' | 'wanted'>>,
    ): Promise<void> => {
      const values = [status ?? null, settings ?? null, wanted ?? null]
      await database.write(`session ${id}`, function* () {
        yield* assertHeld(leases.get(id))
        yield* execute(UPDATE_SESSION, ...values, new Date().toISOString(), owner, id)
        if (wanted === undefined) return
        yield* notify(`wanted ${id}`)
        yield* notify(JOBS)
      })
    },
    /** Removes a session, its files and its log. Returns whether it existed. */
    remove: (id: string): Promise<boolean> =>
      database.write('research', function* () {
        const isRemoved = (yield* execute(REMOVE_SESSION, owner, id)) > 0
        yield* execute(FORGET_BYTES)
        for (const what of ['events', 'wanted']) yield* notify(`${what} ${id}`)
        return isRemoved
      }),
  }
}

function filesOf({ database, owner }: StoreContext) {
  return {
    /**
     * Adds a file, and begins a new revision. Adds nothing if a file has the same name and bytes. If only the name is
     * equal, the new file gets an alias with a number. Bytes are stored once, by their hash, while a session has them.
     * @throws ContextError `not-found` for an unknown session.
     */
    addFile: (session: string, file: NewFile, bytes: Uint8Array | ObjectLocation): Promise<StoredFile> =>
      database.write('research', function* () {
        const files = yield* selectFiles(owner, session)
        const existing = files.find(({ name, sha256 }) => name === file.name && sha256 === file.sha256)
        if (existing) return existing
        const aliases = yield* selectColumn<string>(ALIASES, session)
        const alias = freeName(file.name, (name) => aliases.includes(name))
        const revision = yield* revise(owner, session)
        const [data, key] = bytes instanceof Uint8Array ? [bytes, null] : [NO_BYTES, bytes.key]
        yield* execute(ADD_BYTES, file.sha256, data, key)
        return yield* insertFile(session, { ...file, alias, revision, addedAt: new Date().toISOString() })
      }),
    /** Copies the files of one session to another, with their aliases. */
    copyFiles: (from: string, to: string): Promise<void> =>
      database.write('research', function* () {
        const files = yield* selectFiles(owner, from)
        yield* requireSession(owner, to)
        if (files.length === 0) return
        const revision = yield* revise(owner, to)
        for (const file of files) yield* insertFile(to, { ...file, revision })
      }),
    /** The files of a session, in the order of their upload. */
    files: (session: string) => database.readTogether(() => selectFiles(owner, session)),
    /** Removes a file; begins a new revision. After a session has begun, citations keep the bytes. Returns whether it existed. */
    removeFile: (session: string, file: string): Promise<boolean> =>
      database.write('research', function* () {
        const { status } = yield* requireSession(owner, session)
        const isRemoved = (yield* execute(status === 'created' ? REMOVE_FILE : HIDE_FILE, session, file)) > 0
        if (isRemoved) yield* revise(owner, session)
        yield* execute(FORGET_BYTES)
        return isRemoved
      }),
    /** The bytes of a file. @throws ContextError `not-found`; `unavailable` for bytes in an object: only `Uploads` reads them. */
    bytes: (sha256: string, _signal?: AbortSignal): Promise<Uint8Array> =>
      database.read(queryRow<{ data: Uint8Array; key: string | null }>(BYTES, sha256), (row) => {
        if (!row) throw noBytesError(sha256)
        if (row.key !== null) throw bytesInObjectError({ key: row.key })
        return row.data
      }),
    /** A stored result from a file: its text, or its digest (its statements with their sources). */
    findDerived: async (key: string): Promise<string | undefined> =>
      database.read(queryColumn<Uint8Array>(DERIVED, key), ([data]) => data && inflateLongText(data)),
    /** Stores a result derived from the bytes with this hash, if a session still has these bytes. */
    putDerived: async (key: string, value: string, sha256: string): Promise<void> => {
      const data = await deflateLongText(value)
      await database.write('research', () => execute(PUT_DERIVED, key, data, sha256))
    },
  }
}

function logsOf({ database, owner, leases }: StoreContext) {
  return {
    /**
     * Adds records to the log, all or nothing, and sets the status of the session.
     * @throws ContextError `conflict` when the log does not end at `after`: another process writes it; `not-found`.
     */
    append: async (
      session: string,
      after: number,
      records: readonly StoredRecord[],
      status?: string,
    ): Promise<void> => {
      const pack = async ({ seq, at, data }: StoredRecord) => [session, seq, at, await deflateLongText(data)]
      const rows = await Promise.all(records.map(pack))
      await database.write(`session ${session}`, function* () {
        // Locks the row, so that no process removes it meanwhile.
        const [last] = yield* selectColumn<number>(LAST_SEQ, owner, session)
        if (last === undefined) throw noSession(session)
        if (last !== after) throw logConflict(session)
        yield* assertHeld(leases.get(session))
        yield* insertMany('research_events', ['session', 'seq', 'at', 'data'], rows)
        if (status !== undefined) yield* execute(SET_STATUS, status, new Date().toISOString(), session)
        yield* notify(`events ${session}`)
      })
    },
    /** At most `limit` records with numbers after `after`, in order. */
    records: (session: string, after: number, limit: number): Promise<StoredRecord[]> =>
      database.read(
        queryRows<Omit<StoredRecord, 'data'> & { readonly data: Uint8Array }>(RECORDS, session, owner, after, limit),
        (rows) => rows.map(({ seq, at, data }) => ({ seq, at, data: inflateText(data) })),
      ),
    /** Wakes when any process changes the session. */
    watch: (session: string, what: SessionChange) => database.watch(`${what} ${session}`),
  }
}

function runsOf({ database, owner, leases }: StoreContext, times: LeaseTimes | undefined) {
  const leaseOf = (session: string, { maximum, onLost }: RunLimits = {}) => {
    /** Refuses the lease if the owner already has the maximum number of runs. */
    const admit = function* (): Statements<void> {
      const holders = yield* selectColumn<string>(OTHER_HOLDERS, owner, session)
      if (holders.filter(isAlive).length < (maximum ?? 0)) return
      throw new LimitReached(`${maximum} sessions of the same owner are run already.`)
    }
    const admission = maximum === undefined ? undefined : ({ part: `runs ${owner}`, admit } as const)
    return new Lease(database, `research ${session}`, { times, onLost, admission })
  }
  return {
    /**
     * Runs the session under its lease. Does not wait for the lease. If another process takes over, `append` throws `conflict`.
     * @throws ContextError `conflict` while another process has the lease; `over-limit` when the owner has `maximum` other runs.
     */
    exclusively: <Value>(session: string, work: () => Promise<Value>, limits?: RunLimits): Promise<Value> => {
      const lease = leaseOf(session, limits)
      return lease.hold(0, async () => {
        leases.set(session, lease)
        return work().finally(() => leases.delete(session))
      })
    },
    /** Whether a living process has the lease of the session. */
    isHeld: async (session: string) => (await leaseOf(session).findLiving()) !== undefined,
  }
}

function* requireSession(owner: string, id: string): Statements<StoredSession> {
  const row = yield* selectRow<object>(SESSION, owner, id)
  if (row) return readRow(row)
  throw noSession(id)
}

function* selectFiles(owner: string, session: string): Statements<StoredFile[]> {
  yield* requireSession(owner, session)
  return yield* selectRows<StoredFile>(FILES, session)
}

/** Begins a new revision of a session, and returns its number. */
function* revise(owner: string, session: string): Statements<number> {
  const [revision] = yield* selectColumn<number>(REVISE, new Date().toISOString(), owner, session)
  if (revision === undefined) throw noSession(session)
  return revision
}

function* insertFile(session: string, file: StoredFile): Statements<StoredFile> {
  const { id, name, alias, size, type, sha256, revision, addedAt } = file
  yield* execute(ADD_FILE, session, id, name, alias, size, type, sha256, revision, addedAt)
  return file
}
