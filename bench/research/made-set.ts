/** Measures the check of a report, and research without a model, on a set in the format of `test/research/claims`. */

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { openWith } from '../../src/open.ts'
import { FilePassages } from '../../src/research/extractive/passages.ts'
import { LARGEST_SMALL_NUMBER } from '../../src/research/report/numbers.ts'
import { NearestPassages } from '../../src/retrieval/nearest-passages.ts'
import { splitTextUnits } from '../../src/retrieval/units.ts'
import { randomOf } from '../random.ts'
import { intervalOf } from '../secrets.bench.ts'
import {
  answerVerdictsBy,
  type Judge,
  type LabelledClaim,
  OWN_SET,
  readDocument,
  readLabelled,
  verdictsBy,
} from './claims.ts'
import { foldMarks } from './question-sets.ts'

interface AskedQuestion {
  readonly id: string
  readonly docs: readonly string[]
  readonly question: string
  readonly answerable: boolean
  readonly gold_sentences: readonly string[]
  /** Number of words that the question shares with the gold sentences. */
  readonly overlap: number
}

interface BroadQuestion extends Pick<AskedQuestion, 'docs' | 'question'> {
  readonly points: readonly { readonly id: string; readonly lines: readonly { readonly text: string }[] }[]
}

/** The scores of questions or statements. */
export interface CountedScores {
  readonly name: string
  readonly scores: readonly number[]
  /** The ids of the wrong ones. */
  readonly missed: readonly string[]
}

function countRight<One>(
  name: string,
  all: readonly One[],
  isRight: (one: One) => boolean,
  idOf: (one: One) => string,
) {
  const scores = all.map((one) => Number(isRight(one)))
  return { name, scores, missed: all.filter((_, at) => scores[at] === 0).map(idOf) }
}

/** The passages that research without a model shows for a question, at most `most` for each of its parts. */
function shownOf({ docs, question }: Pick<AskedQuestion, 'docs' | 'question'>, set: URL, most?: number) {
  const files = docs.map((name) => readDocument(name, set))
  const rows = new Map(files.flatMap(({ alias, spans }) => spans.map(({ id, text }) => [`${alias}::${id}`, text])))
  const parts = new FilePassages(files).assess(question, [])
  const found = parts.flatMap(({ findings }) => findings.slice(0, most))
  return found.map(({ ref, text }) => rows.get(ref) ?? text)
}

/** The first passages by words alone, without the table of word vectors. */
function shownByWords({ docs, question }: AskedQuestion, set: URL, most: number): string[] {
  const units = docs.flatMap((name) => {
    const { text, title } = readDocument(name, set)
    return splitTextUnits(text, { title, isCsv: name.endsWith('.csv') })
  })
  return new NearestPassages(units)
    .rank(question)
    .slice(0, most)
    .map(({ unit }) => unit.text)
}

function holdsOne(passages: readonly string[], sentences: readonly string[]): boolean {
  const shown = foldMarks(passages.join('\n'))
  return sentences.some((one) => shown.includes(foldMarks(one)))
}

const FIRST = 3

/** Whether an answering sentence is among the first three passages of research without a model for a part of the question. */
export function answersFigure(set = OWN_SET): CountedScores {
  const asked = readLabelled<AskedQuestion>('questions.json', set).filter(({ answerable }) => answerable)
  const isFound = (one: AskedQuestion) => holdsOne(shownOf(one, set, FIRST), one.gold_sentences)
  return countRight('answers: questions about made documents, in the first three', asked, isFound, ({ id }) => id)
}

/** Whether each point of a good report on a broad question is shown. */
export function broadFigure(set = OWN_SET): CountedScores {
  const asked = readLabelled<BroadQuestion>('broad.json', set)
  const points = asked.flatMap((one) => {
    const shown = shownOf(one, set)
    return one.points.map(({ id, lines }) => ({
      id,
      isShown: holdsOne(
        shown,
        lines.map(({ text }) => text),
      ),
    }))
  })
  return countRight(
    'answers: points of broad questions, shown',
    points,
    ({ isShown }) => isShown,
    ({ id }) => id,
  )
}

/**
 * Whether passages answer questions, by the number of words shared with the answer: with the table of word vectors, and without.
 */
