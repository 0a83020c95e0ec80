/**
 * The outcomes for the tasks of one repository, with Ambit and with its baselines. They are stored until the code or the
 * repository changes.
 */

import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type CodeIndex, openCodeIndex } from '../../src/code/code-index.ts'
import type { TaskAnswer } from '../../src/context/answers.ts'
import { selectTaskContext } from '../../src/context/task.ts'
import { scratch } from '../fixtures.ts'
import { plainBm25, ReferenceGraph } from './aider-way.ts'
import { type FixTask, fixTasks } from './fix-commits.ts'
import { Repository } from './repository.ts'
import {
  blocksOf,
  goldLines,
  type Lines,
  recallAt,
  type Share,
  shareOfBlocks,
  shareOfLines,
  wholeFiles,
} from './score.ts'

const TASKS_EACH = 20
export const BUDGETS = [4000, 8000, 16_000, 32_000]
export const RANKS = [1, 5, 10, 20]

const HERE = fileURLToPath(new URL('../..', import.meta.url))
const CACHE = join(HERE, '.cache', 'bench-task')

/** Scores of the context at one budget. */
export interface ShownShare {
  readonly lines: Share
  readonly blocks: Share
  /** Recall of the gold files, counting files with at least one line in the context. */
  readonly files: number
  readonly tokens: number
}

/** The outcome of one task. */
export interface Outcome {
  /** Recall of gold files among the first of `RANKS`, by ranker. */
  readonly recall: Readonly<Record<Ranker, readonly number[]>>
  /** Recall among the first 10 of all files that the commit changed, including tests and documents. */
  readonly patch: number
  /** By `BUDGETS`: Ambit's context, its context with `--precise`, and whole files in the order of its ranking. */
  readonly shown: readonly ShownShare[]
  readonly precise: readonly ShownShare[]
  readonly whole: readonly ShownShare[]
  readonly isEmpty: boolean
}

export type Ranker = 'ambit' | 'title' | 'bm25' | 'references'

/** The stored outcomes of a repository, or else new ones. */
export async function outcomesOf(folder: string): Promise<readonly Outcome[]> {
  const root = scratch()
  const repository = new Repository(folder, root)
  const resultFile = join(CACHE, `${repository.name}-${digestOfProduct()}-${repository.head.slice(0, 12)}.json`)
  try {
    if (existsSync(resultFile)) return JSON.parse(readFileSync(resultFile, 'utf8'))
    const outcomes = await measure(repository)
    mkdirSync(CACHE, { recursive: true })
    writeFileSync(resultFile, JSON.stringify(outcomes))
    return outcomes
  } finally {
    rmSync(root, { recursive: true })
  }
}

async function measure(repository: Repository): Promise<Outcome[]> {
  const graph = new ReferenceGraph()
  const outcomes: Outcome[] = []
  for (const task of fixTasks(repository, TASKS_EACH)) {
    repository.checkOut(task.parent)
    outcomes.push(await outcomeOf(task, { repository, graph }))
  }
  console.error(`${repository.name}: ${outcomes.length} tasks`)
  return outcomes
}

interface Measuring {
  readonly repository: Repository
  readonly graph: ReferenceGraph
}

async function outcomeOf(fix: FixTask, { repository, graph }: Measuring): Promise<Outcome> {
  const { task, files, patch } = fix
  const { tree, cacheFile: cache } = repository
  const gold = goldLines(tree, files)
  const select = (text: string, budget: number, precise = false) =>
    selectTaskContext({ task: text, place: tree, budget, precise }, { cache })
  const answers: TaskAnswer[] = []
  const preciseAnswers: TaskAnswer[] = []
  for (const budget of BUDGETS) {
    answers.push(await select(task, budget))
    preciseAnswers.push(await select(task, budget, true))
  }
  const titled = await select(task.split('\n')[0] ?? task, BUDGETS[0] ?? 0)
  const index = await openCodeIndex(tree, { cacheFile: `${cache}-plain` })
  const ranked = pathsOf(answers[0])
  const shareShown = (answer: TaskAnswer) => shareOf(tree, linesOf(answer), { gold, tokens: answer.tokenCount })
  const recallOf = (paths: readonly string[]) => RANKS.map((most) => recallAt(paths, new Set(gold.keys()), most))
  return {
    recall: {
      ambit: recallOf(ranked),
      title: recallOf(pathsOf(titled)),
      bm25: recallOf(plainBm25(index, task)),
      references: recallOf(graph.rank(tree, codeOf(index), task)),
    },
    patch: recallAt(ranked, new Set(patch), 10),
    shown: answers.map(shareShown),
    precise: preciseAnswers.map(shareShown),
    whole: BUDGETS.map((budget) => {
      const { lines, tokens } = wholeFiles(tree, ranked, budget)
      return shareOf(tree, lines, { gold, tokens })
    }),
    isEmpty: answers.some(({ text }) => text === ''),
  }
}

function shareOf(tree: string, lines: Lines, { gold, tokens }: { gold: Lines; tokens: number }): ShownShare {
  const files = [...gold.keys()].filter((path) => (lines.get(path)?.size ?? 0) > 0).length / gold.size
  const blocks = shareOfBlocks(blocksOf(tree, lines), blocksOf(tree, gold))
  return { lines: shareOfLines(lines, gold), blocks, files, tokens }
}

function pathsOf(answer: TaskAnswer | undefined): string[] {
  return answer?.files.map(({ path }) => path) ?? []
}

function codeOf({ files }: CodeIndex): string[] {
  return files.map(({ path }) => path)
}

function linesOf({ files }: TaskAnswer): Lines {
  return new Map(
    files.map(({ path, ranges }) => {
      const lines = ranges.flatMap(({ start, end }) => Array.from({ length: end - start + 1 }, (_, at) => start + at))
      return [path, new Set(lines)]
    }),
  )
}

/** The digest of all code that outcomes depend on. */
function digestOfProduct(): string {
  const hash = createHash('sha256')
  for (const folder of ['src/code', 'src/context/task', 'src/drift/lookup', 'bench/task']) {
    const paths = readdirSync(join(HERE, folder), { recursive: true, encoding: 'utf8' })
    for (const path of paths.filter((each) => each.endsWith('.ts')).sort()) {
      hash.update(path).update(readFileSync(join(HERE, folder, path)))
    }
  }
  return hash.digest('hex').slice(0, 12)
}
