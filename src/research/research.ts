/** What can be done with research: sessions, their files, their runs and reports. */

import { randomBytes } from 'node:crypto'
import { ContextError } from '../core/errors.ts'
import type { Extraction } from '../extract/extracted.ts'
import type { LanguageModel } from '../models/language.ts'
import type { RunStore, StoredFile, StoredSession } from '../stores/run-store.ts'
import { fileAnswer, lineOf, type SessionAnswer, type SessionFile, type SessionList, sessionAnswer } from './answers.ts'
import { type ResearchDefaults, type ResearchRequest, settingsOf } from './asked.ts'
import type { RunEvent } from './events.ts'
import type { Passage } from './evidence.ts'
import { followed } from './follow.ts'
import { assertNotOver, assertQuestion, assertWaiting, plannedOf } from './refusals.ts'
import type { ResearchReport } from './report/report.ts'
import type { BindParts } from './run/bind.ts'
import { Journal, stateOf } from './run/journal.ts'
import type { Places } from './run/lookup.ts'
import { runOn, STOP } from './run/run.ts'
import type { PlannedChild, RunState } from './run/state.ts'
import type { RunSettings } from './settings.ts'
import { assertRoom, newUpload, type Upload } from './uploads.ts'
import { workersFor } from './workers.ts'

export interface ResearchParts {
  readonly store: RunStore
  readonly places: Places
  extract(path: string, bytes: Uint8Array, signal: AbortSignal): Promise<Extraction>
  language(name: string): Promise<LanguageModel>
  readonly defaults: ResearchDefaults
  /** Whether bodies of slices are shown. */
  readonly uiDebug: boolean
}

/** How often a run looks whether another process wants it to end. Milliseconds. */
const LOOK_MS = 500

interface Active {
  readonly controller: AbortController
  readonly done: Promise<void>
}

/** How a run is started. */
export interface RunOptions {
  readonly signal?: AbortSignal
  readonly emit?: (event: RunEvent) => void
}

export class Research {
  readonly #parts: ResearchParts
  readonly #active = new Map<string, Active>()

  constructor(parts: ResearchParts) {
    this.#parts = parts
  }

