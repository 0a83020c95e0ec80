import type { FlowEvent } from '../../core/flow.ts'

/** Milliseconds between two notifications of one work: a client draws no more, and a tree of files is read quickly. */
const PAUSE_MS = 100

type ProgressEvent = Extract<FlowEvent, { readonly type: 'progress' }>

/** What a notification says. */
export interface ProgressNotice {
  readonly progress: number
  readonly total?: number
  readonly message: string
}

/**
 * Events as progress that only grows, which the protocol asks for. Where a work tells how much of it is done, that is the
 * progress, and several works are added up; the total grows with each that begins. Other events are counted.
 */
export class Progress {
  #what: string | undefined
  /** Of the works before this one. */
  #before = 0
  #total = 0
  #last = -1
  #toldAt = Number.NEGATIVE_INFINITY

  /** Undefined for an event that says nothing new, or comes too soon after the one before. */
  of(event: FlowEvent, now = performance.now()): ProgressNotice | undefined {
    return event.type === 'progress' ? this.#step(event, now) : this.#counted(event)
  }

  #step({ what, done, total }: ProgressEvent, now: number): ProgressNotice | undefined {
    if (what !== this.#what) {
      this.#before += this.#total
      this.#what = what
      this.#toldAt = Number.NEGATIVE_INFINITY
    }
    this.#total = total
    const progress = this.#before + done
    const isSoon = done < total && now - this.#toldAt < PAUSE_MS
    if (isSoon || progress <= this.#last) return undefined
    this.#last = progress
    this.#toldAt = now
    return { progress, total: this.#before + total, message: `${what}: ${done} of ${total}` }
  }

  /** Beside a work that tells how much is done, what else happens is not a measure. */
  #counted(event: Exclude<FlowEvent, ProgressEvent>): ProgressNotice | undefined {
    if (this.#what !== undefined) return undefined
    this.#last = Math.max(this.#last, 0) + 1
    return { progress: this.#last, message: sentenceOf(event) }
  }
}

/** `gathered: source instructions, kept 3, left 1`. */
function sentenceOf(event: object): string {
  const { type = 'progress', ...rest }: Readonly<Record<string, unknown>> = { ...event }
  const fields = Object.entries(rest).filter(([, value]) => typeof value !== 'object')
  return `${type}: ${fields.map(([name, value]) => `${name} ${value}`).join(', ')}`
}
