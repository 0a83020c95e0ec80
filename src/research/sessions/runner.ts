/** Runs sessions in one process, until their end or a request to end. */

import type { WebSearch } from '../../internet/web-search.ts'
import type { LanguageModel } from '../../models/language.ts'
import { HANDED_OVER, LOST, MAX_PER_OWNER } from '../../stores/jobs.ts'
import type { StoredSession } from '../../stores/run-store.ts'
import type { RunEvent } from '../events.ts'
import { extractiveStages, uniqueFindings } from '../extractive/stages.ts'
import type { EvidencePassage } from '../run/evidence.ts'
import { type Journal, openJournal, readRunState } from '../run/journal.ts'
import { continueRun, failRun, type RunParts } from '../run/run.ts'
import type { Stages } from '../run/stages.ts'
import { isExtractive, type RunSettings, type Stage } from '../settings.ts'
import { assertNotOver, isConflict, isSessionOver, pauseSession } from './refusals.ts'

export interface RunnerParts extends Pick<RunParts, 'store' | 'places' | 'extract'> {
  /** A provider of web search, by its name. @throws ContextError `invalid-input` for a provider that is not configured. */
  web(provider: string): Promise<WebSearch>
  language(name: string): Promise<LanguageModel>
  /** Whether the owner of the sessions may still do research. Default: yes. */
  mayContinue?(): Promise<boolean>
  /** Whether there is a collection to search when a session names none. */
  hasCollections(): Promise<boolean>
}

interface ActiveRun {
  readonly controller: AbortController
  /** False while this process still claims the session (takes its lock). */
  isBegun: boolean
  done: Promise<void>
}

export interface RunOptions {
  readonly signal?: AbortSignal
  readonly emit?: (event: RunEvent) => void
}

export class Runner {
  readonly #parts: RunnerParts
  readonly #active = new Map<string, ActiveRun>()

  constructor(parts: RunnerParts) {
    this.#parts = parts
  }

