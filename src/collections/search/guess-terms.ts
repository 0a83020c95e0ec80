/** Guesses index terms for words of a query: completes and corrects unknown words, and corrects rare words. */

import { hasBit } from '../../core/bits.ts'
import { yieldToEvents } from '../../core/steps.ts'
import { readWordVectors } from '../../files/home.ts'
import {
  lettersOfAlphabet,
  MAX_GUESSED_WORDS,
  MAX_GUESSES,
  maxEditsOf,
  nearestWord,
  nearTerms,
  partsOfCompound,
  possibleParts,
  termsContaining,
} from '../../retrieval/guesses.ts'
import { wordMeaning } from '../../retrieval/meaning.ts'
import { decodePostings } from '../../retrieval/postings.ts'
import { type QueryTerm, stemsOfPrefix } from '../../retrieval/query.ts'
import { countLive } from '../../retrieval/rank.ts'
import { foldWord, isCharacterPair, isStopWord } from '../../retrieval/terms.ts'
import type { IndexView, Store, StoredSegment, TermRequest } from '../../stores/store.ts'
import { countEdits } from '../../text/nearest.ts'
import { byCodeUnit } from '../../text/paths.ts'

/** Reads terms of the index on demand. `view` has all terms that were read, as of one moment. */
export class IndexReader {
  readonly #index: Store['index']
  readonly #request: Omit<TermRequest, 'terms'>
  view: IndexView = { segments: [], terms: new Map(), prefixes: new Map() }

  constructor(index: Store['index'], request: Omit<TermRequest, 'terms'>) {
    this.#index = index
    this.#request = request
  }

  /**
   * Adds the postings (documents and counts) of these terms to `view`. If the index has changed, reads all terms again.
   */
  async read(terms: readonly string[]): Promise<void> {
    const { terms: known, segments, prefixes } = this.view
    const unread = terms.filter((term) => !known.has(term))
    if (unread.length === 0 && known.size > 0) return
    const isFirst = known.size === 0 && segments.length === 0
    const { filter } = this.#request
    const read = await this.#index.read(isFirst ? { ...this.#request, terms: unread } : { terms: unread, filter })
    if (isFirst) this.view = read
    else if (areSameSegments(segments, read.segments))
      this.view = { segments, terms: new Map([...known, ...read.terms]), prefixes }
    else this.view = await this.#index.read({ ...this.#request, terms: [...known.keys(), ...unread] })
  }
}

/**
 * Whether two lists are the same segments (parts of the index) with the same live documents. Comparing the numbers of
 * live documents suffices, because segments only lose documents.
 */
function areSameSegments(one: IndexView['segments'], other: IndexView['segments']): boolean {
  const isSame = ({ id, live }: StoredSegment, at: number) => other[at]?.id === id && other[at].live.docs === live.docs
  return one.length === other.length && one.every(isSame)
}

/** The segments that contain a term, with the postings of the term, which include removed documents. */
function segmentsWith(term: string, { terms, segments }: IndexView) {
  const postingsBySegment = terms.get(term) ?? []
  return segments.flatMap((segment, index) => {
    const postings = postingsBySegment[index]
    return postings ? [{ segment, postings }] : []
  })
}

/** Whether a live document contains the term. */
export function isInIndex(term: string, view: IndexView): boolean {
  return segmentsWith(term, view).some(({ segment: { dead }, postings }) => {
    if (!dead) return true
    const { docs, body, title } = decodePostings(postings)
    return docs.subarray(0, body + title).some((doc) => !hasBit(dead, doc))
  })
}

/** Number of live documents with a term; a document with the term in text and title counts twice. */
export function countLiveWith(term: string, view: IndexView): number {
  return segmentsWith(term, view).reduce((sum, { segment: { dead }, postings }) => {
    const decoded = decodePostings(postings)
    return sum + countLive(decoded, dead, false) + countLive(decoded, dead, true)
  }, 0)
}

/** Ids of the first live documents with a term. */
function documentsWith(term: string, view: IndexView, limit: number): number[] {
  const documentIds = segmentsWith(term, view).flatMap(({ segment: { ids, dead }, postings }) => {
    const { docs, body, title } = decodePostings(postings)
    const live = [...docs.subarray(0, body + title)].filter((doc) => !hasBit(dead, doc))
    return live.slice(0, limit).map((doc) => ids[doc] ?? 0)
  })
  return [...new Set(documentIds)].slice(0, limit)
}

/** Sorts terms by their number of documents, the highest first. */
function sortByFrequency(terms: readonly string[], view: IndexView): string[] {
  const countedTerms = terms.map((term) => ({ term, live: countLiveWith(term, view) }))
  countedTerms.sort((a, b) => b.live - a.live || byCodeUnit(a.term, b.term))
  return countedTerms.map(({ term }) => term)
}

/** The index terms that replace a word of the query, and the words to show to a person. */
export interface TermGuess {
  /**
   * `completed`: the word is a prefix of the terms; `near`: a misspelling of the terms, a compound or a part of them.
   */
  readonly as: 'completed' | 'near'
  readonly terms: readonly string[]
  readonly words: readonly string[]
  /** For each term, its form that is nearest to the word. */
  readonly forms?: readonly string[]
}

