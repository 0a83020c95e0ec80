import { OwnPostgres } from '../../test/support/own-postgres.ts'
import { lacksPostgres } from '../../test/support/postgres-server.ts'
import { type BenchOptions, bound, type Findings, type Table, type Verdict } from '../harness.ts'
import type { JudgedSet } from './collection.ts'
import {
  type Answer,
  answersTo,
  type Measure,
  meanOf,
  measuresTable,
  ndcg,
  type RankerMaker,
  reciprocalRank,
} from './measure.ts'
import { ambitByWordsRanker, ambitRanker, modelRanker, postgresRanker } from './rankers/ambit.ts'
import { fts5Rankers } from './rankers/fts5.ts'
import { miniSearchRankers } from './rankers/minisearch.ts'
import { qmdRanker } from './rankers/qmd.ts'
import { ripgrepRanker } from './rankers/ripgrep.ts'
import { openOwnSets, openSet } from './sets.ts'

/** The rankers that are compared, in the order of the table. */
export const RANKERS: readonly RankerMaker[] = [ambitRanker, ambitByWordsRanker, ...fts5Rankers, ...miniSearchRankers]

/** The judged sets whose mean has a gate (a minimum score). */
const FIVE = ['cacm', 'cisi', 'cran', 'med', 'npl']
const MEAN = 'mean of the judged sets'

/** Minimum scores that Ambit must reach. */
export const GATES: Readonly<Record<string, number>> = { [MEAN]: 0.485, harbour: 0.85, docs: 0.85 }

type Metric = (answer: Answer) => number

/** The metric of each kind of query of a documentation, and the minimum that Ambit must reach. */
const KINDS: Readonly<Record<string, { readonly least: number; readonly metric: Metric }>> = {
  anchor: { least: 0.78, metric: reciprocal(10) },
  desc: { least: 0.85, metric: reciprocal(10) },
  pasted: { least: 0.9, metric: reciprocal(10) },
  name: { least: 0.97, metric: reciprocal(1) },
  unshared: { least: 0.45, metric: firstThree },
  shared: { least: 0.95, metric: firstThree },
  slip: { least: 0.92, metric: (answer) => Math.ceil(reciprocal(10)(answer)) },
}

function reciprocal(k: number): Metric {
  return ({ ranking, relevance }) => reciprocalRank(ranking, relevance, k)
}

function firstThree({ ranking, relevance }: Answer): number {
  return Number(reciprocalRank(ranking, relevance, 3) > 0)
}

function kindOf(kind = ''): (typeof KINDS)[string] | undefined {
  return KINDS[kind.replace(/:.*/, '')]
}

const NOTE = `nDCG@10 of judged sets, and of each kind of their queries. Of documentations: MRR@10 of texts of links (anchor), of
descriptions and of pasted lines; the share of exact names where a page that holds the name is first; the share of slips of which the
word that was meant is found; the share of questions of which a passage with the answer is among the first three (shared, unshared). In brackets what 95 % of 1,000 draws with repetition give.`

/**
 * Measures how good the rankings of Ambit and of other programs are. `sets`: folders of sets. Default: the small sets of the
 * repository.
 */
export async function qualityFigures({ sets: dirs, qmd, peers, model, isQuick }: BenchOptions): Promise<Findings> {
  const own = dirs.length === 0
  const sets = own ? openOwnSets() : await Promise.all(dirs.map(openSet))
  await using server = !isQuick && lacksPostgres() === undefined ? await OwnPostgres.start() : undefined
  const makers = [
    ...(isQuick ? [ambitRanker, ambitByWordsRanker] : RANKERS),
    ...(model === undefined ? [] : [modelRanker(model)]),
    ...(server ? [postgresRanker(server)] : []),
    ...(peers === undefined ? [] : [ripgrepRanker]),
    ...(qmd === undefined ? [] : [qmdRanker(qmd)]),
  ]
  const measures: Measure[] = []
  const verdicts: Verdict[] = []
  for (const maker of makers) {
    const found: Measure[] = []
    let empty = 0
    for (const set of sets) {
      const answers = await answersTo(maker, set)
      found.push(...measuresOf(set, maker, answers))
      empty += answers.filter(({ kind, ranking }) => ranking.length === 0 && (!kind || kind === 'slip')).length
    }
    found.push(...meanOfFive(maker, found))
    measures.push(...found)
    if (maker.ours) verdicts.push(...verdictsOf(found))
    if (maker.ours && !own)
      verdicts.push(bound(`quality: ${maker.name}, queries without an answer`, empty, { unit: 'count', limit: 0 }))
  }
  return {
    ...(own ? { name: 'quality-own' } : {}),
    verdicts,
    tables: [measuresTable(own ? "The repository's own sets" : 'Sets', NOTE, measures), gainsTable(measures)],
  }
}

/** How much search by meaning gains, query by query. */
function gainsTable(measures: readonly Measure[]): Table {
  const byWords = new Map(
    measures.filter(({ ranker }) => ranker === ambitByWordsRanker.name).map(({ row, scores }) => [row, scores]),
  )
  const isCompared = ({ ranker }: Measure) => ranker.startsWith('Ambit') && ranker !== ambitByWordsRanker.name
  const gains = measures.filter(isCompared).map(({ row, ranker, scores }) => {
    const before = byWords.get(row) ?? []
    return { row, ranker, scores: scores.map((score, at) => score - (before[at] ?? 0)) }
  })
  return measuresTable('Gain over words alone', 'The difference of each query, with the same draws.', gains)
}

/** A row for each kind of query, and a row for the queries without a metric of their kind. */
function measuresOf({ name }: JudgedSet, { name: ranker }: RankerMaker, answers: readonly Answer[]): Measure[] {
  const gain: Metric = ({ ranking, relevance }) => ndcg(ranking, relevance, 10)
  const scoresOf = (some: readonly Answer[]) => some.map((one) => (kindOf(one.kind)?.metric ?? gain)(one))
  const judged = answers.filter(({ kind }) => kindOf(kind) === undefined)
  const kinds = [...Map.groupBy(answers, ({ kind }) => kind)].flatMap(([kind, of]) =>
    kind === undefined ? [] : [{ row: `${name}, ${kind}`, ranker, scores: scoresOf(of) }],
  )
  return [...(judged.length > 0 ? [{ row: name, ranker, scores: scoresOf(judged) }] : []), ...kinds]
}

/** The mean of the five sets. Each set counts the same, whatever its size. */
function meanOfFive({ name }: RankerMaker, found: readonly Measure[]): Measure[] {
  const five = found.filter(({ row }) => FIVE.includes(row))
  if (five.length < FIVE.length) return []
  return [{ row: MEAN, ranker: name, scores: five.map(({ scores }) => meanOf(scores)) }]
}

/** All kinds of names count together for one gate. */
function verdictsOf(measures: readonly Measure[]): Verdict[] {
  const byGate = Map.groupBy(measures, ({ row }) => row.replace(/:.*/, ''))
  return [...byGate].flatMap(([row, rows]) => {
    const scores = rows.flatMap((one) => one.scores)
    const least = GATES[row] ?? kindOf(row.split(', ')[1])?.least
    if (least === undefined) return []
    const name = `quality: ${rows[0]?.ranker}, ${row}`
    return [bound(name, meanOf(scores), { unit: 'score', limit: least, atLeast: true })]
  })
}
