/** DeepScholar-Bench: the related work of a paper, from its abstract alone. */

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { type BenchArticle, citeAsLinks } from './articles.ts'
import { type Benchmark, evaluate, type Figure, needFile, needKeys } from './evaluator.ts'

const DATASET = 'dataset/papers_with_related_works.csv'
const CHECKOUT = 'Give the checkout of guestrin-lab/deepscholar-bench.'
const RUN = 'ambit-run'
const RESULTS = 'ambit-results'
const MEASURES = ['organization', 'nugget_coverage', 'reference_coverage', 'cite_p']

export const deepScholar: Benchmark = {
  name: 'deepscholar',
  judge: 'gpt-4o',
  check: ({ data }) => {
    needFile(data, DATASET, CHECKOUT)
    needKeys(['OPENAI_API_KEY'])
  },
  questions: ({ data }) => {
    const rows = readCsv(readFileSync(needFile(data, DATASET, CHECKOUT), 'utf8'))
    return rows.map(({ abstract = '', publication_date = '' }, at) => ({
      // The program identifies a paper by its row.
      id: `${at}`,
      prompt: `What related work does the paper with the following abstract build on and compare to? Cite papers of arXiv. Abstract: ${abstract.replace(/\s+/g, ' ').trim()}`,
      // The paper itself and later papers would give the answer away.
      request: { web: 'default', to: dayBefore(publication_date), allowedDomains: ['arxiv.org'] },
    }))
  },
  articleOf: citeAsLinks,
  judgeArticles: async (articles, evaluating) => {
    const { data, judge } = evaluating
    writeRun(join(data, RUN), articles)
    const places = ['--input_folder', RUN, '--output_folder', RESULTS, '--dataset_path', DATASET]
    await evaluate(evaluating, [
      '-m',
      'eval.main',
      '--modes',
      'openai_deepresearch',
      '--evals',
      ...MEASURES,
      ...places,
      '--model_name',
      judge,
    ])
    return resultsIn(join(data, RESULTS, 'results.csv'))
  },
}

function dayBefore(date: string): string {
  const at = Date.parse(date.slice(0, 10))
  if (Number.isNaN(at)) throw new Error(`${DATASET} has ${JSON.stringify(date)} for a day of publication.`)
  return new Date(at - 86_400_000).toISOString().slice(0, 10)
}

/** Writes a folder for each paper, with one file of Markdown. */
function writeRun(folder: string, articles: readonly BenchArticle[]): void {
  rmSync(folder, { recursive: true, force: true })
  for (const { id, article } of articles) {
    mkdirSync(join(folder, `${id}`), { recursive: true })
    writeFileSync(join(folder, `${id}`, 'article.md'), article)
  }
}

function resultsIn(path: string): Figure[] {
  const [row = {}] = readCsv(readFileSync(path, 'utf8'))
  return Object.entries(row).flatMap(([name, value]) =>
    value === '' || Number.isNaN(Number(value)) ? [] : [{ name, value: Number(value) }],
  )
}

/** Rows by the names of their columns. */
function readCsv(text: string): Readonly<Record<string, string>>[] {
  return parse(text, { columns: true, skip_records_with_error: true })
}
