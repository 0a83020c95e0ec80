import { ContextError, invalidInput } from '../../../core/errors.ts'
import type { TakePlace } from '../http-parts.ts'
import { eventStream, withPlace } from './event-stream.ts'
import { type EventLimits, newRunId, positionOf } from './events.ts'
import { LogFeed, RunLog } from './run-log.ts'

/** How long the events of a run that is over are kept, in milliseconds, and how many bytes of all such. */
const KEPT_MS = 60_000
const KEPT_BYTES = 32 * 1024 * 1024

interface Known {
  readonly operation: string
  readonly log: RunLog
  overAt?: number
}

/** The runs whose events are sent, or were until a moment ago. */
export class RunLogs {
  readonly #limits: EventLimits
  readonly #takePlace: TakePlace
  readonly #known = new Map<string, Known>()

  constructor(limits: EventLimits, takePlace: TakePlace) {
    this.#limits = limits
    this.#takePlace = takePlace
  }

  get size(): number {
    return this.#known.size
  }

  /** Those that are open. */
  get streams(): number {
    return [...this.#known.values()].reduce((sum, { log }) => sum + log.listeners, 0)
  }

  /**
   * Starts a run, whose events are what `work` appends to its log. The last is appended before the promise settles.
   *
   * @throws ContextError where no place for a stream is left: nothing was started then.
   */
  start(operation: string, work: (log: RunLog) => Promise<void>): RunLog {
    this.#takePlace()()
    this.#forget()
    const log = new RunLog(newRunId(), this.#limits)
    const known: Known = { operation, log }
    this.#known.set(log.id, known)
    work(log).finally(() => {
      known.overAt = Date.now()
    })
    return log
  }

  /**
   * The run and the place in it that `Last-Event-ID` names.
   *
   * @throws ContextError `invalid-input` for what is not an id, or lies in the future; `not-found` for a run that is not
   * known, or not any more.
   */
  resumed(operation: string, lastEventId: string): { readonly log: RunLog; readonly seq: number } {
    const { run, seq } = positionOf(lastEventId)
    const known = this.#known.get(run)
    if (known?.operation !== operation) {
      const hint = 'Ask again without Last-Event-ID.'
      throw new ContextError('not-found', 'The run is over and forgotten, or never was.', { hint })
    }
    if (seq <= known.log.last) return { log: known.log, seq }
    const hint = 'Send the id of the last event that arrived, as it was.'
    throw invalidInput('Last-Event-ID names an event that has not happened yet.', hint)
  }

  /** @throws ContextError where no place is left. */
  stream(log: RunLog, after: number, drop: () => void): ReadableStream {
    const giveBack = this.#takePlace()
    return eventStream(withPlace(new LogFeed(log, after), giveBack), this.#limits, drop)
  }

  abortAll(): void {
    for (const { log } of this.#known.values()) log.abort()
  }

  /** Forgets runs that are over for long, and the oldest of those that take too much. */
  #forget(): void {
    const over = [...this.#known].filter(([, { overAt }]) => overAt !== undefined)
    let bytes = over.reduce((sum, [, { log }]) => sum + log.size, 0)
    for (const [id, { overAt = 0, log }] of over) {
      if (bytes <= KEPT_BYTES && Date.now() - overAt < KEPT_MS) continue
      bytes -= log.size
      this.#known.delete(id)
    }
  }
}
