/** How good rankings are, query by query: the metrics of trec_eval, and what draws with repetition make of their means. */

import type { Table } from '../harness.ts'
import { randomOf } from '../random.ts'
import type { Doc, JudgedSet } from './collection.ts'

/** Documents by how relevant they are; 0 when nobody judged it. */
type Relevance = ReadonlyMap<string, number>

/** Discounted gain of the first `k`, over that of the best possible order; 0 where nothing is relevant. */
export function ndcg(ranking: readonly string[], relevance: Relevance, k: number): number {
  const ideal = [...relevance.values()].filter((gain) => gain > 0).sort((a, b) => b - a)
  const best = discounted(ideal.slice(0, k))
  return best === 0 ? 0 : discounted(gainsOf(ranking, relevance, k)) / best
}

/** One over the rank of the first relevant document; 0 when it is not among the first `k`. */
export function reciprocalRank(ranking: readonly string[], relevance: Relevance, k: number): number {
  const at = gainsOf(ranking, relevance, k).findIndex((gain) => gain > 0)
  return at < 0 ? 0 : 1 / (at + 1)
}

function gainsOf(ranking: readonly string[], relevance: Relevance, k: number): number[] {
  return ranking.slice(0, k).map((doc) => relevance.get(doc) ?? 0)
}

function discounted(gains: readonly number[]): number {
  return gains.reduce((sum, gain, index) => sum + gain / Math.log2(index + 2), 0)
}

/** What is compared: anything that indexes documents and answers a query with their ids, best first. */
export interface Ranker {
  index(documents: AsyncIterable<Doc>): Promise<void>
  /** At most `k` ids, none twice. */
  search(query: string, k: number): Promise<readonly string[]>
  close(): Promise<void>
}

export interface RankerMaker {
  readonly name: string
  /** Whether it is ours, and held to the gates; the others are there to compare with. */
  readonly ours?: boolean
  /** Makes a ranker with an empty index. */
  open(): Ranker
}

/** The answer to one query, beside what is relevant. */
export interface Answer {
  readonly kind: string | undefined
  readonly ranking: readonly string[]
  readonly relevance: Relevance
}

/** How many documents are asked for. */
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

/** What one ranker scored, 0 to 1, query by query, in one row of the table. */
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

/** Between which 95 % of the means lie of as many values drawn with repetition. */
export function bootstrapInterval(values: readonly number[]): readonly [low: number, high: number] {
  const random = randomOf(SEED)
  const draw = () => values.map(() => values[Math.floor(random() * values.length)] ?? 0)
  const means = Array.from({ length: DRAWS }, () => meanOf(draw())).sort((a, b) => a - b)
  return [means[Math.floor(0.025 * DRAWS)] ?? 0, means[Math.ceil(0.975 * DRAWS) - 1] ?? 0]
}

/** A row for each thing that is asked, a column for each ranker, in the order in which they come. */
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
