/** Reads the text of a found document: its best passage, and the longest part of the query that it contains word for word. */

import { bestBlocks, highestWeight, type NeedleBlock } from './passages/best-blocks.ts'
import { DOCUMENT_TRAIL, PASSAGE_LENGTH, RUN_LENGTH, SHORTEST_PASSAGE, type WantedTerm, weighTerm } from './passages.ts'
import { placeOfPrefix, placeOfTerm, plainOf } from './ranking/windows.ts'
import { composeText, isStopWord, mainTerms, scanTerms } from './terms.ts'

export { type ExactText, exactTextsIn, indexedNames, ownNameFinder } from './ranking/names.ts'

/** Score and best passage of a text for a query. */
export interface Reread {
  /** BM25 of its best passage; 0 without a word of the query. */
  readonly passage: number
  /** Share of the query in the longest word-for-word run, weighted by idf: 0 to 1. */
  readonly run: number
  /** The passage to show: the one with the run if that is most of the query, else the best one. */
  readonly shown: Pick<NeedleBlock, 'start' | 'end'> | undefined
}

/** Number of documents to read, the best by the index. */
export const REREAD = 20

/** `passage`: weight of the score of the best passage. `run`: factor for a text that contains the whole query word for word. */
export const REREAD_GAIN = { passage: 0.8, run: 2 } as const

/** Maximum blocks to read in a document, and maximum forms of a word to count. */
const MAX_BLOCKS = 6
const MAX_FORMS = 16

/** Minimum share of the query in a block, weighted by idf, for a search for runs. */
const RUN_SHARE = 0.4

/** Idf of a word that is not in the index, or was not looked up. */
const UNKNOWN_IDF = 6
/** Idf of a common word. */
const COMMON_IDF = 0.2

/** Minimum share of the query in a run that is shown. */
const SHOWN_RUN = 0.5

/** Reads documents for one query. */
export class Rereader {
  readonly #terms: readonly WantedTerm[]
  readonly #idf: ReadonlyMap<string, number>
  readonly #runs: RunFinder | undefined
  readonly #total: number
  /** Highest weight of a block. */
  readonly #most: number

  /** `plain`: the words of the query in their order. `terms`: their terms in the index, with idf. */
  constructor(plain: string, terms: readonly WantedTerm[]) {
    this.#terms = terms
    this.#idf = new Map(terms.flatMap(({ forms, idf }) => forms.map((form) => [form, idf] as const)))
    this.#most = highestWeight(terms)
    const words = mainTerms(composeText(plain))
    this.#runs = words.length < RUN_LENGTH ? undefined : new RunFinder(words, RUN_LENGTH)
    this.#total = words.reduce((sum, word) => sum + this.#tells(word), 0) || 1
  }

  get highest(): number {
    return this.#terms.reduce((sum, term) => sum + weighTerm(term, Number.MAX_SAFE_INTEGER), 0)
  }

  /** Sum of the weights of the terms in a text. */
  held(text: string): number {
    const searched = toSearched(text)
    return this.#terms.reduce((sum, term) => sum + (countIn(searched, term, 1) > 0 ? term.weight * term.idf : 0), 0)
  }

