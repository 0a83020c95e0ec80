import type { Findings, Table } from '../harness.ts'
import { randomOf } from '../random.ts'
import type { JudgedSet } from './collection.ts'
import { type AnswerOf, evaluate } from './evaluate.ts'
import { openMaterial } from './material.ts'
import { ndcg, reciprocalRank } from './metrics.ts'
import type { RankerMaker } from './ranker.ts'
import { ambitRanker } from './rankers/ambit.ts'
import { fts5Rankers } from './rankers/fts5.ts'
import { miniSearchRankers } from './rankers/minisearch.ts'

export type Half = 'tuning' | 'held-out'

/** What has an even number at its end is for tuning. */
export function halfOf(id: string): Half {
  return Number(/\d+$/.exec(id)?.[0] ?? 0) % 2 === 0 ? 'tuning' : 'held-out'
}

const COMPARED: readonly RankerMaker[] = [ambitRanker, ...fts5Rankers, ...miniSearchRankers]

/** How good the answers are on sets made of material, by half: tune on one, and look at the other for the last figure. */
export async function materialFigures(dir: string, halves: readonly Half[]): Promise<Findings> {
  const tables: Table[] = []
  for (const set of openMaterial(dir)) tables.push(await halvesTable(set, halves))
  return { name: 'quality-material', verdicts: [], tables }
}

async function halvesTable(set: JudgedSet, halves: readonly Half[]): Promise<Table> {
  const kinds = [...new Set(set.queries.map(({ kind = '' }) => kind))]
  const columns = kinds.flatMap((kind) => halves.map((half) => ({ kind, half })))
  const rows: string[][] = []
  for (const maker of COMPARED) {
    const { answers } = await evaluate(maker, set)
    rows.push([
      maker.name,
      ...columns.map(({ kind, half }) => {
        const scores = answers.filter((one) => one.kind === kind && halfOf(one.id) === half).map(scoreOf)
        return describeMean(scores)
      }),
    ])
  }
  return {
    title: `Material: ${set.name}, ${set.queries.length} queries`,
    note: 'nDCG@10 of questions, MRR@10 of known pages; in brackets what 95 % of 1,000 draws with repetition give; queries without an answer.',
    columns: ['ranker', ...columns.map(({ kind, half }) => `${kind}, ${half}`)],
    rows,
  }
}

const KNOWN = ['anchor', 'desc', 'cut desc', 'pasted']

interface Scored {
  readonly score: number
  readonly isEmpty: boolean
}

function scoreOf({ kind, ranking, relevance }: AnswerOf): Scored {
  const metric = KNOWN.includes(kind ?? '') ? reciprocalRank : ndcg
  return { score: metric(ranking, relevance, 10), isEmpty: ranking.length === 0 }
}

function describeMean(scored: readonly Scored[]): string {
  if (scored.length === 0) return ''
  const scores = scored.map(({ score }) => score)
  const [low, high] = bootstrapInterval(scores)
  const empty = scored.filter(({ isEmpty }) => isEmpty).length
  return `${meanOf(scores).toFixed(3)} [${low.toFixed(3)}–${high.toFixed(3)}]${empty > 0 ? `, ${empty} empty` : ''}`
}

const DRAWS = 1000

/** Between which 95 % of the means lie of as many values drawn with repetition. */
export function bootstrapInterval(values: readonly number[], seed = 20_261_122): readonly [low: number, high: number] {
  const random = randomOf(seed)
  const draw = () => values[Math.floor(random() * values.length)] ?? 0
  const means = Array.from({ length: DRAWS }, () => meanOf(values.map(draw))).sort((a, b) => a - b)
  return [means[Math.floor(0.025 * DRAWS)] ?? 0, means[Math.ceil(0.975 * DRAWS) - 1] ?? 0]
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
}