function questionFigures(set: URL): CountedScores[] {
  const all = readLabelled<AskedQuestion>('questions.json', set).filter(({ answerable }) => answerable)
  const kinds = [
    ['no shared word', (overlap: number) => overlap === 0],
    ['one shared word', (overlap: number) => overlap === 1],
    ['two or more', (overlap: number) => overlap >= 2],
  ] as const
  return kinds.flatMap(([kind, isKind]) => {
    const asked = all.filter(({ overlap }) => isKind(overlap))
    const shown = (by: string, shows: (one: AskedQuestion) => string[]) =>
      countRight(
        `questions, ${kind}: answer in the first three, ${by}`,
        asked,
        (one) => holdsOne(shows(one), one.gold_sentences),
        ({ id }) => id,
      )
    return [
      shown('as shown', (one) => shownOf(one, set, FIRST)),
      shown('by words', (one) => shownByWords(one, set, FIRST)),
    ]
  })
}

/** Checks whole runs without a model: none may call a question answered, or call a word missing that a document has. */
async function runFigures(set: URL): Promise<CountedScores[]> {
  const engine = openWith({ file: undefined, unknown: [], home: false, db: ':memory:' })
  const research = await engine.research()
  const run = async ({ docs, question }: Pick<AskedQuestion, 'docs' | 'question'>) => {
    const { session_id: id } = await research.create({ question, extractive: true, searchCollections: false })
    const texts = docs.map((name) => readDocument(name, set).text)
    for (const [at, name] of docs.entries())
      await research.addFile(id, { name, type: '', bytes: new TextEncoder().encode(texts[at]) })
    await research.run(id)
    const { nodes } = await research.show(id, true)
    const { grade, sources } = await research.report(id)
    const parts = nodes.flatMap((node) => node.parts ?? [])
    const isCalled = grade === 'full' || parts.some(({ answered }) => answered === 'yes')
    const all = texts.join('\n').toLowerCase()
    const files = docs.map((name) => readDocument(name, set))
    const missing = new FilePassages(files).assess(question, []).flatMap((part) => part.missing)
    const wrong = missing.filter((word) => all.includes(word.toLowerCase()))
    return { isCalled, wrong, shown: sources.map(({ text }) => text) }
  }
  const asked: (AskedQuestion & Awaited<ReturnType<typeof run>>)[] = []
  for (const one of readLabelled<AskedQuestion>('questions.json', set)) asked.push({ ...one, ...(await run(one)) })
  const points = []
  for (const one of readLabelled<BroadQuestion>('broad.json', set)) {
    const { shown } = await run(one)
    points.push(
      ...one.points.map(({ id, lines }) => ({
        id,
        isShown: holdsOne(
          shown,
          lines.map(({ text }) => text),
        ),
      })),
    )
  }
  await engine.close()
  return [
    countRight(
      'runs: not called answered',
      asked,
      ({ isCalled }) => !isCalled,
      ({ id }) => id,
    ),
    countRight(
      'runs: no word called missing that a document holds',
      asked,
      ({ wrong }) => wrong.length === 0,
      ({ id, wrong }) => `${id} ${wrong}`,
    ),
    countRight(
      'runs: points of broad questions, in the report',
      points,
      ({ isShown }) => isShown,
      ({ id }) => id,
    ),
  ]
}

