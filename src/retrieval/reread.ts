/**
 * Reads the texts of hits: finds the best passage, and the longest run of query words that a text has word for word.
 */

import { bestBlocks, highestWeight, type WeightedBlock } from './passages/best-blocks.ts'
import { DOCUMENT_TRAIL, PASSAGE_LENGTH, RUN_LENGTH, SHORTEST_PASSAGE, type WantedTerm, weighTerm } from './passages.ts'
import { foldText, positionOfPrefix, positionOfTerm, type SearchedText } from './ranking/windows.ts'
import { composeText, isStopWord, mainTerms, scanTerms } from './terms.ts'

export { createOwnNameTest, type ExactText, exactTextsIn, indexedNames } from './ranking/names.ts'

/** Number of documents to read: those with the best scores by the index. */
export const MAX_REREAD = 20

/** `passage`: weight of the score of the best passage. `run`: gain of a text with the whole query word for word. */
export const REREAD_GAIN = { passage: 0.8, run: 2 } as const

/** Maximum blocks to read in a document, and maximum forms of a word to count. */
const MAX_BLOCKS = 6
const MAX_FORMS = 16

/** Blocks with a smaller share of the query, weighted by idf, are not searched for runs. */
const MIN_RUN_SHARE = 0.4

/** Inverse document frequency (idf) of a word that no document contains, or that was not looked up. */
export const UNKNOWN_IDF = 6
/** Idf of a stop word. */
const COMMON_IDF = 0.2

/** Minimum share of the query in a run that is shown. */
const MIN_SHOWN_RUN_SHARE = 0.5

/** Reads documents for one query. */
export class Rereader {
  readonly #terms: readonly WantedTerm[]
  readonly #idfByTerm: ReadonlyMap<string, number>
  readonly #runs: RunFinder | undefined
  readonly #totalIdf: number
  /** The weight of a block with all terms. */
  readonly #maxBlockWeight: number

  /** `plain`: the words of the query in their order. `terms`: their terms in the index, with idf. */
  constructor(plain: string, terms: readonly WantedTerm[]) {
    this.#terms = terms
    this.#idfByTerm = new Map(terms.flatMap(({ forms, idf }) => forms.map((form) => [form, idf] as const)))
    this.#maxBlockWeight = highestWeight(terms)
    const words = mainTerms(composeText(plain))
    this.#runs = words.length < RUN_LENGTH ? undefined : new RunFinder(words, RUN_LENGTH)
    this.#totalIdf = words.reduce((sum, word) => sum + this.#idfOf(word), 0) || 1
  }

  get maxScore(): number {
    return this.#terms.reduce((sum, term) => sum + weighTerm(term, Number.MAX_SAFE_INTEGER), 0)
  }

  sumOfWeights(text: string): number {
    const searched = prepareSearch(text)
    return this.#terms.reduce((sum, term) => sum + (countIn(searched, term, 1) > 0 ? term.weight * term.idf : 0), 0)
  }

