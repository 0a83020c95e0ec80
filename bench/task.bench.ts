/**
 * Measures the cost of a task's context. With folders of repositories, measures whether it shows the code that their fixes
 * changed.
 */

import { type BenchOptions, bound, type Findings, type Table, type Verdict } from './harness.ts'
import { BUDGETS, type Outcome, outcomesOf, RANKS, type Ranker, type ShownShare } from './task/outcome.ts'
import { speedFigures } from './task/speed.ts'

/** Recall of files, by `RANKS`, that the recipe reached on the repositories it was tuned on. */
const RECALL: readonly number[] = [0.5, 0.78, 0.85, 0.9]
/**
 * The same for lines and definitions at 4,000, 8,000 and 16,000 tokens. The default is for recall, and `--precise` for F1. When
 * repositories grow, other fixes are drawn, and figures change by about 0.01.
 */
const SHOWN = [
  { of: 'lines', share: 'lines', measure: 'recall', least: [0.36, 0.5, 0.57] },
  { of: 'lines', share: 'lines', measure: 'f1', least: [0.3, 0.31, 0.28] },
  { of: 'definitions', share: 'blocks', measure: 'recall', least: [0.44, 0.53, 0.6] },
  { of: 'definitions', share: 'blocks', measure: 'f1', least: [0.33, 0.33, 0.31] },
] as const
const MEASURES = { recall: ['shown', 'recall'], f1: ['precise', 'F1 with --precise'] } as const
/** Repositories that were not used for tuning may be lower by this much. */
const SLACK = 0.08

const RANKERS: Readonly<Record<Ranker, string>> = {
  ambit: 'Ambit',
  title: 'Ambit, the first line of the task alone',
  bm25: 'BM25 over whole files',
  references: "aider's way: PageRank of references",
}

export async function taskFigures({ folders = [] }: BenchOptions): Promise<Findings> {
  if (folders.length === 0) return { verdicts: await speedFigures(), name: 'task-speed' }
  const verdicts: Verdict[] = []
  const tables: Table[] = []
  for (const [set, setFolders] of foldersBySet(folders)) {
    const outcomes: Outcome[] = []
    for (const folder of setFolders) outcomes.push(...(await outcomesOf(folder)))
    if (outcomes.length === 0) continue
    verdicts.push(...verdictsOf(set, outcomes))
    tables.push(...tablesOf(`${set}: ${outcomes.length} fix commits of ${setFolders.length} repositories`, outcomes))
  }
  return { verdicts, tables }
}

function verdictsOf(set: SetName, outcomes: readonly Outcome[]): Verdict[] {
  const slack = set === 'tuning' ? 0 : SLACK
  const gate = (figure: string, value: number, least: number) =>
    bound(`task, ${set}: ${figure}`, value, { unit: 'score', limit: Number((least - slack).toFixed(2)), atLeast: true })
  const empty = outcomes.filter(({ isEmpty }) => isEmpty).length
  return [
    ...RANKS.map((most, at) =>
      gate(
        `gold files among the first ${most}`,
        meanOf(outcomes, ({ recall }) => recall.ambit[at]),
        RECALL[at] ?? 0,
      ),
    ),
    ...SHOWN.flatMap(({ of, share, measure, least }) => {
      const [answers, name] = MEASURES[measure]
      return least.map((each, at) =>
        gate(
          `${name} of ${of} at ${BUDGETS[at]}`,
          meanOf(outcomes, (outcome) => outcome[answers][at]?.[share][measure]),
          each,
        ),
      )
    }),
    bound(`task, ${set}: empty answers`, empty, { unit: 'count', limit: 0 }),
  ]
}

function tablesOf(set: string, outcomes: readonly Outcome[]): Table[] {
  const ranks = Object.entries(RANKERS).map(([ranker, name]) => [
    name,
    ...RANKS.map((_, at) => threeDigits(meanOf(outcomes, ({ recall }) => recall[ranker as Ranker][at]))),
  ])
  const patch = threeDigits(meanOf(outcomes, (outcome) => outcome.patch))
  return [
    {
      title: `Files for tasks, ${set}`,
      note: 'Recall of the gold files, that hold the definitions that a fix changed; and of all files of its patch.',
      columns: ['ranked by', ...RANKS.map((most) => `@${most}`)],
      rows: [...ranks, ['Ambit, of the whole patch', '', '', patch, '']],
    },
    {
      title: `What is shown for tasks, ${set}`,
      note: 'Recall of gold files; recall, precision and F1 of gold lines, and of gold definitions; tokens shown.',
      columns: ['at', 'files', 'lines R', 'P', 'F1', 'blocks R', 'P', 'F1', 'tokens'],
      rows: BUDGETS.flatMap((budget, at) => [
        rowOf(
          `${budget}`,
          outcomes.map(({ shown }) => shown[at]),
        ),
        rowOf(
          `${budget}, --precise`,
          outcomes.map(({ precise }) => precise[at]),
        ),
        rowOf(
          `${budget}, whole files`,
          outcomes.map(({ whole }) => whole[at]),
        ),
      ]),
    },
  ]
}

function rowOf(name: string, shares: readonly (ShownShare | undefined)[]): string[] {
  const mean = (of: (share: ShownShare) => number) => meanOf(shares, (share) => share && of(share))
  return [
    name,
    ...[
      mean(({ files }) => files),
      mean(({ lines }) => lines.recall),
      mean(({ lines }) => lines.precision),
      mean(({ lines }) => lines.f1),
      mean(({ blocks }) => blocks.recall),
      mean(({ blocks }) => blocks.precision),
      mean(({ blocks }) => blocks.f1),
    ].map(threeDigits),
    mean(({ tokens }) => tokens).toFixed(0),
  ]
}

function threeDigits(value: number): string {
  return value.toFixed(3)
}

function meanOf<Each>(values: readonly Each[], of: (value: Each) => number | undefined): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + (of(value) ?? 0), 0) / values.length
}

/** Repositories with which weights and cuts were chosen: 13 in 8 languages. None of them is in ContextBench. */
const TUNING = [
  'aio-libs/aiohttp',
  'encode/httpx',
  'honojs/hono',
  'javaparser/javaparser',
  'jekyll/jekyll',
  'kysely-org/kysely',
  'labstack/echo',
  'pallets/click',
  'redis/redis',
  'square/okhttp',
  'streamlit/streamlit',
  'tokio-rs/axum',
  'withastro/astro',
]

/** Repositories for the final figures only: 10 others in 9 languages. */
const HELD_OUT = [
  'actix/actix-web',
  'apache/commons-lang',
  'caddyserver/caddy',
  'charmbracelet/crush',
  'composer/composer',
  'fastify/fastify',
  'libuv/libuv',
  'psf/black',
  'rubocop/rubocop',
  'trpc/trpc',
]

type SetName = 'tuning' | 'held out'

/** The folders of each set. Their paths end with `/owner/name`, `/owner+name` or `/owner+name/repo`. */
function foldersBySet(folders: readonly string[]): ReadonlyMap<SetName, readonly string[]> {
  const sets = [
    ['tuning', TUNING],
    ['held out', HELD_OUT],
  ] as const
  return new Map(sets.map(([set, names]) => [set, folders.filter((folder) => names.includes(repositoryName(folder)))]))
}

/** `owner/name`. */
function repositoryName(folder: string): string {
  const parts = folder.replace(/\/+(?:repo)?\/*$/, '').split('/')
  const last = parts.at(-1) ?? ''
  return last.includes('+') ? last.replace('+', '/') : parts.slice(-2).join('/')
}
