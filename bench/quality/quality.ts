/**
 * Measures how good search is, without a network: `npm run quality [-- --set DIR] [-- --write]`. Uses the sets of the
 * repository, and other folders with a set in the format of BEIR, or with Markdown. Searches by meaning, as people do. Earlier
 * figures are in `test/quality/reached.json`. The command ends with 1 if a figure falls by more than its noise. `-- --claims
 * DIR` only counts the verdicts on the statements and questions of a folder in the format of `test/research/claims`.
 */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Assistant } from '../../src/agent/assistant.ts'
import { selectTaskContext } from '../../src/context/task.ts'
import { readAsset } from '../../src/files/home.ts'
import { openIn } from '../../src/open.ts'
import { operations } from '../../src/operations/index.ts'
import { assistantTools } from '../../src/operations/tools.ts'
import { route } from '../../src/research/routing/route.ts'
import { NearestPassages } from '../../src/retrieval/nearest-passages.ts'
import { splitTextUnits } from '../../src/retrieval/units.ts'
import { plant } from '../../test/drift/fixtures.ts'
import { keepResults } from '../report.ts'
import { CLAIM_SETS, type LabelledClaim, readLabelled, verdictsBy } from '../research/claims.ts'
import { labelledGroups, questionScores } from '../research/labelled.ts'
import { answersFigure, broadFigure, describeSet } from '../research/made-set.ts'
import type { JudgedSet } from './collection.ts'
import { documentsOf } from './documentation.ts'
import { answersTo, bootstrapInterval, meanOf, ndcg } from './measure.ts'
import { ambitRanker } from './rankers/ambit.ts'
import { openOwnSets, openSet } from './sets.ts'

const SETS = fileURLToPath(new URL('../../test/quality/', import.meta.url))
const REACHED = join(SETS, 'reached.json')

/** A score of each question, 0 to 1. */
export interface Figure {
  readonly name: string
  readonly scores: readonly number[]
}

function readLines<Row>(name: string): Row[] {
  const lines = readFileSync(join(SETS, name), 'utf8').trim().split('\n')
  return lines.map((line) => JSON.parse(line))
}

/** The figures of the judged sets, and of the other test data of the repository. */
export async function qualityOf(sets: readonly JudgedSet[]): Promise<Figure[]> {
  const searched: Figure[] = []
  for (const set of sets) searched.push(await searchFigure(set))
  const others = [await placesFigure(), answersFigure(), broadFigure(), routingFigure(), ...claimsFigures()]
  const passages = [
    await passagesFigure('of one collection', 'harbour/guides', 'unshared.jsonl'),
    await passagesFigure('of five documents', 'rules/documents', 'rules/questions.jsonl'),
  ]
  return [...searched, ...passages, ...(await taskFigures()), ...others]
}

/** nDCG@10 of the documents. */
async function searchFigure(set: JudgedSet): Promise<Figure> {
  const answers = await answersTo(ambitRanker, set)
  return {
    name: `search: ${set.name}, nDCG@10`,
    scores: answers.map(({ ranking, relevance }) => ndcg(ranking, relevance, 10)),
  }
}

interface UnsharedRow {
  readonly question: string
  readonly gold: string
  /** `none`: the answer shares no word with the question. Default: `none`. */
  readonly kind?: string
}

/** Whether the sentence that answers is among the first three passages of all documents. It shares no word with its question. */
async function passagesFigure(name: string, documents: string, questions: string): Promise<Figure> {
  const texts = (await Array.fromAsync(documentsOf(join(SETS, documents)))).map(({ title, text }) =>
    splitTextUnits(text, { title }),
  )
  const ranking = new NearestPassages(texts.flat(), () => readAsset('word-vectors.bin'))
  const rows = readLines<UnsharedRow>(questions).filter(({ kind = 'none' }) => kind === 'none')
  const isAnswer = (text: string, gold: string) => text.replaceAll(/\s+/g, ' ').includes(gold)
  const scores = rows.map(({ question, gold }) => {
    const nearest = ranking.rank(question).slice(0, 3)
    return Number(nearest.some(({ unit }) => isAnswer(unit.text, gold)))
  })
  return { name: `passages: questions without a shared word ${name}, in the first three`, scores }
}

interface TaskRow {
  readonly task: string
  /** `path:name` of each definition that must be shown. */
  readonly shown: readonly string[]
}

/** Budget in tokens: less than half of the generated repository. */
const TASK_BUDGET = 400

/**
 * What `task` finds in a generated repository: the files of the definitions that must be shown, and the definitions themselves.
 */
