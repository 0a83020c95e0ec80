import { statSync } from 'node:fs'
import { join } from 'node:path'
import { inTurn, medianOf, mostMemory } from '../harness.ts'
import { pagePaths } from '../pages.ts'
import { withChanges } from './cache.ts'
import type { BenchQuery } from './queries.ts'
import type { Subject } from './subjects.ts'

/** The cost of building an index, measured in the process of the subject. Times are in milliseconds, sizes in bytes. */
export interface BuildCost {
  readonly documents: number
  readonly time: number
  readonly size: number
  /** The peak memory of the process, up to here. */
  readonly peak: number
}

export interface UpdateCost {
  /** The time of an update when nothing changed. */
  readonly unchanged: number
  /** The time of walking the same tree and reading the state of each file, measured in turn with the update. */
  readonly walk: number
  /** `unchanged` divided by `walk`, pair by pair. */
  readonly overWalk: number
  /** The time of an update after one percent of the files changed. */
  readonly changed: number
}

export interface Latency {
  readonly p50: number
  readonly p95: number
  /** The time of the very first query, without warm caches. */
  readonly first: number
  readonly empty: number
  /** The share of sentences whose document is among the first ten. */
  readonly found: number
}

export interface QueryCost {
  readonly words: Latency
  readonly sentence: Latency
  readonly peak: number
}

/** Number of results of a query. */
const K = 10

export async function measureBuild(subject: Subject, dir: string): Promise<BuildCost> {
  const start = performance.now()
  const documents = await subject.build(dir)
  return { documents, time: performance.now() - start, size: await subject.size(), peak: peakMemory() }
}

/** `isLarge`: the corpus is so large that the update is measured only once. */
export async function measureUpdate(subject: Subject, dir: string, isLarge = false): Promise<UpdateCost | undefined> {
  const { update } = subject
  if (update === undefined) return undefined
  const rounds = isLarge ? { runs: 1, warmup: 0 } : { runs: 7, warmup: 1 }
  const again = { name: 'update', run: () => expectChanged(update(dir), 0) }
  const [unchanged = [], walk = []] = await inTurn([again, { name: 'walk', run: () => walkFiles(dir) }], rounds)
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

/** Checks that an update found the changes. An update that misses them would be fast but wrong. */
async function expectChanged(update: Promise<number>, expected: number): Promise<void> {
  const changed = await update
  if (changed !== expected) throw new Error(`${expected} files changed, but ${changed} were indexed again`)
}

/** The minimum that an update has to do. */
function walkFiles(dir: string): number {
  return pagePaths(dir).reduce((sum, path) => sum + statSync(join(dir, path)).size, 0)
}

/** Maximum number of rounds over all queries, and the milliseconds after which no further round starts. */
const QUERY_LIMITS = { rounds: 6, time: 30_000 }

export async function measureQueries(subject: Subject, queries: readonly BenchQuery[]): Promise<QueryCost> {
  const times: number[][] = queries.map(() => [])
  const answers: (readonly string[])[] = []
  const started = performance.now()
  let first = 0
  for (let round = 0; round < QUERY_LIMITS.rounds; round++) {
    if (round > 0 && performance.now() - started > QUERY_LIMITS.time) break
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

/** Percentiles of the queries' median times. The first round counts only if it is the only one. */
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

/** The smallest value that is not exceeded by the given share of the values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0
}

/**
 * The peak memory of this process. Linux counts it for each program separately; on other systems it may include memory of the
 * parent.
 */
function peakMemory(): number {
  return mostMemory('self') || process.resourceUsage().maxRSS * 1024
}