  /** @throws ContextError `invalid-input` for an empty question; `not-found` for a session to follow that there is none of. */
  async create({ question, follows, ...request }: ResearchRequest): Promise<SessionAnswer> {
    const asked = question.trim()
    const settings = settingsOf({ question, ...request }, this.#parts.defaults)
    assertQuestion(asked)
    const { store } = this.#parts
    const before = follows === undefined ? undefined : await this.#session(follows)
    const id = randomBytes(16).toString('hex')
    await store.add({ id, question: asked, settings: JSON.stringify(settings), ...(before && { follows: before.id }) })
    if (before) await store.copyFiles(before.id, id)
    return this.show(id)
  }

  async list(limit = 100, before?: string): Promise<SessionList> {
    return { sessions: (await this.#parts.store.list(limit, before)).map(lineOf) }
  }

  /** @throws ContextError `not-found`. */
  async show(id: string, hasBodies = this.#parts.uiDebug): Promise<SessionAnswer> {
    const session = await this.#session(id)
    const [state, files] = await Promise.all([stateOf(this.#parts.store, session), this.#parts.store.files(session.id)])
    return sessionAnswer(session, { state, files, hasBodies })
  }

  /** Stops it, and forgets it with its files. */
  async remove(id: string): Promise<void> {
    const session = await this.#session(id)
    await this.pause(session.id)
    await this.#parts.store.remove(session.id)
  }

  /**
   * Keeps the bytes of a file and what is known of it without reading it.
   *
   * @throws ContextError `over-limit`; `not-found`; `conflict` for a session that is over.
   */
  async addFile(id: string, file: Upload): Promise<SessionFile> {
    const { store } = this.#parts
    const session = await this.#session(id)
    assertNotOver(session)
    const files = await store.files(session.id)
    assertRoom(file, files)
    return fileAnswer(await store.addFile(session.id, newUpload(file), file.bytes))
  }

  /** @throws ContextError `not-found`. */
  async removeFile(id: string, file: string): Promise<void> {
    const session = await this.#session(id)
    if (await this.#parts.store.removeFile(session.id, file)) return
    throw new ContextError('not-found', `The session has no file ${JSON.stringify(file.slice(0, 100))}.`)
  }

  /**
   * Runs a session from where it is to its end, its plan, or until the signal fires: then it can be gone on with.
   *
   * @throws ContextError `conflict` where it runs already, or is over.
   */
  async run(id: string, options: RunOptions = {}): Promise<void> {
    const session = await this.#session(id)
    assertNotOver(session)
    const controller = new AbortController()
    const end = () => controller.abort(options.signal?.reason)
    options.signal?.addEventListener('abort', end, { once: true })
    if (options.signal?.aborted) end()
    const done = this.#parts.store.exclusively(session.id, () => this.#run(session, controller, options))
    this.#active.set(session.id, { controller, done })
    try {
      await done
    } finally {
      this.#active.delete(session.id)
      options.signal?.removeEventListener('abort', end)
    }
  }

  /** Ends what runs in this process so that it can be gone on with; another process is asked to. */
  async pause(id: string): Promise<void> {
    await this.#end(await this.#session(id), 'pause')
  }

  /** Ends a run for good, with a report of what there is. */
  async stop(id: string): Promise<void> {
    const session = await this.#session(id)
    assertNotOver(session)
    if (await this.#end(session, STOP)) return
    await this.run(session.id, { signal: AbortSignal.abort(STOP) })
  }

  /** Changes the first questions of a run that waits for it. */
  async plan(id: string, children: readonly PlannedChild[]): Promise<SessionAnswer> {
    const session = await this.#session(id)
    const { store } = this.#parts
    await store.exclusively(session.id, async () => {
      const journal = await Journal.open(store, session)
      assertWaiting(journal.state)
      await journal.tell('plan_changed', { key: String(journal.state.last), told: { children: plannedOf(children) } })
    })
    return this.show(session.id)
  }

  /** @throws ContextError `not-found` where there is none yet. */
  async report(id: string): Promise<ResearchReport> {
    const session = await this.#session(id)
    const { report, status } = await stateOf(this.#parts.store, session)
    if (report) return report
    const hint = 'Stop it to have a report of what there is: "ambit research stop".'
    throw new ContextError('not-found', `The session has no report yet: it is ${status}.`, { hint })
  }

  /** Events after one of them; ends with the run, or when the signal fires. */
  async *events(id: string, after: number, signal?: AbortSignal): AsyncGenerator<RunEvent> {
    const session = await this.#session(id)
    yield* followed(this.#parts.store, session.id, { after, signal, uiDebug: this.#parts.uiDebug })
  }

  /** Whether a run of this process is under way. */
  isActive(id: string): boolean {
    return this.#active.has(id)
  }

  /** Ends all runs of this process; they can be gone on with. */
  async close(): Promise<void> {
    const all = [...this.#active.values()]
    for (const { controller } of all) controller.abort('close')
    await Promise.allSettled(all.map(({ done }) => done))
  }

  async #run(session: StoredSession, controller: AbortController, { emit }: RunOptions): Promise<void> {
    const { store, places, extract, language } = this.#parts
    const journal = await Journal.open(store, session, emit ? { heard: emit } : {})
    if (journal.state.status === 'completed' || journal.state.status === 'stopped') return
    await store.update(session.id, { wanted: '' })
    const looking = this.#lookOut(session.id, controller)
    const settings = JSON.parse(session.settings) as RunSettings
    try {
      await runOn({
        journal,
        store,
        settings,
        workers: workersFor(settings.models, language),
        places,
        earlier: await this.#earlier(session),
        files: boundFiles(journal.state, await store.files(session.id)),
        revision: journal.state.bundle?.revision ?? session.revision,
        bytes: (sha256) => store.bytes(sha256),
        extract,
        digestedBy: digesterOf(settings),
        signal: controller.signal,
      })
    } finally {
      clearInterval(looking)
    }
  }

  /** Another process may want it to end. */
  #lookOut(id: string, controller: AbortController): NodeJS.Timeout {
    const look = async () => {
      const wanted = (await this.#parts.store.get(id))?.wanted
      if (wanted !== undefined) controller.abort(wanted)
    }
    return setInterval(() => look().catch(() => {}), LOOK_MS).unref()
  }

  /** Whether there was something to end. */
  async #end({ id }: StoredSession, how: 'pause' | typeof STOP): Promise<boolean> {
    const active = this.#active.get(id)
    if (active) {
      active.controller.abort(how)
      await active.done.catch(() => {})
      return true
    }
    return this.#endElsewhere(id, how)
  }

  async #endElsewhere(id: string, how: string): Promise<boolean> {
    const { store } = this.#parts
    const isFree = async () => {
      try {
        await store.exclusively(id, async () => {})
        return true
      } catch (error) {
        if (error instanceof ContextError && error.code === 'conflict') return false
        throw error
      }
    }
    if (await isFree()) return false
    await store.update(id, { wanted: how })
    for (let look = 0; look < 60; look++) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
      if (await isFree()) return true
    }
    throw new ContextError('unavailable', 'The process that runs the session does not answer.', { hint: 'Try again.' })
  }

  /** What the session that this one follows has found out. */
  async #earlier({ follows }: StoredSession): Promise<readonly Passage[]> {
    const before = follows === undefined ? undefined : await this.#parts.store.get(follows)
    if (!before) return []
    const state = await stateOf(this.#parts.store, before)
    const findings = [...state.nodes.values()].flatMap((node) => node.findings)
    const title = `Found out before: ${before.question}`
    return findings.map(({ text, ref }) => ({ ref, kind: 'earlier', title, text }))
  }

  /** By its id, or by the beginning of it, of which there is one. */
  async #session(id: string): Promise<StoredSession> {
    const { store } = this.#parts
    const found = await store.get(id)
    if (found) return found
    const near = id.length >= 4 ? (await store.list(1000)).filter((one) => one.id.startsWith(id)) : []
    const [only] = near
    if (only && near.length === 1) return only
    const hint = near.length > 1 ? 'Give more of its id.' : 'See "ambit research list".'
    throw new ContextError('not-found', `There is no research session ${JSON.stringify(id.slice(0, 100))}.`, { hint })
  }
}

/** A run keeps the files that it bound, whatever was added or removed since. */
function boundFiles({ bundle }: RunState, files: readonly StoredFile[]): readonly BindParts['files'][number][] {
  return bundle?.files ?? files
}

function digesterOf({ models }: RunSettings): string {
  return models.digest
}
