/** The part of the port for indexing as jobs: which collections wait, their progress, and the result. */

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

export interface IndexJobStore {
  /** By collection. */
  list(): Promise<IndexJob[]>
  /**
   * Adds a job; an open job of the collection stays.
   *
   * @param isAwaited whether it ends when nobody waits for it any more, unless somebody asks for it who does not wait
   * @throws ContextError `not-found`.
   */
  ask(collection: string, job: Pick<IndexJob, 'owner' | 'isForced'>, isAwaited?: boolean): Promise<void>
  /** Begins the open job, or begins it again; undefined when there is none. */
  begin(collection: string): Promise<IndexJob | undefined>
  /** Stores the progress. Returns whether to go on: not when the job was stopped, or another attempt began. */
  tell(attempt: IndexAttempt, progress: Pick<IndexJob, 'done' | 'total'>): Promise<boolean>
  end(attempt: IndexAttempt, outcome: IndexJobOutcome): Promise<void>
  /** Leaves the job to another process: the attempt does not count. */
  putBack(attempt: IndexAttempt): Promise<void>
  /** Ends the job, in any process. `isAwaited`: only when everyone who requested it waits. Returns whether it ended. */
  stop(collection: string, isAwaited?: boolean): Promise<boolean>
  /** Does the job under its lease, without waiting. @throws ContextError `conflict`. */
  exclusively<Value>(collection: string, work: () => Promise<Value>): Promise<Value>
}

export type IndexJobOutcome = Pick<IndexJob, 'problem' | 'answer'> & { readonly state: 'done' | 'failed' }

/** Whether the job is open. */
export function isUnfinished({ state }: Pick<IndexJob, 'state'>): boolean {
  return state === 'queued' || state === 'running'
}
