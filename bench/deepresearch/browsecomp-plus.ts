/** BrowseComp-Plus: hard questions over a fixed corpus, which is a collection here. */

import { createReadStream, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { ResearchReport } from '../../src/research/answers.ts'
import { type BenchArticle, readLines, rewriteCitations } from './articles.ts'
import { type Benchmark, evaluate, type Figure, needFile, needKeys } from './evaluator.ts'

const CHECKOUT = 'Give the checkout of texttron/BrowseComp-Plus.'
const QUESTIONS = 'data/browsecomp_plus_decrypted.jsonl'
const DECRYPT = `${CHECKOUT} Its scripts_build_index/decrypt_dataset.py makes this file.`
const CORPUS = 'data/corpus.jsonl'
const DOWNLOAD = 'Save the data set Tevatron/browsecomp-plus-corpus there, as JSON lines of { docid, url, text }.'
const NAME = 'browsecomp-plus'
const RUN = 'runs/ambit'

/** The open judge of the leaderboard, which needs a graphics card; others are models of OpenAI. */
const OPEN_JUDGE = 'Qwen/Qwen3-32B'

export const browseComp: Benchmark = {
  name: 'browsecomp',
  judge: 'gpt-4.1',
  check: ({ data, judge }) => {
    needFile(data, 'topics-qrels/qrel_evidence.txt', CHECKOUT)
    needFile(data, QUESTIONS, DECRYPT)
    needFile(data, CORPUS, DOWNLOAD)
    if (judge !== OPEN_JUDGE) needKeys(['OPENAI_API_KEY'])
  },
  questions: ({ data }) => {
    const all = readLines<{ query_id: string | number; query: string }>(needFile(data, QUESTIONS, DECRYPT))
    return all.map(({ query_id, query }) => ({ id: query_id, prompt: query, request: { collections: [NAME] } }))
  },
  prepare: async ({ data }, engine) => {
    const folder = join(data, 'data/corpus')
    await writeCorpus(needFile(data, CORPUS, DOWNLOAD), folder)
    const { collections } = await engine.library()
    const known = await collections.list()
    if (!known.some(({ name }) => name === NAME)) await collections.add({ name: NAME, root: folder })
    await collections.index({ names: [NAME] })
  },
  articleOf: citeByDocument,
  judgeArticles: async (articles, evaluating) => {
    const { data, judge } = evaluating
    writeRun(join(data, RUN), articles)
    const script = judge === OPEN_JUDGE ? 'evaluate_run.py' : 'evaluate_with_openai.py'
    const places = ['--input_dir', RUN, '--ground_truth', QUESTIONS, '--eval_dir', './evals', '--force']
    await evaluate(evaluating, [`scripts_evaluation/${script}`, ...places, '--model', judge])
    return summaryIn(join(data, 'evals/ambit/evaluation_summary.json'))
  },
}

/** Number of documents in a directory: many programs are slow with a directory of 100,000 files. */
const SHELF = 1000

/** Writes each document to a file named by its id, unless the corpus is already written. */
async function writeCorpus(from: string, folder: string): Promise<void> {
  const whole = join(folder, '.complete')
  if (existsSync(whole)) return
  mkdirSync(folder, { recursive: true })
  let count = 0
  for await (const line of createInterface({ input: createReadStream(from), crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === '') continue
    const { docid, text } = JSON.parse(line)
    const shelf = join(folder, `${Math.floor(count++ / SHELF)}`)
    if (count % SHELF === 1) mkdirSync(shelf, { recursive: true })
    writeFileSync(join(shelf, `${encodeURIComponent(docid)}.md`), text)
  }
  if (count === 0) throw new Error(`${from} is empty. ${DOWNLOAD}`)
  writeFileSync(whole, `${count}\n`)
}

/** `ambit://browsecomp-plus/3/18639.md#L1-L9` is document 18639. */
function documentOf(ref: string): string | undefined {
  const name = /^ambit:\/\/browsecomp-plus\/\d+\/([^/#]+)\.md(?:#|$)/.exec(ref)?.[1]
  return name === undefined ? undefined : decodeURIComponent(decodeURIComponent(name))
}

function citeByDocument(report: ResearchReport): string {
  return rewriteCitations(report, ({ ref }) => {
    const id = documentOf(ref)
    return id === undefined ? undefined : `[${id}]`
  })
}

function writeRun(folder: string, articles: readonly BenchArticle[]): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const { id, article, retrieved, searches } of articles) {
    const ids = [...new Set(retrieved.flatMap((ref) => documentOf(ref) ?? []))]
    const run = {
      metadata: { model: 'ambit' },
      query_id: `${id}`,
      tool_call_counts: { search: searches },
      status: 'completed',
      retrieved_docids: ids,
      result: [{ type: 'output_text', output: article }],
    }
    writeFileSync(join(folder, `${encodeURIComponent(id)}.json`), JSON.stringify(run))
  }
}

function summaryIn(path: string): Figure[] {
  const summary: Readonly<Record<string, unknown>> = JSON.parse(readFileSync(path, 'utf8'))
  return ['Accuracy (%)', 'Recall (%)', 'Calibration Error (%)'].flatMap((name) =>
    typeof summary[name] === 'number' ? [{ name, value: summary[name] }] : [],
  )
}
