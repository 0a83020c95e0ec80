import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { extractText } from '../../src/ingest/extract/text.ts'
import { splitQuestion } from '../../src/research/extractive/decompose.ts'
import { reportBody, synthesisOf } from '../../src/research/extractive/synthesis.ts'
import type { ReadFile } from '../../src/research/report/sources.ts'
import { rankPlaces, relevance } from '../../src/research/routing/terms.ts'
import type { PartEvidence } from '../../src/research/run/evidence.ts'
import { FileEvidence } from '../../src/research/run/file-evidence.ts'
import { answeredOf, assessQuestion } from '../../src/research/run/question-evidence.ts'
import { spansOf } from '../../src/research/run/spans.ts'
import { splitSentences, splitTextUnits } from '../../src/retrieval/units.ts'
import { bound, type Findings } from '../harness.ts'

/**
 * Whether research without a model answers questions about public documents. The documentations and their questions are those
 * of `bench/quality/questions.ts`; of XQuAD (google-deepmind/xquad, `xquad.LANGUAGE.json` in the folder `xquad`) every tenth
 * paragraph with its questions, of which every third is asked with its paragraph taken away.
 */
const SETS = ['fastify', 'redis', 'prometheus', 'rust'] as const
const LANGUAGES = ['de', 'zh', 'th', 'ru'] as const

/** A question with what answers each of its parts: a piece of the text, or nothing. */
interface Asked {
  readonly set: string
  readonly question: string
  readonly golds: readonly (string | undefined)[]
  readonly isHeldOut: boolean
}

interface Outcome extends Asked {
  /** Parts whose gold stands in the Answer, and parts without one that are told not to be found. */
  readonly found: number
  readonly refused: number
  readonly isFull: boolean
  /** As `found`, of the first six sentences by BM25 with their headings. */
  readonly byWords: number
}

/** Sentences that the baseline may show. */
const SHOWN = 6

export function answerFigures(dir: string): Findings {
  const all = [
    ...SETS.flatMap((set) => documentation(dir, set)),
    ...LANGUAGES.flatMap((language) => paragraphs(dir, language)),
  ]
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
      byWords: share(
        sum(some, ({ byWords }) => byWords),
        answerable,
      ),
      refused: share(
        sum(some, ({ refused }) => refused),
        others,
      ),
      falselyFull: some.filter(({ golds, isFull }) => isFull && golds.includes(undefined)).length,
    }
  }
  const held = scores(all.filter(({ isHeldOut }) => isHeldOut))
  const row = (name: string, some: readonly Outcome[]) => {
    const { questions, answerable, found, byWords, others, refused, falselyFull } = scores(some)
    return [
      name,
      ...[questions, answerable].map(String),
      found.toFixed(3),
      byWords.toFixed(3),
      String(others),
      refused.toFixed(3),
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
      bound('answers: gold beyond BM25 of sentences, held out', held.found - held.byWords, {
        unit: 'score',
        limit: 0,
        atLeast: true,
      }),
    ],
    tables: [
      {
        title: 'Answers without a model',
        note: 'Parts of questions that have a gold sentence, and parts that have none; BM25: the first six sentences with their headings.',
        columns: [
          '',
          'questions',
          'parts with gold',
          'in the Answer',
          'BM25',
          'without gold',
          'not found',
          'falsely whole',
        ],
        rows: [
          ...sets.map((set) =>
            row(
              set,
              all.filter((one) => one.set === set),
            ),
          ),
          row(
            'tuning half',
            all.filter(({ isHeldOut }) => !isHeldOut),
          ),
          row(
            'held out',
            all.filter(({ isHeldOut }) => isHeldOut),
          ),
        ],
      },
    ],
  }
}

