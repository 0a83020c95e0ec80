import type { RunStore } from '../../stores/run-store.ts'
import { eventOf, type RunEvent, TERMINAL } from '../events.ts'
import { readLogPages, recordsOf, toLogRecord } from '../run/journal.ts'

export interface FollowOptions {
  /** The last event that is known; 0 for none. */
  readonly after: number
  readonly signal: AbortSignal | undefined
}

type LogReader = Pick<RunStore, 'records' | 'get'>

/** By store: those who follow a session from the same event share a request to the database. */
const readers = new WeakMap<RunStore, LogReader>()

/** The events of a session as they come, whichever process makes them. Ends with the last one, or when the signal fires. */
export async function* followSession(
  store: RunStore,
  session: string,
  { after, signal }: FollowOptions,
): AsyncGenerator<RunEvent> {
  const reader = readers.get(store) ?? sharedReader(store)
  readers.set(store, reader)
  const watch = store.watch(session, 'events')
  try {
    for (let last = after; !signal?.aborted; ) {
      for await (const page of readLogPages(reader, session, last)) {
        for (const stored of page) {
          if (signal?.aborted) return
          const event = eventOf(session, toLogRecord(stored))
          last = event.seq
          yield event
          if (TERMINAL.has(event.type) && !(await isReopened(store, session, last))) return
        }
      }
      // A session that was removed ends those who follow it.
      if ((await reader.get(session)) === undefined) return
      await watch.changed(signal)
    }
  } finally {
    watch.close()
  }
}

/** Whether questions were added after the end of a run. */
async function isReopened(store: RunStore, session: string, end: number): Promise<boolean> {
  for await (const { type } of recordsOf(store, session, end)) if (type === 'question_added') return true
  return false
}

function sharedReader(store: RunStore): LogReader {
  const running = new Map<string, Promise<unknown>>()
  const share = <Value>(key: string, read: () => Promise<Value>): Promise<Value> => {
    const known = running.get(key) as Promise<Value> | undefined
    if (known) return known
    const reading = read().finally(() => running.delete(key))
    running.set(key, reading)
    return reading
  }
  return {
    records: (session, after, limit) =>
      share(`${session} ${after} ${limit}`, () => store.records(session, after, limit)),
    get: (session) => share(session, () => store.get(session)),
  }
}
