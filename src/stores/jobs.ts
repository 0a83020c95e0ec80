/**
 * Runs jobs. Rows of the store are the open jobs, and a lease (the temporary right of one process) decides which
 * process runs a job. Notifications make processes read the rows earlier.
 */

import { isAlive } from './statements/lease.ts'
import { type Database, notify, queryRows } from './statements/statement.ts'

export const JOB_KINDS = ['research', 'index'] as const
export type JobKind = (typeof JOB_KINDS)[number]

export interface Job {
  readonly kind: JobKind
  /** Id of a session, or name of a collection. */
  readonly key: string
  /**
   * The principal (user) for whom the job runs. All processes together run at most `MAX_PER_OWNER` jobs of a kind for
   * one owner.
   */
  readonly owner: string
}

/** A job that has not ended. */
export interface OpenJob extends Job {
  /** Whether a living process runs the job. */
  readonly isHeld: boolean
}

/** The name of the notification for all workers. */
export const JOBS = 'jobs'

/**
 * Open jobs, each with the holder of its unexpired lease. Includes sessions with a command to stop or pause if their process died
 * before it read the command.
 */
const OPEN_JOBS = `
  SELECT 'research' AS kind, s.id AS key, s.owner, l.holder, s.number FROM ambit.research_sessions s
  LEFT JOIN ambit.leases l ON l.name = 'research ' || s.id AND l.expires > {now}
  WHERE s.wanted = 'run' OR s.wanted <> '' AND s.status IN ('running', 'queued')
  UNION ALL
  SELECT 'index', c.name, j.owner, l.holder, c.id FROM ambit.index_jobs j
  JOIN ambit.collections c ON c.id = j.collection_id
  LEFT JOIN ambit.leases l ON l.name = 'indexing ' || c.name AND l.expires > {now}
  WHERE j.state IN ('queued', 'running')
  ORDER BY number`

type JobRow = Omit<OpenJob, 'isHeld'> & { readonly holder: string | null; readonly number: number }

/** Open jobs of all owners: research sessions that should run, and jobs of `createIndexJobStore`. */
export function createJobStore(database: Database) {
  return {
    /** Open jobs of all owners, the oldest first. */
    open: (): Promise<OpenJob[]> =>
      database.read(queryRows<JobRow>(OPEN_JOBS), (rows) =>
        rows.map(({ kind, key, owner, holder }) => ({ kind, key, owner, isHeld: holder !== null && isAlive(holder) })),
      ),
    /** Watches for added jobs, and for jobs that a process releases. */
    watch: () => database.watch(JOBS),
    /** Wakes all processes that watch. */
    notify: () => database.write('jobs', () => notify(JOBS)),
  }
}

export type JobStore = ReturnType<typeof createJobStore>

/** A job that this process runs. */
export interface Task extends Job {
  /** Fires when the work must end. */
  readonly signal: AbortSignal
}

export interface Worker {
  /** Maximum number of jobs at once, in this process. */
  readonly maximum: number
  /**
   * Takes the lease of the job, checks that the job is still open, and runs the job. The row of the job then says
   * whether the job is still open.
   */
  readonly handler: (task: Task) => Promise<unknown>
}

/** Reason of an abort: this process ends, and another process continues the job. */
export const HANDED_OVER = 'handed over'
/** Reason of an abort: another process has taken the lease, so this process must not write. */
export const LOST = 'lost'

/** Maximum number of jobs of one kind and owner at once. */
export const MAX_PER_OWNER = 8

/**
 * Minimum milliseconds before this process runs a still open job again: after a failed run, and after a successful run.
 */
const PAUSE_MS = { failed: 1_000, ended: 50 }

/** Runs the jobs of this process. */
export class Jobs {
  readonly #store: JobStore
  /** Names of the jobs that this process added; undefined if this process also runs jobs of other processes. */
  readonly #ownNames: Set<string> | undefined
  readonly #active = new Map<string, { readonly job: Job; readonly controller: AbortController }>()
  readonly #running = new Set<Promise<void>>()
  readonly #pausedNames = new Set<string>()
  #loop: Promise<void> | undefined
  #wake = () => {}
  #isClosed = false