async function taskFigures(): Promise<Figure[]> {
  const files = readFileSync(join(SETS, 'task/repository.txt'), 'utf8')
    .split(/^=== (.*)\n/m)
    .slice(1)
  const texts = new Map(files.flatMap((path, at) => (at % 2 === 0 ? [[path, files[at + 1] ?? '']] : [])))
  using planted = plant(Object.fromEntries(texts))
  planted.git('init', '--quiet')
  planted.commit('The harbour')
  for (const { message, files: changed } of readLines<{ message: string; files: string[] }>('task/history.jsonl')) {
    planted.write(Object.fromEntries(changed.map((path) => [path, `${texts.get(path)}# ${message}\n`])))
    planted.commit(message)
  }
  const options = { cache: join(planted.root, '../cache') }
  const rows: { files: number; definitions: number }[] = []
  for (const { task, shown } of readLines<TaskRow>('task/tasks.jsonl')) {
    const answer = await selectTaskContext({ task, place: planted.root, budget: TASK_BUDGET }, options)
    const first = answer.files.slice(0, 3).map(({ path }) => path)
    const bodies = answer.files.flatMap(({ path, ranges }) =>
      ranges.flatMap(({ name, shown: how }) => (how === 'body' ? [`${path}:${name}`] : [])),
    )
    const share = (isThere: (one: string) => boolean) => shown.filter(isThere).length / shown.length
    rows.push({
      files: share((one) => first.includes(one.split(':')[0] ?? '')),
      definitions: share((one) => bodies.includes(one)),
    })
  }
  return [
    { name: 'task: files, in the first three', scores: rows.map(({ files }) => files) },
    { name: `task: definitions, shown in ${TASK_BUDGET} tokens`, scores: rows.map(({ definitions }) => definitions) },
  ]
}

interface PlaceQuestion {
  /** A folder of documents. */
  readonly set: string
  readonly question: string
  /** The line that answers, as in one document. */
  readonly line: string
}

/**
 * Whether `ask` without a model shows the line that answers in one of its three places. Questions are in a person's own words.
 */
async function placesFigure(): Promise<Figure> {
  const placeQuestions: PlaceQuestion[] = JSON.parse(readFileSync(join(SETS, 'places/questions.json'), 'utf8'))
  const scores: number[] = []
  for (const [set, questions] of Map.groupBy(placeQuestions, (one) => one.set)) {
    const folder = mkdtempSync(join(tmpdir(), 'ambit-places-'))
    const engine = openIn(folder)
    const { collections } = await engine.library()
    await collections.add({ name: 'docs', root: join(SETS, 'places', set) })
    await collections.index()
    for (const { question, line } of questions) {
      const makeTools = assistantTools(engine, operations)
      const assistant = new Assistant({ engine, makeTools, place: 'ambit://docs', disk: false })
      const { answer } = await assistant.ask(question, { emit: () => {} })
      const shown = answer.replaceAll(/^(?:> ?)+/gm, '').replaceAll(/\s+/g, ' ')
      scores.push(Number(shown.includes(line.trim().replaceAll(/\s+/g, ' '))))
    }
    await engine.close()
    rmSync(folder, { recursive: true })
  }
  return { name: 'answers: questions about folders of documents, in the three places', scores }
}

/** The share of the helpful items that the router gives to a question. */
function routingFigure(): Figure {
  const scores = questionScores(labelledGroups().mixed, route).map(({ recall }) => recall)
  return { name: 'routing: recall', scores }
}

/** The verdicts of code alone on statements: true ones that it does not refuse, and false ones that it refuses. */
function claimsFigures(): Figure[] {
  const claims = Object.values(CLAIM_SETS).flatMap((names) =>
    names.flatMap((name) => readLabelled<LabelledClaim>(name)),
  )
  const isRefused = (one: LabelledClaim) => verdictsBy('nobody', one).includes('unsupported')
  const scoresOf = (label: LabelledClaim['label'], isRight: (claim: LabelledClaim) => boolean) =>
    claims.filter((one) => one.label === label).map((one) => Number(isRight(one)))
  return [
    { name: 'claims: true ones, not refused', scores: scoresOf('supported', (one) => !isRefused(one)) },
    { name: 'claims: false ones, refused by code alone', scores: scoresOf('refuted', isRefused) },
  ]
}

/** Earlier figures: the mean, and the interval of 95 of 100 draws of as many questions. */
export type ReachedFigures = Readonly<
  Record<string, { readonly mean: number; readonly low: number; readonly high: number }>
>

/** Whether a mean is below its earlier interval, so that the choice of questions does not explain the fall. */
export function hasFallen({ name, scores }: Figure, reached: ReachedFigures): boolean {
  const before = reached[name]
  return before !== undefined && meanOf(scores) < before.low
}

async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: { set: { type: 'string', multiple: true }, claims: { type: 'string' }, write: { type: 'boolean' } },
  })
  if (values.claims !== undefined) {
    for await (const line of describeSet(values.claims)) console.log(line)
    return 0
  }
  const reached: ReachedFigures = JSON.parse(readFileSync(REACHED, 'utf8'))
  const own = [...openOwnSets(), await openSet(join(SETS, 'notes'))]
  const figures = await qualityOf([...own, ...(await Promise.all((values.set ?? []).map(openSet)))])
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
