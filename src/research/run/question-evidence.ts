/** Whether the sources answer a question: the one retrieval, asked for each part of it. */

import { AnswerIndex, type AnswerPassage, type FoundAnswer } from '../../retrieval/answers.ts'
import { hasCue, type QuestionKind, readQuestion } from '../../retrieval/passages.ts'
import { mainTerms } from '../../retrieval/terms.ts'
import { splitTextUnits, type TextUnit } from '../../retrieval/units.ts'
import { splitQuestion } from '../extractive/decompose.ts'
import { uniqueFindings } from '../extractive/synthesis.ts'
import type { Answered, EvidenceItem, EvidencePassage, PartEvidence } from './evidence.ts'
import { type FileEvidence, sayPassage } from './file-evidence.ts'
import { isComputingWord } from './table-question.ts'
import { turnsAlike } from './turning-words.ts'

/** Findings of a part from the files, and from what was looked up; and the share of the best one's score that they have. */
const OF_FILES = { most: 8, nearly: 0.4 } as const
const OF_OTHERS = { most: 6, nearly: 0.5 } as const

/** That share where the best passage is the whole answer: of 105 gold passages one is lost, and 1.9 are shown, not 4.8. Tuning half. */
const BESIDE_WHOLE = 0.7

/**
 * Share of a part that the best passage holds: below the first nothing is found; from the second on it counts as answered, and
 * a grade goes by that. By language, as forms of words are met: tuning half of `bench/quality/questions/`, and of XQuAD.
 */
const FOUND_AT = { english: 0.58, other: 0.33, ideographic: 0.36, southEastAsian: 0.56 } as const
const ANSWERED_AT = { english: 0.95, other: 0.95, ideographic: 0.95, southEastAsian: 0.95 } as const

/**
 * What words that nothing at all holds take off, by their share of the question: they tell more than those that the passage lacks.
 * A row has no verbs, and loses nothing. Tuning half.
 */
const UNHELD = { english: 0.25, other: 0.25, ideographic: 0, southEastAsian: 0 } as const

/** How much better what was looked up must be to come before what the files say. */
const BEYOND = 0.15

/** What the sources hold on each part of a question. */
export function assessQuestion(
  question: string,
  { files, passages }: { readonly files: FileEvidence; readonly passages: readonly EvidencePassage[] },
): PartEvidence[] {
  const others = new PassageEvidence(passages)
  return splitQuestion(question).map((text) => assessPart(text, files, others))
}

/** `yes`: each part is answered; `no`: none is, not even in part. */
export function answeredOf(parts: readonly Pick<PartEvidence, 'answered'>[]): Answered {
  if (parts.length > 0 && parts.every(({ answered }) => answered === 'yes')) return 'yes'
  return parts.every(({ answered }) => answered === 'no') ? 'no' : 'part'
}

function assessPart(text: string, files: FileEvidence, others: PassageEvidence): PartEvidence {
  const [own, looked] = [files.find(text, OF_FILES), others.find(text)]
  const least = FOUND_AT[own.language]
  const missing = own.missing.filter((word) => looked.missing.includes(word) && !files.holds(word))
  const doubt = missing.some((word) => isUnknownName(word, text)) ? UNKNOWN_NAME : 1
  const words = missing.filter((word) => /\p{L}/u.test(word))
  const unheld = (UNHELD[own.language] * words.length) / Math.max(1, readQuestion(text).words.length)
  const isFound = (found: FoundAnswer) => {
    const isRow = found.passages[0]?.unit.kind === 'row'
    return found.coverage * doubt * rowShare(text, found) - (isRow ? 0 : unheld) >= least
  }
  const isAnswer = isFound(own) || isFound(looked)
  const wanted = (found: FoundAnswer) => !isAnswer || isFound(found)
  const size = files.size + others.size
  const tellsAll = (one: FoundAnswer) =>
    one.coverage >= ANSWERED_AT[one.language] &&
    isTelling(text, one, size) &&
    tellsHowMany(text, one) &&
    tellsWhatIsAsked(text, one)
  const isWhole = tellsAll(own) || tellsAll(looked)
  const computed = files.compute(text)
  const isMeant = rowsMeant(text, own, computed !== undefined)
  const near = tellsAll(own) ? besideWhole(own.passages, (unit) => files.fileOf(unit)) : own.passages
  const ofFiles = wanted(own) ? near.filter(isMeant).map(({ unit }) => findingOf(files, unit)) : []
  const ofOthers = wanted(looked) ? others.findings(looked) : []
  const isBeyond = looked.coverage > own.coverage + BEYOND
  const findings = isBeyond ? [...ofOthers, ...ofFiles] : [...ofFiles, ...ofOthers]
  if (computed) {
    const { isWhole: _, ...finding } = computed
    findings.unshift({ ...finding, kind: 'context' })
  }
  return {
    text,
    answered: computed?.isWhole || isWhole ? 'yes' : computed || isAnswer ? 'part' : 'no',
    findings: uniqueFindings(foldRepeated(findings), { ofKind: true }),
    missing: files.hasTables ? missing.filter((word) => !isComputingWord(word)) : missing,
  }
}

