/** Runs a public benchmark of research. `npm run deepresearch -- NAME --data DIR`. No figure is stored in the repository. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readConfig } from '../../src/engine/config.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { type Prices, priceOf } from '../../src/models/prices.ts'
import { openWith } from '../../src/open.ts'
import { RUN_BUDGET } from '../../src/research/settings.ts'
import { answerQuestions } from './articles.ts'
import { browseComp } from './browsecomp-plus.ts'
import { fact, race } from './deep-research-bench.ts'
import { deepScholar } from './deepscholar.ts'
import type { Benchmark, Figure } from './evaluator.ts'

export const BENCHMARKS: Readonly<Record<string, Benchmark>> = {
  race,
  fact,
  browsecomp: browseComp,
  deepscholar: deepScholar,
}

const USAGE = `usage: npm run deepresearch -- NAME --data DIR [options]
  race, fact   DeepResearch Bench: DIR is a checkout of Ayanami0730/deep_research_bench
  browsecomp   BrowseComp-Plus: a checkout of texttron/BrowseComp-Plus with its data
  deepscholar  DeepScholar-Bench: a checkout of guestrin-lab/deepscholar-bench
  --limit N    only the first N questions
  --model M    the model that researches; default the configured one
  --judge M    another judge than the default; its name is stored with the figures
  --python P   the Python in which the packages of the benchmark are installed; default python3`

export interface DeepResearchOptions {
  readonly data: string
  readonly python: string
  readonly judge?: string | undefined
  readonly limit?: number | undefined
  readonly model?: string | undefined
  readonly say: (line: string) => void
}

/** The result of a run, stored beside the articles. */
export interface DeepResearchResult {
  readonly benchmark: string
  readonly judge: string
  readonly model: string
  readonly asked: number
  readonly answered: number
  readonly figures: readonly Figure[]
}

/** Answers the questions, lets the benchmark judge the articles, and returns its figures. */
export async function runBenchmark(
  benchmark: Benchmark,
  engine: Engine,
  { data, python, judge = benchmark.judge, limit, model, say }: DeepResearchOptions,
): Promise<DeepResearchResult> {
  const evaluating = { data, python, judge, limit }
  benchmark.check(evaluating)
  const questions = benchmark.questions(evaluating).slice(0, limit)
  await benchmark.prepare?.(evaluating, engine)
  const out = join(data, `ambit-${benchmark.name === 'fact' ? 'race' : benchmark.name}.jsonl`)
  const request = { searchCollections: benchmark.prepare !== undefined, ...(model !== undefined && { model }) }
  const { provider, model: name } = engine.config.model ?? {}
  const modelName = model ?? (name === undefined ? 'extractive' : `${provider}/${name}`)
  say(costLine(questions.length, modelName, engine.config.prices))
  const answering = { engine, model: modelName, request, out, say, articleOf: benchmark.articleOf }
  const articles = await answerQuestions(questions, answering)
  if (articles.length === 0) throw new Error('No question was answered: nothing is judged.')
  const figures = await benchmark.judgeArticles(articles, evaluating)
  const result = {
    benchmark: benchmark.name,
    judge,
    model: modelName,
    asked: questions.length,
    answered: articles.length,
    figures,
  }
  writeFileSync(join(data, `ambit-${benchmark.name}.json`), `${JSON.stringify(result, null, 2)}\n`)
  return result
}

/** The maximum cost of the answers, as a sentence. The judge is paid for with its own key. */
export function costLine(questions: number, model: string, prices: Prices = {}): string {
  const { calls, tokens } = RUN_BUDGET
  const price = priceOf(model, prices)
  const most = price && ((questions * tokens) / 1_000_000) * Math.max(price.input, price.output)
  const cost = most === undefined ? 'the price of the model is not known' : `at most $${most.toFixed(2)} together`
  return `${questions} questions by ${model}, each of at most ${calls} requests and ${tokens} tokens: ${cost}.`
}

async function main(args: readonly string[]): Promise<number> {
  const text = { type: 'string' } as const
  const options = { data: text, limit: text, model: text, judge: text, python: text }
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
  const benchmark = BENCHMARKS[positionals[0] ?? '']
  if (!benchmark || values.data === undefined) {
    console.error(USAGE)
    return 2
  }
  const engine = openWith(await readConfig())
  try {
    const limit = values.limit === undefined ? undefined : Number(values.limit)
    const { data, judge, model, python = 'python3' } = values
    const say = (line: string) => console.error(line)
    const result = await runBenchmark(benchmark, engine, { data, python, judge, limit, model, say })
    console.log(`${result.benchmark}, ${result.answered} of ${result.asked} questions, judge ${result.judge}`)
    for (const { name, value } of result.figures) console.log(`${name}: ${value}`)
    return 0
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return 1
  } finally {
    await engine.close()
  }
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2))
