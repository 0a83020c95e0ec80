/** Articles of a benchmark: Ambit researches each of its questions, and goes on where it was interrupted. */

import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Engine } from '../../src/engine/engine.ts'
import type { ResearchReport } from '../../src/research/answers.ts'
import type { ResearchRequest } from '../../src/research/input.ts'
import { readRunState } from '../../src/research/run/journal.ts'

export interface BenchQuestion {
  readonly id: string | number
  readonly prompt: string
  /** What is asked of research for this one, beside what is asked for all. */
  readonly request?: Partial<ResearchRequest>
}

export interface BenchArticle {
  readonly id: string | number
  readonly prompt: string
  readonly article: string
  /** What every search and page that was read is cited by, whether it is cited or not. */
  readonly retrieved: readonly string[]
  readonly searches: number
  /** The model that researched it. */
  readonly model: string
}

export interface Answering {
  readonly engine: Engine
  readonly model: string
  readonly request: Partial<ResearchRequest>
  /** The file of articles: a line of JSON for each. */
  readonly out: string
  readonly say: (line: string) => void
  /** How a report becomes an article of the benchmark. */
  readonly articleOf: (report: ResearchReport) => string
}

/** Those that the file does not have of this model yet are researched. One that fails is told, and is not among them. */
export async function answerQuestions(
  questions: readonly BenchQuestion[],
  { engine, model, request, out, say, articleOf }: Answering,
): Promise<BenchArticle[]> {
  mkdirSync(dirname(out), { recursive: true })
  const written = existsSync(out) ? readLines<BenchArticle>(out).filter((one) => one.model === model) : []
  const known = new Map(written.map((one) => [`${one.id}`, one] as const))
  const research = await engine.research()
  const { runs } = (await engine.library()).port
  for (const { id, prompt, request: own = {} } of questions) {
    if (known.get(`${id}`)?.prompt === prompt) continue
    try {
      const { session_id } = await research.create({ ...request, ...own, question: prompt, plan: false })
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

/** The objects of a file of JSON lines; what was cut off at its end is left out. */
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

/** The text with each citation, which is the number of its source, as `written` has it; undefined leaves it. */
export function rewriteCitations(
  { markdown, sources }: ResearchReport,
  written: (source: ResearchReport['sources'][number]) => string | undefined,
): string {
  return markdown.replace(/\[(\d{1,6})\]/g, (whole, number: string) => {
    const source = sources[Number(number) - 1]
    return (source && written(source)) ?? whole
  })
}

/** Citations of the web as links, `[title](url)`, which is what the benchmarks read. */
export function citeAsLinks(report: ResearchReport): string {
  return rewriteCitations(report, ({ kind, ref, title }) =>
    kind === 'web' ? `[${title.replace(/[[\]]/g, '') || ref}](${ref})` : undefined,
  )
}
