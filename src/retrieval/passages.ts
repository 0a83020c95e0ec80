/** Ranks the passages of given texts: BM25 over a passage and what it stands under. */

import { bisect } from '../text/bisect.ts'
import { type Question, type QuestionLanguage, type QuestionWord, readQuestion } from './passages/question.ts'
import { inverseFrequency, SATURATION } from './rank.ts'
import { composeText, isCharacterPair, scanTerms, stemOf } from './terms.ts'
import type { TextUnit } from './units.ts'

export { type Question, readQuestion } from './passages/question.ts'

/*
 * The numbers of the ranking. Those without a note are from the literature on BM25. "Tuning half": the questions with even numbers of
 * each file of `bench/research/questions/`, and the paragraphs of XQuAD with even numbers.
 */

/** Weight of each field of a passage, beside one occurrence in its text. Chosen on the tuning half of the questions. */
export const FIELD_WEIGHTS = {
  /** The nearest heading. */
  heading: 0.6,
  /** The headings above it. */
  trail: 0.6,
  /** The sentence that leads to a list; the header of a table. */
  lead: 0.8,
  /** The title of the document. */
  title: 0.5,
} as const

/** Added to the factor of a passage that holds all that is wanted; less, by the square, for one that holds less. */
export const COVERAGE_GAIN = 0.6

/** Weight of the headings above a passage in documents of a search, which ranked them by their titles already. */
export const DOCUMENT_TRAIL = 0.3

/** UTF-16 units of a passage of middle length in documents: some forty words. */
export const PASSAGE_LENGTH = 250

/** UTF-16 units that a shorter one counts as: a heading of two words says no more for being short. */
export const SHORTEST_PASSAGE = 60

/** Words of the shortest run that counts as word for word: shorter ones are of titles and phrases that many pages hold. */
export const RUN_LENGTH = 7

/** One thing that is looked for in passages. */
export interface WantedTerm {
  /** Terms that stand for it, each as good as the others. */
  readonly forms: readonly string[]
  /** Whether the forms are beginnings of words. Default: they are terms. */
  readonly isPrefix?: boolean
  /** How much it counts. */
  readonly weight: number
  /** How much it tells. */
  readonly idf: number
  /** Share of it that a passage with it covers, 0 to 1. */
  readonly cover: number
}

/** A passage, and how well it fits. */
export interface ScoredPassage {
  readonly unit: TextUnit
  /** Place of the unit among those that were given. */
  readonly at: number
  /** 0: it holds nothing of what is wanted. */
  readonly score: number
  /** Share of what is wanted, by how much it tells, that it or its headings hold: 0 to 1. */
  readonly coverage: number
}

/** The words of a passage. */
interface Counted {
  readonly counts: ReadonlyMap<string, number>
  readonly length: number
  readonly heading: ReadonlySet<string>
  readonly trail: ReadonlySet<string>
  readonly lead: ReadonlySet<string>
  /** Whether it is a row of a table: the names of its columns are part of what it says. */
  readonly isRow: boolean
  readonly title: ReadonlySet<string>
}

const NO_TERMS: ReadonlySet<string> = new Set()

/** Letters of the shortest word that is taken for the beginning of others, and letters that these are longer. */
const PREFIX = { shortest: 4, longer: 12, most: 16, cover: 0.8 } as const

/** Letters that an ending may be of which the stemmer does not know, of a word of so many letters. */
const ENDING = { letters: 2, shortest: 6 } as const

/** Letters that an ending has at most in a language that the stemmer does not know, of a word of so many letters at least. */
const INFLECTED = { letters: 3, shortest: 5 } as const

/** Weight of two characters that span two words, relative to those of one. */
const ACROSS = 0.3

/** Passages that are ranked among themselves. Reading them takes time that grows with their length, once. */
export class PassageIndex {
  readonly units: readonly TextUnit[]
  readonly #counted: readonly Counted[]
  readonly #frequencies = new Map<string, number>()
  readonly #average: number
  #sorted: readonly string[] | undefined

