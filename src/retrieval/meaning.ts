/**
 * Compares passages with a question by the built-in table of word vectors, and fuses scores by words and by meaning.
 * Scores of other models are fused in the same way.
 */

import { sentencesOf } from '../text/sentences.ts'
import {
  createPassageComparison,
  type IdfOf,
  type PassageSpan,
  type PassageTest,
  passageCuts,
  questionVector,
  readRows,
  spansOfRows,
  type TextRows,
} from './meaning/text-vectors.ts'
import { VectorTable } from './meaning/word-table.ts'
import { stemOf } from './terms.ts'

export type { PassageSpan, TextRows } from './meaning/text-vectors.ts'

export interface ScoredCandidate {
  /** Score by words: 0 or more, on any scale. */
  readonly lexical: number
  /** Cosine of the nearest passage: -1 to 1. */
  readonly cosine: number
}

export interface FusionWeights {
  /** Share of the question that the best candidate by words covers, weighted by idf: 0 to 1. */
  readonly coverage: number
  /** Weight of a cosine of 1, relative to the score of the best candidate by words if it covers the whole question. */
  readonly meaning: number
}

/** Coverage of a question by its best hit below which the words may miss the meaning of the question. */
export const LOW_COVERAGE = 0.6

/** Minimum cosine of the built-in table for a document or passage without words of the question. */
export const MIN_COSINE = 0.23

/** Weights of meaning with the built-in table, for prose and for code. */
export const TABLE_WEIGHT = { prose: 0.85, code: 0 } as const

/** Scores of candidates in their order, 0 to 1. If the words cover little of a question, meaning decides. */
export function fuseScores(candidates: readonly ScoredCandidate[], { coverage, meaning }: FusionWeights): number[] {
  const best = candidates.reduce((highest, { lexical }) => Math.max(highest, lexical), 0) || 1
  return candidates.map(
    ({ lexical, cosine }) => (coverage * (lexical / best) + meaning * Math.max(0, cosine)) / (1 + meaning),
  )
}

/** A passage with its nearness to a question. */
export interface NearPassage extends PassageSpan {
  readonly cosine: number
}

/**
 * A text to compare. `hash`: hash of its content, the key of the cache. Without `text`, only cached rows are compared.
 */
export interface ComparedText {
  readonly hash: string
  readonly title: string
  readonly text?: string | undefined
}

/** Maximum bytes of the cache, enough for some millions of words. */
const MAX_CACHE_BYTES = 7_000_000

/**
 * Minimum cosine of words with the same meaning. Other spellings have .38 or more, words that look alike at most .2.
 */
const MIN_SAME_MEANING = 0.3

/** A full cache drops every n-th text that it comes to; this is n. */
const EVICTION_STEP = 8

/** The built-in model: compares texts by a table of word vectors. Caches the rows of texts. */
export class WordMeaning {
  readonly #table: VectorTable
  /** Rows of whole texts and of passages, by hash, start and title. */
  readonly #cache = new Map<string, TextRows>()
  #bytes = 0
  /** Iterator over the cache. Each eviction continues where the previous eviction stopped. */
  #cacheEntries = this.#cache.entries()

  /** @throws RangeError for bytes that are not a table. */
  constructor(bytes: Uint8Array) {
    this.#table = new VectorTable(bytes)
  }