export type GuessesByTerm = Map<string, TermGuess>

export interface GuessContext {
  readonly store: Store
  readonly index: IndexReader
  /** Whether no other word of the query is known. */
  readonly isOnlyUnknown: boolean
  /** Cache of this query: the index terms with a prefix, by prefix. */
  readonly termsByPrefix: Map<string, readonly string[]>
  readonly signal?: AbortSignal | undefined
}

/**
 * An unknown word of at least `letters` is completed; a shorter word only if no word of the query is known. From the `pool`
 * shortest completions, the `limit` with the most documents are taken.
 */
const COMPLETION = { letters: 4, pool: 64, limit: 16 } as const

/** Maximum terms with the same first letter to compare, and near terms to look up. */
const MAX_COMPARED = 100_000
const MAX_CANDIDATES = 256

/** Minimum letters of a word that may have one more error if there is no other guess. */
const MIN_LETTERS_FOR_MORE_EDITS = 5

/** Guesses for the first `MAX_GUESSED_WORDS` unknown words, by their terms. */
export async function guessTerms(unknownWords: readonly QueryTerm[], context: GuessContext): Promise<GuessesByTerm> {
  const guesses = await completeWords(unknownWords, context)
  const open = unknownWords.filter(({ term, isHyphenated }) => !guesses.has(term) && !isHyphenated && !isStopWord(term))
  for (const { term, word } of open.slice(0, MAX_GUESSED_WORDS)) {
    await yieldToEvents(context.signal)
    const guess = await guessWord(foldWord(word), context)
    if (guess) guesses.set(term, guess)
  }
  return guesses
}

/**
 * Guesses that a word is misspelt, else that it is a compound of terms. If no word of the query is known, guesses next
 * that the first letters are misspelt, too; that the word is a part of compounds; that the word is badly misspelt.
 */
async function guessWord(word: string, context: GuessContext): Promise<TermGuess | undefined> {
  if (!mayBePrefix(word, 1)) return undefined
  // Also reads terms that begin with the second letter, because the first letter may be superfluous or swapped.
  const [first = '', second = ''] = word
  const maxEdits = maxEditsOf(word)
  const terms = await termsWithPrefixes([...new Set([first, second])], context)
  const guess = (await nearestTerms(word, { terms, maxEdits }, context)) ?? (await splitCompound(word, context))
  if (guess || !context.isOnlyUnknown) return guess
  const allTerms = await termsWithPrefixes(lettersOfAlphabet(word), context)
  return (
    (await nearestTerms(word, { terms: allTerms, maxEdits }, context)) ??
    (await mostFrequentTerms(termsContaining(word, allTerms), context)) ??
    (word.length < MIN_LETTERS_FOR_MORE_EDITS
      ? undefined
      : await nearestTerms(word, { terms: allTerms, maxEdits: maxEdits + 1 }, context))
  )
}

/** Whether a guess must not replace a word: it has another meaning, and other words of the query are known. */
function isRefused(word: string, guess: string, { isOnlyUnknown }: GuessContext): boolean {
  return !isOnlyUnknown && wordMeaning(readWordVectors).hasOtherMeaning(word, guess)
}

/** Guesses that a rare word misspells a common word by one error; undefined without such a word. */
export async function commonerWords({ word }: QueryTerm, context: GuessContext): Promise<TermGuess | undefined> {
  const folded = foldWord(word)
  const [first = '', second = ''] = folded
  const terms = await termsWithPrefixes([...new Set([first, second])], context)
  const guess = await nearestTerms(folded, { terms, maxEdits: Math.min(1, maxEditsOf(folded)) }, context)
  return guess && countLiveWith(guess.terms[0] ?? '', context.index.view) >= MIN_COMMON_DOCUMENTS ? guess : undefined
}

/** Minimum documents of a word that may replace a rare word. */
const MIN_COMMON_DOCUMENTS = 10

async function termsWithPrefixes(prefixes: readonly string[], { store, termsByPrefix }: GuessContext) {
  const unread = prefixes.filter((prefix) => prefix !== '' && !termsByPrefix.has(prefix))
  const newTerms = unread.length === 0 ? [] : await store.index.longer(unread, MAX_COMPARED)
  for (const [prefix, terms] of newTerms) termsByPrefix.set(prefix, terms)
  return prefixes.flatMap((prefix) => termsByPrefix.get(prefix) ?? [])
}

