/** Which of some passages come nearest to a question. That one answers it is not said. */

import { bestFirst, PassageIndex, readQuestion, type ScoredPassage } from './passages.ts'
import { isCharacterPair } from './terms.ts'
import type { TextUnit } from './units.ts'

/** Passages of a question that are shown. */
export const NEAREST = 3

/** Further sections about a broad question, of which no passage holds this share: with this share of the best score, and how many. */
const SECTIONS = { held: 0.5, nearly: 0.5, most: 5 } as const

/** Passages that questions are asked of. Reading them takes time that grows with their length, once. */
export class NearestPassages {
  readonly #index: PassageIndex

  constructor(units: readonly TextUnit[]) {
    this.#index = new PassageIndex(units)
  }

  /** Those that hold something of a question, the best first. */
  rank(question: string): ScoredPassage[] {
    return bestFirst(this.#index.rank(question))
  }

  /** The best; of a question that none of them holds much of, the best of other sections, too. */
  nearest(question: string): ScoredPassage[] {
    const ranked = this.rank(question)
    const best = ranked.slice(0, NEAREST)
    if (best.some(({ coverage }) => coverage >= SECTIONS.held)) return best
    const known = new Set(best.map(({ unit }) => sectionOf(unit)))
    const least = (best[0]?.score ?? 0) * SECTIONS.nearly
    const others = ranked.filter(({ unit, score }) => {
      return score >= least && !known.has(sectionOf(unit)) && known.add(sectionOf(unit))
    })
    return [...best, ...others.slice(0, SECTIONS.most)]
  }

  /** Words of a question that none of them holds, in whatever form; of scripts without spaces none. */
  missing(question: string): string[] {
    const read = readQuestion(question)
    const { terms } = this.#index.resolve(read)
    return read.words.flatMap(({ term, word }, at) => {
      return terms[at]?.forms.length === 0 && !isCharacterPair(term) && /\p{L}/u.test(word) ? [word] : []
    })
  }
}

/** What a passage stands under; of a text without headings each passage is a section, and a table is one. */
function sectionOf({ kind, text, title, trail }: TextUnit): string {
  return [title, ...(trail.length === 0 && kind !== 'row' ? [text] : trail)].join('\0')
}
