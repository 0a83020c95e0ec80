/** Whether what is shown for a task is what had to be seen: on fix commits of repositories that are given by their paths. */

import { rmSync } from 'node:fs'
import { openCodeIndex } from '../src/code/code-index.ts'
import { selectTaskContext, type TaskAnswer } from '../src/context/task.ts'
import { scratch } from './fixtures.ts'
import { type BenchOptions, bound, type Findings, type Table, type Verdict } from './harness.ts'
import { type FixTask, fixTasks } from './task/fix-commits.ts'
import { plainBm25 } from './task/plain-bm25.ts'
import { Repository } from './task/repository.ts'
import { goldLines, type Lines, recallAt, type Share, shareOfLines } from './task/score.ts'

const TASKS_EACH = 16
const BUDGETS = [4000, 8000, 16_000, 32_000]
const RANKS = [5, 10, 20]
/** What the recipe brought on the set that it was tuned on; on others it may be less by `SLACK`. */
const RECALL: readonly number[] = [0.78, 0.85, 0.9]
const SLACK = 0.08

/** What one task brought. */
interface Outcome {
  readonly recall: readonly number[]
  readonly plain: readonly number[]
  readonly lines: readonly (Share & { readonly tokens: number })[]
  readonly isEmpty: boolean
}

export async function taskFigures({ repositories = [], heldOut = [] }: BenchOptions): Promise<Findings> {
  const sets = [
    { name: 'tuning', paths: repositories, slack: 0 },
    { name: 'held out', paths: heldOut, slack: SLACK },
  ].filter(({ paths }) => paths.length > 0)
  if (sets.length === 0) console.error('task: name repositories by --repository DIR and --held-out DIR.')
  const verdicts: Verdict[] = []
  const tables: Table[] = []
  for (const { name, paths, slack } of sets) {
    const outcomes = await outcomesOf(paths)
    verdicts.push(...verdictsOf(name, outcomes, slack))
    tables.push(tableOf(name, outcomes, paths.length))
  }
  return tables.length === 0 ? { verdicts } : { verdicts, tables }
}

async function outcomesOf(paths: readonly string[]): Promise<Outcome[]> {
  const root = scratch()
  const outcomes: Outcome[] = []
  for (const path of paths) {
    const repository = new Repository(path, root)
    for (const task of fixTasks(repository, TASKS_EACH)) outcomes.push(await outcomeOf(repository, task))
    console.error(`${repository.name}: ${outcomes.length} tasks so far`)
  }
  rmSync(root, { recursive: true })
  return outcomes
}

async function outcomeOf(repository: Repository, { parent, task, files }: FixTask): Promise<Outcome> {
  repository.checkOut(parent)
  const gold = goldLines(repository.tree, files)
  const cache = repository.cacheFile
  const answers: TaskAnswer[] = []
  for (const budget of BUDGETS)
    answers.push(await selectTaskContext({ task, place: repository.tree, budget }, { cache }))
  const ranked = answers[0]?.files.map(({ path }) => path) ?? []
  const plain = plainBm25(await openCodeIndex(repository.tree, { cacheFile: `${cache}-plain` }), task)
  return {
    recall: RANKS.map((most) => recallAt(ranked, gold, most)),
    plain: RANKS.map((most) => recallAt(plain, gold, most)),
    lines: answers.map((answer) => ({ ...shareOfLines(linesOf(answer), gold), tokens: answer.tokenCount })),
    isEmpty: answers.some(({ text }) => text === ''),
  }
}

function linesOf({ files }: TaskAnswer): Lines {
  return new Map(
    files.map(({ path, ranges }) => {
      const lines = ranges.flatMap(({ start, end }) => Array.from({ length: end - start + 1 }, (_, at) => start + at))
      return [path, new Set(lines)]
    }),
  )
}

function verdictsOf(set: string, outcomes: readonly Outcome[], slack: number): Verdict[] {
  const recalls = RANKS.map((most, at) =>
    bound(
      `task, ${set}: gold files among the first ${most}`,
      mean(outcomes, ({ recall }) => recall[at] ?? 0),
      {
        unit: 'score',
        limit: (RECALL[at] ?? 0) - slack,
        atLeast: true,
      },
    ),
  )
  const empty = outcomes.filter(({ isEmpty }) => isEmpty).length
  return [...recalls, bound(`task, ${set}: empty answers`, empty, { unit: 'count', limit: 0 })]
}

function tableOf(set: string, outcomes: readonly Outcome[], repositories: number): Table {
  const shown = (value: number) => value.toFixed(3)
  const files = (name: string, of: (outcome: Outcome) => readonly number[]) => [
    name,
    ...RANKS.map((_, at) => shown(mean(outcomes, (outcome) => of(outcome)[at] ?? 0))),
    '',
  ]
  const lines = BUDGETS.map((budget, at) => {
    const of = (key: 'recall' | 'precision' | 'f1' | 'tokens') =>
      mean(outcomes, (outcome) => outcome.lines[at]?.[key] ?? 0)
    return [`lines at ${budget}`, shown(of('recall')), shown(of('precision')), shown(of('f1')), of('tokens').toFixed(0)]
  })
  return {
    title: `Tasks, ${set}: ${outcomes.length} fix commits of ${repositories} repositories`,
    note: 'Of files: recall among the first 5, 10 and 20. Of lines: recall, precision, F1, and tokens shown.',
    columns: ['what', '@5 or recall', '@10 or precision', '@20 or F1', 'tokens'],
    rows: [
      files('files', ({ recall }) => recall),
      files('files, BM25 over whole files', ({ plain }) => plain),
      ...lines,
    ],
  }
}

function mean(outcomes: readonly Outcome[], of: (outcome: Outcome) => number): number {
  return outcomes.length === 0 ? 0 : outcomes.reduce((sum, outcome) => sum + of(outcome), 0) / outcomes.length
}
