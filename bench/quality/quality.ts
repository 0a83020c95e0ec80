/**
 * How good search is, in one command that fetches nothing: `npm run quality [-- --set DIR] [-- --write]`. It asks the sets of the
 * repository, and folders of one's own with a set in the form of BEIR or with Markdown, as a person asks: with meaning. What was reached before stands in
 * `test/quality/reached.json`; a figure that falls by more than its noise ends the command with 1.
 */

import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { libraryOver } from '../../src/collections/library.ts'
import { readAsset } from '../../src/files/home.ts'
import { FilePassages } from '../../src/research/extractive/passages.ts'
import { route } from '../../src/research/routing/route.ts'
import { spansOf } from '../../src/research/run/spans.ts'
import { NearestPassages } from '../../src/retrieval/nearest-passages.ts'
import { splitTextUnits } from '../../src/retrieval/units.ts'
import { openSqlite } from '../../src/stores/sqlite/sqlite.ts'
import { keepResults } from '../report.ts'
import { labelledGroups, questionScores } from '../research/labelled.ts'
import { foldMarks } from '../research/question-sets.ts'
import type { JudgedSet } from './collection.ts'
import { documentsOf } from './documentation.ts'
import { answersTo, bootstrapInterval, meanOf, ndcg } from './measure.ts'
import { rankerOver } from './rankers/ambit.ts'
import { openOwnSets, openSet } from './sets.ts'

const SETS = fileURLToPath(new URL('../../test/quality/', import.meta.url))
const REACHED = join(SETS, 'reached.json')

/** A score of each question, 0 to 1. */
export interface Figure {
  readonly name: string
  readonly scores: readonly number[]
}

/** The figures of the repository's own sets, and of others. */
export async function qualityOf(sets: readonly JudgedSet[]): Promise<Figure[]> {
  const searched: Figure[] = []
  for (const set of sets) searched.push(await searchFigure(set))
  return [...searched, await passagesFigure(), answersFigure(), broadFigure(), routingFigure()]
}

/** nDCG@10 of the documents. */
async function searchFigure(set: JudgedSet): Promise<Figure> {
  const open = () =>
    rankerOver({
      open: async () => openSqlite(':memory:'),
      search: async (store, query, limit) => {
        const { results } = await libraryOver(store).search({ query, limit })
        return results.map(({ path }) => path)
      },
      hashOf: ({ id, title, text }) =>
        createHash('sha256')
          .update(JSON.stringify([id, title, text]))
          .digest('hex'),
    })
  const answers = await answersTo({ name: 'Ambit', open }, set)
  return {
    name: `search: ${set.name}, nDCG@10`,
    scores: answers.map(({ ranking, relevance }) => ndcg(ranking, relevance, 10)),
  }
}

interface UnsharedRow {
  readonly question: string
  readonly gold: string
}

