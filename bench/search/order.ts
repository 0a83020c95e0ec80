import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { medianOf } from '../harness.ts'
import {
  type BuildCost,
  measureBuild,
  measureQueries,
  measureUpdate,
  type QueryCost,
  type UpdateCost,
} from './measure.ts'
import type { BenchQuery } from './queries.ts'
import { type Place, SUBJECTS, type SubjectMaker } from './subjects.ts'

/** Describes what a process has to measure. */
interface Order extends Place {
  readonly subject: string
  readonly dir: string
  readonly steps: readonly ('build' | 'update' | 'query')[]
  readonly queries: readonly BenchQuery[]
  /** Whether the corpus is so large that an update is measured only once. */
  readonly isLarge?: boolean
}

interface Report {
  readonly built?: BuildCost
  readonly updated?: UpdateCost
  readonly asked?: QueryCost
}

/** The figures of one subject on one corpus. */
export interface Figures {
  readonly built: BuildCost
  readonly updated?: UpdateCost
  readonly asked: QueryCost
}

/** Documents in memory need more than Node's default heap. */
const HEAP_MB = 6000

function runInProcess(order: Order): Report {
  const folder = mkdtempSync(join(tmpdir(), 'ambit-order-'))
  const path = join(folder, 'order.json')
  writeFileSync(path, JSON.stringify(order))
  const args = [`--max-old-space-size=${HEAP_MB}`, fileURLToPath(import.meta.url), path]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 1e8 })
  rmSync(folder, { recursive: true })
  if (status !== 0) throw new Error(`${order.subject} failed: ${stderr}`)
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
}

/** The part of an order that is the same for all processes of a subject. */
export type Task = Omit<Order, 'subject' | 'store' | 'steps'>

/**
 * Builds, updates and queries an index. An index on disk is queried by a second process, which did not build it. Throws if the
 * subject does not index all files.
 */
export function measureSubject({ name, kept }: SubjectMaker, task: Task, files: number): Figures {
  const store = mkdtempSync(join(tmpdir(), 'ambit-store-'))
  const order = (steps: Order['steps']): Order => ({ ...task, subject: name, store, steps })
  try {
    const first = runInProcess(order(kept ? ['build', 'update'] : ['build', 'query']))
    const asked = kept ? runInProcess(order(['query'])).asked : first.asked
    if (first.built === undefined || asked === undefined) throw new Error(`${name} measured nothing`)
    if (first.built.documents !== files) throw new Error(`${name} indexed ${first.built.documents} of ${files} files`)
    return { built: first.built, asked, ...(first.updated === undefined ? {} : { updated: first.updated }) }
  } finally {
    rmSync(store, { recursive: true, force: true })
  }
}

/** The median of each figure over several runs. */
export function medianFigures(runs: readonly Figures[]): Figures {
  const [first] = runs
  if (first === undefined) throw new Error('Nothing was measured')
  return medianTree(runs) as Figures
}

/** The same structure, with each number replaced by its median. */
function medianTree(values: readonly unknown[]): unknown {
  const [first] = values
  if (typeof first === 'number') return medianOf(values.map(Number))
  if (typeof first !== 'object' || first === null) return first
  const keys = Object.keys(first)
  return Object.fromEntries(
    keys.map((key) => [key, medianTree(values.map((value) => Reflect.get(Object(value), key)))]),
  )
}

/** Executes an order in a process of its own, so that its memory is only the subject's. */
async function measureOrder({ subject: name, steps, dir, queries, isLarge, ...place }: Order): Promise<Report> {
  const maker = SUBJECTS.find((one) => one.name === name)
  if (maker === undefined) throw new Error(`There is no subject ${name}`)
  const subject = await maker.open(place)
  const built = steps.includes('build') ? await measureBuild(subject, dir) : undefined
  const updated = steps.includes('update') ? await measureUpdate(subject, dir, isLarge) : undefined
  const asked = steps.includes('query') ? await measureQueries(subject, queries) : undefined
  await subject.close()
  return { ...(built && { built }), ...(updated && { updated }), ...(asked && { asked }) }
}

if (import.meta.main) {
  const finished = await measureOrder(JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')))
  // The report is the last line, because libraries may print to stdout, too.
  writeSync(1, `\n${JSON.stringify(finished)}\n`)
  process.exit(0)
}
