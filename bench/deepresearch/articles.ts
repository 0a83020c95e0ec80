/** Researches each question of a benchmark, and writes an article. Resumes after an interruption. */

import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Engine } from '../../src/engine/engine.ts'
import type { ResearchReport } from '../../src/research/answers.ts'
import type { ResearchRequest } from '../../src/research/input.ts'
import { readRunState } from '../../src/research/run/journal.ts'

export interface BenchQuestion {
  readonly id: string | number
  readonly prompt: string
  /** Research options of this question, besides those of all questions. */
  readonly request?: Partial<ResearchRequest>
}

export interface BenchArticle {
  readonly id: string | number
  readonly prompt: string
  readonly article: string
  /** References of everything that was found or read, cited or not. */
  readonly retrieved: readonly string[]
  readonly searches: number
  /** The model that researched it. */
  readonly model: string
}

export interface AnswerOptions {
  readonly engine: Engine
  readonly model: string
  readonly request: Partial<ResearchRequest>
  /** The file of articles: a line of JSON for each. */
  readonly out: string
  readonly say: (line: string) => void
  /** Converts a report to an article of the benchmark. */
  readonly articleOf: (report: ResearchReport) => string
}

/** Researches the questions for which the file has no article of this model yet. A failure is reported, and gives no article. */
export async function answerQuestions(
  questions: readonly BenchQuestion[],
  { engine, model, request, out, say, articleOf }: AnswerOptions,
): Promise<BenchArticle[]> {
  mkdirSync(dirname(out), { recursive: true })
  const written = existsSync(out) ? readLines<BenchArticle>(out).filter((one) => one.model === model) : []
  const known = new Map(written.map((one) => [`${one.id}`, one] as const))
  const research = await engine.research()
  const { runs } = (await engine.library()).port
  for (const { id, prompt, request: ownRequest = {} } of questions) {
    if (known.get(`${id}`)?.prompt === prompt) continue
    try {
      const { session_id } = await research.create({ ...request, ...ownRequest, question: prompt, plan: false })
      await research.run(session_id)
      const report = await research.report(session_id)
      const state = await readRunState(runs, { id: session_id, question: prompt })
      const retrieved = [...state.passages.keys()]
      const searches = [...state.results.keys()].filter((name) => /\/search-\d+$/.test(name)).length
      const article = { id, prompt, article: articleOf(report), retrieved, searches, model }
      appendFileSync(out, `${JSON.stringify(article)}\n`)
      known.set(`${id}`, article)
      say(`${known.size} of ${questions.length}: ${id}`)
    } catch (error) {
      say(`${id} failed: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return questions.flatMap(({ id }) => known.get(`${id}`) ?? [])
}

/** The objects of a file of JSON lines. An incomplete last line is left out. */
export function readLines<Value>(path: string): Value[] {
  const lines = readFileSync(path, 'utf8').split('\n')
  return lines.flatMap((line, at) => {
    if (line.trim() === '') return []
    try {
      return [JSON.parse(line) as Value]
    } catch (error) {
      if (at === lines.length - 1) return []
      throw new Error(`${path}, line ${at + 1} is not JSON.`, { cause: error })
    }
  })
}

/** Replaces each citation, such as `[3]`, by what `written` returns for its source. Undefined leaves the citation. */
export function rewriteCitations(
  { markdown, sources }: ResearchReport,
  written: (source: ResearchReport['sources'][number]) => string | undefined,
): string {
  return markdown.replace(/\[(\d{1,6})\]/g, (whole, number: string) => {
    const source = sources[Number(number) - 1]
    return (source && written(source)) ?? whole
  })
}

/** Writes citations of web pages as links, `[title](url)`, which the benchmarks read. */
export function citeAsLinks(report: ResearchReport): string {
  return rewriteCitations(report, ({ kind, ref, title }) =>
    kind === 'web' ? `[${title.replace(/[[\]]/g, '') || ref}](${ref})` : undefined,
  )
}
