/** Runs a session: continues at the end of its log, and writes the report. */

import { ContextError, StoreTrouble } from '../../core/errors.ts'
import { Deadline } from '../../core/steps.ts'
import { HANDED_OVER, LOST } from '../../stores/jobs.ts'
import { type ReadFile, ReportSources } from '../report/sources.ts'
import { REPORT_ENDS, type ReportEnd, TREE_SHARE, withoutReserve } from './allotment.ts'
import { bindFiles, type FileWork, readFile } from './bind.ts'
import type { EvidencePassage } from './evidence.ts'
import { explore } from './explore.ts'
import type { Journal } from './journal.ts'
import { cachePages, type LookupPlaces, type PageRead } from './lookup.ts'
import { completeParents } from './node-work.ts'
import { openFiles } from './text-thread.ts'
import { isNodeOver, workThroughTree } from './tree.ts'
import { reportKey, writeReport } from './write-report.ts'

export interface RunParts extends FileWork {
  readonly places: LookupPlaces
  /** Evidence of the session that this session follows. */
  readonly earlier: readonly EvidencePassage[]
  /** Ends the run. With the reason `stop`, the report is still written. With any other reason, the run can be resumed. */
  readonly signal: AbortSignal
}

/** The reason of a signal that ends a run for good. */
export const STOP = 'stop'

/**
 * Continues a run until its report is written, its plan is ready, or the signal fires.
 *
 * @throws the error that failed the run; the run can be resumed.
 */
export async function continueRun(parts: RunParts): Promise<void> {
  const { journal, signal } = parts
  if (await quarantineRun(journal)) return
  try {
    await writeRunStarted(parts)
    const reads = journal.state.isReported ? undefined : await runResearch(parts)
    if (journal.state.status !== 'planned') await finishReport(parts, 'run_completed', reads)
  } catch (error) {
    if (!signal.aborted) throw await failRun(journal, error)
    // Another process has taken over the run, and writes its events.
    if (signal.reason === LOST) throw error
    const payload = signal.reason === HANDED_OVER ? { handed_over: true } : {}
    if (signal.reason === STOP) await finishReport({ ...parts, signal: new AbortController().signal }, 'run_aborted')
    else await journal.append('run_paused', { key: String(journal.state.lastSeq), payload })
  }
}

/** Maximum number of times that a run is resumed after its process died, without progress in between. */
const MAX_RECOVERIES = 5

/** Ends a run that keeps killing its process. Returns whether it ended the run. */
async function quarantineRun(journal: Journal): Promise<boolean> {
  const { status, recoveries } = journal.state
  if (status !== 'running' || recoveries < MAX_RECOVERIES) return false
  const reason = `It was resumed ${recoveries} times, and each time its process died without progress.`
  const hint =
    'Find out what ended those processes (often a lack of memory), and start the run again, perhaps without one of its files.'
  await journal.append('run_quarantined', { payload: { code: 'unavailable', reason, hint, recoveries } })
  return true
}

async function writeRunStarted({ journal, revision, earlier, settings }: RunParts): Promise<void> {
  const { state } = journal
  const isNew = state.lastSeq === 0
  // The previous process ended without an event.
  const payload = state.status === 'running' ? { recovered: true } : {}
  const made = { earlier: { passages: earlier } }
  const { concurrency: _, only: __, ...chosen } = settings
  await journal.append('run_started', { payload: { question: state.question, revision, settings: chosen }, made })
  if (!isNew) await journal.append('run_resumed', { key: String(state.lastSeq), payload })
}

/** Binds the files, and works through the tree. Returns the files; undefined if there was no time to read them. */
async function runResearch(parts: RunParts): Promise<readonly ReadFile[] | undefined> {
  const { journal, settings } = parts
  // The remaining share of the time is for the report.
  using deadline = new Deadline(Math.max(0, settings.budget.ms * TREE_SHARE - journal.state.workedMs))
  const signal = deadline.or(parts.signal)
  const timedParts = { ...parts, signal }
  let reads: readonly ReadFile[] | undefined
  try {
    if (!journal.state.bundle) await bindRun(timedParts)
    reads = await readFiles(timedParts)
    const sources = new ReportSources(reads, journal.state.passages)
    using files = openFiles(reads, signal)
    const { results } = journal.state
    const pages = [...results].flatMap(([key, value]) => (/\/page-\d+$/.test(key) ? [value as PageRead] : []))
    const places = cachePages(parts.places, pages)
    await completeParents(journal)
    await workThroughTree({
      concurrency: settings.concurrency,
      ready: readyNodes(journal),
      signal,
      work: (id) => explore({ ...timedParts, places, sources, files }, id),
    })
    parts.signal.throwIfAborted()
  } catch (error) {
    if (parts.signal.aborted || !deadline.isOver) throw error
  }
  if (deadline.isOver) await journal.append('budget_exhausted', { key: 'ms', payload: { what: 'ms' } })
  return reads
}

