/** DeepResearch Bench: RACE compares an article with a reference, FACT checks whether its citations support it. */

import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type BenchArticle, type BenchQuestion, citeAsLinks, readLines } from './articles.ts'
import {
  assertJudge,
  type Benchmark,
  type EvaluationOptions,
  evaluate,
  figuresIn,
  needFile,
  needKeys,
} from './evaluator.ts'

const CHECKOUT = 'Give the checkout of Ayanami0730/deep_research_bench.'
const QUERIES = 'data/prompt_data/query.jsonl'
const RAW = 'data/test_data/raw_data'
const NAME = 'ambit'
const AT_ONCE = '5'

const questions: Benchmark['questions'] = ({ data }) => {
  const all = readLines<{ id: number; prompt: string; language: string }>(needFile(data, QUERIES, CHECKOUT))
  return all.map(({ id, prompt, language }): BenchQuestion => ({ id, prompt, request: { web: 'default', language } }))
}

/**
 * Writes the articles where the program looks for them. Removes its results for earlier articles, because it would reuse them.
 */
function writeRaw(data: string, articles: readonly BenchArticle[], results: string): string {
  rmSync(join(data, 'data/test_data/cleaned_data', `${NAME}.jsonl`), { force: true })
  rmSync(join(data, results), { recursive: true, force: true })
  const path = join(data, RAW, `${NAME}.jsonl`)
  mkdirSync(dirname(path), { recursive: true })
  const lines = articles.map(({ id, prompt, article }) => `${JSON.stringify({ id, prompt, article })}\n`)
  writeFileSync(path, lines.join(''))
  return join(RAW, `${NAME}.jsonl`)
}

export const race: Benchmark = {
  name: 'race',
  judge: 'gemini-2.5-pro-preview-06-05',
  check: ({ data, judge }) => {
    needFile(data, QUERIES, CHECKOUT)
    needKeys(['GEMINI_API_KEY'])
    assertJudge(data, { variable: 'Model', judge })
  },
  questions,
  articleOf: citeAsLinks,
  judgeArticles: async (articles, evaluating) => {
    const { data, limit } = evaluating
    const out = `results/race/${NAME}`
    writeRaw(data, articles, out)
    const few = limit === undefined ? [] : ['--limit', `${limit}`]
    const places = ['--raw_data_dir', RAW, '--query_file', QUERIES, '--output_dir', out, '--max_workers', AT_ONCE]
    await evaluate(evaluating, ['-u', 'deepresearch_bench_race.py', NAME, ...places, ...few, '--force'])
    return figuresIn(join(data, out, 'race_result.txt'))
  },
}

export const fact: Benchmark = {
  name: 'fact',
  judge: 'gemini-2.5-flash-preview-05-20',
  check: ({ data, judge }) => {
    needFile(data, QUERIES, CHECKOUT)
    needKeys(['GEMINI_API_KEY', 'JINA_API_KEY'])
    assertJudge(data, { variable: 'FACT_Model', judge })
  },
  questions,
  articleOf: citeAsLinks,
  judgeArticles: async (articles, evaluating) => {
    const { data } = evaluating
    const out = `results/fact/${NAME}`
    const raw = writeRaw(data, articles, out)
    mkdirSync(join(data, out), { recursive: true })
    const at = (name: string) => `${out}/${name}.jsonl`
    await factStep(evaluating, 'extract', { from: raw, to: at('extracted'), hasQueries: true })
    await factStep(evaluating, 'deduplicate', { from: at('extracted'), to: at('deduplicated'), hasQueries: true })
    await factStep(evaluating, 'scrape', { from: at('deduplicated'), to: at('scraped'), hasQueries: false })
    await factStep(evaluating, 'validate', { from: at('scraped'), to: at('validated'), hasQueries: true })
    await evaluate(evaluating, [
      '-u',
      '-m',
      'utils.stat',
      '--input_path',
      at('validated'),
      '--output_path',
      `${out}/fact_result.txt`,
    ])
    return figuresIn(join(data, out, 'fact_result.txt'))
  },
}

interface FactStep {
  readonly from: string
  readonly to: string
  readonly hasQueries: boolean
}

async function factStep(
  evaluating: EvaluationOptions,
  name: string,
  { from, to, hasQueries }: FactStep,
): Promise<void> {
  const queries = hasQueries ? ['--query_data_path', QUERIES] : []
  const places = ['--raw_data_path', from, '--output_path', to, ...queries, '--n_total_process', AT_ONCE]
  await evaluate(evaluating, ['-u', '-m', `utils.${name}`, ...places])
}