/** Whether the sentence that answers is among the first three passages, of questions that share no word with it. */
async function passagesFigure(): Promise<Figure> {
  const texts = (await Array.fromAsync(documentsOf(join(SETS, 'harbour/guides')))).map(({ title, text }) =>
    splitTextUnits(text, { title }),
  )
  const ranking = new NearestPassages(texts.flat(), () => readAsset('word-vectors.bin'))
  const rows: UnsharedRow[] = readFileSync(join(SETS, 'unshared.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const isAnswer = (text: string, gold: string) => text.replaceAll(/\s+/g, ' ').includes(gold)
  const scores = rows.map(({ question, gold }) => {
    return Number(
      ranking
        .rank(question)
        .slice(0, 3)
        .some(({ unit }) => isAnswer(unit.text, gold)),
    )
  })
  return { name: 'passages: questions without a shared word, in the first three', scores }
}

const CLAIMS = fileURLToPath(new URL('../../test/research/claims/', import.meta.url))

interface AskedQuestion {
  readonly docs: readonly string[]
  readonly question: string
  readonly answerable: boolean
  readonly gold_sentences: readonly string[]
}

interface BroadQuestion extends Pick<AskedQuestion, 'docs' | 'question'> {
  readonly points: readonly { readonly lines: readonly { readonly text: string }[] }[]
}

const readClaims = (name: string) => readFileSync(join(CLAIMS, name), 'utf8')

/** What research without a model shows of a question, up to so many passages of each of its parts. */
function shownOf({ docs, question }: Pick<AskedQuestion, 'docs' | 'question'>, most?: number) {
  const files = docs.map((name) => {
    const [text, isCsv] = [readClaims(`docs/${name}`), name.endsWith('.csv')]
    const syntax = name.endsWith('.md') ? ('markdown' as const) : ('plain' as const)
    return { alias: name, title: name, text, isCsv, spans: spansOf({ text, syntax, isCsv }) }
  })
  const rows = new Map(files.flatMap(({ alias, spans }) => spans.map(({ id, text }) => [`${alias}::${id}`, text])))
  const parts = new FilePassages(files).assess(question, [])
  const found = parts.flatMap(({ findings }) => findings.slice(0, most))
  const shown = foldMarks(found.map(({ ref, text }) => rows.get(ref) ?? text).join('\n'))
  return (sentence: string) => shown.includes(foldMarks(sentence))
}

/** Whether a sentence that answers is among the first three passages that research without a model shows of a part of the question. */
function answersFigure(): Figure {
  const asked: AskedQuestion[] = JSON.parse(readClaims('questions.json'))
  const scores = asked
    .filter(({ answerable }) => answerable)
    .map((one) => Number(one.gold_sentences.some(shownOf(one, 3))))
  return { name: 'answers: questions about made documents, in the first three', scores }
}

/** The points that a good report of a broad question holds, each shown or not. */
function broadFigure(): Figure {
  const asked: BroadQuestion[] = JSON.parse(readClaims('broad.json'))
  const scores = asked.flatMap((one) => {
    const isShown = shownOf(one)
    return one.points.map(({ lines }) => Number(lines.some(({ text }) => isShown(text))))
  })
  return { name: 'answers: points of broad questions, shown', scores }
}

/** The share of what helps a question that the router gives it. */
function routingFigure(): Figure {
  const scores = questionScores(labelledGroups().mixed, route).map(({ recall }) => recall)
  return { name: 'routing: recall', scores }
}

/** What a figure was, and between which it lies in 95 of 100 draws of as many questions. */
export type Reached = Readonly<Record<string, { readonly mean: number; readonly low: number; readonly high: number }>>

/** Whether a mean is below what was reached by more than the questions that happen to be asked make of it. */
export function hasFallen({ name, scores }: Figure, reached: Reached): boolean {
  const before = reached[name]
  return before !== undefined && meanOf(scores) < before.low
}

async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: { set: { type: 'string', multiple: true }, write: { type: 'boolean' } },
  })
  const reached: Reached = JSON.parse(readFileSync(REACHED, 'utf8'))
  const figures = await qualityOf([...openOwnSets(), ...(await Promise.all((values.set ?? []).map(openSet)))])
  const now = Object.fromEntries(
    figures.map(({ name, scores }) => {
      const [low, high] = bootstrapInterval(scores).map((value) => Math.round(value * 1000) / 1000)
      return [name, { mean: Math.round(meanOf(scores) * 1000) / 1000, low: low ?? 0, high: high ?? 0 }]
    }),
  )
  for (const { name, scores } of figures) {
    const { mean = 0, low = 0, high = 0 } = now[name] ?? {}
    const before = reached[name] ? `, before ${reached[name].mean.toFixed(3)}` : ''
    const fall = hasFallen({ name, scores }, reached) ? '  FALLEN' : ''
    console.log(
      `${name}: ${mean.toFixed(3)} [${low.toFixed(3)}–${high.toFixed(3)}] of ${scores.length}${before}${fall}`,
    )
  }
  if (values.write) {
    writeFileSync(REACHED, `${JSON.stringify({ ...reached, ...now }, null, 2)}\n`)
    const rows = Object.entries({ ...reached, ...now }).map(([name, { mean, low, high }]) => [
      name,
      mean.toFixed(3),
      `${low.toFixed(3)}–${high.toFixed(3)}`,
    ])
    const table = {
      title: 'Sets that are part of the repository',
      note: 'The command fails where a figure falls below its interval.',
      columns: ['what', 'mean', 'interval'],
      rows,
    }
    keepResults('quality-reached', 'npm run quality', { verdicts: [], tables: [table] })
  }
  return figures.some((figure) => hasFallen(figure, reached)) ? 1 : 0
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2))
