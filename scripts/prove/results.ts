/** Stores results and progress. The page of figures is made from the results. */

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { arch, cpus, platform } from 'node:os'
import { dirname, join } from 'node:path'
import type { Figures, Part, Progress, Tier } from './proving.ts'

const ROOT = dirname(dirname(import.meta.dirname))

/** One run of a part. */
export interface Result {
  readonly date: string
  /** Short hash of the commit that ran, with a `+` if files have changed since. Absent without Git, and in older results. */
  readonly commit?: string
  readonly seed: number
  readonly seconds: number
  readonly figures: Figures
  /** A sentence for each promise that did not hold. */
  readonly lost: readonly string[]
  readonly machine: object
}

/** The last result of each tier of a part. Results of `ci` are not stored. */
export interface KnownResults {
  readonly part: string
  readonly claim: string
  readonly quick?: Result
  readonly full?: Result
}

const resultAt = (part: string) => join(ROOT, 'prove', 'results', `${part}.json`)

export function readKnownResults({ name, claim }: Pick<Part, 'name' | 'claim'>): KnownResults {
  const path = resultAt(name)
  const kept: Partial<KnownResults> = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
  return { ...kept, part: name, claim }
}

export function saveResult(part: Part, tier: Tier, { seed, seconds, figures, lost }: Progress): void {
  const machine = {
    node: process.version,
    system: `${platform()}-${arch()}`,
    cores: cpus().length,
    cpu: cpus()[0]?.model,
  }
  const date = new Date().toISOString().slice(0, 10)
  const commit = commitOf()
  const result: Result = {
    date,
    ...(commit !== undefined && { commit }),
    seed,
    seconds: Math.round(seconds),
    figures,
    lost,
    machine,
  }
  mkdirSync(dirname(resultAt(part.name)), { recursive: true })
  writeFileSync(resultAt(part.name), `${JSON.stringify({ ...readKnownResults(part), [tier]: result }, null, 2)}\n`)
}

/** Paths that a run of the proof depends on. Its own results do not count as a change. */
const SOURCES = ['src', 'scripts', 'bench', 'test', 'package-lock.json']

function commitOf(): string | undefined {
  const git = (...args: string[]) => execFileSync('git', ['-C', ROOT, ...args], { encoding: 'utf8', stdio: 'pipe' })
  try {
    const commit = git('rev-parse', '--short=8', 'HEAD').trim()
    return git('status', '--porcelain', '--', ...SOURCES).trim() === '' ? commit : `${commit}+`
  } catch {
    return undefined
  }
}

const progressAt = (part: string, tier: Tier) => join(ROOT, '.cache', 'prove', `${part}-${tier}.json`)

/** The progress of an interrupted run. */
export function readProgress(part: string, tier: Tier): Progress | undefined {
  const path = progressAt(part, tier)
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
}

/** Writes the progress atomically, because the process may be killed at any moment. */
export function saveProgress(part: string, tier: Tier, progress: Progress): void {
  const path = progressAt(part, tier)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(`${path}.new`, JSON.stringify(progress))
  renameSync(`${path}.new`, path)
}

export function removeProgress(part: string, tier: Tier): void {
  rmSync(progressAt(part, tier), { force: true })
}
