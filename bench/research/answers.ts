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
 * paragraph with its questions, of which every third is asked with its paragraph taken away. A question that points at its
 * paragraph ("this edict") asks nothing of 48 paragraphs, and is left out.
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
  /** Parts whose gold is among the first six passages, whether or not they are said to answer. */
  readonly ranked: number
  /** As `ranked`, of sentences by BM25 with their headings. */
  readonly byWords: number
}

/** Passages of a part, of the ranking and of the baseline. */
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
      falselyFull: some.filter(({ golds, isFull }) => isFull && golds.includes(undefined)).length,
    }
  }
  const held = scores(all.filter(({ isHeldOut }) => isHeldOut))
  const row = (name: string, some: readonly Outcome[]) => {
    const { questions, answerable, found, ranked, byWords, others, refused, falselyFull } = scores(some)
    return [
      name,
      ...[questions, answerable].map(String),
      found.toFixed(3),
      ranked.toFixed(3),
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
      bound('answers: gold in the first six beyond BM25 of sentences, held out', held.ranked - held.byWords, {
        unit: 'score',
        limit: 0,
        atLeast: true,
      }),
    ],
    tables: [
      {
        title: 'Answers without a model',
        note: 'Parts of questions that have a gold sentence, and parts that have none. First six: gold among the first six passages of its part, whether or not they are said to answer; BM25: the same, of sentences with their headings.',
        columns: [
          '',
          'questions',
          'parts with gold',
          'in the Answer',
          'first six',
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
  const all = foldMarks(files.map(({ text }) => text).join('\n'))
  const lost = rows.find(({ gold }) => gold !== undefined && !all.includes(foldMarks(gold)))
  if (lost) throw new Error(`${root} is not the whole documentation: it lacks “${lost.gold}”`)
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

/** "This", in the languages of the set. */
const POINTING = /\bdies(?:e[rsmn]?)?\b|[这該该此]|(?<!\p{L})эт(?:от|а|о|и|ого|ой|ому|им|их|ими|у)(?!\p{L})|นี้|นั้น/iu

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
    return qas
      .filter(({ question }) => !POINTING.test(question))
      .map(({ question, answers }) => {
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
  const texts = splitQuestion(question)
  const first = texts.map((text) =>
    files.find(text, { most: SHOWN, nearly: 0 }).passages.map(({ unit }) => files.say(unit).text),
  )
  const isAmong = (shown: readonly (readonly string[])[]) => {
    const bodies = shown.map((some) => foldMarks(some.join('\n')))
    return golds.filter((gold) => gold !== undefined && bodies.some((one) => one.includes(foldMarks(gold)))).length
  }
  return {
    ...asked,
    found: golds.filter(isIn).length,
    refused: golds.filter(isRefused).length,
    isFull: answeredOf(parts) === 'yes',
    ranked: isAmong(first),
    byWords: isAmong(texts.map((text) => baseline.best(text))),
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

  best(question: string): string[] {
    return rankPlaces(relevance(this.#texts, question))
      .slice(0, SHOWN)
      .map((at) => this.#texts[at] ?? '')
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
