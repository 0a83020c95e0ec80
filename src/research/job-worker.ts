/** Where jobs are done: sessions of all owners, each with what there is for its owner. */

import { setTimeout as sleep } from 'node:timers/promises'
import { waitingIndexJobs } from '../collections/index-job.ts'
import { type Jobs, MOST_EACH, type Task } from '../stores/jobs.ts'
import type { Store } from '../stores/store.ts'
import type { Research } from './research.ts'
import type { RunSettings } from './settings.ts'

export interface WorkplaceParts {
  store(): Promise<Store>
  /** The research of an owner, who sees no more than these collections where some are named. */
  researchOf(owner: string, only: readonly string[] | undefined): Promise<Research>
  /** What is done with jobs of the other kind, one at a time. */
  index(task: Task): Promise<unknown>
  /** Runs at once. */
  readonly most: number
  /** Until it fires, what should be in the queue and is not is put back: whoever had that is dead. Absent: it is left. */
  readonly looking?: AbortSignal
}

/** Takes jobs until the queue is closed. */
export async function workOn(jobs: Jobs, parts: WorkplaceParts): Promise<void> {
  const each = jobs.isAlone ? MOST_EACH : undefined
  await jobs.work('research', { most: parts.most, handler: (task) => runSession(task, parts, each) })
  await jobs.work('index', { most: 1, handler: (task) => parts.index(task) })
  if (parts.looking) void enqueueMissed(jobs, parts.store, parts.looking)
}

/** `each`: of the owner so many at once, where that is not counted yet. */
async function runSession(
  { key, owner, signal }: Task,
  { store, researchOf }: WorkplaceParts,
  each?: number,
): Promise<void> {
  const session = await (await store()).of(owner).runs.get(key)
  if (!session) return
  const { only } = JSON.parse(session.settings) as RunSettings
  await (await researchOf(owner, only)).work(key, signal, each)
}

async function enqueueMissed(jobs: Jobs, store: WorkplaceParts['store'], signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const kept = await store()
      for (const { owner, id } of await kept.waiting()) await jobs.enqueue({ kind: 'research', key: id, owner })
      for (const job of await waitingIndexJobs(kept)) await jobs.enqueue(job)
    } catch {
      // The database does not answer now: there is a next time.
    }
    await sleep(jobs.lookMs, undefined, { signal, ref: false }).catch(() => {})
  }
}

/** A queue that is another's to close. */
export function borrowJobs(jobs: Jobs): Jobs {
  return {
    isAlone: jobs.isAlone,
    lookMs: jobs.lookMs,
    get running() {
      return jobs.running
    },
    enqueue: (job) => jobs.enqueue(job),
    ask: (job, asking) => jobs.ask(job, asking),
    work: (kind, worker) => jobs.work(kind, worker),
    cancel: (kind, key) => jobs.cancel(kind, key),
    state: (kind, key) => jobs.state(kind, key),
    waiting: () => jobs.waiting(),
    close: async () => {},
  }
}
