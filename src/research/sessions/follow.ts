import type { RunStore } from '../../stores/run-store.ts'
import { eventOf, type RunEvent, TERMINAL } from '../events.ts'
import { recordsOf } from '../run/journal.ts'
import { Tail } from './tail.ts'

export interface FollowOptions {
  /** The last event that is known; 0 for none. */
  readonly after: number
  readonly signal: AbortSignal | undefined
}

/** Of the sessions that are followed in this process. A store is that of one owner. */
const tails = new WeakMap<RunStore, Map<string, Tail>>()

/** The events of a session as they come, whichever process makes them. Ends with the last one, or when the signal fires. */
export async function* followed(
  store: RunStore,
  session: string,
  { after, signal }: FollowOptions,
): AsyncGenerator<RunEvent> {
  let [wake, isEnded] = [() => {}, signal?.aborted === true]
  const end = () => {
    isEnded = true
    wake()
  }
  signal?.addEventListener('abort', end, { once: true })
  const tail = joined(store, session)
  try {
    for (let last = after; !isEnded; ) {
      const event = tail.after(last)
      if (event) {
        last = event.seq
        yield event
        if (TERMINAL.has(event.type)) return
      } else if (tail.isPast(last)) {
        const [before, isThere] = [last, tail.hasBegun]
        for await (const record of recordsOf(store, session, last)) {
          last = record.seq
          yield eventOf(session, record)
          if (TERMINAL.has(record.type)) return
        }
        // What was read for all was there, and is no more.
        if (isThere && last === before) return
        tail.begin(last)
      } else if (tail.isOver) return
      else
        await new Promise<void>((resolve) => {
          wake = resolve
          tail.tell(wake)
        })
    }
  } finally {
    signal?.removeEventListener('abort', end)
    if (tail.leave(wake)) forget(store, session, tail)
  }
}

function joined(store: RunStore, session: string): Tail {
  const all = tails.get(store) ?? new Map<string, Tail>()
  tails.set(store, all)
  const known = all.get(session)
  const tail = known && !known.isOver ? known : new Tail(store, session)
  all.set(session, tail)
  tail.join()
  return tail
}

function forget(store: RunStore, session: string, tail: Tail): void {
  const all = tails.get(store)
  if (all?.get(session) === tail) all.delete(session)
}
