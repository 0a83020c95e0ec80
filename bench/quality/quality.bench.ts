import { OwnPostgres } from '../../test/support/own-postgres.ts'
import { lacksPostgres } from '../../test/support/postgres-server.ts'
import { type BenchOptions, bound, type Findings, type Table, type Verdict } from '../harness.ts'
import type { JudgedSet, SetKind } from './collection.ts'
import { type Evaluation, evaluate } from './evaluate.ts'
import { materialFigures } from './halves.ts'
import { meanScores, type Scores } from './metrics.ts'
import { openSet } from './open-set.ts'
import { openOwnSets } from './own-set.ts'
import { askQuestions } from './questions.ts'
import type { RankerMaker } from './ranker.ts'
import { postgresRanker } from './rankers/ambit.ts'
import { qmdRanker } from './rankers/qmd.ts'
import { RANKERS } from './rankers.ts'

/** The judged sets that the first gate is about; with others the mean would mean something else. */
const FIVE = ['cacm', 'cisi', 'cran', 'med', 'npl']

/** What ours has to reach. */
export const GATES = {
  ndcg10: 0.485,
  empty: 0,
  anchor: 0.78,
  desc: 0.85,
  pasted: 0.9,
  own: 0.85,
  answers: 0.72,
} as const

/**
 * How good the answers are, of ours and of others. Sets are folders that the user names; without any, the repository's
 * own small ones.
 */
export async function qualityFigures(options: BenchOptions): Promise<Findings> {
  const { questions, material, isHeldOut, qmd } = options
  if (material !== undefined)
    return materialFigures({ material, ...(qmd !== undefined && { qmd }), ...(isHeldOut && { isHeldOut }) })
  return questions === undefined ? rankingFigures(options) : questionFigures(questions)
}

/** What `ambit ask` makes of questions about documentations, without a model. */
async function questionFigures(dir: string): Promise<Findings> {
  const scores = await askQuestions(dir)
  const held = scores['held-out']
  const rows = Object.entries(scores).map(([half, of]) => [
    half,
    `${of.first} of ${of.answerable}`,
    `${of.firstThree} of ${of.answerable}`,
    `${of.falselyRefused} of ${of.answerable}`,
    `${of.refused} of ${of.unanswerable}`,
  ])
  const columns = ['half', 'sentence first', 'in the first three', 'refused wrongly', 'refused rightly']
  return {
    name: 'quality-questions',
    verdicts: [
      bound(
        'quality: answers among the first three, held-out',
        held.firstThree / held.answerable,
        least(GATES.answers),
      ),
    ],
    tables: [{ title: 'Questions about four documentations', columns, rows }],
  }
}

async function rankingFigures({ sets: dirs, qmd }: BenchOptions): Promise<Findings> {
  const own = dirs.length === 0
  const sets = own ? await openOwnSets() : await Promise.all(dirs.map(openSet))
  await using server = lacksPostgres() === undefined ? await OwnPostgres.start() : undefined
  const makers = [
    ...RANKERS,
    ...(server ? [postgresRanker(server)] : []),
    ...(qmd === undefined ? [] : [qmdRanker(qmd)]),
  ]
  const evaluations = await evaluateAll(makers, sets)
  return {
    ...(own ? { name: 'quality-own' } : {}),
    verdicts: own ? ownVerdicts(evaluations) : verdictsOf(evaluations, sets),
    tables: own ? sets.map((set) => kindTable(set, evaluations)) : tablesOf(evaluations, sets),
  }
}

async function evaluateAll(makers: readonly RankerMaker[], sets: readonly JudgedSet[]): Promise<Evaluation[]> {
  const evaluations: Evaluation[] = []
  for (const set of sets) for (const maker of makers) evaluations.push(await evaluate(maker, set))
  return evaluations
}

function tablesOf(evaluations: readonly Evaluation[], sets: readonly JudgedSet[]): Table[] {
  const judged = sets.filter(({ kind }) => kind === 'judged')
  const known = sets.filter(({ kind }) => kind !== 'judged')
  return [
    ...(judged.length > 0 ? [judgedTable(evaluations, judged)] : []),
    ...(known.length > 0 ? [knownItemTable(evaluations, known)] : []),
  ]
}

