/** Where results and progress are kept. The page of figures is made of the results. */

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { arch, cpus, platform } from 'node:os'
import { dirname, join } from 'node:path'
import type { Figures, Part, Progress, Tier } from './proving.ts'

const ROOT = dirname(dirname(import.meta.dirname))

/** One run of a part. */
export interface Result {
  readonly date: string
  /** Of what ran, short; a `+` at its end where files were changed since. Absent without Git, and in older results. */
  readonly commit?: string
  readonly seed: number
  readonly seconds: number
  readonly figures: Figures
  /** A sentence for each promise that did not hold. */
  readonly lost: readonly string[]
  readonly machine: object
}

/** What is known of a part: the last run of each tier. Those of `ci` are not kept. */
export interface Known {
  readonly part: string
  readonly claim: string
  readonly quick?: Result
  readonly full?: Result
}

const resultAt = (part: string) => join(ROOT, 'prove', 'results', `${part}.json`)

export function knownOf({ name, claim }: Pick<Part, 'name' | 'claim'>): Known {
  const path = resultAt(name)
  const kept: Partial<Known> = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
  return { ...kept, part: name, claim }
}

export function keep(part: Part, tier: Tier, { seed, seconds, figures, lost }: Progress): void {
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
  writeFileSync(resultAt(part.name), `${JSON.stringify({ ...knownOf(part), [tier]: result }, null, 2)}\n`)
}

/** What a run of the proof depends on: its own results do not count as a change. */
const RUNS = ['src', 'scripts', 'bench', 'test', 'package-lock.json']

function commitOf(): string | undefined {
  const git = (...args: string[]) => execFileSync('git', ['-C', ROOT, ...args], { encoding: 'utf8', stdio: 'pipe' })
  try {
    const commit = git('rev-parse', '--short=8', 'HEAD').trim()
    return git('status', '--porcelain', '--', ...RUNS).trim() === '' ? commit : `${commit}+`
  } catch {
    return undefined
  }
}

const progressAt = (part: string, tier: Tier) => join(ROOT, '.cache', 'prove', `${part}-${tier}.json`)

/** What an earlier run has left undone. */
export function leftOf(part: string, tier: Tier): Progress | undefined {
  const path = progressAt(part, tier)
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
}

/** Whole or not at all: it may be killed here, too. */
export function leave(part: string, tier: Tier, progress: Progress): void {
  const path = progressAt(part, tier)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(`${path}.new`, JSON.stringify(progress))
  renameSync(`${path}.new`, path)
}

export function forget(part: string, tier: Tier): void {
  rmSync(progressAt(part, tier), { force: true })
}