function documentation(dir: string, set: string): Outcome[] {
  const root = join(dir, set)
  if (!existsSync(root)) throw new Error(`${root} is not there: it is to hold the documentation of ${set}`)
  const files = globSync('**/*.md', { cwd: root })
    .sort()
    .flatMap((alias) => readDocument(alias, readFileSync(join(root, alias))))
  const path = fileURLToPath(new URL(`../quality/questions/${set}.jsonl`, import.meta.url))
  const rows = readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line): { question: string; gold?: string } => JSON.parse(line))
  const single = rows.map(
    ({ question, gold }, at): Asked => ({ set, question, golds: [gold], isHeldOut: at % 2 === 1 }),
  )
  // Of each half every third question with the next one behind it, where both of them are read as one part.
  const double = single.flatMap((one, at): Asked[] => {
    const next = single[at + 2]
    if (at % 3 !== 0 || !next || [one, next].some(({ question }) => splitQuestion(question).length > 1)) return []
    const question = `${one.question} ${next.question}`
    return splitQuestion(question).length === 2 ? [{ ...one, question, golds: [...one.golds, ...next.golds] }] : []
  })
  const evidence = new FileEvidence(files)
  const baseline = new Baseline(files)
  return [...single, ...double].map((asked) => outcomeOf(asked, evidence, baseline))
}

function readDocument(alias: string, bytes: Uint8Array): ReadFile[] {
  const found = extractText(alias, bytes)
  if (!found.ok) return []
  const { title, text, syntax } = found
  return [{ alias, title, text, isCsv: false, spans: spansOf({ text, syntax }) }]
}

interface Paragraph {
  readonly context: string
  readonly qas: readonly { readonly question: string; readonly answers: readonly { readonly text: string }[] }[]
}

function paragraphs(dir: string, language: string): Outcome[] {
  const path = join(dir, 'xquad', `xquad.${language}.json`)
  if (!existsSync(path)) throw new Error(`${path} is not there: it is of google-deepmind/xquad`)
  const { data }: { data: readonly { readonly paragraphs: readonly Paragraph[] }[] } = JSON.parse(
    readFileSync(path, 'utf8'),
  )
  const all = data.flatMap((one) => one.paragraphs).filter((_, at) => at % 10 < 2)
  const documents = all.map(({ context }, at) => readDocument(`${at}.md`, new TextEncoder().encode(context)))
  const [whole, baseline] = [new FileEvidence(documents.flat()), new Baseline(documents.flat())]
  return all.flatMap(({ qas }, at) => {
    const isLeftOut = at % 3 === 0
    const files = isLeftOut ? new FileEvidence(documents.filter((_, other) => other !== at).flat()) : whole
    return qas.map(({ question, answers }) => {
      const golds = [isLeftOut ? undefined : answers[0]?.text]
      return outcomeOf({ set: basename(path, '.json'), question, golds, isHeldOut: at % 2 === 1 }, files, baseline)
    })
  })
}

function outcomeOf(asked: Asked, files: FileEvidence, baseline: Baseline): Outcome {
  const { question, golds } = asked
  const parts = assessQuestion(question, { files, passages: [] })
  const body = foldMarks(bodyOf(question, parts))
  const isNothing = /^## Answer Not found/.test(body)
  const isIn = (gold: string | undefined) => gold !== undefined && !isNothing && body.includes(foldMarks(gold))
  const isRefused = (gold: string | undefined, at: number) =>
    gold === undefined && (isNothing || parts[at]?.answered === 'no')
  const shown = baseline.best(question)
  return {
    ...asked,
    found: golds.filter(isIn).length,
    refused: golds.filter(isRefused).length,
    isFull: answeredOf(parts) === 'yes',
    byWords: golds.filter((gold) => gold !== undefined && shown.includes(foldMarks(gold))).length,
  }
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

/** BM25 over all sentences, each with the heading that it stands under. */
class Baseline {
  readonly #texts: readonly string[]

  constructor(files: readonly ReadFile[]) {
    const units = files.flatMap(({ text, title = '' }) => splitSentences(splitTextUnits(text, { title })))
    this.#texts = units.map(({ text, trail }) => [...trail.slice(-1), text].join('\n'))
  }

  best(question: string): string {
    const scores = relevance(this.#texts, question)
    return foldMarks(
      rankPlaces(scores)
        .slice(0, SHOWN)
        .map((at) => this.#texts[at])
        .join('\n'),
    )
  }
}

/** Without marks of Markdown and line breaks. */
function foldMarks(text: string): string {
  return text
    .replace(/(^|\n)[>*\s]+/g, ' ')
    .replace(/[*_`\\]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}
