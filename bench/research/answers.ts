import { splitQuestion } from '../../src/research/extractive/decompose.ts'
import { reportBody, synthesisOf } from '../../src/research/extractive/synthesis.ts'
import type { ReadFile } from '../../src/research/report/sources.ts'
import { rankPlaces, relevance } from '../../src/research/routing/terms.ts'
import type { PartEvidence } from '../../src/research/run/evidence.ts'
import { FileEvidence } from '../../src/research/run/file-evidence.ts'
import { answeredOf, assessQuestion } from '../../src/research/run/question-evidence.ts'
import { splitSentences, splitTextUnits } from '../../src/retrieval/units.ts'
import { bound, type Findings } from '../harness.ts'
import { foldMarks } from './fold.ts'
import {
  type Asked,
  type AskedFiles,
  askDocuments,
  askParagraphs,
  type Gold,
  LANGUAGES,
  QUESTION_SETS,
} from './question-sets.ts'

interface Outcome extends Asked {
  /** Parts whose gold stands in the Answer, and parts without one that are told not to be found. */
  readonly found: number
  readonly refused: number
  /** It is said to be wholly answered; and it is not. */
  readonly isFull: boolean
  readonly isFalselyFull: boolean
  /** Parts whose gold is among the first six passages, whether or not they are said to answer. */
  readonly ranked: number
  /** As `ranked`, of sentences by BM25 with their headings. */
  readonly byWords: number
}

/** Passages of a part, of the ranking and of the baseline. */
const SHOWN = 6

/** Whether research without a model answers questions about public documents: `questions/README.md`. */
export async function answerFigures(dir: string): Promise<Findings> {
  const all: Outcome[] = []
  for (const set of QUESTION_SETS) all.push(...outcomesOf(await askDocuments(dir, set)))
  for (const language of LANGUAGES) all.push(...askParagraphs(dir, language).flatMap(outcomesOf))
  const sum = (some: readonly Outcome[], value: (one: Outcome) => number) =>
    some.reduce((total, one) => total + value(one), 0)
  const share = (hits: number, of: number) => (of === 0 ? 1 : hits / of)
  const scores = (some: readonly Outcome[]) => {
    const answerable = sum(some, ({ golds }) => golds.filter((gold) => gold !== undefined).length)
    const others = sum(some, ({ golds }) => golds.filter((gold) => gold === undefined).length)
    return {
      questions: some.length,
      answerable,
      others,
      found: share(
        sum(some, ({ found }) => found),
        answerable,
      ),
      ranked: share(
        sum(some, ({ ranked }) => ranked),
        answerable,
      ),
      byWords: share(
        sum(some, ({ byWords }) => byWords),
        answerable,
      ),
      refused: share(
        sum(some, ({ refused }) => refused),
        others,
      ),
      falselyFull: some.filter(({ isFalselyFull }) => isFalselyFull).length,
      emptilyFull: some.filter(({ isFull, golds }) => isFull && golds.includes(undefined)).length,
      whole: some.filter(({ isFull, isFalselyFull }) => isFull && !isFalselyFull).length,
    }
  }
  const half = (isHeld: boolean, isOther: boolean) =>
    all.filter(({ isHeldOut, isParaphrased = false }) => isHeldOut === isHeld && isParaphrased === isOther)
  const [held, other] = [scores(half(true, false)), scores(half(true, true))]
  const row = (name: string, some: readonly Outcome[]) => {
    const { questions, answerable, found, ranked, byWords, others, refused, whole, falselyFull } = scores(some)
    return [
      name,
      ...[questions, answerable].map(String),
      found.toFixed(3),
      ranked.toFixed(3),
      byWords.toFixed(3),
      String(others),
      refused.toFixed(3),
      String(whole),
      String(falselyFull),
    ]
  }
  const sets = [...new Set(all.map(({ set }) => set))]
  return {
    name: 'answers',
    verdicts: [
      bound('answers: gold in the Answer, held out', held.found, { unit: 'score', limit: 0.85, atLeast: true }),
      bound('answers: told not to be found, held out', held.refused, { unit: 'score', limit: 0.85, atLeast: true }),
      bound('answers: falsely said to be answered, held out', held.falselyFull, { unit: 'count', limit: 0 }),
      bound('answers: said to be answered though nothing answers a part, held out', held.emptilyFull, {
        unit: 'count',
        limit: 0,
      }),
      bound('answers: falsely said to be answered, held out, paraphrased', other.falselyFull, {
        unit: 'count',
        limit: 0,
      }),
      beyondWords('answers: gold in the first six beyond BM25 of sentences, held out', held),
      beyondWords('answers: gold in the first six beyond BM25 of sentences, held out, paraphrased', other),
    ],
    tables: [
      {
        title: 'Answers without a model',
        note: 'Parts of questions that have a gold sentence, and parts that have none. First six: gold among the first six passages of its part, whether or not they are said to answer; BM25: the same, of sentences with their headings. Whole: said to be answered in each part; falsely, where the Answer lacks a gold. Paraphrased: by somebody who had not seen the program, in words that are often not those of the document.',
        columns: [
          '',
          'questions',
          'parts with gold',
          'in the Answer',
          'first six',
          'BM25',
          'without gold',
          'not found',
          'rightly whole',
          'falsely whole',
        ],
        rows: [
          ...sets.map((set) =>
            row(
              set,
              all.filter((one) => one.set === set),
            ),
          ),
          row('tuning half', half(false, false)),
          row('held out', half(true, false)),
          row('paraphrased: tuning half', half(false, true)),
          row('paraphrased: held out', half(true, true)),
        ],
      },
    ],
  }
}

