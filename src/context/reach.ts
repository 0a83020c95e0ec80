import type { Library } from '../collections/library.ts'
import type { DiskContext } from '../collections/path-contexts.ts'
import { ContextError } from '../core/errors.ts'
import { withTimeout } from '../core/steps.ts'
import { utf8Length } from '../core/tokens.ts'
import type { ReachRequest } from './reach/applying.ts'

export interface ReachOptions {
  /** Absolute path of the directory of the user's state. */
  readonly state: string | undefined
  readonly home: string | false | undefined
  /** Absolute path of the directory for indexes of code. */
  readonly cache: string | undefined
  /** Absent without a database. */
  readonly library: (() => Promise<Library>) | undefined
}

const NO_STATE = 'There is no place to remember sessions: the user has no home directory.'

/** Time limit for the database in milliseconds. After this time, files are sent without path contexts. */
const TIMEOUT_MS = 500

/** Returns a function that gives a coding agent the context that applies. Loads its modules at the first call. */
export function createReach({ state, home, cache, library }: ReachOptions) {
  const pathContexts = async (path: string) => (library ? readPathContexts(path, library) : [])
  return async (request: ReachRequest): Promise<string> => {
    if (state === undefined)
      throw new ContextError('unavailable', NO_STATE, { hint: 'Set HOME or XDG_STATE_HOME to an absolute path.' })
    const { deliverContext } = await import('./reach/reach.ts')
    const text = await deliverContext(request, { state, home, pathContexts })
    if (request.task === undefined || request.moment !== 'prompt') return text
    const { firstTaskText } = await import('./reach/first-task.ts')
    return text + (await firstTaskText(request, { state, cache, used: utf8Length(text) }))
  }
}

/** The path contexts of a path; empty if the database does not answer in time. The next touch of the place tries again. */
async function readPathContexts(path: string, library: () => Promise<Library>): Promise<readonly DiskContext[]> {
  const answer = library()
    .then(({ contexts }) => contexts.ofDisk(path))
    .catch(() => [])
  return withTimeout(answer, TIMEOUT_MS, [])
}
