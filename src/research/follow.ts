import type { RunStore } from '../stores/run-store.ts'
import { eventOf, type RunEvent, TERMINAL } from './events.ts'
import { recordsOf } from './run/journal.ts'

export interface FollowOptions {
  /** The last event that is known; 0 for none. */
  readonly after: number
  readonly signal: AbortSignal | undefined
}

/** The events of a session as they come, whichever process makes them. Ends with the last one, or when the signal fires. */
export async function* followed(
  store: RunStore,
  session: string,
  { after, signal }: FollowOptions,
): AsyncGenerator<RunEvent> {
  const watch = store.watch(session, 'events')
  try {
    for (let last = after; !signal?.aborted; ) {
      for await (const record of recordsOf(store, session, last)) {
        last = record.seq
        yield eventOf(session, record)
        if (TERMINAL.has(record.type)) return
      }
      // Whoever deletes a session ends those who follow it.
      if ((await store.get(session)) === undefined) return
      await watch.changed(signal)
    }
  } finally {
    watch.close()
  }
}
