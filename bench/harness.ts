/** A small harness. Subjects run in turn (A B A B …), so that a change of the machine affects all of them. */

import { readFileSync } from 'node:fs'

/** Something to time. */
export interface Subject {
  readonly name: string
  run(): unknown
}

/** The times of a subject in milliseconds. */
export interface Timing {
  readonly name: string
  readonly median: number
  readonly min: number
  readonly max: number
  readonly runs: number
}

/** A figure, and whether it keeps its limit. */
export interface Verdict {
  readonly figure: string
  /** Absent if the figure is not a time. */
  readonly measured?: Timing
  /** The times of the baseline in the same run; absent if the limit is a time. */
  readonly baseline?: Timing
  /** The median of the ratios to the baseline, pair by pair; without a baseline, the figure itself. */
  readonly value: number
  readonly unit: '×' | 'ms' | 'kB' | 'MB' | 'exponent' | 'files/s' | 'score' | 'count'
  readonly limit: number
  /** Whether the limit is a minimum. Default: it is a maximum. */
  readonly atLeast?: boolean
  readonly held: boolean
}

/** Figures of several subjects side by side. The first column names the subject, the others are numbers. */
export interface Table {
  readonly title: string
  /** What a reader must know to read the table. */
  readonly note?: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** The results of a suite. */
export interface Findings {
  readonly verdicts: readonly Verdict[]
  readonly tables?: readonly Table[]
  /** The name under which the results are stored. Default: the name of the suite. */
  readonly name?: string
}

/** The options of a suite: see `USAGE` in options.ts. */
export interface BenchOptions {
  readonly corpus?: string
  readonly files?: number
  readonly sets: readonly string[]
  /** Folders of repositories. */
  readonly folders?: readonly string[]
  readonly qmd?: string
  /** A folder with repomix in `node_modules`, and aider-chat in `venv`. */
  readonly peers?: string
  /** Whether to measure only Ambit and its baseline. Default: all programs. */
  readonly isQuick?: boolean
  /** A folder with the documents of the questions. */
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

/** The peak memory of a process in bytes; 0 if the process has ended, or if the system is not Linux. */
export function mostMemory(pid: number | 'self' | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(/^VmHWM:\s*(\d+)/m.exec(status)?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}
