/** Runs the benchmark's own program that judges articles, so that the figures are comparable with published ones. */

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

export interface EvaluationOptions {
  /** The checkout of the benchmark. */
  readonly data: string
  /** The Python in which its packages are installed. */
  readonly python: string
  readonly judge: string
  readonly limit: number | undefined
}

/** A public benchmark of research: its questions, and its own program that judges the answers. */
export interface Benchmark {
  readonly name: string
  /** The judge of published figures. */
  readonly judge: string
  /** Checks that all files and keys exist, before any request is paid for. @throws Error that says what is missing */
  check(evaluating: EvaluationOptions): void
  questions(evaluating: EvaluationOptions): readonly BenchQuestion[]
  /** Prepares what the questions need, such as a corpus. */
  prepare?(evaluating: EvaluationOptions, engine: Engine): Promise<void>
  articleOf(report: ResearchReport): string
  judgeArticles(articles: readonly BenchArticle[], evaluating: EvaluationOptions): Promise<readonly Figure[]>
}

/** The path of a file in the checkout of the benchmark. @throws Error with the hint if the file is missing */
export function needFile(data: string, path: string, hint: string): string {
  const found = join(data, path)
  if (existsSync(found)) return found
  throw new Error(`There is no ${found}. ${hint}`)
}

/** @throws Error if an environment variable that the program needs is not set */
export function needKeys(names: readonly string[]): void {
  const missing = names.filter((name) => !process.env[name])
  if (missing.length > 0) throw new Error(`Set ${missing.join(' and ')}: the judge of the benchmark needs it.`)
}

/** Runs a part of the program in its checkout. Its output goes to stderr. @throws Error if it fails */
export async function evaluate({ python, data }: EvaluationOptions, args: readonly string[]): Promise<void> {
  const child = spawn(python, args, { cwd: data, stdio: ['ignore', 2, 2] })
  const { promise, resolve, reject } = Promise.withResolvers<number | null>()
  child.on('error', (cause) => reject(new Error(`${python} cannot be started.`, { cause })))
  child.on('close', resolve)
  const status = await promise
  if (status !== 0) throw new Error(`${python} ${args.slice(0, 3).join(' ')} ended with ${status}.`)
}

/** Checks the judge in the sources of the program, because another judge gives other figures. @throws Error for another judge */
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

/** The figures of a file that has a line for each, such as `Overall Score: 0.4218`. */
export function figuresIn(path: string): Figure[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, name, value] = /^([^:]+):\s*(-?\d+(?:\.\d+)?)\s*$/.exec(line) ?? []
      return name === undefined ? [] : [{ name, value: Number(value) }]
    })
}
