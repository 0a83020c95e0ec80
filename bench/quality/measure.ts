/** Measures how good rankings are, query by query, with the metrics of trec_eval, and intervals of their means. */

import type { Table } from '../harness.ts'
import { randomOf } from '../random.ts'
import type { Doc, JudgedSet } from './collection.ts'

/** The relevance of documents; a document that nobody judged has 0. */
type Relevance = ReadonlyMap<string, number>

/** Discounted gain of the first `k`, divided by the gain of the best possible order; 0 if nothing is relevant. */
export function ndcg(ranking: readonly string[], relevance: Relevance, k: number): number {
  const ideal = [...relevance.values()].filter((gain) => gain > 0).sort((a, b) => b - a)
  const best = discountedGain(ideal.slice(0, k))
  return best === 0 ? 0 : discountedGain(gainsOf(ranking, relevance, k)) / best
}

/** One over the rank of the first relevant document; 0 if it is not among the first `k`. */
export function reciprocalRank(ranking: readonly string[], relevance: Relevance, k: number): number {
  const at = gainsOf(ranking, relevance, k).findIndex((gain) => gain > 0)
  return at < 0 ? 0 : 1 / (at + 1)
}

function gainsOf(ranking: readonly string[], relevance: Relevance, k: number): number[] {
  return ranking.slice(0, k).map((doc) => relevance.get(doc) ?? 0)
}

function discountedGain(gains: readonly number[]): number {
  return gains.reduce((sum, gain, index) => sum + gain / Math.log2(index + 2), 0)
}

/** A program that indexes documents, and answers a query with their ids, the best first. */
export interface Ranker {
  index(documents: AsyncIterable<Doc>): Promise<void>
  /** At most `k` different ids. */
  search(query: string, k: number): Promise<readonly string[]>
  close(): Promise<void>
}

export interface RankerMaker {
  readonly name: string
  /** Whether the ranker is Ambit, which must reach the gates. Others are only compared. */
  readonly ours?: boolean
  /** Makes a ranker with an empty index. */
  open(): Ranker
}

/** The answer to one query, and the relevant documents. */
export interface Answer {
  readonly kind: string | undefined
  readonly ranking: readonly string[]
  readonly relevance: Relevance
}

/** Number of documents in an answer. */
const DEPTH = 10

export async function answersTo(maker: RankerMaker, set: JudgedSet): Promise<Answer[]> {
  const ranker = maker.open()
  await ranker.index(set.documents())
  const answers: Answer[] = []
  for (const { id, text, kind } of set.queries) {
    const ranking = await ranker.search(text, DEPTH)
    if (new Set(ranking).size < ranking.length) throw new Error(`${maker.name} gives a document twice for: ${text}`)
    answers.push({ kind, ranking, relevance: set.judgements.get(id) ?? new Map() })
  }
  await ranker.close()
  return answers
}

/** The scores of a ranker in one row of the table, 0 to 1 for each query. */
export interface Measure {
  readonly row: string
  readonly ranker: string
  readonly scores: readonly number[]
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
}

const DRAWS = 1000
const SEED = 20_261_122

/** The interval with 95 % of the means of as many values, drawn with repetition. */
export function bootstrapInterval(values: readonly number[]): readonly [low: number, high: number] {
  const random = randomOf(SEED)
  const draw = () => values.map(() => values[Math.floor(random() * values.length)] ?? 0)
  const means = Array.from({ length: DRAWS }, () => meanOf(draw())).sort((a, b) => a - b)
  return [means[Math.floor(0.025 * DRAWS)] ?? 0, means[Math.ceil(0.975 * DRAWS) - 1] ?? 0]
}

/** A table with a row for each kind of query and a column for each ranker, in the order of `measures`. */
export function measuresTable(title: string, note: string, measures: readonly Measure[]): Table {
  const rankers = [...new Set(measures.map(({ ranker }) => ranker))]
  const rows = [...Map.groupBy(measures, ({ row }) => row)].map(([row, of]) => [
    row,
    `${of[0]?.scores.length ?? 0}`,
    ...rankers.map((ranker) => describeMean(of.find((one) => one.ranker === ranker)?.scores ?? [])),
  ])
  return { title, note, columns: ['', 'queries', ...rankers], rows }
}

/** `0.485 [0.450–0.520]`. */
function describeMean(scores: readonly number[]): string {
  if (scores.length === 0) return ''
  const [low, high] = bootstrapInterval(scores)
  return `${meanOf(scores).toFixed(3)} [${low.toFixed(3)}–${high.toFixed(3)}]`
}
