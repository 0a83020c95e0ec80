/** Chooses project code to send with the first prompt of a session. */

import { isAbsolute, resolve } from 'node:path'
import { parseTask } from '../../code/task-query.ts'
import { SILENT } from '../../core/flow.ts'
import { isDirectory, realOf } from '../../files/file-version.ts'
import { projectRootOf } from '../../files/roots.ts'
import { selectTaskContext } from '../task.ts'
import type { ReachRequest } from './applying.ts'
import { SessionLog, sessionAfter } from './session-log.ts'

/** Maximum tokens of code, which the person did not request. Below the minimum, no code is sent. */
const MAX_TOKENS = 2000
const MIN_TOKENS = 200
/** Milliseconds to find the code. Coding agents stop a hook after about ten seconds. */
const TIMEOUT_MS = 6000
/** Minimum distinct words of a prompt. */
const MIN_TERMS = 3
/** The line above the code. It contains no order, because agents treat orders in tool results as attacks. */
const HEADER = 'Code that may bear on this task, chosen by Ambit from the words of the prompt:\n'

/**
 * The code for the first prompt, within `reader.cap`; `''` if the session already has code for a prompt, or if nothing is found in time. `state`:
 * absolute path of the directory of the user's state. `cache`: absolute path of the directory for indexes. `used`: bytes of the text before the code.
 */
export async function firstTaskText(
  request: ReachRequest,
  { state, cache, used }: { readonly state: string; readonly cache: string | undefined; readonly used: number },
): Promise<string> {
  const { task = '', cwd, reader } = request
  const tokens = Math.min(MAX_TOKENS, Math.floor((reader.cap - used - HEADER.length) / 4))
  if (tokens < MIN_TOKENS || parseTask(task).terms.size < MIN_TERMS) return ''
  if (!isAbsolute(cwd) || !isDirectory(cwd) || !claimDelivery(request, state)) return ''
  const run = { ...SILENT, signal: AbortSignal.timeout(TIMEOUT_MS) }
  const taskRequest = { task, place: cwd, budget: tokens, format: reader.format, precise: true }
  // After a failure, the caller still sends the instruction files that apply.
  const { text } = await selectTaskContext(taskRequest, { cache, passages: false }, run).catch(() => ({ text: '' }))
  return text === '' ? '' : `${HEADER}${text}`
}

/** Whether this process delivers the code. If several processes run at the same time, only the first process does. */
function claimDelivery({ cwd, reader, session, subagent }: ReachRequest, state: string): boolean {
  const log = new SessionLog(state, { tool: reader.name, session, subagent, tree: realOf(projectRootOf(resolve(cwd))) })
  if (sessionAfter(log.read()).taskFrom !== undefined) return false
  const processId = `${process.pid}.${process.hrtime.bigint()}`
  return sessionAfter(log.add([{ type: 'task', from: processId }])).taskFrom === processId
}