/** A finding that another one of the same place repeats, with what leans on it or what it leads to, is told as that one. */
function foldRepeated(findings: readonly EvidenceItem[]): EvidenceItem[] {
  return findings.map((one) => {
    const whole = findings.find(
      ({ text, ref, kind }) =>
        ref === one.ref && kind === one.kind && text.length > one.text.length && text.includes(one.text),
    )
    return whole ?? one
  })
}

/** The best passage, those that are nearly as good, and what another source says of all that was asked: it may say otherwise. */
function besideWhole(passages: readonly AnswerPassage[], fileOf: (unit: TextUnit) => string): readonly AnswerPassage[] {
  const [best] = passages
  if (!best) return []
  const isOfAnother = ({ unit, coverage }: AnswerPassage) =>
    coverage >= best.coverage && fileOf(unit) !== fileOf(best.unit)
  return passages.filter((one) => one.score >= best.score * BESIDE_WHOLE || isOfAnother(one))
}

/**
 * Telling words of a question by which a passage that holds them all is its answer, at most. `amongMany`: where many passages hold
 * them. Tuning half.
 */
const TELLING = { words: 4, ofNumbers: 2, amongMany: 5, pairs: 6 } as const

/** Passages that hold all words of a question where few do: what stands in few places does not meet by chance. */
const FEW_PASSAGES = 2

/**
 * Whether a question says enough for its words to show that it is answered: the more passages there are, the more of them hold
 * a few words by chance. Where a number or a time is asked for, that shows, too.
 */
function isTelling(question: string, { passages, coverage }: FoundAnswer, size: number): boolean {
  const { words, language, kind } = readQuestion(question)
  const most = Math.ceil(Math.log10(Math.max(2, size)))
  if (language === 'ideographic' || language === 'southEastAsian')
    return words.length >= Math.min(TELLING.pairs, 2 * most)
  const isFew = passages.filter((one) => one.coverage >= coverage).length <= FEW_PASSAGES
  if (!isFew && kind !== 'number') return words.length >= Math.min(TELLING.amongMany, most + 1)
  const isShown = COUNTING.test(question) || (isFew && kind !== 'number')
  return words.length >= Math.min(isShown ? TELLING.ofNumbers : TELLING.words, most)
}

const COUNTING = /^\W*(?:when|how (?:much|many|long|far|often|old|high|large|big|fast))\b/iu

/** Share of its coverage that counts of a question that names what nothing holds. Tuning half. */
const UNKNOWN_NAME = 0.7

/** Whether a word of a question is a name: `SameSite`, `Brotli`, not the first word. In German each noun has a capital. */
function isUnknownName(word: string, question: string): boolean {
  if (/\p{Ll}\p{Lu}/u.test(word)) return true
  return /^\p{Lu}/u.test(word) && question.indexOf(word) > 0 && !GERMAN.test(question)
}

const GERMAN =
  /(?<!\p{L})(?:der|die|das|den|dem|ein|eine[mnrs]?|ist|sind|wird|wurden?|wie|wer|wann|wo|welche[mnrs]?|für|und)(?!\p{L})/iu

/** Of a row that is asked for a number: more where the question names its column and its line, less where it names no column. */
const ROW = { named: 1.25, unnamed: 0.8 } as const

function rowShare(question: string, { passages }: FoundAnswer): number {
  const unit = passages[0]?.unit
  if (unit?.kind !== 'row' || unit.lead === '') return 1
  const { kind, words } = readQuestion(question)
  const [columns, cells] = [unit.lead, unit.text].map((text) => new Set(mainTerms(text)))
  const namesColumn = words.some(({ term }) => columns?.has(term))
  const namesLine = words.some(({ term }) => cells?.has(term) && !columns?.has(term))
  if (namesColumn && namesLine) return ROW.named
  return kind === 'number' && !namesColumn ? ROW.unnamed : 1
}

