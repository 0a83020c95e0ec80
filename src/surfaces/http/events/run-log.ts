import { randomBytes } from 'node:crypto'
import { ContextError, invalidInput } from '../../../core/errors.ts'
import { serializeVisibly } from '../../../text/invisible.ts'
import type { TakeSlot } from '../http-parts.ts'
import { type EventFeed, type EventLimits, type EventStream, eventStream } from './event-stream.ts'

/** A serialized event. */
interface Frame {
  readonly seq: number
  readonly bytes: Uint8Array
}

/**
 * The latest events of a run, numbered from 1. If events are deleted before a client reads them, the client gets an event with
 * their number.
 */
export class RunLog {
  readonly id: string
  readonly operation: string
  readonly #limits: Pick<EventLimits, 'buffer' | 'grace'>
  readonly #abort = new AbortController()
  /** Fires when the run must end, because it has no clients. */
  readonly signal = this.#abort.signal
  readonly #feeds = new Set<LogFeed>()
  readonly #frames: Frame[] = []
  /** Bytes of the stored events. */
  size = 0
  /** The time of the last event, in milliseconds since 1970; undefined while the run continues. */
  endedAt: number | undefined
  #graceTimer: NodeJS.Timeout | undefined

  constructor(id: string, limits: Pick<EventLimits, 'buffer' | 'grace'>, operation = '') {
    this.id = id
    this.#limits = limits
    this.operation = operation
  }

  /** The number of the last event; 0 without events. */
  get lastSeq(): number {
    return this.#frames.at(-1)?.seq ?? 0
  }

