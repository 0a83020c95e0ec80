/** The part of the port that keeps which collections are to be indexed by a process that does jobs, how far that is, and its result. */

/** `queued` and `running` are still to be done; the others are the outcome of the last one. */
export type IndexJobState = 'queued' | 'running' | 'done' | 'failed' | 'stopped'

/** The indexing of one collection as a job. A collection has one at most. */
export interface IndexJob {
  readonly collection: string
  /** Who asked for it; `''` is the local owner. */
  readonly owner: string
  /** Reads every file, whatever its size and times say. */
  readonly isForced: boolean
  readonly state: IndexJobState
  /** How often it was begun: more than once where a process ended before the job did. */
  readonly attempts: number
  /** Files that are done, of those that this attempt has to read; 0 of 0 until that is known. */
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

/** One attempt at a job: what it writes counts only while no other attempt has begun. */
export type IndexAttempt = Pick<IndexJob, 'collection' | 'attempts'>

export interface IndexJobStore {
  /** By collection. */
  list(): Promise<IndexJob[]>
  /**
   * Asks for one; where the collection has one that is still to be done, that stays.
   *
   * @param isAwaited whether it ends when nobody waits for it any more, unless somebody asks for it who does not wait
   * @throws ContextError `not-found`.
   */
  ask(collection: string, job: Pick<IndexJob, 'owner' | 'isForced'>, isAwaited?: boolean): Promise<void>
  /** Begins the job that is to be done, or begins it again; undefined where there is none. */
  begin(collection: string): Promise<IndexJob | undefined>
  /** Keeps how far it is. Returns whether it is to go on: not where it was stopped, or another attempt has begun. */
  tell(attempt: IndexAttempt, progress: Pick<IndexJob, 'done' | 'total'>): Promise<boolean>
  end(attempt: IndexAttempt, outcome: IndexJobOutcome): Promise<void>
  /** Leaves it to another process: the attempt does not count. */
  putBack(attempt: IndexAttempt): Promise<void>
  /** Ends it, in whichever process. `isAwaited`: only if nobody asked for it who does not wait. Returns whether it did. */
  stop(collection: string, isAwaited?: boolean): Promise<boolean>
  /** Does the job under its lease, without waiting. @throws ContextError `conflict`. */
  exclusively<Value>(collection: string, work: () => Promise<Value>): Promise<Value>
}

export type IndexJobOutcome = Pick<IndexJob, 'problem' | 'answer'> & { readonly state: 'done' | 'failed' }

/** Whether it is still to be done. */
export function isUnfinished({ state }: Pick<IndexJob, 'state'>): boolean {
  return state === 'queued' || state === 'running'
}
