import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { medianOf } from '../harness.ts'
import type { Asked, Built, Updated } from './measure.ts'
import type { BenchQuery } from './queries.ts'
import type { Place, SubjectMaker } from './subject.ts'

/** What a process is to measure. */
export interface Order extends Place {
  readonly subject: string
  readonly dir: string
  readonly steps: readonly ('build' | 'update' | 'query')[]
  readonly queries: readonly BenchQuery[]
  /** So much that an update is measured once. */
  readonly isLarge?: boolean
}

export interface Report {
  readonly built?: Built
  readonly updated?: Updated
  readonly asked?: Asked
}

/** The figures of one subject on one corpus. */
export interface Figures {
  readonly built: Built
  readonly updated?: Updated
  readonly asked: Asked
}

const CHILD = fileURLToPath(new URL('child.ts', import.meta.url))

/** Documents in memory need more than Node gives by itself. */
const HEAP_MB = 6000

function inProcess(order: Order): Report {
  const folder = mkdtempSync(join(tmpdir(), 'ambit-order-'))
  const path = join(folder, 'order.json')
  writeFileSync(path, JSON.stringify(order))
  const args = [`--max-old-space-size=${HEAP_MB}`, CHILD, path]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 1e8 })
  rmSync(folder, { recursive: true })
  if (status !== 0) throw new Error(`${order.subject} failed: ${stderr}`)
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
}

/** What all processes of a subject are told. */
export type Task = Omit<Order, 'subject' | 'store' | 'steps'>

/**
 * Builds, updates and asks. An index on disk is asked by a second process, which has not built it. A subject that does
 * not index all the files is refused.
 */
export function measureSubject({ name, kept }: SubjectMaker, task: Task, files: number): Figures {
  const store = mkdtempSync(join(tmpdir(), 'ambit-store-'))
  const order = (steps: Order['steps']): Order => ({ ...task, subject: name, store, steps })
  try {
    const first = inProcess(order(kept ? ['build', 'update'] : ['build', 'query']))
    const asked = kept ? inProcess(order(['query'])).asked : first.asked
    if (first.built === undefined || asked === undefined) throw new Error(`${name} measured nothing`)
    if (first.built.documents !== files) throw new Error(`${name} indexed ${first.built.documents} of ${files} files`)
    return { built: first.built, asked, ...(first.updated === undefined ? {} : { updated: first.updated }) }
  } finally {
    rmSync(store, { recursive: true, force: true })
  }
}

/** Of several runs each figure's median. */
export function medianFigures(runs: readonly Figures[]): Figures {
  const [first] = runs
  if (first === undefined) throw new Error('Nothing was measured')
  return medianTree(runs) as Figures
}

/** The same shape, with the median in place of each number. */
function medianTree(values: readonly unknown[]): unknown {
  const [first] = values
  if (typeof first === 'number') return medianOf(values.map(Number))
  if (typeof first !== 'object' || first === null) return first
  const keys = Object.keys(first)
  return Object.fromEntries(
    keys.map((key) => [key, medianTree(values.map((value) => Reflect.get(Object(value), key)))]),
  )
}
