/** Operations on research: sessions, their files, runs and reports. */

import { randomBytes } from 'node:crypto'
import { ContextError, LimitReached, NoSpace, quoteValue } from '../core/errors.ts'
import type { ServedRoots } from '../files/roots.ts'
import type { StoredSession } from '../stores/run-store.ts'
import type { ReportExport, ResearchReport, SessionAnswer, SessionFile, SessionList } from './answers.ts'
import type { RunEvent } from './events.ts'
import { type PagePrinter, renderReport } from './export/formats.ts'
import { assertPriced, type ResearchDefaults, type ResearchRequest, settingsOf } from './input.ts'
import { extractedText } from './run/bind.ts'
import { type Journal, openJournal, readRunState } from './run/journal.ts'
import { redoReport } from './run/run.ts'
import type { BriefEdits } from './run/stages.ts'
import type { PlannedChild } from './run/tree.ts'
import {
  assertAddable,
  assertNotOver,
  assertQuestion,
  assertReported,
  assertWaiting,
  editPlan,
  isSessionOver,
  type PlanEdits,
  trimQuestions,
} from './sessions/refusals.ts'
import { Runner, type RunnerParts, type RunOptions } from './sessions/runner.ts'
import { fileAnswer, followSession, toSessionAnswer, toSessionLine } from './sessions/session-answer.ts'
import { type SessionControlParts, sessionControl } from './sessions/session-control.ts'
import { GUEST_QUOTA, type ReportFormat, type ResearchQuota, type RunSettings, SEARCH_PROVIDERS } from './settings.ts'
import { assertRoom, newUpload, type Upload, uploadAt } from './uploads.ts'

export interface ResearchParts extends RunnerParts, Omit<SessionControlParts, 'store'> {
  readonly defaults: ResearchDefaults
  readonly print: PagePrinter
  /** Whether to show the items of slices. */
  readonly uiDebug: boolean
  /** Quota of the owner. Default: `GUEST_QUOTA` for a guest, none for the local owner. */
  readonly quota?: Partial<ResearchQuota> | undefined
}

export class Research {
  readonly #parts: ResearchParts
  readonly #runner: Runner
  readonly #roots: ServedRoots | undefined
  readonly #control: ReturnType<typeof sessionControl>

  /**
   * @param shared `runner`: a runner to share; default: a new runner. `roots`: the only directories from which files are read;
   * default: any directory.
   */
  constructor(parts: ResearchParts, shared: { readonly runner?: Runner; readonly roots?: ServedRoots } = {}) {
    this.#parts = parts
    this.#runner = shared.runner ?? new Runner(parts)
    this.#control = sessionControl(parts, this.#runner)
    this.#roots = shared.roots
  }

