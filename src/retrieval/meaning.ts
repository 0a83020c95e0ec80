/**
 * Fuses scores by words and by meaning. The built-in table of word vectors compares passages with a question; other
 * models are fused in the same way.
 */

import {
  cosineTo,
  passageCuts,
  passageVectors,
  questionVector,
  VectorTable,
  type WordTells,
} from './meaning/text-vectors.ts'

/** Facts about a candidate. */
export interface ScoredCandidate {
  /** By words: 0 or more, on any scale. */
  readonly lexical: number
  /** Of the nearest passage: -1 to 1. */
  readonly cosine: number
}

export interface FusionWeights {
  /** Share of the question in the best candidate by words, weighted by idf: 0 to 1. */
  readonly coverage: number
  /** Weight of a cosine of 1, relative to the best candidate by words with the whole question. */
  readonly meaning: number
}

/** Weights of the table, for prose and for code. */
export const TABLE_WEIGHT = { prose: 0.7, code: 0 } as const

/** Scores of candidates in their order, 0 to 1. If the words cover little of a question, meaning decides. */
export function fuseScores(candidates: readonly ScoredCandidate[], { coverage, meaning }: FusionWeights): number[] {
  const best = candidates.reduce((most, { lexical }) => Math.max(most, lexical), 0) || 1
  return candidates.map(
    ({ lexical, cosine }) => (coverage * (lexical / best) + meaning * Math.max(0, cosine)) / (1 + meaning),
  )
}

/** A passage of a text, by its position in UTF-16 units. */
export interface NearPassage {
  readonly cosine: number
  readonly start: number
  readonly end: number
}

/** A text to compare. `key`: identifies its content and title in the cache of vectors. */
export interface ComparedText {
  readonly key: string
  readonly title: string
  readonly text: string
}

interface PassageVectors {
  readonly start: number
  readonly end: number
  readonly vectors: Int8Array
}

/** Maximum bytes of cached vectors: those of some 8,000 passages. */
const MOST_KEPT = 8_000_000

/** The built-in model. */
export class WordMeaning {
  readonly #table: VectorTable
  readonly #kept = new Map<string, readonly PassageVectors[]>()
  #bytes = 0

  /** @throws RangeError for bytes that are not a table. */
  constructor(bytes: Uint8Array) {
    this.#table = new VectorTable(bytes)
  }

  /** `tells`: the idf of a word. Undefined for a question without a vector: a single word, or one in another script. */
  ask(question: string, tells: WordTells): AskedMeaning | undefined {
    if (!/\S\s+\S/.test(question)) return undefined
    const asked = questionVector(this.#table, question, tells)
    if (!asked) return undefined
    const compared = (text: ComparedText) =>
      this.#passagesOf(text).map(
        ({ vectors, ...place }): NearPassage => ({ cosine: cosineTo(asked, vectors), ...place }),
      )
    return {
      isKept: (key) => this.#kept.has(key),
      nearest: (text) => compared(text).reduce((best, one) => (one.cosine > best.cosine ? one : best), NOWHERE),
      passages: (text) => compared(text).sort((a, b) => b.cosine - a.cosine),
    }
  }

  #passagesOf({ key, title, text }: ComparedText): readonly PassageVectors[] {
    const known = this.#kept.get(key)
    if (known) return known
    const made = passageCuts(text).map(({ start, end }): PassageVectors => {
      return { start, end, vectors: passageVectors(this.#table, title, text.slice(start, end)) }
    })
    this.#bytes += bytesOf(made)
    for (const [old, gone] of this.#kept) {
      if (this.#bytes <= MOST_KEPT) break
      this.#kept.delete(old)
      this.#bytes -= bytesOf(gone)
    }
    this.#kept.set(key, made)
    return made
  }
}

function bytesOf(passages: readonly PassageVectors[]): number {
  return passages.reduce((sum, { vectors }) => sum + vectors.length, 0)
}

/** A question to compare with texts. */
export interface AskedMeaning {
  /** Whether the vectors of a text are cached, so that its text is not needed. */
  isKept(key: string): boolean
  /** The nearest passage of a text. */
  nearest(text: ComparedText): NearPassage
  /** All passages of a text, the nearest first. */
  passages(text: ComparedText): readonly NearPassage[]
}

let shared: WordMeaning | undefined

/** The built-in model, read at the first use. */
export function wordMeaning(read: () => Uint8Array): WordMeaning {
  shared ??= new WordMeaning(read())
  return shared
}

/** A passage that was ranked by words. */
export interface RankedPassage {
  readonly text: string
  readonly title: string
  readonly score: number
  readonly coverage: number
}

/** Scores of passages by words and meaning, 0 to 1, in their order. */
export function fusePassages(
  asked: AskedMeaning,
  passages: readonly RankedPassage[],
): readonly (ScoredCandidate & { readonly fused: number })[] {
  // Short keys, because whole texts would stay in memory. Loaded here, because most commands need no digest.
  const { hash } = process.getBuiltinModule('node:crypto')
  const candidates = passages.map(({ text, title, score }) => {
    return { lexical: score, cosine: asked.nearest({ key: hash('md5', `${title}\0${text}`), title, text }).cosine }
  })
  const best = passages.reduce((one, other) => (other.score > one.score ? other : one), NO_PASSAGE)
  // A passage covers little by chance more often than a document, so words yield to meaning sooner.
  const coverage = best.coverage ** 2
  const scores = fuseScores(candidates, { coverage, meaning: TABLE_WEIGHT.prose })
  return candidates.map((candidate, at) => ({ ...candidate, fused: scores[at] ?? 0 }))
}

const NOWHERE: NearPassage = { cosine: 0, start: 0, end: 0 }
const NO_PASSAGE: RankedPassage = { text: '', title: '', score: 0, coverage: 0 }

/** The cosine of two vectors of one model: -1 to 1; 0 for a zero vector. */
export function cosineOf(one: Float32Array, other: Float32Array): number {
  let [product, first, second] = [0, 0, 0]
  for (let at = 0; at < one.length; at++) {
    const [a, b] = [one[at] ?? 0, other[at] ?? 0]
    product += a * b
    first += a * a
    second += b * b
  }
  return product / Math.sqrt(first * second || 1)
}
