import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Assistant } from '../../src/agent/assistant.ts'
import { SILENT } from '../../src/core/flow.ts'
import { openEngine } from '../../src/open.ts'
import { operations } from '../../src/operations/index.ts'
import { assistantTools } from '../../src/operations/tools.ts'

/**
 * Questions about public documentations, as `ambit ask` answers them without a model. Rows: `question`; `gold`, a piece of the
 * sentence that answers it, absent where nothing does; `near`, that the words stand there all the same. Made by hand for
 * these: docs/ of fastify/fastify, redis/redis-doc, docs/ of prometheus/docs, src/ of rust-lang/book. Rows with even numbers,
 * from 0, are the tuning half.
 */
export const DOCUMENTATIONS = ['fastify', 'redis', 'prometheus', 'rust'] as const

export interface QuestionRow {
  readonly question: string
  readonly gold?: string
  readonly near?: boolean
}

/** What became of the questions of one half. */
export interface QuestionScores {
  readonly answerable: number
  /** The sentence that answers came first, and among the first three. */
  readonly first: number
  readonly firstThree: number
  readonly falselyRefused: number
  readonly unanswerable: number
  readonly refused: number
}

export type Half = 'tuning' | 'held-out'

/** A question, with what Ambit answered. */
export interface AskedQuestion {
  readonly half: Half
  readonly row: QuestionRow
  readonly answer: string
}

/** Asks all questions of the documentations that stand in a folder, each by its name: `fastify`, `redis` … */
export async function askQuestions(dir: string): Promise<Readonly<Record<Half, QuestionScores>>> {
  const asked = await askEach(dir)
  const of = (half: Half) => scoresOf(asked.filter((one) => one.half === half))
  return { tuning: of('tuning'), 'held-out': of('held-out') }
}

export async function askEach(dir: string): Promise<AskedQuestion[]> {
  const asked: AskedQuestion[] = []
  for (const name of DOCUMENTATIONS) {
    const root = join(dir, name)
    if (!existsSync(root)) throw new Error(`${root} is not there: it is to hold the documentation of ${name}`)
    for (const [at, { row, answer }] of (await answersIn(name, root)).entries()) {
      asked.push({ half: halfAt(at), row, answer })
    }
  }
  return asked
}

/** The half of the question in a row, from 0. */
export function halfAt(row: number): Half {
  return row % 2 === 0 ? 'tuning' : 'held-out'
}

export function questionRows(name: string): QuestionRow[] {
  const path = fileURLToPath(new URL(`questions/${name}.jsonl`, import.meta.url))
  return readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

async function answersIn(name: string, root: string) {
  const home = mkdtempSync(join(tmpdir(), 'ambit-questions-'))
  const engine = await openEngine({ db: join(home, 'questions.db') })
  try {
    const { collections } = await engine.library()
    await collections.add({ name, root })
    await engine.index({}, SILENT)
    const answers: { readonly row: QuestionRow; readonly answer: string }[] = []
    for (const row of questionRows(name)) {
      const makeTools = assistantTools(engine, operations)
      const assistant = new Assistant({ engine, makeTools, place: `ambit://${name}` })
      answers.push({ row, answer: (await assistant.ask(row.question, { emit: () => {} })).answer })
    }
    return answers
  } finally {
    await engine.close()
    rmSync(home, { recursive: true })
  }
}

type Told = Pick<AskedQuestion, 'row' | 'answer'>

function scoresOf(told: readonly Told[]): QuestionScores {
  const [answerable, others] = [told.filter(({ row }) => row.gold), told.filter(({ row }) => !row.gold)]
  const far = others.filter(({ row }) => !row.near)
  const refused = (some: readonly Told[]) => some.filter(isRefused).length
  const within = (most: number) => answerable.filter((one) => placeOfGold(one) < most).length
  return {
    answerable: answerable.length,
    first: within(1),
    firstThree: within(3),
    falselyRefused: refused(answerable),
    unanswerable: far.length,
    refused: refused(far),
  }
}

export function isRefused({ answer }: Pick<Told, 'answer'>): boolean {
  return answer.startsWith('Not found')
}

/** Which quotation of an answer holds the gold, from 0; infinite for none. */
export function placeOfGold({ row, answer }: Told): number {
  const at = answer.split(/\n\n(?=> )/).findIndex((quote) => foldLines(quote).includes(foldLines(row.gold ?? '')))
  return at < 0 || isRefused({ answer }) ? Number.POSITIVE_INFINITY : at
}

/** Without line breaks, marks of quotes, and the backslashes before numbers in brackets. */
export function foldLines(text: string): string {
  return text
    .replace(/(^|\n)[>*\s]+/g, ' ')
    .replace(/\\\[/g, '[')
    .replace(/\s+/g, ' ')
    .trim()
}
