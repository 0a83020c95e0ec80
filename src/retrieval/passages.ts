/** Ranks passages for a question by BM25 over a passage, its headings, its lead and the title of its document. */

import { bisect } from '../text/bisect.ts'
import { byCodeUnit } from '../text/paths.ts'
import { GUESS_SHARE, MAX_GUESSED_WORDS, MAX_GUESSES, maxEditsOf, nearTerms } from './guesses.ts'
import { type Question, type QuestionLanguage, type QuestionWord, readQuestion } from './passages/question.ts'
import { inverseFrequency } from './rank.ts'
import { SATURATION } from './ranking/scorer.ts'
import { composeText, foldWord, isCharacterPair, isStopWord, scanTerms, stemOf } from './terms.ts'
import type { TextUnit } from './units.ts'

export { type Question, readQuestion } from './passages/question.ts'

/*
 * Constants of the ranking. Constants without a note are from the literature on BM25. "Tuning half": the questions with even numbers of
 * each file of `bench/research/questions/`, and the paragraphs of XQuAD with even numbers.
 */

/** Weight of a word in each field of a passage; in its text, 1. Chosen on the tuning half of the questions. */
export const FIELD_WEIGHTS = {
  /** The nearest heading. */
  heading: 0.6,
  /** The headings above it. */
  trail: 0.6,
  /** The sentence before a list; the header of a table. */
  lead: 0.8,
  /** The title of the document. */
  title: 0.5,
} as const

/** Bonus of a passage that covers the whole question, as a share of its score; grows with the square of the coverage. */
export const COVERAGE_GAIN = 0.6

/**
 * Weight of the headings above a passage when a hit is read again, because the index already ranked it by its title.
 */
export const DOCUMENT_TRAIL = 0.3

/** Average length of a passage of a document in UTF-16 units: some forty words. */
export const PASSAGE_LENGTH = 250

/** Minimum length of a passage in the score, in UTF-16 units: a heading of two words is not better because it is short. */
export const SHORTEST_PASSAGE = 60

/** Minimum words of a run that a text and a query share word for word. Shorter runs are often titles or phrases. */
export const RUN_LENGTH = 7

/** A word to find in passages. */
export interface WantedTerm {
  /** Terms that stand for the word. */
  readonly forms: readonly string[]
  /** Whether the forms are prefixes of words. Default: they are terms. */
  readonly isPrefix?: boolean
  readonly weight: number
  /** Inverse document frequency of the forms. */
  readonly idf: number
  /** Share of the word that a match covers, 0 to 1; below 1 if no passage contains the word itself. */
  readonly cover: number
  /** If no passage contains the word: the words that it probably misspells. */
  readonly guesses?: readonly string[]
}

export interface ScoredPassage {
  readonly unit: TextUnit
  /** Index of its unit in the units of the index. */
  readonly at: number
  /** 0 for a passage without a word of the question. */
  readonly score: number
  /** Share of the question in the passage and its fields, weighted by the root of the idf: 0 to 1. */
  readonly coverage: number
}

/** The words of a passage with their counts, and the words of its fields. */
interface CountedPassage extends Readonly<Record<keyof typeof FIELD_WEIGHTS, ReadonlySet<string>>> {
  readonly counts: ReadonlyMap<string, number>
  readonly length: number
  /** Whether it is a row of a table: then the names of its columns count as its text. */
  readonly isRow: boolean
}

const NO_TERMS: ReadonlySet<string> = new Set()

/** Completions of an unknown word: minimum letters of the word, maximum further letters, maximum number, `cover`. */
const COMPLETED_FORMS = { minLetters: 4, maxExtraLetters: 12, limit: 16, cover: 0.8 } as const

/** Maximum letters of an English ending that the stemmer does not know, and minimum letters of its word. */
const UNKNOWN_ENDING = { letters: 2, minLetters: 6 } as const

/** Maximum letters of an ending in a language that the stemmer does not know, and minimum letters of its word. */
const INFLECTED_FORMS = { letters: 3, minLetters: 5 } as const

/** Weight of a pair of characters from two words, relative to a pair within one word. */
const ACROSS_WORDS_WEIGHT = 0.3

/** Ranks passages against each other. The constructor reads all passages once, in linear time. */
export class PassageIndex {
  readonly units: readonly TextUnit[]
  readonly #passages: readonly CountedPassage[]
  readonly #frequencies = new Map<string, number>()
  readonly #averageLength: number
  /** The terms of the fields of passages. */
  readonly #fieldTerms: ReadonlySet<string>
  readonly #hasOtherMeaning: ((word: string, other: string) => boolean) | undefined
  #sortedTerms: readonly string[] | undefined