function beyondWords(figure: string, { ranked, byWords }: { readonly ranked: number; readonly byWords: number }) {
  return bound(figure, ranked - byWords, { unit: 'score', limit: 0, atLeast: true })
}

export function outcomesOf({ files, asked }: AskedFiles): Outcome[] {
  const [evidence, baseline] = [new FileEvidence(files), new Baseline(files)]
  return asked.map((one) => outcomeOf(one, evidence, baseline))
}

function outcomeOf(asked: Asked, files: FileEvidence, baseline: Baseline): Outcome {
  const { question, golds } = asked
  const parts = assessQuestion(question, { files, passages: [] })
  const body = bodyOf(question, parts)
  const isNothing = /^## Answer\s+Not found/.test(body)
  // Behind `Not found` stands what comes nearest, which is not said to answer.
  const told = isNothing ? [] : (body.split('\nNot found')[0] ?? '').split('\n')
  const isRefused = (gold: Gold, at: number) => gold === undefined && (isNothing || parts[at]?.answered === 'no')
  const texts = splitQuestion(question)
  const first = texts.flatMap((text) =>
    files.find(text, { most: SHOWN, nearly: 0 }).passages.map(({ unit }) => files.say(unit).text),
  )
  const found = goldsIn(told, golds)
  const isWhole = found === golds.length
  return {
    ...asked,
    found,
    refused: golds.filter(isRefused).length,
    isFull: answeredOf(parts) === 'yes',
    isFalselyFull: answeredOf(parts) === 'yes' && !isWhole,
    ranked: goldsIn(first, golds),
    byWords: goldsIn(
      texts.flatMap((text) => baseline.best(text)),
      golds,
    ),
  }
}

/** How many of the golds stand in passages, each wholly in one. */
function goldsIn(passages: readonly string[], golds: readonly Gold[]): number {
  const folded = passages.map(foldMarks)
  return golds.filter((gold) => gold !== undefined && folded.some((one) => holdsGold(one, gold))).length
}

function holdsGold(passage: string, gold: string | readonly string[]): boolean {
  if (typeof gold === 'string') return passage.includes(foldMarks(gold))
  return gold.every((cell) => {
    const quoted = cell.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    return new RegExp(`(?<![\\p{L}\\p{N}.,])${quoted}(?![\\p{L}\\p{N}]|[.,]\\d)`, 'u').test(passage)
  })
}

function bodyOf(question: string, parts: readonly PartEvidence[]): string {
  const findings = synthesisOf({ parts })
  const branch = {
    id: '1',
    question,
    depth: 1,
    status: 'answered',
    evidence: [],
    findings,
    parts,
    gaps: [],
    reasoning: '',
  }
  return reportBody({ task: question, language: undefined, items: [], files: [], branches: [branch], missing: [] })
}

/** BM25 over all sentences and rows, each with the heading that it stands under, a row with its header. */
class Baseline {
  readonly #texts: readonly string[]

  constructor(files: readonly ReadFile[]) {
    const units = files.flatMap(({ text, title = '', isCsv, isPrinted = false }) =>
      splitSentences(splitTextUnits(text, { title, isCsv, isPrinted })),
    )
    this.#texts = units.map(({ kind, text, trail, lead }) =>
      [...trail.slice(-1), ...(kind === 'row' ? [lead] : []), text].join('\n'),
    )
  }

  best(question: string): string[] {
    return rankPlaces(relevance(this.#texts, question))
      .slice(0, SHOWN)
      .map((at) => this.#texts[at] ?? '')
  }
}
