/** The port of work that another process may do: kept until it is done, done by one at a time, and taken over from the dead. */

import { ContextError } from '../core/errors.ts'

/** `research`: a session; `index`: a collection. */
export const JOB_KINDS = ['research', 'index'] as const
export type JobKind = (typeof JOB_KINDS)[number]

export interface Job {
  readonly kind: JobKind
  /** What it is of. Of one kind and key there is one job at a time. */
  readonly key: string
  /** Whose it is: of one owner at most `MOST_EACH` jobs of a kind are worked on at once, by all processes together. */
  readonly owner: string
  /** What whoever works on it has to know besides; plain data. */
  readonly data?: Readonly<Record<string, unknown>>
}

/** Work on a job. */
export interface Task extends Job {
  /** Fired when the work is to end, with one of the reasons below. */
  readonly signal: AbortSignal
  /** Says how far it is, to whoever waits for it: the newest counts, so it may be said as often as one likes. */
  tell(news: string): void
}

/** How somebody waits for what comes of a job. */
export interface Asking {
  /** Cancels the job when it fires. */
  readonly signal?: AbortSignal | undefined
  /** Hears how far it is: the newest of what was told, some times a second at most. */
  readonly heard?: ((news: string) => void) | undefined
}

/** This process ends: the job goes back to the queue, and another one goes on with it. */
export const HANDED_OVER = 'handed over'
/** The job was given to another process, since this one showed no sign of life: nothing of it may be written any more. */
export const LOST = 'lost'
/** It is not wanted any more. */
export const CANCELLED = 'cancelled'

/** Jobs of one owner that are worked on at once. */
export const MOST_EACH = 8

/**
 * When it resolves the job is done with, and when it throws, it is given out again; so it is, too, when this process dies.
 * A text that it gives is for whoever waits for it.
 */
export type Handler = (task: Task) => Promise<unknown>

export interface Worker {
  /** Jobs at once, in this process. */
  readonly most: number
  readonly handler: Handler
}

export interface Jobs {
  /** Whether it knows the jobs of this process alone. Then whoever works on one counts those of the others. */
  readonly isAlone: boolean
  /** How often whoever works should look for jobs that should be in the queue and are not. Milliseconds. */
  readonly lookMs: number
  /** Resolves when it is kept. Where there is one of its kind and key already, nothing happens. */
  enqueue(job: Job): Promise<void>
  /**
   * Puts it in the queue and waits for what comes of it: where there is one of its kind and key already, of that one.
   *
   * @throws ContextError `cancelled`, also where somebody else cancelled it; `unavailable`.
   */
  ask(job: Job, asking?: Asking): Promise<string | undefined>
  /** Takes jobs of a kind from the queue until `close`. Once for each kind. */
  work(kind: JobKind, worker: Worker): Promise<void>
  /** Takes it out of the queue; whoever works on it is told. */
  cancel(kind: JobKind, key: string): Promise<void>
  /** Undefined where there is none. In one process: as far as that knows. */
  state(kind: JobKind, key: string): Promise<'queued' | 'active' | undefined>
  /** How many jobs of each kind nobody works on yet. In one process: as far as that knows. @throws ContextError `unavailable`. */
  waiting(): Promise<Readonly<Record<JobKind, number>>>
  /** Jobs that this process works on. */
  readonly running: number
  /** Takes no more, and hands over what it works on. */
  close(): Promise<void>
}

/** What is told whoever waits for a job that will not be done. */
export function jobCancelled(): ContextError {
  return new ContextError('cancelled', 'The job was cancelled.', { hint: 'Ask again.' })
}