  get running(): number {
    return [...this.#active.values()].filter(({ isBegun }) => isBegun).length
  }

  /**
   * Runs a session until it ends, its plan is ready, or the signal fires. In the last two cases it can be resumed.
   *
   * @throws ContextError `conflict` if it is running, or over.
   */
  async run(session: StoredSession, options: RunOptions = {}): Promise<void> {
    assertNotOver(session)
    await this.#claimAndRun(session, options, async () => {
      await this.#parts.store.update(session.id, { wanted: '' })
      return true
    })
  }

  /**
   * Runs a session as a job, if a request to run or to end it is stored. The request remains if another process is to
   * continue the run.
   *
   * @throws ContextError `conflict` if another process has the session; `over-limit` if the owner has the maximum
   * number of other runs.
   */
  async work(id: string, signal: AbortSignal): Promise<void> {
    const session = await this.#parts.store.get(id)
    if (signal.aborted || !hasRequest(session)) return
    await this.#claimAndRun(session, { signal, most: MAX_PER_OWNER }, () => this.#mayBegin(id))
  }

  /** Whether to begin. Pauses the session instead if its owner lost the scope for research. */
  async #mayBegin(id: string): Promise<boolean> {
    const { store, mayContinue } = this.#parts
    const session = await store.get(id)
    if (!hasRequest(session)) return false
    if (session.wanted !== 'run' || (await mayContinue?.()) !== false) return true
    await pauseSession(store, session)
    return false
  }

  async #claimAndRun(
    session: StoredSession,
    options: RunOptions & { readonly most?: number },
    begin: () => Promise<boolean>,
  ): Promise<void> {
    const controller = new AbortController()
    const work = async () => {
      active.isBegun = await begin()
      if (active.isBegun) await this.#run(session, controller, options)
    }
    const active: ActiveRun = { controller, isBegun: false, done: Promise.resolve() }
    const onLost = () => controller.abort(LOST)
    const done = this.#parts.store.exclusively(session.id, work, { maximum: options.most, onLost })
    active.done = done
    this.#active.set(session.id, active)
    await done.finally(() => {
      if (this.#active.get(session.id) === active) this.#active.delete(session.id)
    })
  }

  runs(id: string): boolean {
    return this.#active.has(id)
  }

  /** Ends a run of this process. Returns whether the run had begun. */
  async end(id: string, reason: string): Promise<boolean> {
    const active = this.#active.get(id)
    active?.controller.abort(reason)
    await active?.done.catch(() => {})
    return active?.isBegun === true
  }

  /** Ends all runs of this process; they can be resumed. */
  async close(): Promise<void> {
    const runs = [...this.#active.values()]
    for (const { controller } of runs) controller.abort('close')
    await Promise.allSettled(runs.map(({ done }) => done))
  }

  async #run(session: StoredSession, controller: AbortController, { emit, signal: outer }: RunOptions): Promise<void> {
    const { store } = this.#parts
    const journal = await openJournal(store, session, emit ? { onEvent: emit } : {})
    if (isSessionOver(journal.state)) return
    const signal = AbortSignal.any([controller.signal, ...(outer ? [outer] : [])])
    const finished = new AbortController()
    const watching = this.#watchRequests(session.id, controller, AbortSignal.any([finished.signal, signal]))
    try {
      await continueRun(await this.partsOf(session, journal, signal))
    } finally {
      finished.abort()
      await watching
      await this.#withdrawRequest(session.id, signal)
    }
  }

  /** The parts of a run. @throws ContextError for a problem that a person can fix, which is also written to the log. */
  async partsOf(session: StoredSession, journal: Journal, signal: AbortSignal): Promise<RunParts> {
    const { store, places, extract, language } = this.#parts
    try {
      const settings = await this.#settings(session)
      return {
        journal,
        store,
        settings,
        stages: stagesFor(settings, language),
        places: settings.web === false ? places : { ...places, web: await this.#parts.web(settings.web) },
        earlier: await this.#earlier(session),
        // A run keeps the files that it bound, whatever was added or removed since.
        files: journal.state.bundle?.files ?? (await store.files(session.id)),
        revision: journal.state.bundle?.revision ?? session.revision,
        extract,
        signal,
      }
    } catch (error) {
      throw await failRun(journal, error)
    }
  }

  /** Withdraws the request to run, unless the run was handed over or another process has it. */
  async #withdrawRequest(id: string, { reason }: AbortSignal): Promise<void> {
    const { store } = this.#parts
    if (reason === HANDED_OVER || reason === LOST) return
    const session = await store.get(id)
    // A run that could not record its end is not over, and stays requested.
    if (!session || session.status === 'running' || session.status === 'queued') return
    await store.update(id, { wanted: '' }).catch((error: unknown) => {
      // Another process may run the session by now, with another request.
      if (!isConflict(error)) throw error
    })
  }

  /** The settings of a session. Without any collection to search, `collections` is false. */
  async #settings(session: StoredSession): Promise<RunSettings> {
    const settings = JSON.parse(session.settings) as RunSettings
    const isAny = settings.collections !== false && settings.collections.length === 0
    return isAny && !(await this.#parts.hasCollections()) ? { ...settings, collections: false } : settings
  }

  /** Ends the run if another process requests its end, or if its owner loses the scope for research. */
  async #watchRequests(id: string, controller: AbortController, ended: AbortSignal): Promise<void> {
    using watch = this.#parts.store.watch(id, 'wanted')
    while (!ended.aborted) {
      // If the database does not answer, the run continues.
      const wanted = await this.#currentRequest(id).catch(() => 'run')
      if (wanted !== 'run') controller.abort(wanted)
      else await watch.changed(ended)
    }
  }

  async #currentRequest(id: string): Promise<string> {
    const { store, mayContinue } = this.#parts
    const session = await store.get(id)
    if (!session) return 'removed'
    const { wanted = 'run' } = session
    return wanted === 'run' && (await mayContinue?.()) === false ? 'pause' : wanted
  }

  /** Evidence of the session that this session follows. */
  async #earlier({ follows }: StoredSession): Promise<readonly EvidencePassage[]> {
    const followed = follows === undefined ? undefined : await this.#parts.store.get(follows)
    if (!followed) return []
    const state = await readRunState(this.#parts.store, followed)
    const findings = uniqueFindings([...state.nodes.values()].flatMap((node) => node.findings))
    const title = `Found out before: ${followed.question}`
    return findings.map(({ text, ref }) => ({ ref, kind: 'earlier', title, text }))
  }
}

/** Whether a session has a request: to run; or to end, if its process died before it saw the request. */
function hasRequest(session: StoredSession | undefined): session is StoredSession {
  return session !== undefined && !isSessionOver(session) && session.wanted !== undefined
}

/** For each stage of a run, the setting that names its model. */
const STAGE_SETTINGS: Readonly<Record<keyof Stages, Stage>> = {
  digest: 'digest',
  aggregate: 'digest',
  queries: 'queries',
  explore: 'synthesis',
  decompose: 'decompose',
  brief: 'decompose',
  router: 'router',
  report: 'report',
  judge: 'report',
  repair: 'report',
  grade: 'report',
}

/** The stages of a run. A model is loaded when a stage first needs it. `price`: the price of models without a known price. */
function stagesFor({ models, price }: RunSettings, language: RunnerParts['language']): Stages {
  const stages: Record<string, unknown> = { ...extractiveStages }
  for (const [name, setting] of Object.entries(STAGE_SETTINGS)) {
    if (isExtractive(models[setting])) continue
    stages[name] = async (...args: readonly unknown[]) => {
      const { modelStages } = await import('../model/model-stages.ts')
      const model = await language(models[setting])
      const priced = price && !model.price ? { ...model, price } : model
      return (modelStages(priced)[name as keyof Stages] as (...args: readonly unknown[]) => unknown)(...args)
    }
  }
  return stages as unknown as Stages
}
