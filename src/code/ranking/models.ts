/** Ranks files by words and by two models: an embedding model compares meanings, and a ranking model judges a passage of each file for the task. */

import { ContextError } from '../../core/errors.ts'
import type { Run } from '../../core/flow.ts'
import { cosineOf, fuseScores } from '../../retrieval/meaning.ts'
import { byScore, type FileScore } from './file-scores.ts'

/** Optional models of a ranking. */
export interface RankModels {
  readonly embedder?: PassageEmbedder | undefined
  readonly judge?: FileJudge | undefined
}

/** A model that makes vectors of passages and of tasks. */
export interface PassageEmbedder {
  /** The vectors in the order of the texts. */
  documents(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]>
  query(text: string, signal?: AbortSignal): Promise<Float32Array>
}

export interface FileJudge {
  /** A score for each document, in their order. A higher score is better. */
  rank(query: string, documents: readonly string[], signal?: AbortSignal): Promise<number[]>
}

export interface ModelRequest {
  readonly models: RankModels
  /** The request of the task, as `TaskQuery.request`. */
  readonly task: string
  /** The text of a file that a model compares or judges. */
  passageOf(file: FileScore): string
  readonly run: Run
}

/** Maximum files for each of the two models. */
const MAX_COMPARED = 30
export const MAX_JUDGED = 20
/** Weight of a cosine of 1, relative to the best score by words. */
const MEANING_WEIGHT = 0.3
/** Maximum characters of a passage for a model. */
const MAX_PASSAGE_LENGTH = 2000
const WAIT_MS = 20_000

/** `files`: in a new order, the best first; undefined without a model that answers. `notices`: for the person. */
interface RankedByModel {
  readonly files: readonly FileScore[] | undefined
  readonly notices: readonly string[]
}

/**
 * Orders files by words and meaning.
 *
 * @throws ContextError `cancelled`.
 */
export function fuseByMeaning(files: readonly FileScore[], request: ModelRequest): Promise<RankedByModel> {
  return tryModel(request.models.embedder, { files, request, failure: 'ranked without vectors' }, addCosines)
}

/**
 * Orders the first files by a judging model. Scores stay in place: the new first file has the highest.
 *
 * @throws ContextError `cancelled`.
 */
export function orderByJudge(files: readonly FileScore[], request: ModelRequest): Promise<RankedByModel> {
  return tryModel(request.models.judge, { files, request, failure: 'not reranked' }, judgeFirst)
}

interface Ranking {
  readonly files: readonly FileScore[]
  readonly request: ModelRequest
  /** What happened to the files if the model fails. */
  readonly failure: string
}

async function tryModel<Model>(
  model: Model | undefined,
  ranking: Ranking,
  rank: (model: Model, ranking: Ranking, signal: AbortSignal) => Promise<readonly FileScore[]>,
): Promise<RankedByModel> {
  const { files, failure } = ranking
  const { task, run } = ranking.request
  if (!model || task === '' || files.length < 2) return { files: undefined, notices: [] }
  const timeout = AbortSignal.timeout(WAIT_MS)
  try {
    const signal = run.signal ? AbortSignal.any([timeout, run.signal]) : timeout
    return { files: await rank(model, ranking, signal), notices: [] }
  } catch (error) {
    if (run.signal?.aborted || !(error instanceof ContextError)) throw error
    const why = timeout.aborted
      ? `it took longer than ${WAIT_MS / 1000} seconds.`
      : `${error.message} ${error.hint ?? ''}`
    return { files: undefined, notices: [`Files are ${failure}: ${why.trim()}`] }
  }
}

async function addCosines(embedder: PassageEmbedder, { files, request }: Ranking, signal: AbortSignal) {
  const { task, passageOf } = request
  const passages = files.slice(0, MAX_COMPARED).map((file) => passageOf(file).slice(0, MAX_PASSAGE_LENGTH))
  const query = await embedder.query(task, signal)
  const vectors = await embedder.documents(passages, signal)
  const cosines = vectors.map((vector) => cosineOf(query, vector))
  const bestScore = files[0]?.score ?? 0
  const candidates = files.map(({ score, file }, at) => ({ lexical: score, cosine: (cosines[at] ?? 0) * file.factor }))
  const scores = fuseScores(candidates, { coverage: 1, meaning: MEANING_WEIGHT })
  return files.map((file, at) => ({ ...file, score: (scores[at] ?? 0) * bestScore })).sort(byScore)
}

async function judgeFirst(judge: FileJudge, { files, request }: Ranking, signal: AbortSignal) {
  const { task, passageOf } = request
  const judgedFiles = files.slice(0, MAX_JUDGED)
  const passages = judgedFiles.map((file) => passageOf(file).slice(0, MAX_PASSAGE_LENGTH))
  const judgeScores = await judge.rank(task, passages, signal)
  const order = [...judgedFiles.entries()].sort(([a], [b]) => (judgeScores[b] ?? 0) - (judgeScores[a] ?? 0))
  const scores = judgedFiles.map(({ score }) => score)
  const reorderedFiles = order.map(([, file], to) => ({ ...file, score: scores[to] ?? 0 }))
  return [...reorderedFiles, ...files.slice(MAX_JUDGED)]
}
