/** Indexing that another process does: a job whose key is what is asked, so that who asks for the same waits for the same. */

import { createHash } from 'node:crypto'
import { ContextError, type ErrorCode } from '../core/errors.ts'
import { SILENT } from '../core/flow.ts'
import type { Jobs, Task } from '../jobs/jobs.ts'
import type { IndexAnswer, IndexRequest } from './indexing.ts'
import type { Library } from './library.ts'

interface Failure {
  readonly code: ErrorCode
  readonly message: string
  readonly hint?: string
}

interface Asking {
  readonly owner: string
  readonly signal?: AbortSignal | undefined
}

/** Who asks names what there is for them; where that is wrong, it is told as everywhere. */
export async function indexElsewhere(
  jobs: Jobs,
  { collections }: Library,
  request: IndexRequest,
  { owner, signal }: Asking,
): Promise<IndexAnswer> {
  const known = (await collections.list()).map(({ name }) => name)
  const names = [...(request.names?.length ? request.names : known)].sort()
  if (names.length === 0 || names.some((name) => !known.includes(name))) return collections.index(request, SILENT)
  const data = { names, force: request.force === true }
  const key = createHash('sha256').update(JSON.stringify(data)).digest('hex')
  const answer = JSON.parse((await jobs.ask({ kind: 'index', key, owner, data }, signal)) ?? '{}')
  if ('failure' in answer) throw thrown(answer.failure)
  return answer.index
}

/** What a worker does. Only where it ends before it is done is it done again, by another. */
export async function indexJob({ collections }: Library, { data, signal }: Task): Promise<string> {
  try {
    const { names, force } = data as { readonly names: readonly string[]; readonly force: boolean }
    return JSON.stringify({ index: await collections.index({ names, force }, { signal, emit: () => {} }) })
  } catch (error) {
    if (signal.aborted || !(error instanceof ContextError)) throw error
    const { code, message, hint } = error
    const failure: Failure = { code, message, ...(hint !== undefined && { hint }) }
    return JSON.stringify({ failure })
  }
}

function thrown({ code, message, hint }: Failure): ContextError {
  return new ContextError(code, message, hint === undefined ? {} : { hint })
}
