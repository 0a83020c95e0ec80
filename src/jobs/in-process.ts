import { CANCELLED, cancelled, HANDED_OVER, type Job, type JobKind, type Jobs, MOST_EACH, type Worker } from './jobs.ts'

interface Active extends Job {
  readonly controller: AbortController
  readonly done: Promise<void>
}

/** Somebody who waits for what comes of a job. */
interface Asked {
  readonly job: Pick<Job, 'kind' | 'key'>
  resolve(answer: string | undefined): void
  reject(error: unknown): void
}

/** How long a job waits that could not be done. Milliseconds. */
const AGAIN_MS = 1_000

/** The queue of one process: what it forgets when it ends is in the store, and found there by the next one. */
export class InProcessJobs implements Jobs {
  readonly lookMs: number
  readonly #workers = new Map<JobKind, Worker>()
  readonly #queue: Job[] = []
  readonly #active = new Set<Active>()
  readonly #asked = new Set<Asked>()
  #isClosed = false

  constructor(lookMs = 1_000) {
    this.lookMs = lookMs
  }

  get running(): number {
    return this.#active.size
  }

  /** Where nobody works in this process, another one finds it in the store. */
  async enqueue(job: Job): Promise<void> {
    if (this.#isClosed || !this.#workers.has(job.kind) || this.#stateOf(job)) return
    this.#queue.push(job)
    this.#next()
  }

  async ask(job: Job, signal?: AbortSignal): Promise<string | undefined> {
    await this.enqueue(job)
    const cancel = () => this.cancel(job.kind, job.key)
    if (signal?.aborted) await cancel()
    signal?.addEventListener('abort', cancel, { once: true })
    try {
      return await new Promise((resolve, reject) => {
        this.#asked.add({ job, resolve, reject })
        if (!this.#stateOf(job)) this.#answer(job)
      })
    } finally {
      signal?.removeEventListener('abort', cancel)
    }
  }

  async work(kind: JobKind, worker: Worker): Promise<void> {
    this.#workers.set(kind, worker)
    this.#next()
  }

  async cancel(kind: JobKind, key: string): Promise<void> {
    const at = this.#queue.findIndex((job) => isSame(job, { kind, key }))
    if (at >= 0) {
      this.#queue.splice(at, 1)
      this.#answer({ kind, key })
    }
    for (const active of this.#active) if (isSame(active, { kind, key })) active.controller.abort(CANCELLED)
  }

  async state(kind: JobKind, key: string): Promise<'queued' | 'active' | undefined> {
    return this.#stateOf({ kind, key })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const job of this.#queue.splice(0)) this.#answer(job)
    for (const { controller } of this.#active) controller.abort(HANDED_OVER)
    await Promise.all([...this.#active].map(({ done }) => done))
  }

  /** Without an answer it was cancelled. */
  #answer(job: Asked['job'], done?: { readonly answer: string | undefined }): void {
    for (const asked of [...this.#asked].filter((one) => isSame(one.job, job))) {
      this.#asked.delete(asked)
      if (done) asked.resolve(done.answer)
      else asked.reject(cancelled())
    }
  }

  #stateOf(asked: Pick<Job, 'kind' | 'key'>): 'queued' | 'active' | undefined {
    if (this.#queue.some((job) => isSame(job, asked))) return 'queued'
    return [...this.#active].some((job) => isSame(job, asked)) ? 'active' : undefined
  }

  #next(): void {
    for (const [kind, worker] of this.#workers) {
      while (!this.#isClosed && this.#count((job) => job.kind === kind) < worker.most) {
        const at = this.#queue.findIndex((job) => job.kind === kind && this.#mayStart(job))
        const [job] = at >= 0 ? this.#queue.splice(at, 1) : []
        if (!job) break
        this.#start(job, worker)
      }
    }
  }

  #mayStart({ kind, owner }: Job): boolean {
    return this.#count((job) => job.kind === kind && job.owner === owner) < MOST_EACH
  }

  #count(is: (job: Job) => boolean): number {
    return [...this.#active].filter(is).length
  }

  #start(job: Job, { handler }: Worker): void {
    const controller = new AbortController()
    const work = async () => handler({ ...job, signal: controller.signal })
    const again = () => {
      if (this.#isClosed || controller.signal.aborted) this.#answer(job)
      else setTimeout(() => this.enqueue(job), AGAIN_MS).unref()
    }
    const ended = (told: unknown) => {
      const answer = typeof told === 'string' ? told : undefined
      this.#answer(job, controller.signal.aborted ? undefined : { answer })
    }
    const done: Promise<void> = work()
      .then(ended, again)
      .finally(() => {
        this.#active.delete(active)
        this.#next()
      })
    const active: Active = { ...job, controller, done }
    this.#active.add(active)
  }
}

function isSame(one: Pick<Job, 'kind' | 'key'>, other: Pick<Job, 'kind' | 'key'>): boolean {
  return one.kind === other.kind && one.key === other.key
}
