/** Writes and reads the log of a run. */

import type { RunStore, StoredRecord, StoredSession } from '../../stores/run-store.ts'
import { type EventIdentity, type EventType, eventKey, eventOf, type LogRecord, type RunEvent } from '../events.ts'
import { RunState } from './state.ts'

export type EventContents = EventIdentity & Partial<Pick<LogRecord, 'payload' | 'made'>>

export interface JournalOptions {
  /** Called with each event once it is stored. */
  readonly onEvent?: (event: RunEvent) => void
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

/** Number of entries of the first read. Maximum entries of a later read: it depends on the size of earlier entries. */
const FIRST_BATCH = 8
const MAX_BATCH = 500

/** Approximate characters of entries in memory at once. */
export const BATCH_CHARACTERS = 250_000

export type Journal = Awaited<ReturnType<typeof openJournal>>

/**
 * Opens the log of one run at its end, to write it as the run proceeds. Results are stored in one step with the next
 * event. A resumed run therefore has the results of all stored events, and repeats only work that no event had stored.
 */
export async function openJournal(store: RunStore, session: LoggedSession, options: JournalOptions = {}) {
  const { onEvent = () => {}, now = Date.now } = options
  const state = await readRunState(store, session)
  let unsaved: Record<string, unknown> = {}
  let lastWrite: Promise<void> = Promise.resolve()
  const hasEvent = (type: EventType, identity: EventIdentity) => state.keys.has(eventKey(type, identity))
  const storeEntry = async ({ seq, at, ...data }: LogRecord, status: string): Promise<void> => {
    const { payload, made, ...head } = data
    const stored = { seq, at, data: JSON.stringify({ ...head, told: payload, made }) }
    await store.append(session.id, seq - 1, [stored], status)
    onEvent(eventOf(session.id, { seq, at, ...data }))
  }
  return {
    session: session.id,
    state,
    hasEvent,
    /**
     * Returns a stored result, or computes the result; the next event stores it. `owner`: the node or file that the
     * result is for; `''`: the run.
     */
    work: async <Value>(owner: string, name: string, work: () => Promise<Value>): Promise<Value> => {
      const key = `${owner}/${name}`
      if (state.results.has(key)) return state.results.get(key) as Value
      const value = await work()
      state.addResult(key, value)
      unsaved[key] = value
      return value
    },
    /** Appends an event with all results so far, unless the log has the event. Resolves when it is stored. */
    append: (type: EventType, { node, key, payload = {}, made = {} }: EventContents = {}): Promise<void> => {
      if (hasEvent(type, { node, key })) return lastWrite
      const record: LogRecord = {
        seq: state.lastSeq + 1,
        type,
        at: new Date(now()).toISOString(),
        key: eventKey(type, { node, key }),
        ...(node !== undefined && { nodeId: node }),
        payload,
        made: { ...unsaved, ...made },
      }
      unsaved = {}
      state.apply(record)
      lastWrite = lastWrite.then(() => storeEntry(record, state.status))
      return lastWrite
    },
    /**
     * Reads the stored log again, and appends the event of a failure: after a failed write, this object cannot append.
     * A full disk often has room for the event, but not for the results. Then the results are lost.
     */
    appendFailure: async (payload: LogRecord['payload']): Promise<void> => {
      await lastWrite.catch(() => {})
      const write = async (made: LogRecord['made']) => {
        const log = await openJournal(store, session, options)
        await log.append('run_failed', { key: String(log.state.lastSeq), payload, made })
      }
      await write(unsaved).catch(() => write({}))
    },
  }
}

type LoggedSession = Pick<StoredSession, 'id' | 'question'>

export async function readRunState(store: RunStore, { id, question }: LoggedSession): Promise<RunState> {
  const state = new RunState(question)
  for await (const record of recordsOf(store, id, 0)) state.apply(record)
  return state
}

/** The entries of a log after number `after`; 0 for all. */
export async function* recordsOf(store: RunStore, session: string, after: number): AsyncGenerator<LogRecord> {
  for await (const page of readLogPages(store, session, after)) {
    for (const stored of page) yield toLogRecord(stored)
  }
}

/** Stored entries, in batches. */
export async function* readLogPages(store: Pick<RunStore, 'records'>, session: string, after: number) {
  let limit = FIRST_BATCH
  for (let last = after; ; ) {
    const page = await store.records(session, last, limit)
    if (page.length > 0) yield page
    last = page.at(-1)?.seq ?? last
    if (page.length < limit) return
    const size = page.reduce((sum, { data }) => sum + data.length, 0) / page.length
    limit = Math.min(MAX_BATCH, Math.max(1, Math.floor(BATCH_CHARACTERS / size)))
  }
}

export function toLogRecord({ seq, at, data }: StoredRecord): LogRecord {
  // Stored logs call the payload `told`.
  const { told: payload, ...head } = JSON.parse(data)
  return { ...head, payload, seq, at }
}