  /**
   * @param isAlone whether this process runs only the jobs that it added, because no other process would continue its
   * jobs.
   */
  constructor(store: JobStore, isAlone: boolean) {
    this.#store = store
    this.#ownNames = isAlone ? new Set() : undefined
  }

  /** Number of jobs that this process runs now. */
  get running(): number {
    return this.#active.size
  }

  /** Adds a job. Call it after the row of the job is written. */
  add(job: Job): void {
    this.#ownNames?.add(nameOf(job))
    this.#wake()
  }

  /** Whether this process may run a job. If it runs only its own jobs, it must have added the job. */
  isTaken(job: Pick<Job, 'kind' | 'key'>): boolean {
    return this.#ownNames?.has(nameOf(job)) ?? true
  }

  /** Number of jobs of each kind that no process runs yet. @throws ContextError `unavailable`. */
  async waiting(): Promise<Readonly<Record<JobKind, number>>> {
    const waiting = (await this.#store.open()).filter(({ isHeld }) => !isHeld)
    const countOf = (kind: JobKind) => waiting.filter((job) => job.kind === kind).length
    return { research: countOf('research'), index: countOf('index') }
  }

  /** Runs jobs until `close`. */
  work(workers: Readonly<Record<JobKind, Worker>>): void {
    this.#loop ??= this.#runLoop(workers)
  }

  /** Stops starting jobs, and ends the running jobs of this process; other processes continue these jobs. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#wake()
    for (const { controller } of this.#active.values()) controller.abort(HANDED_OVER)
    await Promise.all([...this.#running, this.#loop])
  }

  async #runLoop(workers: Readonly<Record<JobKind, Worker>>): Promise<void> {
    using watch = this.#store.watch()
    while (!this.#isClosed) {
      const waker = new AbortController()
      this.#wake = () => waker.abort()
      // If the database fails, the next iteration tries again.
      await this.#startJobs(workers).catch(() => {})
      await watch.changed(waker.signal)
    }
  }

  async #startJobs(workers: Readonly<Record<JobKind, Worker>>): Promise<void> {
    const isFull = (kind: JobKind) => this.#countOf(kind) >= workers[kind].maximum
    if (JOB_KINDS.every(isFull)) return
    const openJobs = await this.#store.open()
    const isBusy = (job: OpenJob) => job.isHeld || this.#active.has(nameOf(job))
    const ownerKey = ({ kind, owner }: Job) => `${kind} ${owner}`
    const busyByOwner = Map.groupBy<string, Job>(openJobs.filter(isBusy), ownerKey)
    for (const { isHeld: _, ...job } of openJobs.filter((one) => !isBusy(one))) {
      const busyOfOwner = busyByOwner.get(ownerKey(job)) ?? []
      const canStart = this.isTaken(job) && !this.#pausedNames.has(nameOf(job)) && !this.#isClosed
      if (!canStart || isFull(job.kind) || busyOfOwner.length >= MAX_PER_OWNER) continue
      busyByOwner.set(ownerKey(job), [...busyOfOwner, job])
      this.#start(job, workers[job.kind])
    }
  }

  #countOf(kind: JobKind): number {
    return [...this.#active.values()].filter(({ job }) => job.kind === kind).length
  }

  #start(job: Job, { handler }: Worker): void {
    const controller = new AbortController()
    const name = nameOf(job)
    this.#active.set(name, { job, controller })
    const end = (pauseMs: number) => {
      this.#running.delete(execution)
      this.#active.delete(name)
      this.#pausedNames.add(name)
      setTimeout(() => this.#resume(name), pauseMs).unref()
      this.#wake()
    }
    const execution: Promise<void> = (async () => handler({ ...job, signal: controller.signal }))()
      .then(
        () => {
          this.#ownNames?.delete(name)
          return PAUSE_MS.ended
        },
        () => PAUSE_MS.failed,
      )
      .then(async (pauseMs) => {
        // A process that misses the notification finds the job when it next reads the rows.
        await this.#store.notify().catch(() => {})
        end(pauseMs)
      })
    this.#running.add(execution)
  }

  #resume(name: string): void {
    this.#pausedNames.delete(name)
    this.#wake()
  }
}

function nameOf({ kind, key }: Pick<Job, 'kind' | 'key'>): string {
  return `${kind} ${key}`
}
