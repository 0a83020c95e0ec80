/** Writes and reads the log of a run. */

import type { RunStore, StoredRecord, StoredSession } from '../../stores/run-store.ts'
import { type EventIdentity, type EventType, eventKey, eventOf, type LogRecord, type RunEvent } from '../events.ts'
import { addUsage, NO_USAGE, type StageUsage } from './stages.ts'
import { RunState } from './state.ts'

export type EventContents = EventIdentity & Partial<Pick<LogRecord, 'payload' | 'made'>>

export interface JournalOptions {
  /** Called with each event once it is stored. */
  readonly onEvent?: (event: RunEvent) => void
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

/** Number of entries of the first read, and maximum of later reads, which depend on the size of entries. */
const FIRST_BATCH = 8
const MAX_BATCH = 500

/** Approximate characters of entries in memory at once. */
export const BATCH_CHARACTERS = 250_000

/**
 * The log of one run, written as it proceeds. Results are stored in one step with the event that reports them. A run that
 * is resumed at any event therefore has all results of earlier events, and repeats only work that no event had reported.
 */
export class Journal {
  readonly session: string
  readonly state: RunState
  readonly #store: RunStore
  readonly #onEvent: (event: RunEvent) => void
  readonly #now: () => number
  /** Results without an event yet, by owner. */
  readonly #pending = new Map<string, Record<string, unknown>>()
  #lastWrite: Promise<void> = Promise.resolve()

  private constructor(store: RunStore, session: string, state: RunState, options: JournalOptions) {
    this.#store = store
    this.session = session
    this.state = state
    this.#onEvent = options.onEvent ?? (() => {})
    this.#now = options.now ?? Date.now
  }

  /** Opens the log to continue at its end. */
  static async open(store: RunStore, session: LoggedSession, options: JournalOptions = {}): Promise<Journal> {
    return new Journal(store, session.id, await readRunState(store, session), options)
  }

  /** Computes a value, or returns the stored one. `owner`: the node or file whose next event stores it. */
  async work<Value>(owner: string, name: string, work: () => Promise<Value>): Promise<Value> {
    const key = `${owner}/${name}`
    if (this.state.results.has(key)) return this.state.results.get(key) as Value
    const value = await work()
    this.#pending.set(owner, { ...this.pending(owner), [key]: value })
    return value
  }

  /** Results of an owner without an event yet. */
  pending(owner: string): Readonly<Record<string, unknown>> {
    return this.#pending.get(owner) ?? {}
  }

  /** Usage of the results without an event. */
  pendingSpent(owner: string): StageUsage {
    const pending = Object.values(this.pending(owner))
    return pending.map((one): StageUsage => Object(one).spent ?? NO_USAGE).reduce(addUsage, NO_USAGE)
  }

  hasEvent(type: EventType, identity: EventIdentity): boolean {
    return this.state.keys.has(eventKey(type, identity))
  }

  /** Appends an event with the pending results of an owner, unless the log has the event. Resolves when it is stored. */
  append(type: EventType, { node, key, payload = {}, made = {} }: EventContents = {}, owner = node ?? '') {
    if (this.hasEvent(type, { node, key })) return this.#lastWrite
    const pending = this.pending(owner)
    this.#pending.delete(owner)
    const record: LogRecord = {
      seq: this.state.lastSeq + 1,
      type,
      at: new Date(this.#now()).toISOString(),
      key: eventKey(type, { node, key }),
      ...(node !== undefined && { nodeId: node }),
      payload,
      made: { ...pending, ...made },
    }
    this.state.apply(record)
    this.#lastWrite = this.#lastWrite.then(() => this.#storeEntry(record, this.state.status))
    return this.#lastWrite
  }

  /** Opens the log again from the store. After a failed write, nothing more can be added to this object. */
  async reopened(): Promise<Journal> {
    await this.#lastWrite.catch(() => {})
    const { question } = this.state
    return Journal.open(this.#store, { id: this.session, question }, { onEvent: this.#onEvent, now: this.#now })
  }

  async #storeEntry({ seq, at, ...data }: LogRecord, status: string): Promise<void> {
    const { payload, made, ...head } = data
    const stored = { seq, at, data: JSON.stringify({ ...head, told: payload, made }) }
    await this.#store.append(this.session, seq - 1, [stored], status)
    this.#onEvent(eventOf(this.session, { seq, at, ...data }))
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
  // The log has called the payload `told` since the first release.
  const { told: payload, ...head } = JSON.parse(data)
  return { ...head, payload, seq, at }
}
