/** Refuses requests that a session cannot fulfil, with the reason; and changes a plan. */

import { ContextError, invalidInput, quoteValue } from '../../core/errors.ts'
import type { RunStore, StoredSession } from '../../stores/run-store.ts'
import { TREE_SHARE } from '../run/allotment.ts'
import { readRunState } from '../run/journal.ts'
import type { RunState } from '../run/state.ts'
import { isNodeOver, type PlannedChild } from '../run/tree.ts'
import type { Budget } from '../settings.ts'

/** Maximum characters of a question. */
const MAX_QUESTION_LENGTH = 4000

/** @throws ContextError `invalid-input`. */
export function assertQuestion(question: string): void {
  if (question !== '' && question.length <= MAX_QUESTION_LENGTH) return
  const message = question === '' ? 'The question is empty.' : `The question has ${question.length} characters.`
  throw invalidInput(message, 'Ask in a sentence, of at most 4,000 characters.')
}

const FINAL_STATUSES = ['completed', 'stopped', 'quarantined']

/** Whether a session has ended for good. */
export function isSessionOver({ status }: Pick<StoredSession, 'status'>): boolean {
  return FINAL_STATUSES.includes(status)
}

/** @throws ContextError `conflict`. */
export function assertNotOver({ id, status }: StoredSession): void {
  if (!isSessionOver({ status })) return
  const hint = `To ask more, start another session from it: "ambit research QUESTION --follow ${id}".`
  throw new ContextError('conflict', `The session is ${status}.`, { hint })
}

/** @throws ContextError `conflict` if no plan waits for a person. */
export function assertWaiting({ status }: RunState): void {
  if (status === 'planned') return
  const hint = 'Start a session that stops after planning, and change its plan before you resume it.'
  throw new ContextError('conflict', `The session is ${status}, and has no plan to change.`, { hint })
}

/** @throws ContextError `conflict` without a report. */
export function assertReported({ report, status }: RunState): void {
  if (report) return
  const hint = 'Resume it, or stop it to get a report of what it found.'
  throw new ContextError('conflict', `The session is ${status}, and has no report yet.`, { hint })
}

/** @throws ContextError `conflict` if this number of questions cannot be added to the run. */
export function assertAddable(state: RunState, budget: Budget, count: number): void {
  const { status, isReported, round, nodes, workedMs } = state
  const isBegun = round?.ids.some((id) => nodes.get(id)?.status !== 'pending') === true
  const hint = 'Start another session from it: "ambit research QUESTION --follow ID".'
  const refuse = (message: string) => new ContextError('conflict', message, { hint })
  const isOver =
    isReported && (status === 'completed' || status === 'stopped') && isNodeOver(nodes.get('1')?.status ?? 'pending')
  if (isReported && workedMs >= budget.ms * TREE_SHARE) throw refuse('The time of the run is used up.')
  const closed = `The session is ${status}: questions can be added only to a plan that waits for you, or after the report.`
  if (!isOver && !(round && !isReported && !isBegun)) throw refuse(closed)
  if (nodes.size + count > budget.nodes)
    throw refuse(`The run may have ${budget.nodes} questions, and has ${nodes.size}.`)
}

/** Changes of a plan. Questions are named by position, from 1, or by id: `1.2`. */
export interface PlanEdits {
  readonly add?: readonly string[] | undefined
  readonly drop?: readonly string[] | undefined
  readonly pin?: readonly string[] | undefined
  /** `2=What does it cost?` */
  readonly edit?: readonly string[] | undefined
  /** Parts that the report must answer; they replace the parts of the brief. `form`: the form of the report. */
  readonly part?: readonly string[] | undefined
  readonly form?: string | undefined
}

/** A plan with changes. @throws ContextError `invalid-input` for an unknown question. */
export function editPlan(children: readonly PlannedChild[], edits: PlanEdits): PlannedChild[] {
  const { add = [], drop = [], pin = [], edit = [] } = edits
  const indexOf = (name: string) => {
    const at = Number(name.replace(/^1\./, '')) - 1
    if (Number.isInteger(at) && at >= 0 && at < children.length) return at
    const hint = `It has ${children.length} questions; name one by its number.`
    throw new ContextError('invalid-input', `The plan has no question ${quoteValue(name)}.`, { hint })
  }
  const [dropped, pinned] = [new Set(drop.map(indexOf)), new Set(pin.map(indexOf))]
  const newQuestions = new Map(
    edit.map((word) => {
      const [name = '', ...question] = word.split('=')
      return [indexOf(name.trim()), question.join('=').trim()] as const
    }),
  )
  const remaining = children.flatMap(({ question, pinned: isPinned = false }, at): PlannedChild[] => {
    return dropped.has(at) ? [] : [{ question: newQuestions.get(at) ?? question, pinned: isPinned || pinned.has(at) }]
  })
  return [...remaining, ...add.map((question) => ({ question }))]
}

/** @throws ContextError `invalid-input`. */
export function trimQuestions(children: readonly PlannedChild[]): PlannedChild[] {
  const trimmed = children.map(({ question, pinned }) => ({ question: question.trim(), ...(pinned && { pinned }) }))
  for (const { question } of trimmed) assertQuestion(question)
  return trimmed
}

/** Whether an error means that another process runs the session, or changed it first. */
export function isConflict(error: unknown): boolean {
  return error instanceof ContextError && error.code === 'conflict'
}

/** Withdraws the request to run a session that no process runs. The session can be resumed. */
export async function pauseSession(store: RunStore, session: StoredSession): Promise<void> {
  const { status } = await readRunState(store, session)
  const isInterrupted = status === 'running' || status === 'queued'
  await store.update(session.id, { wanted: '', status: isInterrupted ? 'paused' : status })
}