  /** @throws TypeError for data that JSON cannot represent. */
  append(event: string, data: unknown): void {
    if (this.endedAt !== undefined) return
    const frame = this.#frame(this.lastSeq + 1, event, data)
    this.#frames.push(frame)
    this.size += frame.bytes.length
    if (this.size > this.#limits.buffer) this.#trim()
    for (const feed of [...this.#feeds]) feed.notify()
  }

  /** Appends the last event. */
  end(event: string, data: unknown): void {
    this.append(event, data)
    this.endedAt = Date.now()
  }

  /**
   * The event after the number `seq`; undefined if there is none yet. If events after `seq` were deleted, an event `missed` with
   * their number.
   */
  frameAfter(seq: number): Frame | undefined {
    const first = this.#frames[0]
    if (!first || seq >= this.lastSeq) return undefined
    if (seq + 1 >= first.seq) return this.#frames[seq + 1 - first.seq]
    return this.#frame(first.seq - 1, 'missed', { type: 'missed', events: first.seq - 1 - seq })
  }

  /** Whether the event with this number was deleted. */
  isDeleted(seq: number): boolean {
    return seq < (this.#frames[0]?.seq ?? 0)
  }

  join(feed: LogFeed): void {
    clearTimeout(this.#graceTimer)
    this.#feeds.add(feed)
  }

  /** Removes a client. The run continues for `grace` milliseconds after its last client has left. */
  leave(feed: LogFeed): void {
    if (!this.#feeds.delete(feed) || this.#feeds.size > 0 || this.endedAt !== undefined) return
    this.#graceTimer = setTimeout(() => this.abort(), this.#limits.grace).unref()
  }

  abort(): void {
    this.#abort.abort()
  }

  /** Deletes events until half of the buffer is free, because trimming at each event would cost more. */
  #trim(): void {
    let count = 0
    for (const { bytes } of this.#frames.slice(0, -1)) {
      if (this.size <= this.#limits.buffer / 2) break
      this.size -= bytes.length
      count++
    }
    this.#frames.splice(0, count)
  }

  /** Serializes an event. JSON has no line breaks, so data cannot pose as another event. */
  #frame(seq: number, event: string, data: unknown): Frame {
    const name = event.replace(/[^\w.-]/g, '_')
    const text = `id: ${this.id}.${seq}\nevent: ${name}\ndata: ${serializeVisibly(data)}\n\n`
    return { seq, bytes: new TextEncoder().encode(text) }
  }
}

/** The events of a run after a number. A client that falls behind the buffer is disconnected. */
export class LogFeed implements EventFeed {
  readonly #log: RunLog
  #seq: number
  #stream: EventStream | undefined
  #wake = () => {}

  constructor(log: RunLog, after: number) {
    this.#log = log
    this.#seq = after
    log.join(this)
  }

  async next(): Promise<Uint8Array | undefined> {
    let event = this.#log.frameAfter(this.#seq)
    for (; !event && this.#log.endedAt === undefined; event = this.#log.frameAfter(this.#seq)) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    if (event) this.#seq = event.seq
    return event?.bytes
  }

  follow(stream: EventStream): void {
    this.#stream = stream
  }

  close(): void {
    this.#log.leave(this)
  }

  /** Called after each new event. To make room, the log may have deleted old events. */
  notify(): void {
    if (this.#stream?.isUnread && this.#log.isDeleted(this.#seq + 1)) this.#stream.drop()
    else this.#wake()
  }
}

export function newRunId(): string {
  return randomBytes(16).toString('base64url')
}

/** The position of a client, from its `Last-Event-ID`: `RUN.SEQ`. */
function parseEventId(id: string): { readonly run: string; readonly seq: number } {
  const [, run, seq] = /^([\w-]{22})\.(\d{1,15})$/.exec(id) ?? []
  if (run !== undefined && seq !== undefined) return { run, seq: Number(seq) }
  throw invalidInput('Last-Event-ID is not the id of an event.', LAST_ID_HINT)
}

const LAST_ID_HINT = 'Send the id of the last event that arrived, as it was.'

/** Milliseconds that the events of an ended run are stored; and the maximum bytes of all ended runs. */
const MAX_ENDED_MS = 60_000
const MAX_ENDED_BYTES = 32 * 1024 * 1024

/** The runs in progress, and runs that ended a moment ago. */
export class RunLogs {
  readonly #limits: EventLimits
  readonly #takeSlot: TakeSlot
  readonly #logs = new Map<string, RunLog>()

  constructor(limits: EventLimits, takeSlot: TakeSlot) {
    this.#limits = limits
    this.#takeSlot = takeSlot
  }

  /**
   * Starts a run. `work` appends all events to the log, including the last event.
   *
   * @throws ContextError if no slot for a stream is free, before the run starts.
   */
  start(operation: string, work: (log: RunLog) => Promise<void>): RunLog {
    this.#takeSlot()()
    this.#deleteEnded()
    const log = new RunLog(newRunId(), this.#limits, operation)
    this.#logs.set(log.id, log)
    work(log)
    return log
  }

  /**
   * The run and the position that `Last-Event-ID` names.
   *
   * @throws ContextError `invalid-input` for an invalid or future id; `not-found` for an unknown or deleted run.
   */
  findPosition(operation: string, lastEventId: string): { readonly log: RunLog; readonly seq: number } {
    const { run, seq } = parseEventId(lastEventId)
    const log = this.#logs.get(run)
    if (log?.operation !== operation) {
      const message = 'There is no such run, or its events are deleted: it ended some time ago.'
      throw new ContextError('not-found', message, { hint: 'Ask again without Last-Event-ID.' })
    }
    if (seq <= log.lastSeq) return { log, seq }
    throw invalidInput('Last-Event-ID names an event that has not happened yet.', LAST_ID_HINT)
  }

  /** @throws ContextError if no slot for a stream is free. */
  stream(log: RunLog, after: number, drop: () => void): ReadableStream {
    const done = this.#takeSlot()
    return eventStream(new LogFeed(log, after), this.#limits, { drop, done })
  }

  abortAll(): void {
    for (const log of this.#logs.values()) log.abort()
  }

  /**
   * Deletes runs that ended more than `MAX_ENDED_MS` ago; and the oldest ended runs, while all ended runs take more than
   * `MAX_ENDED_BYTES`.
   */
  #deleteEnded(): void {
    const ended = [...this.#logs.values()].filter(({ endedAt }) => endedAt !== undefined)
    let bytes = ended.reduce((sum, { size }) => sum + size, 0)
    for (const { id, endedAt = 0, size } of ended) {
      if (bytes <= MAX_ENDED_BYTES && Date.now() - endedAt < MAX_ENDED_MS) continue
      bytes -= size
      this.#logs.delete(id)
    }
  }
}
