/** Figures by query: means with what draws with repetition make of them, as one table of all that is compared. */

import type { Table } from '../harness.ts'
import { randomOf } from '../random.ts'
import type { Half } from './questions.ts'

/** What one ranker scored, 0 to 1, in one row of the table. */
export interface Measure {
  readonly row: string
  readonly ranker: string
  /** For each half, scores by query; of several sets, a list for each, which count the same. */
  readonly scores: Readonly<Record<Half, readonly (readonly number[])[]>>
}

export function measureOf(
  row: string,
  ranker: string,
  scored: readonly { readonly half: Half; readonly score: number }[],
): Measure {
  const of = (half: Half) => [scored.filter((one) => one.half === half).map(({ score }) => score)]
  return { row, ranker, scores: { tuning: of('tuning'), 'held-out': of('held-out') } }
}

/** The mean over sets, by ranker, of rows that it has in common. */
export function joinMeasures(row: string, measures: readonly Measure[]): Measure[] {
  return [...Map.groupBy(measures, ({ ranker }) => ranker)].map(([ranker, some]) => ({
    row,
    ranker,
    scores: {
      tuning: some.flatMap(({ scores }) => scores.tuning),
      'held-out': some.flatMap(({ scores }) => scores['held-out']),
    },
  }))
}

const DRAWS = 1000

/** Between which 95 % of the means lie of as many values drawn with repetition, from each list by itself. */
export function bootstrapInterval(
  lists: readonly (readonly number[])[],
  seed = 20_261_122,
): readonly [low: number, high: number] {
  const random = randomOf(seed)
  const draw = (values: readonly number[]) => values.map(() => values[Math.floor(random() * values.length)] ?? 0)
  const means = Array.from({ length: DRAWS }, () => meanOfLists(lists.map(draw))).sort((a, b) => a - b)
  return [means[Math.floor(0.025 * DRAWS)] ?? 0, means[Math.ceil(0.975 * DRAWS) - 1] ?? 0]
}

/** The mean of the means. */
export function meanOfLists(lists: readonly (readonly number[])[]): number {
  return meanOf(lists.filter(({ length }) => length > 0).map(meanOf))
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
}

/** A row for each thing that is asked, a column for each ranker, in the order in which they come. */
export function measuresTable(
  title: string,
  note: string,
  { measures, half }: { measures: readonly Measure[]; half: Half },
): Table {
  const rankers = [...new Set(measures.map(({ ranker }) => ranker))]
  const rows = [...Map.groupBy(measures, ({ row }) => row)].map(([row, of]) => {
    const queries = Math.max(...of.map(({ scores }) => scores[half].reduce((sum, { length }) => sum + length, 0)))
    const cells = rankers.map((ranker) => describeMean(of.find((one) => one.ranker === ranker)?.scores[half] ?? []))
    return [row, `${queries}`, ...cells]
  })
  return { title, note, columns: ['', 'queries', ...rankers], rows: rows.filter(([, queries]) => queries !== '0') }
}

function describeMean(lists: readonly (readonly number[])[]): string {
  if (lists.every(({ length }) => length === 0)) return ''
  const [low, high] = bootstrapInterval(lists)
  return `${meanOfLists(lists).toFixed(3)} [${low.toFixed(3)}–${high.toFixed(3)}]`
}
