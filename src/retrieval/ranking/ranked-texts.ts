import { inverseFrequency, SATURATION } from '../rank.ts'

/** How much a long text is marked down. */
const LENGTH_SHARE = 0.75

/** Texts by their terms, ranked by BM25 among themselves: no headings, no fields. */
export class RankedTexts {
  readonly #terms: readonly (readonly string[])[]
  readonly #counts: readonly ReadonlyMap<string, number>[]
  readonly #holders = new Map<string, number>()
  readonly #average: number

  constructor(texts: readonly (readonly string[])[]) {
    this.#terms = texts
    this.#counts = texts.map(countTimes)
    for (const counts of this.#counts) {
      for (const term of counts.keys()) this.#holders.set(term, (this.#holders.get(term) ?? 0) + 1)
    }
    this.#average = Math.max(1, texts.reduce((sum, { length }) => sum + length, 0) / Math.max(1, texts.length))
  }

  terms(at: number): readonly string[] {
    return this.#terms[at] ?? []
  }

  idf(term: string): number {
    return inverseFrequency(this.#holders.get(term) ?? 0, this.#terms.length)
  }

  /** A score for each text, by what each term weighs. 0: it holds none. */
  scores(wanted: ReadonlyMap<string, number>): number[] {
    return this.#counts.map((counts, at) => {
      const norm = 1 - LENGTH_SHARE + (LENGTH_SHARE * this.terms(at).length) / this.#average
      let score = 0
      for (const [term, weight] of wanted) {
        const count = counts.get(term) ?? 0
        if (count > 0) score += (weight * this.idf(term) * count * (SATURATION + 1)) / (count + SATURATION * norm)
      }
      return score
    })
  }
}

function countTimes(terms: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  return counts
}
