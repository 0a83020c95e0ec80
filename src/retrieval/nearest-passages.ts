/** Ranks passages by their similarity to a question. A similar passage need not answer the question. */

import { fusePassages, LOW_COVERAGE, MIN_COSINE, type TextRows, wordMeaning } from './meaning.ts'
import { bestFirst, PassageIndex, readQuestion, type ScoredPassage } from './passages.ts'
import { exactTextsIn } from './ranking/names.ts'
import { isCharacterPair } from './terms.ts'
import type { TextUnit } from './units.ts'

/** Number of passages to show. */
export const MAX_NEAREST_PASSAGES = 3

/**
 * Further sections to show if no passage covers the share `minCoverage` of a question. `minScoreShare`: their minimum share of the best score.
 * `maximum`: their maximum number.
 */
const FURTHER_SECTIONS = { minCoverage: 0.5, minScoreShare: 0.4, maximum: 8 } as const

/** An index of passages, which ranks them for questions. Built in linear time. */
export class NearestPassages {
  readonly #index: PassageIndex
  readonly #readTable: (() => Uint8Array) | undefined
  #rows: readonly TextRows[] | undefined

  /** `readTable`: the bytes of the table of word vectors; without it, passages are ranked by words alone, and no word is guessed. */
  constructor(units: readonly TextUnit[], readTable?: () => Uint8Array) {
    this.#index = new PassageIndex(units, readTable && ((a, b) => wordMeaning(readTable).hasOtherMeaning(a, b)))
    this.#readTable = readTable
  }

  /** The passages that have words of a question, or are near to it in meaning; the best first. */
  rank(question: string): ScoredPassage[] {
    const ranked = this.#index.rank(question)
    const scores = this.#fuse(question, ranked)
    if (!scores) return bestFirst(ranked)
    const exactIndices = this.#passagesWithNames(question)
    const isLowCoverage = ranked.every(({ coverage }) => coverage < LOW_COVERAGE)
    return bestFirst(
      ranked.map((passage, at) => {
        const { cosine = 0, fused = 0 } = scores[at] ?? {}
        const isMatch = passage.score > 0 || (isLowCoverage && cosine >= MIN_COSINE)
        return { ...passage, score: isMatch ? fused + Number(exactIndices.has(at)) : 0 }
      }),
    )
  }

  /** The passages that contain a name of the question verbatim, such as a version; none if there are many. */
  #passagesWithNames(question: string): ReadonlySet<number> {
    const names = exactTextsIn({ text: question, plain: question.toLowerCase() }).filter(({ isCommon }) => !isCommon)
    if (names.length === 0) return new Set()
    const texts = this.#index.units.map(({ text }) => ({ text, plain: text.toLowerCase() }))
    const indicesByName = names.map(({ grade }) =>
      texts.flatMap(({ text, plain }, at) => (grade(text, plain) > 0 ? [at] : [])),
    )
    return new Set(indicesByName.filter(({ length }) => length <= MAX_NEAREST_PASSAGES).flat())
  }

  /** Scores by words and meaning. Undefined without a table, and for a question in another language than English. */
  #fuse(question: string, ranked: readonly ScoredPassage[]) {
    if (!this.#readTable || readQuestion(question).language !== 'english') return undefined
    const meaning = wordMeaning(this.#readTable)
    // Uses the weights of the table. The passages are too few to show which words are rare.
    const questionMeaning = meaning.askAbout(question, () => undefined)
    if (!questionMeaning) return undefined
    this.#rows ??= this.#index.units.map(({ text, trail }) => meaning.read(trail.at(-1) ?? '', text))
    return fusePassages(questionMeaning, ranked, this.#rows)
  }

  /** The best passages. If none covers much of the question, adds the best passages of other sections. */
  nearest(question: string): ScoredPassage[] {
    const ranked = this.rank(question)
    const best = ranked.slice(0, MAX_NEAREST_PASSAGES)
    if (best.some(({ coverage }) => coverage >= FURTHER_SECTIONS.minCoverage)) return best
    const sections = new Set(best.map(({ unit }) => sectionOf(unit)))
    const minScore = (best[0]?.score ?? 0) * FURTHER_SECTIONS.minScoreShare
    const others = ranked.filter(({ unit, score }) => {
      return score >= minScore && !sections.has(sectionOf(unit)) && sections.add(sectionOf(unit))
    })
    return [...best, ...others.slice(0, FURTHER_SECTIONS.maximum)]
  }

  /**
   * The words of a question that no passage contains in any form. `guesses`: the words that were searched instead.
   * Leaves out words with an apostrophe, and scripts without spaces.
   */
  missing(question: string) {
    // `don't` would be reported as `don` and `t`, which nobody typed.
    const parsed = readQuestion(question.replaceAll(/(?<!\p{L})\p{L}+['’]\p{L}+/gu, ' '))
    const terms = this.#index.resolve(parsed)
    return parsed.words.flatMap(({ term, word }, at) => {
      const { forms, guesses = [] } = terms[at] ?? {}
      const isKnown = forms?.length !== 0 && guesses.length === 0
      return isKnown || isCharacterPair(term) || !/\p{L}/u.test(word) ? [] : [{ word, guesses }]
    })
  }
}

/** The section of a passage. In a text without headings, each passage is a section, and all table rows are one section. */
function sectionOf({ kind, text, title, trail }: TextUnit): string {
  return [title, ...(trail.length === 0 && kind !== 'row' ? [text] : trail)].join('\0')
}

/** Minimum number of words of compared passages, because shorter passages can be alike by chance. */
const MIN_COMPARED_WORDS = 12

/** Whether two passages are versions of one text: the longer has all numbers, and 90% of the words, of the shorter. */
export function isRepeated(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => new Set(text.match(/[\p{L}\p{N}]+/gu))) as [Set<string>, Set<string>]
  const [shorter, longer] = a.size < b.size ? [a, b] : [b, a]
  const missing = [...shorter.difference(longer)]
  const isAlike = missing.length * 10 <= shorter.size && !missing.some((word) => /\d/.test(word))
  return one === other || (shorter.size >= MIN_COMPARED_WORDS && isAlike)
}
