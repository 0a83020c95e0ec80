import {
  type Asking,
  CANCELLED,
  HANDED_OVER,
  type Job,
  type JobKind,
  type Jobs,
  jobCancelled,
  MOST_EACH,
  type Worker,
} from './jobs.ts'

interface Active extends Job {
  readonly controller: AbortController
  /** How far it says it is. */
  readonly told: { news?: string }
  readonly done: Promise<void>
}

/** Somebody who waits for what comes of a job. */
interface Asked {
  readonly job: Pick<Job, 'kind' | 'key'>
  readonly heard: Asking['heard']
  resolve(answer: string | undefined): void
  reject(error: unknown): void
}

/** How long a job waits that could not be done. Milliseconds. */
const AGAIN_MS = 1_000

/** The queue of one process: what it forgets when it ends is in the store, and found there by the next one. */
export class InProcessJobs implements Jobs {
  readonly isAlone = true
  readonly lookMs: number
  readonly #workers = new Map<JobKind, Worker>()
  readonly #queue: Job[] = []
  /** Those that could not be done, each with when it is tried again. */
  readonly #waiting = new Map<Job, NodeJS.Timeout>()
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

  async ask(job: Job, { signal, heard }: Asking = {}): Promise<string | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<string | undefined>()
    const news = [...this.#active].find((one) => isSame(one, job))?.told.news
    if (news !== undefined) heard?.(news)
    this.#asked.add({ job, heard, resolve, reject })
    await this.enqueue(job)
    if (!this.#stateOf(job)) this.#answer(job)
    const cancel = () => this.cancel(job.kind, job.key)
    if (signal?.aborted) await cancel()
    signal?.addEventListener('abort', cancel, { once: true })
    return promise.finally(() => signal?.removeEventListener('abort', cancel))
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
    this.#forgetWaiting((job) => isSame(job, { kind, key }))
    for (const active of this.#active) if (isSame(active, { kind, key })) active.controller.abort(CANCELLED)
  }

  async state(kind: JobKind, key: string): Promise<'queued' | 'active' | undefined> {
    return this.#stateOf({ kind, key })
  }

  async waiting(): Promise<Readonly<Record<JobKind, number>>> {
    const all = [...this.#queue, ...this.#waiting.keys()]
    const of = (kind: JobKind) => all.filter((job) => job.kind === kind).length
    return { research: of('research'), index: of('index') }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const job of this.#queue.splice(0)) this.#answer(job)
    this.#forgetWaiting(() => true)
    for (const { controller } of this.#active) controller.abort(HANDED_OVER)
    await Promise.all([...this.#active].map(({ done }) => done))
  }

  /** Without an answer it was cancelled. */
  #answer(job: Pick<Job, 'kind' | 'key'>, done?: { readonly answer: string | undefined }): void {
    for (const asked of this.#asking(job)) {
      this.#asked.delete(asked)
      if (done) asked.resolve(done.answer)
      else asked.reject(jobCancelled())
    }
  }

  #asking(job: Pick<Job, 'kind' | 'key'>): Asked[] {
    return [...this.#asked].filter((one) => isSame(one.job, job))
  }

  #stateOf(asked: Pick<Job, 'kind' | 'key'>): 'queued' | 'active' | undefined {
    if ([...this.#queue, ...this.#waiting.keys()].some((job) => isSame(job, asked))) return 'queued'
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

  #later(job: Job): void {
    const again = () => {
      this.#waiting.delete(job)
      void this.enqueue(job)
    }
    this.#waiting.set(job, setTimeout(again, AGAIN_MS).unref())
  }

  #forgetWaiting(is: (job: Job) => boolean): void {
    for (const [job, timer] of [...this.#waiting].filter(([job]) => is(job))) {
      clearTimeout(timer)
      this.#waiting.delete(job)
      this.#answer(job)
    }
  }

  #start(job: Job, { handler }: Worker): void {
    const controller = new AbortController()
    const told: Active['told'] = {}
    const tell = (news: string) => {
      told.news = news
      for (const { heard } of this.#asking(job)) heard?.(news)
    }
    const work = async () => handler({ ...job, signal: controller.signal, tell })
    const again = () => {
      if (this.#isClosed || controller.signal.aborted) this.#answer(job)
      else this.#later(job)
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
    const active: Active = { ...job, controller, told, done }
    this.#active.add(active)
  }
}

function isSame(one: Pick<Job, 'kind' | 'key'>, other: Pick<Job, 'kind' | 'key'>): boolean {
  return one.kind === other.kind && one.key === other.key
}