  /** `hasOtherMeaning`: which guesses of misspelt words to refuse. Default: no word is guessed. */
  constructor(units: readonly TextUnit[], hasOtherMeaning?: (word: string, other: string) => boolean) {
    this.units = units
    this.#hasOtherMeaning = hasOtherMeaning
    const termsByText = new Map<string, ReadonlySet<string>>()
    const termsIn = (text: string) => {
      const known = text === '' ? NO_TERMS : termsByText.get(text)
      if (known) return known
      const terms = new Set(countTerms(text).counts.keys())
      termsByText.set(text, terms)
      return terms
    }
    this.#passages = units.map(({ kind, text, trail, lead, title }) => ({
      ...countTerms(text),
      isRow: kind === 'row',
      heading: termsIn(trail.at(-1) ?? ''),
      trail: termsIn(trail.slice(0, -1).join('\n')),
      lead: termsIn(lead),
      title: termsIn(title),
    }))
    for (const { counts } of this.#passages) {
      for (const term of counts.keys()) this.#frequencies.set(term, (this.#frequencies.get(term) ?? 0) + 1)
    }
    this.#fieldTerms = new Set([...termsByText.values()].flatMap((terms) => [...terms]))
    const totalLength = this.#passages.reduce((sum, { length }) => sum + length, 0)
    this.#averageLength = Math.max(1, totalLength / units.length)
  }

  /** The inverse document frequency (idf) of a term, with passages as documents. */
  idf(term: string): number {
    return inverseFrequency(this.#frequencies.get(term) ?? 0, this.units.length)
  }

  /** The terms of a question. A word in no passage stands for terms that begin with it, else for its corrections. */
  resolve({ words, language }: Question): WantedTerm[] {
    const terms = words.map((word) => this.#resolveWord(word, language))
    const unknown = terms.filter(({ forms }) => forms.length === 0)
    const guessed = new Set(unknown.slice(0, MAX_GUESSED_WORDS))
    return terms.map((term, at) => ({
      ...term,
      ...(guessed.has(term) && this.#guessWord(foldWord(words[at]?.word ?? ''), unknown.length === terms.length)),
    }))
  }

  /** The terms that a word may misspell. Never a word of another meaning, because answers quote the passages. */
  #guessWord(word: string, isOnlyUnknown: boolean): Partial<WantedTerm> {
    const hasOtherMeaning = this.#hasOtherMeaning
    if (!hasOtherMeaning || isStopWord(word)) return {}
    const terms = [...this.#fieldTerms.union(this.#frequencies)]
    const compared = terms.filter((term) => isOnlyUnknown || word.slice(0, 2).includes(term.charAt(0)))
    const near = nearTerms(word, compared, maxEditsOf(word)).filter((one) => !hasOtherMeaning(word, one.word))
    const nearest = near.filter(({ edits }) => edits === near[0]?.edits)
    const best = nearest.sort((a, b) => this.#compareFrequency(a.term, b.term)).slice(0, MAX_GUESSES)
    if (best.length === 0) return {}
    const forms = best.map(({ term }) => term)
    const idf = Math.min(...forms.map((form) => this.idf(form)))
    return { forms, weight: GUESS_SHARE, cover: GUESS_SHARE, idf, guesses: best.map((one) => one.word) }
  }

  /** Scores of all passages for a question, in the order of the passages. */
  rank(question: string): ScoredPassage[] {
    const terms = this.resolve(readQuestion(question))
    const totalWeight = terms.reduce((sum, term) => sum + coverageWeight(term), 0) || 1
    return this.#passages.map((passage, at) => {
      const unit = this.units[at] as TextUnit
      const norm = 0.5 + (0.5 * passage.length) / this.#averageLength
      let [score, covered] = [0, 0]
      for (const term of terms) {
        const match = matchTerm(term, passage, norm)
        if (match.count === 0) continue
        score += weighTerm(term, match.count)
        covered += coverageWeight(term) * term.cover * match.covered
      }
      const coverage = covered / totalWeight
      return { unit, at, coverage, score: score * (1 + COVERAGE_GAIN * coverage * coverage) }
    })
  }

  #resolveWord({ term, isAcrossWords = false }: QuestionWord, language: QuestionLanguage): WantedTerm {
    const isKnown = this.#frequencies.has(term) || this.#fieldTerms.has(term)
    const idf = this.idf(term)
    if (isCharacterPair(term))
      return { forms: isKnown ? [term] : [], weight: isAcrossWords ? ACROSS_WORDS_WEIGHT : 1, idf, cover: 1 }
    if (language !== 'english') {
      const forms = this.#inflectedForms(term, isKnown)
      if (forms.length > 0) {
        const lowestIdf = Math.min(...forms.map((form) => this.idf(form)))
        return { forms, weight: 1, idf: lowestIdf, cover: isKnown ? 1 : COMPLETED_FORMS.cover }
      }
    }
    if (isKnown) return { forms: [term], weight: 1, idf, cover: 1 }
    return { forms: this.#completedForms(term), weight: COMPLETED_FORMS.cover, idf, cover: COMPLETED_FORMS.cover }
  }

  /** A word and words with other endings, in a language that the stemmer does not know. */
  #inflectedForms(term: string, isKnown: boolean): string[] {
    const ownForms = isKnown ? [term] : []
    if (term.length < INFLECTED_FORMS.minLetters || /\d/.test(term)) return ownForms
    const prefix = term.slice(0, Math.max(INFLECTED_FORMS.minLetters - 1, term.length - INFLECTED_FORMS.letters))
    const forms = this.#termsWithPrefix(prefix, term.length - prefix.length + INFLECTED_FORMS.letters)
    return [...ownForms, ...forms.filter((form) => form !== term)].slice(0, COMPLETED_FORMS.limit)
  }

  #completedForms(term: string): string[] {
    if (term.length < COMPLETED_FORMS.minLetters) return []
    const stem = stemOf(term)
    const prefix = term.startsWith(stem) ? stem : term
    const shorterPrefix = prefix.length < UNKNOWN_ENDING.minLetters ? prefix : prefix.slice(0, -UNKNOWN_ENDING.letters)
    const completed = this.#termsWithPrefix(prefix, COMPLETED_FORMS.maxExtraLetters)
    const forms = completed.length > 0 ? completed : this.#termsWithPrefix(shorterPrefix, 2 * UNKNOWN_ENDING.letters)
    return forms.sort((a, b) => this.#compareFrequency(a, b)).slice(0, COMPLETED_FORMS.limit)
  }

  /** Orders terms by their number of passages, the highest first. */
  #compareFrequency(a: string, b: string): number {
    return (this.#frequencies.get(b) ?? 0) - (this.#frequencies.get(a) ?? 0) || byCodeUnit(a, b)
  }

  /** Terms with this prefix that are at most `maxExtraLetters` letters longer. */
  #termsWithPrefix(prefix: string, maxExtraLetters: number): string[] {
    this.#sortedTerms ??= [...this.#frequencies.keys()].sort()
    const sorted = this.#sortedTerms
    const terms: string[] = []
    const first = bisect(-1, sorted.length, (at) => (sorted[at] ?? '') < prefix) + 1
    for (let at = first; sorted[at]?.startsWith(prefix); at++) {
      const form = sorted[at] ?? ''
      if (form.length <= prefix.length + maxExtraLetters) terms.push(form)
    }
    return terms
  }
}