/** Of the rows of a table those whose line the question names, where it names some, or where it is computed of all. */
function rowsMeant(question: string, { passages }: FoundAnswer, isComputed: boolean) {
  const { words } = readQuestion(question)
  const namesLine = ({ text, lead }: TextUnit) => {
    const [cells, columns] = [text, lead].map((one) => new Set(mainTerms(one)))
    return words.some(({ term }) => cells?.has(term) && !columns?.has(term))
  }
  const isNamed = isComputed || passages.some(({ unit }) => unit.kind === 'row' && namesLine(unit))
  return ({ unit }: AnswerPassage) => unit.kind !== 'row' || !isNamed || namesLine(unit)
}

const HOW_MANY = /\bhow many ([\p{L}\p{M}-]{2,40})/iu

const NUMBER =
  '(?:\\d[\\d.,]*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|fifty|hundred|thousand|million|no|single)'

/** Whether a question of how many there are has a number beside what is counted: words alone that are there say nothing of it. */
function tellsHowMany(question: string, { passages }: FoundAnswer): boolean {
  const [, counted = ''] = HOW_MANY.exec(question) ?? []
  if (counted === '') return true
  const noun = counted.toLowerCase().replace(/(?:ies|es|s)$/, '')
  const beside = new RegExp(
    `\\b${NUMBER}\\b(?:\\s+[\\p{L}-]+){0,2}\\s+[*_\`]*${noun}|${noun}[\\p{L}]{0,4}[*_\`]*(?:\\s*[:=(|]|\\s+(?:is|are|was|were|of|per|by|to|at most|up to|limit\\p{L}*))+\\s*[*_\`]*${NUMBER}\\b`,
    'iu',
  )
  const counts = new RegExp(`(?<![\\p{L}])${noun}`, 'iu')
  const isCounted = ({ kind, lead, text }: TextUnit) => (kind === 'row' ? counts.test(lead) : beside.test(text))
  return passages.slice(0, 3).some(({ unit }) => isCounted(unit))
}

/** Kinds of questions whose answers have signs that other sentences lack. */
const SIGNED: readonly QuestionKind[] = ['reason', 'time']

/** Whether a passage that holds the words of a question says what is asked for: that something is done says not why. */
function tellsWhatIsAsked(question: string, { passages, coverage }: FoundAnswer): boolean {
  const { kind } = readQuestion(question)
  if (!passages.some((one) => one.coverage >= coverage && turnsAlike(question, one.unit.text))) return false
  const tells = ({ text }: TextUnit) => hasCue(kind === 'reason' ? text.replace(PURPOSE, '') : text, kind)
  return !SIGNED.includes(kind) || passages.some((one) => one.coverage >= coverage && tells(one.unit))
}

/** What may be the thing that is asked about: `to make it work` is no reason why it works. */
const PURPOSE = /\bto (?:make|allow)\b/gi

function findingOf(files: FileEvidence, unit: TextUnit): EvidenceItem {
  const { text, isRow } = files.say(unit)
  return { text, ref: files.refOf(unit), kind: 'context', ...(isRow && { is_row: true }) }
}

/** What was looked up for one node. */
class PassageEvidence {
  readonly #passages = new Map<TextUnit, EvidencePassage>()
  readonly #index: AnswerIndex

  constructor(passages: readonly EvidencePassage[]) {
    for (const passage of passages) {
      for (const unit of splitTextUnits(passage.text, { title: passage.title })) this.#passages.set(unit, passage)
    }
    this.#index = new AnswerIndex([...this.#passages.keys()])
  }

  get size(): number {
    return this.#index.units.length
  }

  find(question: string): FoundAnswer {
    return this.#index.find(question, OF_OTHERS)
  }

  findings({ passages }: FoundAnswer): EvidenceItem[] {
    return passages.flatMap(({ unit, of }) => {
      const passage = this.#passages.get(of)
      if (!passage) return []
      const { text, isRow } = sayPassage(unit)
      return [{ text, ref: passage.ref, kind: passage.kind, ...(isRow && { is_row: true }) }]
    })
  }
}