  read(text: string): Reread {
    const blocks = bestBlocks(text, this.#terms, MAX_BLOCKS)
    let [passage, best] = [0, undefined as NeedleBlock | undefined]
    let [run, holder] = [0, undefined as NeedleBlock | undefined]
    for (const block of blocks) {
      const score = this.#score(block)
      // Among equal ones, prose comes before a row of a table.
      if (score > passage || (score === passage && isRow(best) && !isRow(block))) [passage, best] = [score, block]
      const share = this.#runs && block.weight >= RUN_SHARE * this.#most ? this.#runIn(block.text) : 0
      if (share > run) [run, holder] = [share, block]
    }
    return { passage, run, shown: run > SHOWN_RUN ? holder : best }
  }

  #score({ text, trail }: NeedleBlock): number {
    const norm = 0.5 + (0.5 * Math.max(text.length, SHORTEST_PASSAGE)) / PASSAGE_LENGTH
    const [own, above] = [toSearched(text), toSearched(trail)]
    return this.#terms.reduce((sum, term) => {
      const count = countIn(own, term, Number.POSITIVE_INFINITY) / norm + DOCUMENT_TRAIL * countIn(above, term, 1)
      return sum + weighTerm(term, count)
    }, 0)
  }

  #tells(word: string): number {
    return this.#idf.get(word) ?? (isStopWord(word) ? COMMON_IDF : UNKNOWN_IDF)
  }

  /**
   * The text of a link cites another document, and the text after a link at the start of a block describes it: neither is a
   * run of this document.
   */
  #runIn(text: string): number {
    const words: string[] = []
    const within: number[] = []
    const links = linksIn(text)
    let at = 0
    scanTerms(composeText(text), {
      main: (term, start) => {
        while ((links[at]?.end ?? Number.POSITIVE_INFINITY) <= start) at++
        words.push(term)
        within.push(start >= (links[at]?.start ?? Number.POSITIVE_INFINITY) ? at : -1)
      },
      extra: () => {},
    })
    const isOfOther = (within[0] ?? -1) >= 0
    const isOwn = ({ start, end }: WordRun) =>
      (within[start] === -1 || within[start] !== within[end - 1]) && !(isOfOther && start > 0)
    const run = this.#runs?.longest(words, isOwn)
    if (!run) return 0
    return words.slice(run.start, run.end).reduce((sum, word) => sum + this.#tells(word), 0) / this.#total
  }
}

interface Searched {
  readonly text: string
  readonly plain: string
}

function toSearched(text: string): Searched {
  return { text, plain: plainOf(text) }
}

/** Number of occurrences of the forms of a term in a text, up to `most`. */
function countIn(text: Searched, { forms, isPrefix }: WantedTerm, most: number): number {
  const placeOf = isPrefix ? placeOfPrefix : placeOfTerm
  let count = 0
  for (const form of forms.slice(0, MAX_FORMS)) {
    for (let at = placeOf(form, text, 0); at >= 0 && count < most; at = placeOf(form, text, at + form.length)) count++
  }
  return count
}

function isRow(block: NeedleBlock | undefined): boolean {
  return block?.text.startsWith('|') ?? false
}

const LINK = /\[[^\][\n]*\]\([^()\s]*/g

function linksIn(text: string): { readonly start: number; readonly end: number }[] {
  return [...text.matchAll(LINK)].map(({ 0: link, index }) => ({ start: index, end: index + link.length }))
}

/** A run of words, as positions in the searched list. */
export interface WordRun {
  /** The first word, and the end. */
  readonly start: number
  readonly end: number
}

/** Maximum positions of one piece: only a repetitive list has more. */
const MAX_PLACES = 64

/** Finds the runs that a list of words shares with others. */
export class RunFinder {
  readonly #words: readonly string[]
  readonly #least: number
  /** The positions of each piece of the minimum length. */
  readonly #places = new Map<string, number[]>()

  /** `least`: minimum words of a run. */
  constructor(words: readonly string[], least: number) {
    this.#words = words
    this.#least = least
    for (let at = 0; at + least <= words.length; at++) {
      const piece = pieceAt(words, at, least)
      const places = this.#places.get(piece) ?? []
      if (places.length < MAX_PLACES) places.push(at)
      this.#places.set(piece, places)
    }
  }

  /** The longest run that counts; among equal ones the first. */
  longest(words: readonly string[], counts: (run: WordRun) => boolean): WordRun | undefined {
    let best: WordRun | undefined
    for (let start = 0; start + this.#least <= words.length; start++) {
      for (const place of this.#places.get(pieceAt(words, start, this.#least)) ?? []) {
        const isWithinLonger = start > 0 && words[start - 1] === this.#words[place - 1]
        if (isWithinLonger) continue
        let end = start + this.#least
        while (end < words.length && words[end] === this.#words[place + end - start]) end++
        if (end - start > (best ? best.end - best.start : 0) && counts({ start, end })) best = { start, end }
      }
    }
    return best
  }
}

function pieceAt(words: readonly string[], at: number, length: number): string {
  return words.slice(at, at + length).join(' ')
}
