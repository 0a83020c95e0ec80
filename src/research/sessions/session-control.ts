/** Requests for sessions that other processes may run: the session stores the request, and a process that does jobs finds it. */

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

/** Milliseconds between two checks whether a session was released; maximum milliseconds of all checks; maximum tries to end a run. */
const POLL_MS = 100
const MAX_MS = 30_000
const MAX_TRIES = 3

export class SessionControl {
  readonly #parts: SessionControlParts
  readonly #runner: Runner

  constructor(parts: SessionControlParts, runner: Runner) {
    this.#parts = parts
    this.#runner = runner
  }

  /**
   * Requests a run from a process that does jobs.
   *
   * @throws ContextError `conflict` if it is running or waiting, or over.
   */
  async start(session: StoredSession): Promise<void> {
    const { store, owner } = this.#parts
    assertNotOver(session)
    const jobs = await this.#parts.jobs()
    const job = { kind: 'research', key: session.id, owner } as const
    const isWanted = session.wanted === 'run' && (jobs.isTaken(job) || (await store.isHeld(session.id)))
    if (isWanted || this.#runner.runs(session.id)) {
      const hint = 'Follow it, pause it, or stop it.'
      throw new ContextError('conflict', `The session ${session.id} runs or waits already.`, { hint })
    }
    await store.update(session.id, { wanted: 'run', status: 'queued', settings: this.#settingsOf(session) })
    jobs.add(job)
  }

  /** Ends a run for good, with a report of what it found. @throws ContextError `conflict` if it is over. */
  stop(session: StoredSession): Promise<void> {
    return this.#endRunOr(session, STOP, () => this.#runner.run(session, { signal: AbortSignal.abort(STOP) }))
  }

  /** Pauses a run, whichever process has it; it can be resumed. */
  pause(session: StoredSession): Promise<void> {
    const { store } = this.#parts
    // Under the lock: otherwise a process could begin the session without seeing the request.
    const interrupt = () =>
      store.exclusively(session.id, async () => {
        const current = await store.get(session.id)
        // Pauses a session that no process has begun, or whose process died.
        if (current?.wanted !== undefined || current?.status === 'queued') await pauseSession(store, session)
      })
    return this.#endRunOr(session, 'pause', interrupt)
  }

  /** Ends a run; calls `otherwise` if no process runs it. If a process begins it at that moment, tries again. */
  async #endRunOr(session: StoredSession, request: 'pause' | typeof STOP, otherwise: () => Promise<void>) {
    for (let tries = 1; ; tries++) {
      if (request === STOP) assertNotOver(session)
      if (await this.#endRun(session.id, request)) return
      try {
        return await otherwise()
      } catch (error) {
        if (!isConflict(error) || tries === MAX_TRIES) throw error
      }
    }
  }

  /** The settings of a run, limited to the collections of the principal that starts it. */
  #settingsOf({ settings }: StoredSession): string {
    const { only: _, ...rest } = JSON.parse(settings) as RunSettings
    const { only } = this.#parts
    return JSON.stringify(only ? { ...rest, only } : rest)
  }

  /** Requests the end of a run. Returns whether it ran, and has ended. */
  async #endRun(id: string, request: 'pause' | typeof STOP): Promise<boolean> {
    const { store } = this.#parts
    if (await this.#runner.end(id, request)) return true
    await store.update(id, { wanted: request })
    for (const until = Date.now() + MAX_MS; Date.now() < until; await sleep(POLL_MS)) {
      if (await store.isHeld(id)) continue
      // A process that ended the run has withdrawn the request. If it died, or had not begun, the request remains.
      return (await store.get(id))?.wanted !== request
    }
    const hint = 'The request is kept: the session ends when that process, or one that takes over, reads it.'
    throw new ContextError('unavailable', 'The process that runs the session does not answer.', { hint })
  }
}