function judgedTable(evaluations: readonly Evaluation[], sets: readonly JudgedSet[]): Table {
  const queries = sets.reduce((sum, set) => sum + set.queries.length, 0)
  const rows = [...byRanker(evaluations, sets)].map(([ranker, scores]) => {
    const mean = meanScores(scores)
    const means = [mean.ndcg10, mean.mrr10, mean.recall10, mean.recall100].map(share)
    return [ranker, ...scores.map(({ ndcg10 }) => share(ndcg10)), ...means, `${mean.empty}`]
  })
  const gate = ['gate', ...sets.map(() => ''), `≥ ${share(GATES.ndcg10)}`, '', '', '', `${GATES.empty}`]
  return {
    title: 'Judged sets',
    note: 'nDCG@10 of each set; means over the sets, with equal weights; the number of queries without an answer.',
    columns: [
      'ranker',
      ...sets.map(({ name }) => name),
      'mean nDCG@10',
      'MRR@10',
      'recall@10',
      'recall@100',
      `empty of ${queries}`,
    ],
    rows: [...rows, ...(isFive(sets) ? [gate] : [])],
  }
}

function knownItemTable(evaluations: readonly Evaluation[], sets: readonly JudgedSet[]): Table {
  const columns = sets.flatMap(({ name, queries }) => [
    `${name} MRR@10`,
    'recall@10',
    'recall@100',
    `empty of ${queries.length}`,
  ])
  const rows = [...byRanker(evaluations, sets)].map(([ranker, scores]) => [
    ranker,
    ...scores.flatMap((of) => [share(of.mrr10), share(of.recall10), share(of.recall100), `${of.empty}`]),
  ])
  const gate = sets.flatMap(({ kind }) => [`≥ ${share(GATES[kind === 'judged' ? 'ndcg10' : kind])}`, '', '', ''])
  return {
    title: 'Known items',
    note: 'Each query is the text of a link to one page of a documentation, the description of that page, or a line of it. That page is the answer.',
    columns: ['ranker', ...columns],
    rows: [...rows, ['gate', ...gate]],
  }
}

function kindTable({ name, queries }: JudgedSet, evaluations: readonly Evaluation[]): Table {
  const of = evaluations.filter(({ set }) => set === name)
  const kinds = Object.keys(of[0]?.kinds ?? {})
  return {
    title: `The repository's own set: ${name}`,
    note: 'nDCG@10 by kind of query.',
    columns: ['ranker', ...kinds, 'all', 'MRR@10', `empty of ${queries.length}`],
    rows: of.map(({ ranker, scores, kinds: by }) => [
      ranker,
      ...kinds.map((kind) => share(by[kind]?.ndcg10 ?? 0)),
      share(scores.ndcg10),
      share(scores.mrr10),
      `${scores.empty}`,
    ]),
  }
}

/** Per ranker its scores, in the order of the sets. */
function byRanker(evaluations: readonly Evaluation[], sets: readonly JudgedSet[]): ReadonlyMap<string, Scores[]> {
  const rows = new Map<string, Scores[]>()
  for (const { name } of sets) {
    for (const { ranker, scores } of evaluations.filter(({ set }) => set === name))
      rows.set(ranker, [...(rows.get(ranker) ?? []), scores])
  }
  return rows
}

function verdictsOf(evaluations: readonly Evaluation[], sets: readonly JudgedSet[]): Verdict[] {
  const ours = evaluations.filter((evaluation) => evaluation.ours)
  const judged = sets.filter(({ kind }) => kind === 'judged')
  const gates = isFive(judged) ? [...byRanker(ours, judged)].flatMap(([ranker, of]) => fiveVerdicts(ranker, of)) : []
  return [...gates, ...sets.flatMap(({ name, kind }) => (kind === 'judged' ? [] : knownVerdicts(ours, name, kind)))]
}

function fiveVerdicts(ranker: string, scores: readonly Scores[]): Verdict[] {
  const { ndcg10, empty } = meanScores(scores)
  return [
    bound(`quality: ${ranker}, mean nDCG@10 over the judged sets`, ndcg10, least(GATES.ndcg10)),
    bound(`quality: ${ranker}, empty answers on the judged sets`, empty, { unit: 'count', limit: GATES.empty }),
  ]
}

function knownVerdicts(ours: readonly Evaluation[], name: string, kind: Exclude<SetKind, 'judged'>): Verdict[] {
  return ours
    .filter(({ set }) => set === name)
    .map(({ ranker, scores }) => bound(`quality: ${ranker}, MRR@10 on ${name}`, scores.mrr10, least(GATES[kind])))
}

function ownVerdicts(evaluations: readonly Evaluation[]): Verdict[] {
  return evaluations
    .filter(({ ours }) => ours)
    .map(({ ranker, set, scores }) => bound(`quality: ${ranker}, nDCG@10 on ${set}`, scores.ndcg10, least(GATES.own)))
}

function isFive(sets: readonly JudgedSet[]): boolean {
  return (
    sets
      .map(({ name }) => name)
      .sort()
      .join() === FIVE.join()
  )
}

function least(limit: number) {
  return { unit: 'score', limit, atLeast: true } as const
}

function share(value: number): string {
  return value.toFixed(3)
}
