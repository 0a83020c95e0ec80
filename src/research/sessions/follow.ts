import type { Watch } from '../../stores/change-notifier.ts'
import type { RunStore } from '../../stores/run-store.ts'
import { eventOf, type RunEvent, TERMINAL } from '../events.ts'
import { HELD, readLogPages, recordsOf, toLogRecord } from '../run/journal.ts'

export interface FollowOptions {
  /** The last event that is known; 0 for none. */
  readonly after: number
  readonly signal: AbortSignal | undefined
}

/** Of the sessions that are followed in this process. A store is that of one owner. */
const tails = new WeakMap<RunStore, Map<string, Tail>>()

/** The events of a session as they come, whichever process makes them. Ends with the last one, or when the signal fires. */
export async function* followSession(
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
  const tail = joinTail(store, session)
  try {
    for (let last = after; !isEnded; ) {
      const event = tail.after(last)
      if (event) {
        last = event.seq
        yield event
        if (TERMINAL.has(event.type) && !(await isReopened(store, session, last))) return
      } else if (tail.isPast(last)) {
        const [before, isThere] = [last, tail.hasBegun]
        for await (const record of recordsOf(store, session, last)) {
          last = record.seq
          yield eventOf(session, record)
          if (TERMINAL.has(record.type) && !(await isReopened(store, session, last))) return
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

/** Whether questions were added after the end of a run. */
async function isReopened(store: RunStore, session: string, end: number): Promise<boolean> {
  for await (const { type } of recordsOf(store, session, end)) if (type === 'question_added') return true
  return false
}

function joinTail(store: RunStore, session: string): Tail {
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

/** Followers that are told in one turn of the loop. */
const TOGETHER = 50

/** An event, and the characters of its entry. */
interface Kept {
  readonly event: RunEvent
  readonly size: number
}

/**
 * The end of the log of one session: what is new is read once for all who follow it in this process. It is kept until all
 * of them were told, and no more of it than is held of a log anywhere: whoever is further behind reads for itself.
 */
export class Tail {
  readonly #store: RunStore
  readonly #session: string
  readonly #watch: Watch
  readonly #ending = new AbortController()
  readonly #waiting = new Set<() => void>()
  /** Without gaps. */
  #kept: Kept[] = []
  #size = 0
  /** Up to where it was read. */
  #last: number | undefined
  #members = 0
  #failed: { readonly error: unknown } | undefined
  #isOver = false

  constructor(store: RunStore, session: string) {
    this.#store = store
    this.#session = session
    this.#watch = store.watch(session, 'events')
  }

  /** Whether nothing more is read: the run or the session is over, or the reading failed. */
  get isOver(): boolean {
    return this.#isOver
  }

  get hasBegun(): boolean {
    return this.#last !== undefined
  }

  join(): void {
    this.#members++
  }

  /** As `tell` was called last. Returns whether that was the last one, with whom the reading ends. */
  leave(wake: () => void): boolean {
    this.#waiting.delete(wake)
    if (--this.#members > 0) return false
    this.#close()
    return true
  }

  /** Reads on for all from after this event, up to which somebody has read; but for where it has begun. */
  begin(last: number): void {
    if (this.#last !== undefined) return
    this.#last = last
    this.#read().catch((error: unknown) => {
      this.#failed = { error }
      this.#close()
    })
  }

  /** The event after this one, where it is kept. @throws what the reading failed with. */
  after(last: number): RunEvent | undefined {
    if (this.#failed) throw this.#failed.error
    const first = this.#kept[0]?.event.seq
    return first === undefined || last + 1 < first ? undefined : this.#kept[last + 1 - first]?.event
  }

  /** Whether there may be more after this one that is not kept. */
  isPast(last: number): boolean {
    return this.#last === undefined || last < this.#last
  }

  /** Calls this, once, when there may be more. */
  tell(wake: () => void): void {
    this.#waiting.add(wake)
    if (this.#waiting.size === this.#members) this.#forget()
  }

  async #read(): Promise<void> {
    while (!this.#isOver) {
      for await (const page of readLogPages(this.#store, this.#session, this.#last ?? 0)) {
        for (const stored of page) {
          this.#keep({ event: eventOf(this.#session, toLogRecord(stored)), size: stored.data.length })
        }
        this.#wake()
      }
      // Whoever deletes a session ends those who follow it.
      if ((await this.#store.get(this.#session)) === undefined) this.#close()
      if (!this.#isOver) await this.#watch.changed(this.#ending.signal)
    }
  }

  #keep(kept: Kept): void {
    this.#kept.push(kept)
    this.#size += kept.size
    while (this.#size > HELD && this.#kept.length > 1) this.#size -= this.#kept.shift()?.size ?? 0
    this.#last = kept.event.seq
    if (TERMINAL.has(kept.event.type)) this.#close()
  }

  #forget(): void {
    this.#kept = []
    this.#size = 0
  }

  #close(): void {
    this.#isOver = true
    this.#ending.abort()
    this.#watch.close()
    this.#wake()
  }

  /** Some are told before what is done for the others, and whoever else asks is answered in between. */
  #wake(): void {
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    const some = () => {
      for (const wake of waiting.splice(0, TOGETHER)) wake()
      if (waiting.length > 0) setImmediate(some)
    }
    some()
  }
}
