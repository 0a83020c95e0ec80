/** What cannot be asked of a session, and why. */

import { ContextError } from '../../core/errors.ts'
import type { RunStore, StoredSession } from '../../stores/run-store.ts'
import { readRunState } from '../run/journal.ts'
import type { PlannedChild } from '../run/stages.ts'
import type { RunState } from '../run/state.ts'

/** Characters of a question. */
const LONGEST = 4000

/** @throws ContextError `invalid-input`. */
export function assertQuestion(question: string): void {
  if (question !== '' && question.length <= LONGEST) return
  const hint = 'Ask in a sentence, of at most 4,000 characters.'
  const message = question === '' ? 'The question is empty.' : `The question has ${question.length} characters.`
  throw new ContextError('invalid-input', message, { hint })
}

const OVER = ['completed', 'stopped', 'quarantined']

/** Whether nothing comes after it. */
export function isSessionOver({ status }: Pick<StoredSession, 'status'>): boolean {
  return OVER.includes(status)
}

/** @throws ContextError `conflict`. */
export function assertNotOver({ id, status }: StoredSession): void {
  if (!isSessionOver({ status })) return
  const hint = `Ask what you want to know beyond it: "ambit research QUESTION --follow ${id}".`
  throw new ContextError('conflict', `The session is ${status}.`, { hint })
}

/** @throws ContextError `conflict` where no plan waits for a person. */
export function assertWaiting({ status }: RunState): void {
  if (status === 'planned') return
  const hint = 'A plan waits for changes where a run was started with it, and not gone on with yet.'
  throw new ContextError('conflict', `The session is ${status}, and has no plan that waits.`, { hint })
}

/** @throws ContextError `invalid-input`. */
export function plannedOf(children: readonly PlannedChild[]): PlannedChild[] {
  const asked = children.map(({ question, pinned }) => ({ question: question.trim(), ...(pinned && { pinned }) }))
  for (const { question } of asked) assertQuestion(question)
  return asked
}

export function runsAlready(id: string): ContextError {
  return new ContextError('conflict', `The session ${id} runs already.`, { hint: 'Follow it, pause it, or stop it.' })
}

/** Whether another process has it, or was quicker. */
export function isConflict(error: unknown): boolean {
  return error instanceof ContextError && error.code === 'conflict'
}

/** Of a session that nobody runs, nobody wants that it is run any more; it can be gone on with. */
export async function laidAside(store: RunStore, session: StoredSession): Promise<void> {
  const { status } = await readRunState(store, session)
  const isInterrupted = status === 'running' || status === 'queued'
  await store.update(session.id, { wanted: '', status: isInterrupted ? 'paused' : status })
}