  constructor(units: readonly TextUnit[]) {
    this.units = units
    const sets = new Map<string, ReadonlySet<string>>()
    const setOf = (text: string) => {
      const known = text === '' ? NO_TERMS : sets.get(text)
      if (known) return known
      const made = new Set(countTerms(text).counts.keys())
      sets.set(text, made)
      return made
    }
    this.#counted = units.map(({ kind, text, trail, lead, title }) => ({
      ...countTerms(text),
      isRow: kind === 'row',
      heading: setOf(trail.at(-1) ?? ''),
      trail: setOf(trail.slice(0, -1).join('\n')),
      lead: setOf(lead),
      title: setOf(title),
    }))
    for (const { counts } of this.#counted) {
      for (const term of counts.keys()) this.#frequencies.set(term, (this.#frequencies.get(term) ?? 0) + 1)
    }
    const total = this.#counted.reduce((sum, { length }) => sum + length, 0)
    this.#average = Math.max(1, total / Math.max(1, units.length))
  }

  /** How much a term tells: the more, the fewer passages hold it. */
  idf(term: string): number {
    return inverseFrequency(this.#frequencies.get(term) ?? 0, this.units.length)
  }

  /** Terms of a question in these passages. A word that none of them holds is taken for a prefix. */
  resolve({ words, language }: Question): WantedTerm[] {
    return words.map((word) => this.#resolveWord(word, language))
  }

  /** All passages in their order, as they fit what a person asks or does. */
  rank(question: string): ScoredPassage[] {
    const terms = this.resolve(readQuestion(question))
    const all = terms.reduce((sum, term) => sum + shareOf(term), 0) || 1
    return this.#counted.map((counted, at) => {
      const unit = this.units[at] as TextUnit
      const norm = 0.5 + (0.5 * counted.length) / this.#average
      let [score, covered] = [0, 0]
      for (const term of terms) {
        const found = matchOf(term, counted, norm)
        if (found.count === 0) continue
        score += weighTerm(term, found.count)
        covered += shareOf(term) * term.cover * found.covered
      }
      const coverage = covered / all
      return { unit, at, coverage, score: score * (1 + COVERAGE_GAIN * coverage * coverage) }
    })
  }

  #holds(term: string): boolean {
    return (
      this.#frequencies.has(term) ||
      this.#counted.some(({ heading, trail, title, lead }) =>
        [heading, trail, title, lead].some((set) => set.has(term)),
      )
    )
  }

  #resolveWord({ term, isAcross = false }: QuestionWord, language: QuestionLanguage): WantedTerm {
    const isKnown = this.#holds(term)
    if (isCharacterPair(term)) {
      return { forms: isKnown ? [term] : [], weight: isAcross ? ACROSS : 1, idf: this.idf(term), cover: 1 }
    }
    if (language !== 'english') {
      const forms = this.#inflectedForms(term, isKnown)
      if (forms.length > 0) {
        const idf = Math.min(...forms.map((form) => this.idf(form)))
        return { forms, weight: 1, idf, cover: isKnown ? 1 : PREFIX.cover }
      }
    }
    if (isKnown) return { forms: [term], weight: 1, idf: this.idf(term), cover: 1 }
    return { forms: this.#longerForms(term), weight: PREFIX.cover, idf: this.idf(term), cover: PREFIX.cover }
  }

  /** A word and those that differ from it by their endings, of a language that the stemmer does not know. */
  #inflectedForms(term: string, isKnown: boolean): string[] {
    const own = isKnown ? [term] : []
    if (term.length < INFLECTED.shortest || /\d/.test(term)) return own
    const cut = term.slice(0, Math.max(INFLECTED.shortest - 1, term.length - INFLECTED.letters))
    const others = this.#begunWith(cut, term.length - cut.length + INFLECTED.letters).filter((form) => form !== term)
    return [...own, ...others].slice(0, PREFIX.most)
  }

  #longerForms(term: string): string[] {
    if (term.length < PREFIX.shortest) return []
    const stem = stemOf(term)
    const whole = term.startsWith(stem) ? stem : term
    const cut = whole.length < ENDING.shortest ? whole : whole.slice(0, -ENDING.letters)
    const begun = this.#begunWith(whole, PREFIX.longer)
    const found = begun.length > 0 ? begun : this.#begunWith(cut, 2 * ENDING.letters)
    const often = (form: string) => this.#frequencies.get(form) ?? 0
    return found.sort((a, b) => often(b) - often(a) || (a < b ? -1 : 1)).slice(0, PREFIX.most)
  }

  /** Terms that begin so, at most so many letters longer. */
  #begunWith(begin: string, longer: number): string[] {
    this.#sorted ??= [...this.#frequencies.keys()].sort()
    const sorted = this.#sorted
    const found: string[] = []
    const first = bisect(-1, sorted.length, (at) => (sorted[at] ?? '') < begin) + 1
    for (let at = first; sorted[at]?.startsWith(begin); at++) {
      const form = sorted[at] ?? ''
      if (form.length <= begin.length + longer) found.push(form)
    }
    return found
  }
}

/** Scores above 0, the highest first; of equal ones the first. */
export function bestFirst<Passage extends ScoredPassage>(scored: readonly Passage[]): Passage[] {
  return scored.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score || a.at - b.at)
}

/** BM25 of one term: what it adds to a passage that holds it so often, by its weighted fields and its length. */
export function weighTerm({ weight, idf }: WantedTerm, count: number): number {
  return (weight * idf * (SATURATION + 1) * count) / (count + SATURATION)
}

/** How much of a question a term is: a rare word does not outweigh all others, as it does in the score. */
function shareOf({ weight, idf }: WantedTerm): number {
  return weight * Math.sqrt(idf)
}

/** How often a passage and its fields hold a term, weighted, and how much of the term is covered. `norm`: what the count in the text is divided by. */
function matchOf({ forms }: WantedTerm, counted: Counted, norm: number) {
  const weights = FIELD_WEIGHTS
  let own = 0
  const inFields = { heading: 0, trail: 0, lead: 0, title: 0 }
  for (const form of forms) {
    own += counted.counts.get(form) ?? 0
    for (const field of FIELDS) if (counted[field].has(form)) inFields[field] = 1
  }
  const count = FIELDS.reduce((sum, field) => sum + weights[field] * inFields[field], own / norm)
  const covered = own + weights.heading * inFields.heading + weights.trail * inFields.trail
  const ofLead = (counted.isRow ? 1 : weights.lead) * inFields.lead
  return { count, covered: Math.min(1, covered + ofLead + weights.title * inFields.title) }
}

const FIELDS = ['heading', 'trail', 'lead', 'title'] as const

/** Names that are several words count as themselves, too; the length is that of the words. */
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
