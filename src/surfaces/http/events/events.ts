import { randomBytes } from 'node:crypto'
import { invalidInput } from '../../../core/errors.ts'
import type { StreamLimits } from './event-stream.ts'

/** How event streams of runs behave. Times in milliseconds. */
export interface EventLimits extends Required<StreamLimits> {
  /** How long a run continues without clients: one may come back. */
  readonly grace: number
  /**
   * Bytes of events that are kept of a run, for those who come back and for those who are slow: a client that is further
   * behind is dropped. The last event is always kept.
   */
  readonly buffer: number
}

export const EVENT_LIMITS: EventLimits = { heartbeat: 15_000, stall: 30_000, grace: 5_000, buffer: 1_048_576 }

/** A random id of a run. */
export function newRunId(): string {
  return randomBytes(16).toString('base64url')
}

/** Where a client was, from `Last-Event-ID`: `RUN.SEQ`. */
export function positionOf(id: string): { readonly run: string; readonly seq: number } {
  const [, run, seq] = /^([\w-]{22})\.(\d{1,15})$/.exec(id) ?? []
  if (run !== undefined && seq !== undefined) return { run, seq: Number(seq) }
  const hint = 'Send the id of the last event that arrived, as it was.'
  throw invalidInput('Last-Event-ID is not the id of an event.', hint)
}