  /** The same research, but files of this machine are read only from these directories. */
  within(roots: ServedRoots): Research {
    return new Research(this.#parts, { runner: this.#runner, roots })
  }

  /** Number of running sessions in this process. */
  get running(): number {
    return this.#runner.running
  }

  /** @throws ContextError `invalid-input` for an invalid request; `not-found` for an unknown session to follow. */
  async create({ question, follows, ...request }: ResearchRequest): Promise<SessionAnswer> {
    const trimmed = question.trim()
    const settings = settingsOf({ question, ...request }, this.#parts.defaults)
    assertQuestion(trimmed)
    assertPriced(settings, this.#parts.defaults.prices)
    if (settings.web !== false) await this.#parts.web(settings.web)
    const { store } = this.#parts
    const prior = follows === undefined ? undefined : await this.#session(follows)
    await this.#assertQuota(0)
    const id = randomBytes(16).toString('hex')
    await store.add({ id, question: trimmed, settings: JSON.stringify(settings), ...(prior && { follows: prior.id }) })
    if (prior) await store.copyFiles(prior.id, id)
    return this.show(id)
  }

  /** Creates a session with files of this machine. */
  async createWithFiles({ files = [], ...request }: ResearchRequest): Promise<SessionAnswer> {
    const uploads = files.map((path) => uploadAt(path, this.#roots))
    const { session_id } = await this.create(request)
    for (const upload of uploads) await this.addFile(session_id, upload)
    return this.show(session_id)
  }

  async createAndStart(request: ResearchRequest): Promise<SessionAnswer> {
    const { session_id } = await this.createWithFiles(request)
    return this.start(session_id)
  }

  async list(limit = 100, before?: string): Promise<SessionList> {
    const sessions = (await this.#parts.store.list(limit, before)).map(toSessionLine)
    return { sessions, search_providers: SEARCH_PROVIDERS }
  }

  /** @throws ContextError `not-found`. */
  async show(id: string, showsItems = this.#parts.uiDebug): Promise<SessionAnswer> {
    const { store } = this.#parts
    const session = await this.#session(id)
    const [state, files] = await Promise.all([readRunState(store, session), store.files(session.id)])
    return toSessionAnswer(session, { state, files, showsItems })
  }

  /** Pauses a session if it runs, and deletes it with its files. */
  async remove(id: string): Promise<void> {
    const session = await this.#session(id)
    if (!isSessionOver(session)) await this.#control.pause(session)
    await this.#parts.store.remove(session.id)
  }

  /**
   * Stores a file without reading its text.
   *
   * @throws ContextError `over-limit`; `not-found`; `conflict` for a session that is over.
   */
  async addFile(id: string, file: Upload): Promise<SessionFile> {
    const { store } = this.#parts
    const session = await this.#session(id)
    assertNotOver(session)
    assertRoom(file, await store.files(session.id))
    await this.#assertQuota(file.bytes.length)
    return fileAnswer(await store.addFile(session.id, newUpload(file), file.bytes))
  }

  /** Checks the quota. `bytes`: size of a new file; 0 for a new session. @throws LimitReached; NoSpace. */
  async #assertQuota(bytes: number): Promise<void> {
    const { store, owner, quota } = this.#parts
    if (owner === '') return
    const limits = { ...GUEST_QUOTA, ...quota }
    const used = await store.usage()
    const hint = 'Remove sessions that you no longer need, or ask the administrator of the server for more.'
    if (bytes === 0 && used.sessions >= limits.sessions)
      throw new LimitReached(`You have ${used.sessions} research sessions, the maximum.`, hint)
    if (used.bytes + bytes <= limits.bytes) return
    throw new NoSpace(`Your files have ${used.bytes} bytes together; at most ${limits.bytes} are kept.`, { hint })
  }

  /** @throws ContextError `not-found`. */
  async removeFile(id: string, file: string): Promise<void> {
    const session = await this.#session(id)
    if (await this.#parts.store.removeFile(session.id, file)) return
    throw new ContextError('not-found', `The session has no file ${quoteValue(file)}.`)
  }

  /**
   * The extracted text of a file. Offsets of sources refer to this text.
   * @throws ContextError `not-found` if the file was not read yet.
   */
  async text(id: string, file: string): Promise<{ readonly alias: string; readonly text: string }> {
    const session = await this.#session(id)
    const { bundle } = await readRunState(this.#parts.store, session)
    const bound = bundle?.files.find((one) => one.id === file || one.alias === file)
    const text = bound && (await extractedText(this.#parts.store, bound))
    if (bound && text !== undefined) return { alias: bound.alias, text }
    const hint = 'Files are read when the session is started.'
    throw new ContextError('not-found', `There is no text of the file ${quoteValue(file)}.`, { hint })
  }

  /**
   * Runs a session until it ends, its plan is ready, or the signal fires. In the last two cases it can be resumed.
   *
   * @throws ContextError `conflict` if it is running, or over.
   */
  run(id: string, options: RunOptions = {}): Promise<SessionAnswer> {
    return this.#showAfter(id, (session) => this.#runner.run(session, options))
  }

  /**
   * Requests a run from a worker process, and does not wait for it. The log shows how the run ends.
   *
   * @throws ContextError `conflict` if it is running, or over.
   */
  start(id: string): Promise<SessionAnswer> {
    return this.#showAfter(id, (session) => this.#control.start(session))
  }

  /** The work of a job: runs a requested session until it ends or the signal fires. */
  work(id: string, signal: AbortSignal): Promise<void> {
    return this.#runner.work(id, signal)
  }

  /** Pauses a run, in whichever process it runs. It can be resumed. */
  pause(id: string): Promise<SessionAnswer> {
    return this.#showAfter(id, (session) => this.#control.pause(session))
  }

  /** Ends a run for good, with a report of what it found. @throws ContextError `conflict` if it is over. */
  stop(id: string): Promise<SessionAnswer> {
    return this.#showAfter(id, (session) => this.#control.stop(session))
  }

  /** Ends all runs of this process; they can be resumed. */
  close(): Promise<void> {
    return this.#runner.close()
  }

  /** Changes the first questions of a planned run. */
  async plan(id: string, children: readonly PlannedChild[], brief: BriefEdits = {}): Promise<SessionAnswer> {
    return this.#change(id, async (journal) => {
      assertWaiting(journal.state)
      const payload = { children: trimQuestions(children), ...(Object.keys(brief).length > 0 && { brief }) }
      await journal.append('plan_changed', { key: String(journal.state.lastSeq), payload })
    })
  }

  /** Changes a plan. Edits name questions by position. A run with a report accepts added questions. */
  async editPlan(id: string, edits: PlanEdits): Promise<SessionAnswer> {
    const { nodes, status } = await this.show(id, false)
    const { add = [], part = [], form, ...otherEdits } = edits
    const hasOtherEdits = Object.values(otherEdits).some((edit) => edit !== undefined && edit.length > 0)
    if (status !== 'planned' && !hasOtherEdits && part.length === 0 && form === undefined && add.length > 0)
      return this.#addQuestions(id, add)
    const brief = { ...(part.length > 0 && { parts: part }), ...(form !== undefined && { form }) }
    const children = nodes.filter(({ parent }) => parent === '1')
    return this.plan(id, editPlan(children, edits), brief)
  }

  /**
   * Adds questions to a run with a report, or to a round of added questions that has not begun. When the run is
   * resumed, it explores them and writes its report again.
   */
  async #addQuestions(id: string, questions: readonly string[]): Promise<SessionAnswer> {
    return this.#change(id, async (journal, { settings }) => {
      const { budget } = JSON.parse(settings) as RunSettings
      assertAddable(journal.state, budget, questions.length)
      for (const { question } of trimQuestions(questions.map((one) => ({ question: one })))) {
        const { children = [] } = journal.state.nodes.get('1') ?? {}
        await journal.append('question_added', { node: `1.${children.length + 1}`, payload: { question } })
      }
    })
  }

  /** Writes to the log of a session while no process runs it. */
  #change(id: string, write: (journal: Journal, stored: StoredSession) => Promise<void>): Promise<SessionAnswer> {
    const { store } = this.#parts
    return this.#showAfter(id, (session) => {
      return store.exclusively(session.id, async () => write(await openJournal(store, session), session))
    })
  }

  /** Writes the report again from the stored findings. @throws ContextError `conflict` without a report. */
  redo(id: string, signal: AbortSignal = new AbortController().signal): Promise<SessionAnswer> {
    return this.#change(id, async (journal, session) => {
      assertReported(journal.state)
      await redoReport(await this.#runner.partsOf(session, journal, signal))
    })
  }

