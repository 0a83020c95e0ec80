import { statSync } from 'node:fs'
import { join } from 'node:path'
import { inTurn, medianOf, mostMemory } from '../harness.ts'
import { pagePaths } from '../pages.ts'
import { withChanges } from './cache.ts'
import type { BenchQuery } from './queries.ts'
import type { Subject } from './subjects.ts'

/** What is measured inside of a process that holds one subject. Times are milliseconds, sizes bytes. */
export interface Built {
  readonly documents: number
  readonly time: number
  readonly size: number
  /** The most memory that the process had, up to here. */
  readonly peak: number
}

export interface Updated {
  /** An update when nothing changed. */
  readonly unchanged: number
  /** Walking the same tree and asking for the state of each file, in turn with it. */
  readonly walk: number
  /** The first over the second, pair by pair. */
  readonly overWalk: number
  /** An update after one percent of the files changed. */
  readonly changed: number
}

export interface Latency {
  readonly p50: number
  readonly p95: number
  /** Of the first query of all, with nothing warm. */
  readonly first: number
  readonly empty: number
  /** The share of sentences whose document is among the first ten. */
  readonly found: number
}

export interface Asked {
  readonly words: Latency
  readonly sentence: Latency
  readonly peak: number
}

/** Answers that are asked for. */
const K = 10

export async function measureBuild(subject: Subject, dir: string): Promise<Built> {
  const start = performance.now()
  const documents = await subject.build(dir)
  return { documents, time: performance.now() - start, size: await subject.size(), peak: peakMemory() }
}

/** `isLarge`: so much that once has to do. */
export async function measureUpdate(subject: Subject, dir: string, isLarge = false): Promise<Updated | undefined> {
  const { update } = subject
  if (update === undefined) return undefined
  const rounds = isLarge ? { runs: 1, warmup: 0 } : { runs: 7, warmup: 1 }
  const again = { name: 'update', run: () => expectChanged(update(dir), 0) }
  const [unchanged = [], walk = []] = await inTurn([again, { name: 'walk', run: () => walked(dir) }], rounds)
  const changes: number[] = []
  for (let seed = 1; seed <= (isLarge ? 1 : 3); seed++) {
    const changed = await withChanges(dir, { percent: 1, seed }, async (paths) => {
      const start = performance.now()
      await expectChanged(update(dir), paths.length)
      return performance.now() - start
    })
    changes.push(changed)
    await update(dir)
  }
  return {
    unchanged: medianOf(unchanged),
    walk: medianOf(walk),
    overWalk: medianOf(unchanged.map((time, at) => time / (walk[at] ?? 1))),
    changed: medianOf(changes),
  }
}

/** An update that does not see what changed would be fast for nothing. */
async function expectChanged(update: Promise<number>, expected: number): Promise<void> {
  const changed = await update
  if (changed !== expected) throw new Error(`${expected} files changed, and ${changed} were indexed anew`)
}

/** The least that an update has to do. */
function walked(dir: string): number {
  return pagePaths(dir).reduce((sum, path) => sum + statSync(join(dir, path)).size, 0)
}

/** Rounds over all queries stop when this many milliseconds are used up. */
const PATIENCE = { rounds: 6, time: 30_000 }

export async function measureQueries(subject: Subject, queries: readonly BenchQuery[]): Promise<Asked> {
  const times: number[][] = queries.map(() => [])
  const answers: (readonly string[])[] = []
  const started = performance.now()
  let first = 0
  for (let round = 0; round < PATIENCE.rounds; round++) {
    if (round > 0 && performance.now() - started > PATIENCE.time) break
    for (const [index, { text }] of queries.entries()) {
      const start = performance.now()
      const answer = await subject.query(text, K)
      const time = performance.now() - start
      times[index]?.push(time)
      if (round === 0) answers[index] = answer
      if (round === 0 && index === 0) first = time
    }
  }
  const of = (kind: BenchQuery['kind']) => latencyOf({ kind, queries, answers, times, first })
  return { words: of('words'), sentence: of('sentence'), peak: peakMemory() }
}

interface Round {
  readonly kind: BenchQuery['kind']
  readonly queries: readonly BenchQuery[]
  readonly answers: readonly (readonly string[])[]
  readonly times: readonly (readonly number[])[]
  readonly first: number
}

/** Of each query the median of its rounds, without the first where there are more; of these the percentiles. */
function latencyOf({ kind, queries, answers, times, first }: Round): Latency {
  const indexes = [...queries.keys()].filter((index) => queries[index]?.kind === kind)
  const medians = indexes.map((index) => medianOf((times[index] ?? []).slice((times[index]?.length ?? 0) > 1 ? 1 : 0)))
  const found = indexes.filter((index) => answers[index]?.includes(queries[index]?.from ?? ''))
  return {
    p50: percentile(medians, 0.5),
    p95: percentile(medians, 0.95),
    first,
    empty: indexes.filter((index) => answers[index]?.length === 0).length,
    found: indexes.length === 0 ? 0 : found.length / indexes.length,
  }
}

/** The smallest value that so large a share of the values is not above. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0
}

/**
 * The most memory this process had at once. Linux counts it anew for each program; elsewhere the number of the system
 * may include what the parent had.
 */
function peakMemory(): number {
  return mostMemory('self') || process.resourceUsage().maxRSS * 1024
}
