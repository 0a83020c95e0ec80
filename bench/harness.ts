/** A small harness: what is compared runs in turn (A B A B …), so that a machine that drifts drifts for both. */

import { readFileSync } from 'node:fs'

/** Something to be timed. */
export interface Subject {
  readonly name: string
  run(): unknown
}

/** Milliseconds. */
export interface Timing {
  readonly name: string
  readonly median: number
  readonly min: number
  readonly max: number
  readonly runs: number
}

/** A figure beside the limit that it is held to. */
export interface Verdict {
  readonly figure: string
  /** Absent where the figure is not a time. */
  readonly measured?: Timing
  /** What it is measured against, in the same run; absent where the limit is a time. */
  readonly baseline?: Timing
  /** The measured median over the baseline's, taken pair by pair; or the median itself, in milliseconds. */
  readonly value: number
  readonly unit: '×' | 'ms' | 'kB' | 'MB' | 'exponent' | 'files/s' | 'score' | 'count'
  readonly limit: number
  /** The limit is the least that will do; absent: the most. */
  readonly atLeast?: boolean
  readonly held: boolean
}

/** Figures of several subjects side by side. The first column names the subject, the others are numbers. */
export interface Table {
  readonly title: string
  /** What a reader has to know to read it. */
  readonly note?: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** What a suite found. */
export interface Findings {
  readonly verdicts: readonly Verdict[]
  readonly tables?: readonly Table[]
  /** The name its results are kept under, where that is not the suite's. */
  readonly name?: string
}

/** What a suite can be told: see `USAGE` in options.ts. */
export interface BenchOptions {
  readonly corpus?: string
  readonly files?: number
  readonly sets: readonly string[]
  /** Folders of repositories. */
  readonly folders?: readonly string[]
  readonly qmd?: string
  /** A folder with repomix in `node_modules`, and aider-chat in `venv`. */
  readonly peers?: string
  /** Whether Ambit is measured beside its baseline alone. Default: beside all. */
  readonly isQuick?: boolean
  /** A folder of documentations that questions are asked about. */
  readonly questions?: string
  /** A folder with an embedding model. */
  readonly model?: string
}

/** Times the subjects in turn. */
export async function inTurn(subjects: readonly Subject[], { runs = 30, warmup = 5 } = {}): Promise<number[][]> {
  const times = subjects.map((): number[] => [])
  for (let round = -warmup; round < runs; round++) {
    for (const [index, subject] of subjects.entries()) {
      const start = process.hrtime.bigint()
      await subject.run()
      const elapsed = Number(process.hrtime.bigint() - start) / 1e6
      if (round >= 0) times[index]?.push(elapsed)
    }
  }
  return times
}

export function timingOf(name: string, times: readonly number[]): Timing {
  const sorted = [...times].sort((a, b) => a - b)
  return { name, median: medianOf(times), min: sorted[0] ?? 0, max: sorted.at(-1) ?? 0, runs: times.length }
}

export function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  if (sorted.length % 2 === 1) return sorted[middle] ?? 0
  return ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}

/** A figure as a multiple of its baseline: the median of the ratios of the pairs. */
export async function against(
  figure: string,
  [measured, baseline]: readonly [Subject, Subject],
  { limit, ...rounds }: { limit: number; runs?: number; warmup?: number },
): Promise<Verdict> {
  const [ours = [], theirs = []] = await inTurn([measured, baseline], rounds)
  const value = medianOf(ours.map((time, index) => time / (theirs[index] ?? 1)))
  return {
    figure,
    measured: timingOf(measured.name, ours),
    baseline: timingOf(baseline.name, theirs),
    value,
    unit: '×',
    limit,
    held: value <= limit,
  }
}

/** A figure in milliseconds. */
export function within(figure: string, times: readonly number[], limit: number): Verdict {
  const measured = timingOf(figure, times)
  return { figure, measured, value: measured.median, unit: 'ms', limit, held: measured.median <= limit }
}

/** A figure that is not a time. */
export function bound(
  figure: string,
  value: number,
  { unit, limit, atLeast = false }: Pick<Verdict, 'unit' | 'limit' | 'atLeast'>,
): Verdict {
  return { figure, value, unit, limit, atLeast, held: atLeast ? value >= limit : value <= limit }
}

/** The most memory that a process had at once, in bytes; 0 when it has ended, or this is not a Linux. */
export function mostMemory(pid: number | 'self' | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(/^VmHWM:\s*(\d+)/m.exec(status)?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}
