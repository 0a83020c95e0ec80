/** Starts and ends sessions that other processes may run: a request is stored in the session, and a worker finds it. */

import { setTimeout as sleep } from 'node:timers/promises'
import { ContextError } from '../../core/errors.ts'
import type { Jobs } from '../../stores/jobs.ts'
import type { RunStore, StoredSession } from '../../stores/run-store.ts'
import { STOP } from '../run/run.ts'
import type { RunSettings } from '../settings.ts'
import { assertNotOver, isConflict, pauseSession } from './refusals.ts'
import type { Runner } from './runner.ts'

export interface SessionControlParts {
  readonly store: RunStore
  readonly jobs: () => Promise<Jobs>
  /** The owner of the sessions. */
  readonly owner: string
  /** The only collections that the owner may search. Default: all. */
  readonly only?: readonly string[] | undefined
}

/**
 * Milliseconds between two checks whether a process has released a session; maximum milliseconds of all checks; maximum
 * tries to end a run.
 */
const POLL_MS = 100
const MAX_MS = 30_000
const MAX_TRIES = 3

/** Starts and ends runs, in whichever process they run. */
export function sessionControl({ store, jobs, owner, only }: SessionControlParts, runner: Runner) {
  /** Requests the end of a run. Returns true if a process ran the session and has ended the run. */
  const endRun = async (id: string, request: EndRequest): Promise<boolean> => {
    if (await runner.end(id, request)) return true
    await store.update(id, { wanted: request })
    for (const until = Date.now() + MAX_MS; Date.now() < until; await sleep(POLL_MS)) {
      if (await store.isHeld(id)) continue
      // A process that ended the run has withdrawn the request. If it died, or had not begun, the request remains.
      return (await store.get(id))?.wanted !== request
    }
    const hint = 'The request is kept: the session ends when that process, or one that takes over, reads it.'
    throw new ContextError('unavailable', 'The process that runs the session does not answer.', { hint })
  }
  /**
   * Ends a run. Calls `otherwise` if no process runs the session. If a process begins the session at that moment, tries again.
   */
  const endRunOr = async (session: StoredSession, request: EndRequest, otherwise: () => Promise<void>) => {
    for (let tries = 1; ; tries++) {
      if (request === STOP) assertNotOver(session)
      if (await endRun(session.id, request)) return
      try {
        return await otherwise()
      } catch (error) {
        if (!isConflict(error) || tries === MAX_TRIES) throw error
      }
    }
  }
  return {
    /**
     * Requests a run from a worker process.
     *
     * @throws ContextError `conflict` if the session is running, waiting or over.
     */
    start: async (session: StoredSession): Promise<void> => {
      assertNotOver(session)
      const openJobs = await jobs()
      const job = { kind: 'research', key: session.id, owner } as const
      const isWanted = session.wanted === 'run' && (openJobs.isTaken(job) || (await store.isHeld(session.id)))
      if (isWanted || runner.runs(session.id)) {
        const hint = 'Follow it, pause it, or stop it.'
        throw new ContextError('conflict', `The session ${session.id} runs or waits already.`, { hint })
      }
      // The run is limited to the collections of the principal that starts it.
      const { only: _, ...settings } = JSON.parse(session.settings) as RunSettings
      const limited = JSON.stringify(only ? { ...settings, only } : settings)
      await store.update(session.id, { wanted: 'run', status: 'queued', settings: limited })
      openJobs.add(job)
    },
    /** Ends a run for good, with a report of what it found. @throws ContextError `conflict` if it is over. */
    stop: (session: StoredSession): Promise<void> =>
      endRunOr(session, STOP, () => runner.run(session, { signal: AbortSignal.abort(STOP) })),
    /** Pauses a run; it can be resumed. */
    pause: (session: StoredSession): Promise<void> => {
      // Holds the lock of the session. Otherwise, a process could begin the session without seeing the request.
      const interrupt = () =>
        store.exclusively(session.id, async () => {
          const current = await store.get(session.id)
          // No process has begun the session, or the process died.
          if (current?.wanted !== undefined || current?.status === 'queued') await pauseSession(store, session)
        })
      return endRunOr(session, 'pause', interrupt)
    },
  }
}

type EndRequest = 'pause' | typeof STOP
