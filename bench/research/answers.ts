import { FilePassages } from '../../src/research/extractive/passages.ts'
import type { ReadFile } from '../../src/research/report/sources.ts'
import { rankNearest } from '../../src/research/routing/route.ts'
import { splitTextUnits } from '../../src/retrieval/units.ts'
import { bound, type Findings } from '../harness.ts'
import { splitSentences } from '../quality/sentences.ts'
import {
  askDocuments,
  foldMarks,
  type Gold,
  QUESTION_SETS,
  type QuestionFiles,
  type SetQuestion,
} from './question-sets.ts'

interface Outcome extends SetQuestion {
  /** Number of parts with their gold among the first three passages. */
  readonly found: number
  /** The same for sentences with their headings, ranked by BM25. */
  readonly byWords: number
}

/** Number of passages of a part, from the ranking and from the baseline. */
const SHOWN = 3

/** Measures whether research without a model shows the answers to questions about public documents: `questions/README.md`. */
export async function answerFigures(dir: string): Promise<Findings> {
  const all: Outcome[] = []
  for (const set of QUESTION_SETS) all.push(...outcomesOf(await askDocuments(dir, set)))
  const half = (isHeld: boolean, isOther: boolean) =>
    all.filter(({ isHeldOut, isParaphrased = false }) => isHeldOut === isHeld && isParaphrased === isOther)
  const sets = [...new Set(all.map(({ set }) => set))]
  const [held, other] = [scoreOutcomes(half(true, false)), scoreOutcomes(half(true, true))]
  return {
    name: 'answers',
    verdicts: [
      bound('answers: gold in the first three, held out', held.found, { unit: 'score', limit: 0.85, atLeast: true }),
      beyondWords('answers: gold in the first three beyond BM25 of sentences, held out', held),
      beyondWords('answers: gold in the first three beyond BM25 of sentences, held out, paraphrased', other),
    ],
    tables: [
      {
        title: 'Answers without a model',
        note: 'Parts of questions that have a gold sentence. First three: gold among the first three passages of its part; BM25: the same, of sentences with their headings. Paraphrased: by somebody who had not seen the program, in words that are often not those of the document.',
        columns: ['', 'questions', 'parts with gold', 'first three', 'BM25'],
        rows: [
          ...sets.map((set) =>
            outcomeRow(
              set,
              all.filter((one) => one.set === set),
            ),
          ),
          outcomeRow('tuning half', half(false, false)),
          outcomeRow('held out', half(true, false)),
          outcomeRow('paraphrased: tuning half', half(false, true)),
          outcomeRow('paraphrased: held out', half(true, true)),
        ],
      },
    ],
  }
}

function scoreOutcomes(some: readonly Outcome[]) {
  const sum = (value: (one: Outcome) => number) => some.reduce((total, one) => total + value(one), 0)
  const answerable = sum(({ golds }) => golds.filter((gold) => gold !== undefined).length)
  const share = (hits: number) => (answerable === 0 ? 1 : hits / answerable)
  return { answerable, found: share(sum(({ found }) => found)), byWords: share(sum(({ byWords }) => byWords)) }
}

function outcomeRow(name: string, some: readonly Outcome[]): string[] {
  const { answerable, found, byWords } = scoreOutcomes(some)
  return [name, String(some.length), String(answerable), found.toFixed(3), byWords.toFixed(3)]
}

function beyondWords(figure: string, { found, byWords }: { readonly found: number; readonly byWords: number }) {
  return bound(figure, found - byWords, { unit: 'score', limit: 0, atLeast: true })
}

function outcomesOf({ files, asked }: QuestionFiles): Outcome[] {
  const [passages, baseline] = [new FilePassages(files), new Baseline(files)]
  return asked.map((one): Outcome => {
    const parts = passages.assess(one.question, [])
    const shown = parts.flatMap(({ findings }) => findings.slice(0, SHOWN).map(({ text }) => text))
    const byWords = parts.flatMap(({ text }) => baseline.best(text))
    return { ...one, found: goldsIn(shown, one.golds), byWords: goldsIn(byWords, one.golds) }
  })
}

/** The number of golds (texts that answer) that are completely in one of the passages. */
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

/** BM25 over all sentences and rows, each with the heading above it, and rows with their header. */
class Baseline {
  readonly #texts: readonly string[]

  constructor(files: readonly ReadFile[]) {
    const units = files.flatMap(({ text, title, alias, isPrinted = false }) =>
      splitSentences(splitTextUnits(text, { title, isCsv: alias.endsWith('.csv'), isPrinted })),
    )
    this.#texts = units.map(({ kind, text, trail, lead }) =>
      [...trail.slice(-1), ...(kind === 'row' ? [lead] : []), text].join('\n'),
    )
  }

  best(question: string): string[] {
    return rankNearest(this.#texts, (text) => text, question).slice(0, SHOWN)
  }
}
