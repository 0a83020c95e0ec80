/** The part of the port for indexing as jobs: which collections wait, their progress, and the result. */

import type { createIndexJobStore } from './statements/jobs.ts'

export type IndexJobStore = ReturnType<typeof createIndexJobStore>

/** `queued` and `running` are open; the others are the outcome of the last job. */
export type IndexJobState = 'queued' | 'running' | 'done' | 'failed' | 'stopped'

/** The indexing of one collection as a job. A collection has at most one. */
export interface IndexJob {
  readonly collection: string
  /** Who requested it; `''` is the local owner. */
  readonly owner: string
  /** Reads every file, whatever its size and times say. */
  readonly isForced: boolean
  readonly state: IndexJobState
  /** How often it began: more than once when a process ended before the job did. */
  readonly attempts: number
  /** Files that are done, and files to read in this attempt; 0 of 0 until that is known. */
  readonly done: number
  readonly total: number
  /** Why it failed, or could not read the root. */
  readonly problem?: string
  /** JSON: the result, for a process that waits for it. */
  readonly answer?: string
  /** ISO 8601, UTC. */
  readonly askedAt: string
  readonly updatedAt: string
}

/** One attempt at a job: its writes count only until another attempt begins. */
export type IndexAttempt = Pick<IndexJob, 'collection' | 'attempts'>

export type IndexJobOutcome = Pick<IndexJob, 'problem' | 'answer'> & { readonly state: 'done' | 'failed' }

/** Whether the job is open. */
export function isUnfinished({ state }: Pick<IndexJob, 'state'>): boolean {
  return state === 'queued' || state === 'running'
}