  /** @throws ContextError `not-found` without a report. */
  async report(id: string): Promise<ResearchReport> {
    const session = await this.#session(id)
    const { report, status } = await readRunState(this.#parts.store, session)
    if (report) return report
    const hint = 'Stop it to get a report of what it found: "ambit research stop".'
    throw new ContextError('not-found', `The session has no report yet: it is ${status}.`, { hint })
  }

  /** `version`: number of a report, from 1; default: the newest. @throws ContextError `not-found`. */
  async exportReport(id: string, format: ReportFormat, version?: number): Promise<ReportExport> {
    const { session_id } = await this.report(id)
    const { reports } = await readRunState(this.#parts.store, await this.#session(session_id))
    return { session_id, ...(await renderReport(reports, { format, version, print: this.#parts.print })) }
  }

  /** The events after number `after`. Ends with the run, or when the signal fires. */
  async *events(id: string, after: number, signal?: AbortSignal): AsyncGenerator<RunEvent> {
    const session = await this.#session(id)
    yield* followSession(this.#parts.store, session.id, { after, signal })
  }

  /** Runs `work` on a session, and returns the session as it is afterwards. */
  async #showAfter(id: string, work: (session: StoredSession) => Promise<void>): Promise<SessionAnswer> {
    const session = await this.#session(id)
    await work(session)
    return this.show(session.id)
  }

  /** A session by its id, or by an unambiguous beginning of it; `last` is the newest. */
  async #session(id: string): Promise<StoredSession> {
    const { store } = this.#parts
    const exact = id === 'last' ? (await store.list(1))[0] : await store.get(id)
    if (exact) return exact
    const candidates = id.length >= 4 ? (await store.list(1000)).filter((one) => one.id.startsWith(id)) : []
    const [candidate] = candidates
    if (candidate && candidates.length === 1) return candidate
    const hint = candidates.length > 1 ? 'Give more of its id.' : 'See "ambit research list".'
    throw new ContextError('not-found', `There is no research session ${quoteValue(id)}.`, { hint })
  }
}