/** The verdicts of code and of scripted judges on statements, in a report or in an answer of the assistant. */
async function claimFigures(
  claims: readonly LabelledClaim[],
  set: URL,
  form: 'report' | 'answer',
): Promise<CountedScores[]> {
  const verdictsOf = form === 'report' ? verdictsBy : answerVerdictsBy
  const right = claims.filter(({ label }) => label === 'supported')
  const wrong = claims.filter(({ label }) => label !== 'supported')
  const numbers = right.flatMap((one) => withOtherNumbers(one, set))
  const quotations = claims.flatMap(withOtherQuotations)
  const figure = async (
    name: string,
    judge: Judge,
    all: readonly LabelledClaim[],
    isRight: (verdicts: string[]) => boolean,
  ) => {
    const judged = []
    for (const one of all) judged.push({ ...one, isRight: isRight(await verdictsOf(judge, one, set)) })
    return countRight(
      `${form}, ${name}`,
      judged,
      (one) => one.isRight,
      ({ id, kind }) => `${id} ${kind}`,
    )
  }
  const all = (test: (verdict: string) => boolean) => (verdicts: string[]) =>
    verdicts.length > 0 && verdicts.every(test)
  const isMarked = (verdicts: string[]) => verdicts.some((verdict) => verdict !== 'supported')
  const isRefused = (verdicts: string[]) => verdicts.includes('unsupported')
  return [
    await figure(
      'perfect judge: true ones accepted',
      'perfect',
      right,
      all((verdict) => verdict === 'supported'),
    ),
    await figure('perfect judge: false and unstated ones marked', 'perfect', wrong, isMarked),
    await figure('agreeing judge: numbers that stand nowhere, refused', 'agrees', numbers, isRefused),
    await figure('agreeing judge: false quotations, refused', 'agrees', quotations, isRefused),
    await figure('agreeing judge: false and unstated ones of the set, refused', 'agrees', wrong, isRefused),
    await figure(
      'no judge: true ones not called false',
      'nobody',
      right,
      all((verdict) => verdict !== 'unsupported'),
    ),
    await figure(
      'no judge: true ones without any mark',
      'nobody',
      right,
      all((verdict) => /^(?:supported|unchecked)$/.test(verdict)),
    ),
  ]
}

const NUMBER = /(?<![\p{L}\d.,])\d+(?:[.,]\d+)*(?![\p{L}\d])/gu

/** A true statement with each of its numbers changed three times, to a number that occurs nowhere. */
function withOtherNumbers(claim: LabelledClaim, set: URL): LabelledClaim[] {
  const texts = [...claim.docs.map((name) => readDocument(name, set).text), claim.question ?? '', claim.claim]
  const known = new Set(texts.flatMap((text) => text.match(NUMBER) ?? []).map((one) => one.replaceAll(',', '')))
  const random = randomOf(claim.claim.length)
  return [...claim.claim.matchAll(NUMBER)].flatMap(({ 0: written, index }) => {
    if (Number(written.replaceAll(',', '')) <= LARGEST_SMALL_NUMBER) return []
    return [1, 2, 3].map(() => {
      const other = () =>
        written.replace(/\d/g, (_, at) => String(at === 0 ? 1 + Math.floor(random() * 9) : Math.floor(random() * 10)))
      let number = other()
      while (known.has(number.replaceAll(',', '')) || Number(number) <= LARGEST_SMALL_NUMBER) number = other()
      const said = claim.claim.slice(0, index) + number + claim.claim.slice(index + written.length)
      return { ...claim, claim: said, kind: `${written} as ${number}` }
    })
  })
}

/** The evidence of a statement as quotations with one wrong word. */
function withOtherQuotations(claim: LabelledClaim): LabelledClaim[] {
  return claim.evidence.flatMap((sentence) => {
    const words = sentence.replace(/\s+/g, ' ').trim().split(' ')
    if (words.length < 5 || /["“”]/.test(sentence)) return []
    const other = words.with(words.length >> 1, 'heretofore').join(' ')
    return [{ ...claim, claim: `It says “${other}”.`, kind: 'quotation' }]
  })
}

/** `0.969 [0.893–0.991] 62 of 64`, with the interval of Wilson. */
function lineOf({ name, scores, missed }: CountedScores): string {
  const right = scores.reduce((sum, one) => sum + one, 0)
  const [low, high] = intervalOf(right, scores.length)
  const share = scores.length === 0 ? '–' : (right / scores.length).toFixed(3)
  const wrong = missed.length === 0 ? '' : `; not: ${missed.join(', ')}`
  return `${name}: ${right} of ${scores.length}, ${share} [${low.toFixed(3)}–${high.toFixed(3)}]${wrong}`
}

/** The figures of a set in a folder, a line each. */
export async function* describeSet(folder: string): AsyncGenerator<string> {
  const set = pathToFileURL(`${resolve(folder)}/`)
  const names = ['claims.json', 'controls.json', 'second.json'].filter((name) => existsSync(new URL(name, set)))
  const claims = names.flatMap((name) => readLabelled<LabelledClaim>(name, set))
  for (const form of ['report', 'answer'] as const)
    for (const one of await claimFigures(claims, set, form)) yield lineOf(one)
  for (const one of [...questionFigures(set), broadFigure(set), ...(await runFigures(set))]) yield lineOf(one)
}