/** Passages with a score above 0, the best first; passages with equal scores keep their order. */
export function bestFirst<Passage extends ScoredPassage>(scored: readonly Passage[]): Passage[] {
  return scored.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score)
}

/** BM25 score of one term. `count`: number of occurrences, weighted by the fields and the length of the passage. */
export function weighTerm({ weight, idf }: WantedTerm, count: number): number {
  return (weight * idf * (SATURATION + 1) * count) / (count + SATURATION)
}

/**
 * Weight of a term in the coverage. It grows with the root of the idf, so that a rare word does not outweigh all other
 * words.
 */
function coverageWeight({ weight, idf }: WantedTerm): number {
  return weight * Math.sqrt(idf)
}

/** The weighted count of a term in a passage and its fields, and the covered share of the term. `norm`: divisor of the count in the text. */
function matchTerm({ forms }: WantedTerm, counted: CountedPassage, norm: number) {
  const weights = FIELD_WEIGHTS
  let ownCount = 0
  const inFields = { heading: 0, trail: 0, lead: 0, title: 0 }
  for (const form of forms) {
    ownCount += counted.counts.get(form) ?? 0
    for (const field of FIELDS) if (counted[field].has(form)) inFields[field] = 1
  }
  const count = FIELDS.reduce((sum, field) => sum + weights[field] * inFields[field], ownCount / norm)
  const covered = ownCount + weights.heading * inFields.heading + weights.trail * inFields.trail
  const leadWeight = (counted.isRow ? 1 : weights.lead) * inFields.lead
  return { count, covered: Math.min(1, covered + leadWeight + weights.title * inFields.title) }
}

const FIELDS = ['heading', 'trail', 'lead', 'title'] as const

/** Counts words, and names of several words such as `snake_case`. `length`: number of words. */
function countTerms(text: string): { readonly counts: ReadonlyMap<string, number>; readonly length: number } {
  const counts = new Map<string, number>()
  let length = 0
  const add = (term: string) => counts.set(term, (counts.get(term) ?? 0) + 1)
  scanTerms(composeText(text), {
    main: (term) => {
      add(term)
      length++
    },
    extra: add,
  })
  return { counts, length }
}
