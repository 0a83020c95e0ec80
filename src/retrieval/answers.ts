/** Which passages answer a question, and whether any does. */

import {
  DATA_SHARE,
  DEFINING_GAIN,
  FIRST_GAIN,
  FOUND,
  NEARLY,
  QUESTION_WEIGHTS,
  UNLIKELY,
} from './passages/constants.ts'
import { hasCue, type Question, type QuestionKind, type QuestionLanguage, readQuestion } from './passages/question.ts'
import { bestFirst, PassageIndex, type ScoredPassage } from './passages.ts'
import { mainTerms } from './terms.ts'
import { splitSentences, type TextUnit } from './units.ts'

/** A sentence, row or piece of code, with the unit that it was taken from. */
export interface AnswerPassage extends ScoredPassage {
  readonly of: TextUnit
}

export interface FoundAnswer {
  /** Whether a passage holds enough of the question: `perhaps` where it lacks some of what tells most. */
  readonly found: 'yes' | 'perhaps' | 'no'
  /** The best first, none twice; of `no` those that come nearest. */
  readonly passages: readonly AnswerPassage[]
  /** Words of the question that no passage holds, as they were typed. */
  readonly missing: readonly string[]
  /** How much of the question the best passage holds, 0 to 1; less where it is unlikely to be an answer. */
  readonly coverage: number
  /** What the question was taken for. */
  readonly language: QuestionLanguage
}

export interface AnswerOptions {
  /** Most passages. Default: 3. */
  readonly most?: number
  /** Share of the best passage's score that a further one has at least. Default: 0.5. */
  readonly nearly?: number
  /** Whether a unit is of the place that was asked about, which comes first where two are nearly as good. Default: none is. */
  isFirst?(unit: TextUnit): boolean
}

/** The sentences, rows and code that answer a question, of units that may. */
export function findAnswer(text: string, units: readonly TextUnit[], options: AnswerOptions = {}): FoundAnswer {
  return new AnswerIndex(units).find(text, options)
}

/** Units that several questions are asked of. Reading them takes time that grows with their length, once. */
export class AnswerIndex {
  readonly #origins = new Map<TextUnit, TextUnit>()
  readonly #index: PassageIndex

  /** @param isSplit whether the units are sentences already. */
  constructor(units: readonly TextUnit[], isSplit = false) {
    const split = (unit: TextUnit) => (isSplit ? [unit] : splitSentences([unit]))
    for (const unit of units) for (const sentence of split(unit)) this.#origins.set(sentence, unit)
    this.#index = new PassageIndex([...this.#origins.keys()])
  }

  /** The passages that are found: sentences, rows of tables and pieces of code, in the order of the units. */
  get units(): readonly TextUnit[] {
    return this.#index.units
  }

  find(text: string, { most = 3, nearly = NEARLY, isFirst = () => false }: AnswerOptions = {}): FoundAnswer {
    const question = readQuestion(text)
    const wanted = this.#index.resolve(question)
    const ranked = bestFirst(
      this.#index.score(wanted, QUESTION_WEIGHTS).map((one): AnswerPassage => {
        const of = this.#origins.get(one.unit) ?? one.unit
        const gain = (isFirst(of) ? FIRST_GAIN : 1) * (isDefinition(one, question) ? DEFINING_GAIN : 1)
        return { ...one, of, score: one.score * (isData(one.unit) ? DATA_SHARE : 1) * gain }
      }),
    )
    const missing = question.words.flatMap(({ word }, at) => (wanted.terms[at]?.forms.length === 0 ? [word] : []))
    const best = ranked[0]
    const passages = distinct(ranked, (best?.score ?? 0) * nearly, most)
    const { language } = question
    return { found: judge(best, question), passages, missing, coverage: coverageOf(best, question), language }
  }
}

/** Kinds of answers that show: a passage without a number does not say how many. */
const SHOWN: readonly QuestionKind[] = ['number', 'time', 'person']

/** Of the best passage, less for what makes it an unlikely answer. */
function coverageOf(best: ScoredPassage | undefined, question: Question): number {
  if (!best) return 0
  const lacksKind = SHOWN.includes(question.kind) && !hasCue(best.unit.text, question.kind)
  const lacks = [
    ...(lacksKind ? [UNLIKELY.kind] : []),
    ...(isData(best.unit) ? [UNLIKELY.data] : []),
    ...(lacksNumber(best.unit, question) ? [UNLIKELY.number] : []),
  ]
  return lacks.reduce((coverage, share) => coverage * share, best.coverage)
}

/** Whether a year or another number that is asked about stands nowhere in a passage, its paragraph and its headings. */
function lacksNumber({ text, block, lead, title, trail }: TextUnit, { numbers }: Question): boolean {
  if (numbers.length === 0) return false
  const told = [text, block, lead, title, ...trail].join('\n')
  return numbers.some((digits) => !told.includes(digits))
}

function judge(best: ScoredPassage | undefined, question: Question): FoundAnswer['found'] {
  const coverage = coverageOf(best, question)
  if (coverage < FOUND.perhaps) return 'no'
  return coverage < FOUND.yes ? 'perhaps' : 'yes'
}

/** What a sentence begins with that says what something is: all of what is said to be. */
const DEFINING =
  /^(.{1,80}?)\s(?:means?|refers? to|denotes?|stands? for|(?:is|are) (?:an?|the|any|each|every)|bedeutet|bezeichnet|(?:ist|sind) (?:jede[rs]?|die|der|das|eine?|alle|nur))(?!\p{L})/iu

/** Words of a definition before its verb beside those that were asked about: `in the sense of this law`. */
const BESIDE = 4

function isDefinition({ unit, coverage }: ScoredPassage, { kind, words }: Question): boolean {
  if (kind !== 'definition' || coverage === 0) return false
  const [, subject = ''] = DEFINING.exec(unit.text.replace(/\s+/g, ' ')) ?? []
  const own = new Set(mainTerms(subject))
  return words.length > 0 && words.every(({ term }) => own.has(term)) && own.size <= words.length + BESIDE
}

/** Code, and what is written like JSON: `"retries": {` names a thing, and says little of it. */
function isData({ kind, text }: TextUnit): boolean {
  return kind === 'code' || /^\s*(?:[{}[\]]|"[^"\n]*"\s*:)/.test(text)
}

/** Those that score enough, without those that say the same again. */
function distinct(ranked: readonly AnswerPassage[], least: number, most: number): AnswerPassage[] {
  const seen = new Set<string>()
  const kept: AnswerPassage[] = []
  for (const one of ranked) {
    if (kept.length === most || one.score < least) break
    const folded = one.unit.text.replace(/\s+/g, ' ')
    if (seen.has(folded)) continue
    seen.add(folded)
    kept.push(one)
  }
  return kept
}
