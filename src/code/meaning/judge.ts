/** Has the best files judged by a model that reads the task together with the best unit of each. */

import { ContextError } from '../../core/errors.ts'
import type { Run } from '../../core/flow.ts'
import type { FileScore } from '../ranking/file-scores.ts'
import { modelFault } from './unit-vectors.ts'

/** The model that judges. */
export interface FileJudge {
  /** A score for each text, in their order: the higher the better. */
  rank(query: string, documents: readonly string[], signal?: AbortSignal): Promise<number[]>
}

export interface JudgeRequest {
  readonly judge: FileJudge
  /** What is wanted, in few words. */
  readonly wanted: string
  /** What the model reads of a file. */
  passageOf(file: FileScore): string
  readonly run: Run
}

export interface JudgedFiles {
  readonly files: readonly FileScore[]
  /** What a person should know of it. */
  readonly notices: readonly string[]
}

/** Files that are judged: the time grows with each. */
const MOST_JUDGED = 20
const MOST_SENT = 2000
const WAIT_MS = 10_000

/**
 * Puts the best files in the order of the model. The scores stay where they are: the file that the model puts first gets the
 * best. Where the model does not answer, the files are as they were, with a notice.
 *
 * @throws ContextError `cancelled`.
 */
export async function judgeFiles(
  files: readonly FileScore[],
  { judge, wanted, passageOf, run }: JudgeRequest,
): Promise<JudgedFiles> {
  const judged = files.slice(0, MOST_JUDGED)
  if (judged.length < 2) return { files, notices: [] }
  const patience = AbortSignal.timeout(WAIT_MS)
  const signal = run.signal ? AbortSignal.any([patience, run.signal]) : patience
  try {
    const passages = judged.map((file) => passageOf(file).slice(0, MOST_SENT))
    const given = await judge.rank(wanted, passages, signal)
    const order = judged.map((_, at) => at).sort((a, b) => (given[b] ?? 0) - (given[a] ?? 0) || a - b)
    const first = order.flatMap((from, to) => {
      const file = judged[from]
      return file ? [{ ...file, score: judged[to]?.score ?? 0 }] : []
    })
    return { files: [...first, ...files.slice(MOST_JUDGED)], notices: [] }
  } catch (error) {
    if (run.signal?.aborted || !(error instanceof ContextError)) throw error
    const why = patience.aborted ? `it took longer than ${WAIT_MS / 1000} seconds.` : modelFault(error)
    return { files, notices: [`Files are not reranked: ${why}`] }
  }
}