/** Binds the files. They share two thirds of the limits that are not reserved for the report, each file by its length. */
async function bindRun(parts: RunParts): Promise<void> {
  const { settings, files, stages } = parts
  const { calls, tokens, cost } = withoutReserve(settings.budget)
  const workCount = files.length + (stages.brief ? 2 : 1)
  // Each file, and each stage for all files, gets at least one request, if there are enough requests.
  const minCalls = calls >= workCount + 2 ? 1 : 0
  const limitsFor = (share: number) => ({
    calls: Math.max(minCalls, Math.floor(((calls * 2) / 3) * share)),
    tokens: Math.floor(((tokens * 2) / 3) * share),
    cost: ((cost * 2) / 3) * share,
  })
  await bindFiles({ ...parts, limitsFor })
}

/**
 * The nodes to work on. A node that only waits for its children is left out. A node is included again if some of its
 * children have no items yet, because it divides its items among all its children.
 */
function readyNodes(journal: Journal): string[] {
  const { state } = journal
  const isRouted = (id: string) =>
    state.nodes.get(id)?.isAdded || journal.hasEvent('context_routing_completed', { node: id })
  const hasRouted = (id: string | null) => id === null || state.nodes.get(id)?.children.every(isRouted)
  return [...state.nodes.values()]
    .filter(({ status, parent }) => !isNodeOver(status) && hasRouted(parent))
    .filter(({ id, children }) => children.length === 0 || !hasRouted(id))
    .map(({ id }) => id)
}

/** The files that could be bound. */
function readFiles(parts: RunParts): Promise<ReadFile[]> {
  const ready = new Set(parts.journal.state.files.filter(({ status }) => status === 'ready').map(({ id }) => id))
  return Promise.all(parts.files.filter(({ id }) => ready.has(id)).map((file) => readFile(parts, file)))
}

/**
 * Writes the report, and ends the run. If the report is finished already, the event of the report decides how the run
 * ends, not a newer request.
 */
async function finishReport(parts: RunParts, requestedEnd: ReportEnd, reads?: readonly ReadFile[]): Promise<void> {
  const { journal } = parts
  const { state } = journal
  const previousSeq = state.round?.seq ?? 0
  const end =
    REPORT_ENDS.find((one) => journal.hasEvent('report_generation_completed', { key: reportKey(one, previousSeq) })) ??
    requestedEnd
  if (!state.isReported) {
    const sources = new ReportSources(reads ?? (await readFiles(parts)), state.passages)
    await writeReport({ ...parts, sources, end, previousSeq })
  }
  const { calls, input, output, cost } = state.spent
  const payload = { grade: state.report?.grade, calls, tokens: input + output, cost }
  await journal.append(end, { ...(previousSeq > 0 && { key: String(previousSeq) }), payload })
}

/** Writes the report of a finished run again, from the stored findings. */
export async function redoReport(parts: RunParts): Promise<void> {
  const { journal } = parts
  const end = journal.state.status === 'stopped' ? 'run_aborted' : 'run_completed'
  const sources = new ReportSources(await readFiles(parts), journal.state.passages)
  await writeReport({ ...parts, sources, end, previousSeq: journal.state.lastSeq })
}

/** Records an error that ends the run, and returns it. The run can be resumed. */
export async function failRun(journal: Journal, error: unknown): Promise<unknown> {
  const isContextError = error instanceof ContextError
  // Another process has the log, or the log cannot be written now.
  if (error instanceof StoreTrouble || (isContextError && error.code === 'conflict')) return error
  const payload = isContextError
    ? { code: error.code, reason: error.message, hint: error.hint }
    : { code: 'internal', reason: error instanceof Error ? error.message : String(error) }
  // Without this event, the process that resumes the run reports the failure.
  await journal.appendFailure(payload).catch(() => {})
  return error
}