  /**
   * Prepares a question. `idfOf`: the weight of a word. Undefined for a single word, and for words without a vector.
   */
  askAbout(question: string, idfOf: IdfOf): QuestionMeaning | undefined {
    if (!/\S\s+\S/.test(question)) return undefined
    const vector = questionVector(this.#table, question, idfOf)
    if (!vector) return undefined
    const visitPassages = createPassageComparison(this.#table, vector)
    const nearest = (parts: readonly TextRows[], isWanted?: PassageTest): NearPassage => {
      let [best, place] = [-1, NO_SPAN]
      const keepNearest = (cosine: number, passage: typeof NO_SPAN) => {
        if (cosine > best) [best, place] = [cosine, passage]
      }
      for (const rows of parts) visitPassages(rows, keepNearest, isWanted)
      return { cosine: Math.max(0, best), start: place.start, end: place.end }
    }
    return {
      cosine: (rows) => nearest([rows]).cosine,
      nearest: (compared, around) => {
        const whole = around ? this.#cache.get(cacheKey(compared)) : this.#rowsOf(compared)
        if (whole) return nearest([whole], around && beginsAt(mostOverlapping(spansOfRows(whole), around)))
        if (!around || compared.text === undefined) return undefined
        const cut = mostOverlapping(passageCuts(compared.text, Math.max(1, around.end)), around)
        const rows = cut && this.#rowsOf(compared, cut)
        return nearest(rows ? [rows] : [])
      },
      passages: (text) => {
        const nearPassages: NearPassage[] = []
        const rows = this.#rowsOf(text)
        if (rows) visitPassages(rows, (cosine, { start, end }) => nearPassages.push({ cosine, start, end }))
        return nearPassages.sort((a, b) => b.cosine - a.cosine)
      },
      sentence: (title, text) => {
        const sentences = sentencesOf(text)
        const cosines = sentences.map((sentence) => nearest([this.read(title, sentence.text)]).cosine)
        const highest = Math.max(...cosines)
        return highest < MIN_COSINE ? undefined : sentences[cosines.indexOf(highest)]
      },
    }
  }

  /** Whether two words differ in meaning. False if the table knows neither `word` nor a shorter form with the same stem. */
  hasOtherMeaning(word: string, other: string): boolean {
    const beginnings = Array.from(word, (_, at) => word.slice(0, at + 1))
    if (!beginnings.some((one) => this.#table.hasWord(one) && stemOf(one) === stemOf(word))) return false
    const vectorOf = (text: string) => questionVector(this.#table, text, () => undefined) ?? []
    return cosineOf(vectorOf(word), vectorOf(other)) < MIN_SAME_MEANING
  }

  read(title: string, text: string): TextRows {
    return readRows(this.#table, title, text)
  }

  /** The rows of a whole text, or of one passage. */
  #rowsOf(compared: ComparedText, cut?: PassageSpan): TextRows | undefined {
    const { title, text } = compared
    const key = cacheKey(compared, cut)
    const cached = this.#cache.get(key)
    if (cached || text === undefined) return cached
    const rows = readRows(this.#table, title, text, cut && [cut])
    this.#bytes += bytesOf(rows)
    this.#cache.set(key, rows)
    while (this.#bytes > MAX_CACHE_BYTES) this.#evictNext()
    return rows
  }

  /**
   * Skips some texts of the cache, and drops one; the next call continues after it. If the oldest text were
   * dropped, questions that compare the same texts in turn, more than fit, would find none of them in the cache.
   */
  #evictNext(): void {
    for (let step = 1; ; ) {
      const { done, value } = this.#cacheEntries.next()
      if (done) this.#cacheEntries = this.#cache.entries()
      else if (step++ === EVICTION_STEP) {
        const [key, rows] = value
        this.#cache.delete(key)
        this.#bytes -= bytesOf(rows)
        return
      }
    }
  }
}

function cacheKey({ hash, title }: ComparedText, cut?: PassageSpan): string {
  return `${hash} ${cut?.start ?? ''} ${title}`
}

/** Estimated bytes of a cached text, with the overhead of its arrays and its key. */
function bytesOf({ rows, positions, lengths }: TextRows): number {
  return 1000 + rows.byteLength + positions.byteLength + lengths.byteLength
}

/** A question to compare with texts. */
export interface QuestionMeaning {
  /** The cosine of the nearest passage, 0 to 1. */
  cosine(rows: TextRows): number
  /** The nearest passage of a text. With `around`: the passage that overlaps it most. Undefined without text and cached rows. */
  nearest(text: ComparedText, around?: PassageSpan): NearPassage | undefined
  /** All passages of a text, the nearest first. */
  passages(text: ComparedText): readonly NearPassage[]
  /** The nearest sentence of a passage; undefined if none is near. */
  sentence(title: string, passage: string): PassageSpan | undefined
}

let sharedModel: WordMeaning | undefined

/** The built-in model, read at the first use. */
export function wordMeaning(read: () => Uint8Array): WordMeaning {
  sharedModel ??= new WordMeaning(read())
  return sharedModel
}

/** Scores passages by words and meaning, 0 to 1, in their order. `rows`: the rows of each passage. */
export function fusePassages(
  question: QuestionMeaning,
  passages: readonly { readonly score: number; readonly coverage: number }[],
  rows: readonly TextRows[],
): readonly (ScoredCandidate & { readonly fused: number })[] {
  const cosines = rows.map((one) => question.cosine(one))
  const candidates = passages.map(({ score }, at) => ({ lexical: score, cosine: cosines[at] ?? 0 }))
  const [best] = passages.toSorted((a, b) => b.score - a.score)
  // A short passage often lacks words of the question by chance. The square of the coverage lets meaning count more.
  const scores = fuseScores(candidates, { coverage: (best?.coverage ?? 0) ** 2, meaning: TABLE_WEIGHT.prose })
  return candidates.map((candidate, at) => ({ ...candidate, fused: scores[at] ?? 0 }))
}

/** The passage that overlaps the range `around` most; undefined without passages. */
function mostOverlapping(cuts: readonly PassageSpan[], around: PassageSpan): PassageSpan | undefined {
  const sharedWith = ({ start, end }: PassageSpan) => Math.min(end, around.end) - Math.max(start, around.start)
  return cuts.reduce<PassageSpan | undefined>(
    (best, cut) => (best && sharedWith(best) >= sharedWith(cut) ? best : cut),
    undefined,
  )
}

function beginsAt(cut: PassageSpan | undefined): PassageTest {
  return ({ start }) => start === cut?.start
}

const NO_SPAN = { start: 0, end: 0 }

/** The cosine of two vectors of one model: -1 to 1; 0 for a zero vector. */
export function cosineOf(one: ArrayLike<number>, other: ArrayLike<number>): number {
  let [product, oneSquares, otherSquares] = [0, 0, 0]
  for (let at = 0; at < one.length; at++) {
    const [a, b] = [one[at] ?? 0, other[at] ?? 0]
    product += a * b
    oneSquares += a * a
    otherSquares += b * b
  }
  return product && product / Math.sqrt(oneSquares * otherSquares)
}
