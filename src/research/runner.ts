/** The runs of one process, each in its own background: started, ended, and asked to end where another process has them. */

import { ContextError, TooMany } from '../core/errors.ts'
import type { Extraction } from '../extract/extracted.ts'
import type { WebSearch } from '../internet/web-search.ts'
import type { LanguageModel } from '../models/language.ts'
import type { RunStore, StoredFile, StoredSession } from '../stores/run-store.ts'
import type { RunEvent } from './events.ts'
import type { Passage } from './evidence.ts'
import { EXTRACTIVE_DIGEST } from './extractive/digest.ts'
import { DIGEST_PROMPT } from './prompts/context_preprocess_per_file.system.ts'
import { assertNotOver, runsAlready } from './refusals.ts'
import type { BindParts } from './run/bind.ts'
import { Journal, stateOf } from './run/journal.ts'
import type { Places } from './run/lookup.ts'
import { runOn, STOP } from './run/run.ts'
import type { RunState } from './run/state.ts'
import type { RunSettings } from './settings.ts'
import { isExtractive, workersFor } from './workers.ts'

export interface RunnerParts {
  /** A provider of web search, by its name. @throws ContextError `invalid-input` for one that is not set up. */
  web?(provider: string): Promise<WebSearch>
  readonly store: RunStore
  readonly places: Places
  extract(path: string, bytes: Uint8Array, signal: AbortSignal): Promise<Extraction>
  language(name: string): Promise<LanguageModel>
  /** Whether there is a collection that is searched where none is named. */
  hasCollections(): Promise<boolean>
}

/** How often a run looks whether another process wants it to end. Milliseconds. */
const LOOK_MS = 500

interface Active {
  readonly controller: AbortController
  readonly done: Promise<void>
}

/** Runs of one principal at once, in one process. */
const MOST_RUNS = 8

/** How a run is started. */
export interface RunOptions {
  readonly signal?: AbortSignal
  readonly emit?: (event: RunEvent) => void
}

export class Runner {
  readonly #parts: RunnerParts
  readonly #active = new Map<string, Active>()

  constructor(parts: RunnerParts) {
    this.#parts = parts
  }

  get running(): number {
    return this.#active.size
  }

  /**
   * Runs a session from where it is to its end, its plan, or until the signal fires: then it can be gone on with.
   *
   * @throws ContextError `conflict` where it runs already, or is over.
   */
  async run(session: StoredSession, options: RunOptions = {}): Promise<void> {
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

  /**
   * As `run`, without waiting for its end: how it ends is in its log.
   *
   * @throws ContextError `conflict` where it runs already, or is over; `over-limit` where as many run as one may have.
   */
  start(session: StoredSession): void {
    assertNotOver(session)
    if (this.#active.has(session.id)) throw runsAlready(session.id)
    if (this.running >= MOST_RUNS) throw new TooMany(`${this.running} runs of research of yours are under way.`)
    this.run(session).catch(() => {})
  }

  /** Ends a run for good, with a report of what there is. */
  async stop(session: StoredSession): Promise<void> {
    assertNotOver(session)
    if (await this.end(session, STOP)) return
    await this.run(session, { signal: AbortSignal.abort(STOP) })
  }

  /** Ends all runs of this process; they can be gone on with. */
  async close(): Promise<void> {
    const all = [...this.#active.values()]
    for (const { controller } of all) controller.abort('close')
    await Promise.allSettled(all.map(({ done }) => done))
  }

  async #run(session: StoredSession, controller: AbortController, { emit }: RunOptions): Promise<void> {
    const { store, extract, language } = this.#parts
    const journal = await Journal.open(store, session, emit ? { heard: emit } : {})
    if (journal.state.status === 'completed' || journal.state.status === 'stopped') return
    await store.update(session.id, { wanted: '' })
    const looking = this.#lookOut(session.id, controller)
    const settings = await this.#settings(session)
    try {
      await runOn({
        journal,
        store,
        settings,
        workers: workersFor(settings.models, language),
        places: await this.#places(settings),
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

  /** Where there is no collection, nothing is searched for in any. */
  async #settings(session: StoredSession): Promise<RunSettings> {
    const settings = JSON.parse(session.settings) as RunSettings
    const isAny = settings.collections !== false && settings.collections.length === 0
    return isAny && !(await this.#parts.hasCollections()) ? { ...settings, collections: false } : settings
  }

  async #places({ web }: RunSettings): Promise<Places> {
    const { places, web: searching } = this.#parts
    return web === false || !searching ? places : { ...places, web: await searching(web) }
  }

  /** Another process may want it to end. */
  #lookOut(id: string, controller: AbortController): NodeJS.Timeout {
    const look = async () => {
      const wanted = (await this.#parts.store.get(id))?.wanted
      if (wanted !== undefined) controller.abort(wanted)
    }
    return setInterval(() => look().catch(() => {}), LOOK_MS).unref()
  }

  /** Ends what runs in this process; another process is asked to. Gives whether there was something to end. */
  async end({ id }: StoredSession, how: 'pause' | typeof STOP): Promise<boolean> {
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
}

/** A run keeps the files that it bound, whatever was added or removed since. */
function boundFiles({ bundle }: RunState, files: readonly StoredFile[]): readonly BindParts['files'][number][] {
  return bundle?.files ?? files
}

function digesterOf({ models }: RunSettings): string {
  return isExtractive(models.digest) ? EXTRACTIVE_DIGEST : `${models.digest} ${DIGEST_PROMPT}`
}