  /**
   * Score and best passage of a text.
   *
   * @returns `passage`: BM25 of its best passage; 0 without a word of the query. `run`: share of the query in the longest
   * word-for-word run, weighted by idf: 0 to 1. `shown`: the passage with the run if the run is most of the query, else the best passage.
   */
  read(text: string) {
    const blocks = bestBlocks(text, this.#terms, MAX_BLOCKS)
    let [passage, best] = [0, undefined as WeightedBlock | undefined]
    let [run, runBlock] = [0, undefined as WeightedBlock | undefined]
    for (const block of blocks) {
      const score = this.#score(block)
      // If blocks have the same score, prose comes before a row of a table.
      if (score > passage || (score === passage && isTableRow(best) && !isTableRow(block)))
        [passage, best] = [score, block]
      const share =
        this.#runs && block.weight >= MIN_RUN_SHARE * this.#maxBlockWeight ? this.#longestRunIn(block.text) : 0
      if (share > run) [run, runBlock] = [share, block]
    }
    return { passage, run, shown: run > MIN_SHOWN_RUN_SHARE ? runBlock : best }
  }

  #score({ text, trail }: WeightedBlock): number {
    const norm = 0.5 + (0.5 * Math.max(text.length, SHORTEST_PASSAGE)) / PASSAGE_LENGTH
    const [body, headings] = [prepareSearch(text), prepareSearch(trail)]
    return this.#terms.reduce((sum, term) => {
      const count = countIn(body, term, Number.POSITIVE_INFINITY) / norm + DOCUMENT_TRAIL * countIn(headings, term, 1)
      return sum + weighTerm(term, count)
    }, 0)
  }

  #idfOf(word: string): number {
    return this.#idfByTerm.get(word) ?? (isStopWord(word) ? COMMON_IDF : UNKNOWN_IDF)
  }

  /**
   * Share of the query in the longest run of a block, weighted by idf. Ignores the text of links, which cites other
   * documents. In a block that starts with a link, ignores the text after the link, which describes the other document.
   */
  #longestRunIn(text: string): number {
    const words: string[] = []
    const linkOfWord: number[] = []
    const links = [...text.matchAll(LINK)].map(({ 0: link, index }) => ({ start: index, end: index + link.length }))
    let next = 0
    scanTerms(composeText(text), {
      main: (term, start) => {
        while ((links[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next++
        words.push(term)
        linkOfWord.push(start >= (links[next]?.start ?? Number.POSITIVE_INFINITY) ? next : -1)
      },
    })
    const startsWithLink = (linkOfWord[0] ?? -1) >= 0
    const isOwnRun = ({ start, end }: WordRun) =>
      (linkOfWord[start] === -1 || linkOfWord[start] !== linkOfWord[end - 1]) && !(startsWithLink && start > 0)
    const run = this.#runs?.longest(words, isOwnRun)
    if (!run) return 0
    return words.slice(run.start, run.end).reduce((sum, word) => sum + this.#idfOf(word), 0) / this.#totalIdf
  }
}

function prepareSearch(text: string): SearchedText {
  return { text, plain: foldText(text) }
}

/** Number of occurrences of the forms of a term in a text, up to `limit`. */
function countIn(text: SearchedText, { forms, isPrefix }: WantedTerm, limit: number): number {
  const positionOf = isPrefix ? positionOfPrefix : positionOfTerm
  let count = 0
  for (const form of forms.slice(0, MAX_FORMS)) {
    for (let at = positionOf(form, text, 0); at >= 0 && count < limit; at = positionOf(form, text, at + form.length))
      count++
  }
  return count
}

function isTableRow(block: WeightedBlock | undefined): boolean {
  return block?.text.startsWith('|') === true
}

const LINK = /\[[^\][\n]*\]\([^()\s]*/g

/** A run of words, as positions in the searched list. */
export interface WordRun {
  /** Index of the first word. */
  readonly start: number
  /** Index after the last word. */
  readonly end: number
}

/** Maximum positions of one sequence of words. Only repetitive texts have more. */
const MAX_POSITIONS = 64

/** Finds runs of words that a list of words shares with other lists. */
export class RunFinder {
  readonly #words: readonly string[]
  readonly #minWords: number
  /** The positions of each sequence of `minWords` words. */
  readonly #positions = new Map<string, number[]>()

  /** `minWords`: minimum words of a run. */
  constructor(words: readonly string[], minWords: number) {
    this.#words = words
    this.#minWords = minWords
    for (let at = 0; at + minWords <= words.length; at++) {
      const piece = joinWords(words, at, minWords)
      const positions = this.#positions.get(piece) ?? []
      if (positions.length < MAX_POSITIONS) positions.push(at)
      this.#positions.set(piece, positions)
    }
  }

  /** The longest run that `isCounted` accepts; the first of several equally long runs. */
  longest(words: readonly string[], isCounted: (run: WordRun) => boolean): WordRun | undefined {
    let best: WordRun | undefined
    for (let start = 0; start + this.#minWords <= words.length; start++) {
      for (const position of this.#positions.get(joinWords(words, start, this.#minWords)) ?? []) {
        const isWithinLonger = start > 0 && words[start - 1] === this.#words[position - 1]
        if (isWithinLonger) continue
        let end = start + this.#minWords
        while (end < words.length && words[end] === this.#words[position + end - start]) end++
        if (end - start > (best ? best.end - best.start : 0) && isCounted({ start, end })) best = { start, end }
      }
    }
    return best
  }
}

function joinWords(words: readonly string[], at: number, length: number): string {
  return words.slice(at, at + length).join(' ')
}
