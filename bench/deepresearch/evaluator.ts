/** The program of a benchmark that judges articles: it stays its own, so that the figures are those that others have. */

import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Engine } from '../../src/engine/engine.ts'
import type { ResearchReport } from '../../src/research/answers.ts'
import type { BenchArticle, BenchQuestion } from './articles.ts'

export interface Figure {
  readonly name: string
  readonly value: number
}

export interface Evaluating {
  /** The checkout of the benchmark. */
  readonly data: string
  /** The Python in which its packages are installed. */
  readonly python: string
  readonly judge: string
  readonly limit: number | undefined
}

/** A public benchmark of research: its questions, and its own program that judges what was answered. */
export interface Benchmark {
  readonly name: string
  /** The model that judges, by which figures are published. */
  readonly judge: string
  /** What is to be there before anything is paid for. @throws Error that says what is missing. */
  check(evaluating: Evaluating): void
  questions(evaluating: Evaluating): readonly BenchQuestion[]
  /** What is needed before the first question: a corpus. */
  prepare?(evaluating: Evaluating, engine: Engine): Promise<void>
  articleOf(report: ResearchReport): string
  judged(articles: readonly BenchArticle[], evaluating: Evaluating): Promise<readonly Figure[]>
}

/** @throws Error where it is no checkout of the benchmark, or lacks something that a person has to download. */
export function needFile(data: string, path: string, hint: string): string {
  const found = join(data, path)
  if (existsSync(found)) return found
  throw new Error(`There is no ${found}. ${hint}`)
}

/** @throws Error where a variable is not set that the program needs. */
export function needKeys(names: readonly string[]): void {
  const missing = names.filter((name) => !process.env[name])
  if (missing.length > 0) throw new Error(`Set ${missing.join(' and ')}: the judge of the benchmark needs it.`)
}

/** Runs a part of the program in its checkout. What it says goes to stderr. @throws Error where it fails. */
export async function evaluate({ python, data }: Evaluating, args: readonly string[]): Promise<void> {
  const child = spawn(python, args, { cwd: data, stdio: ['ignore', 2, 2] })
  const { promise, resolve, reject } = Promise.withResolvers<number | null>()
  child.on('error', (cause) => reject(new Error(`${python} cannot be started.`, { cause })))
  child.on('close', resolve)
  const status = await promise
  if (status !== 0) throw new Error(`${python} ${args.slice(0, 3).join(' ')} ended with ${status}.`)
}

/** A judge that stands in the sources of the program: another one than is pinned would make other figures. */
export function assertJudge(
  data: string,
  { variable, judge }: { readonly variable: string; readonly judge: string },
): void {
  const path = needFile(data, 'utils/api.py', 'Give the checkout of Ayanami0730/deep_research_bench.')
  const found = new RegExp(`^${variable}\\s*=\\s*["']([^"']+)["']`, 'm').exec(readFileSync(path, 'utf8'))?.[1]
  if (found === judge) return
  throw new Error(
    `${path} judges with ${found ?? 'an unknown model'}, not with ${judge}. Change it there, or give --judge.`,
  )
}

/** `Overall Score: 0.4218` and the like, a line each. */
export function figuresIn(path: string): Figure[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, name, value] = /^([^:]+):\s*(-?\d+(?:\.\d+)?)\s*$/.exec(line) ?? []
      return name === undefined ? [] : [{ name, value: Number(value) }]
    })
}