/** The terms nearest to a word that documents contain. Terms in more documents win if they are equally near. */
async function nearestTerms(
  word: string,
  { terms, maxEdits }: { readonly terms: readonly string[]; readonly maxEdits: number },
  context: GuessContext,
): Promise<TermGuess | undefined> {
  const near = nearTerms(word, terms, maxEdits).slice(0, MAX_CANDIDATES)
  await context.index.read(near.map(({ term }) => term))
  const inIndex = near.filter(({ term }) => isInIndex(term, context.index.view))
  // With one more error than usual, the form of a stem is too uncertain: the words in the texts decide.
  const isUncertain = maxEdits > maxEditsOf(word)
  const closest = inIndex.filter(({ edits }) => isUncertain || edits === inIndex[0]?.edits)
  const forms = new Map(closest.map((one) => [one.term, one.word]))
  const likely = sortByFrequency([...forms.keys()], context.index.view).slice(0, isUncertain ? forms.size : MAX_GUESSES)
  const limits = { texts: isUncertain ? Math.ceil(MAX_CANDIDATES / likely.length) : MAX_TEXTS, length: MAX_LENGTH }
  const shown: { term: string; form: string; word: string; edits: number }[] = []
  for (const term of likely) {
    const inTexts = nearestWord(word, term, await sampleTexts(term, limits, context))
    const form = forms.get(term) ?? term
    const edits = isUncertain ? countEdits(word, inTexts ?? '', maxEdits) : 0
    if (edits <= maxEdits) shown.push({ term, form, word: inTexts ?? form, edits })
  }
  const fewestEdits = Math.min(...shown.map(({ edits }) => edits))
  const nearest = shown.filter(({ edits }) => edits === fewestEdits).slice(0, MAX_GUESSES)
  const guesses = nearest.filter((guess) => !isRefused(word, guess.word, context))
  if (guesses.length === 0) return undefined
  return {
    as: 'near',
    terms: guesses.map(({ term }) => term),
    words: guesses.map((guess) => guess.word),
    forms: guesses.map(({ form }) => form),
  }
}

/** Documents of a term that are read at a time, and maximum UTF-16 units of the documents of all terms. */
const MAX_TEXTS = 3
const MAX_LENGTH = 4_000_000

/** Texts that contain a term, to find whole words, because the index has only stems. Reduces `limits.length`. */
async function sampleTexts(term: string, limits: { texts: number; length: number }, context: GuessContext) {
  const { store, index, signal } = context
  const ids = documentsWith(term, index.view, limits.texts)
  const texts: string[] = []
  for (let at = 0; at < ids.length && limits.length > 0; at += MAX_TEXTS) {
    await yieldToEvents(signal)
    const some = ids.slice(at, at + MAX_TEXTS)
    const [documents, read] = [await store.documents.byId(some), [...(await store.documents.texts(some)).values()]]
    texts.push(...read, ...documents.flatMap(({ title, path }) => [title, path]))
    limits.length -= read.reduce((sum, { length }) => sum + length, 0)
  }
  return texts
}

async function splitCompound(word: string, context: GuessContext): Promise<TermGuess | undefined> {
  await context.index.read(possibleParts(word))
  const parts = partsOfCompound(word, (term) => isInIndex(term, context.index.view))
  const guesses = parts.filter((part) => !isRefused(word, part, context))
  return mostFrequentTerms(guesses, context)
}

async function mostFrequentTerms(terms: readonly string[], { index }: GuessContext): Promise<TermGuess | undefined> {
  const shortest = [...terms].sort((a, b) => a.length - b.length).slice(0, MAX_CANDIDATES)
  await index.read(shortest)
  const inIndex = shortest.filter((term) => isInIndex(term, index.view))
  const best = sortByFrequency(inIndex, index.view).slice(0, COMPLETION.limit)
  return best.length === 0 ? undefined : { as: 'near', terms: best, words: best }
}

/** Completions of words. Reads more terms until enough of the terms are in live documents. */
async function completeWords(unknownWords: readonly QueryTerm[], { store, index, isOnlyUnknown }: GuessContext) {
  const minLetters = isOnlyUnknown ? 1 : COMPLETION.letters
  const guesses: GuessesByTerm = new Map()
  let openWords = unknownWords.flatMap(({ term, word }) => {
    const folded = foldWord(word)
    return mayBePrefix(folded, minLetters) ? [{ term, folded, prefix: folded.startsWith(term) ? term : folded }] : []
  })
  for (let pool: number = COMPLETION.pool; openWords.length > 0; pool *= 4) {
    const byPrefix = await store.index.longer([...new Set(openWords.map(({ prefix }) => prefix))], pool)
    const candidates = openWords.map((word) => {
      const completions = byPrefix.get(word.prefix) ?? []
      const terms = [...new Set([...stemsOfPrefix(word.folded).slice(1), ...completions])]
      return { ...word, terms, hasAllCompletions: completions.length < pool }
    })
    await index.read(candidates.flatMap(({ terms }) => terms))
    openWords = candidates.filter(({ term, terms, hasAllCompletions }) => {
      const inIndex = terms.filter((candidate) => isInIndex(candidate, index.view)).slice(0, COMPLETION.pool)
      const best = sortByFrequency(inIndex, index.view).slice(0, COMPLETION.limit)
      if (best.length > 0) guesses.set(term, { as: 'completed', terms: best, words: best })
      return !hasAllCompletions && inIndex.length < COMPLETION.limit
    })
  }
  return guesses
}

/** Whether a word can be a prefix: it begins with a letter, has the minimum length, and is not a pair of characters. */
function mayBePrefix(word: string, minLetters: number): boolean {
  return word.length >= minLetters && /^\p{L}/u.test(word) && !isCharacterPair(word)
}
