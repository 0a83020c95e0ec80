/** Completes and corrects words that no document contains, and corrects rare words. */

import { throwIfAborted } from '../../core/errors.ts'
import { yieldToEvents } from '../../core/steps.ts'
import { readAsset } from '../../files/home.ts'
import {
  type GuessStep,
  guessSteps,
  MAX_GUESSED_WORDS,
  MAX_GUESSES,
  nearestOf,
  nearestWords,
  wordsOfTerms,
} from '../../retrieval/guess-words.ts'
import {
  maxEditsOf,
  type NearTerm,
  nearTerms,
  partsOfCompound,
  possibleParts,
  termsContaining,
} from '../../retrieval/guesses.ts'
import { wordMeaning } from '../../retrieval/meaning.ts'
import { type QueryTerm, stemsOfPrefix } from '../../retrieval/query.ts'
import { foldWord, isCharacterPair, isStopWord } from '../../retrieval/terms.ts'
import type { Store } from '../../stores/store.ts'
import { countLiveWith, documentsWith, type IndexReader, isInIndex, sortByFrequency } from './index-reader.ts'

/** Terms of the index that replace a word, and the words to show to a reader. */
export interface TermGuess {
  /** `begun`: the word is a prefix of the terms; `near`: it is a misspelling, a compound or a part of them. */
  readonly as: 'begun' | 'near'
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
  /** Terms of the index by prefix, as far as this query has read them. */
  readonly termsByPrefix: Map<string, readonly string[]>
  readonly signal?: AbortSignal | undefined
}

/**
 * An unknown word of at least `letters` is completed; a shorter one only if no word of the query is known. Of the `pool` shortest completions, the
 * `limit` ones with most documents are taken.
 */
const COMPLETION = { letters: 4, pool: 64, limit: 16 } as const

/** Maximum terms with the same first letter to compare, and near terms to look up. */
const MAX_COMPARED = 100_000
const MAX_CANDIDATES = 256

/** Guesses for the first `MAX_GUESSED_WORDS` unknown words, by their terms. */
export async function guessTerms(unknownWords: readonly QueryTerm[], context: GuessContext): Promise<GuessesByTerm> {
  const guesses = await completeWords(unknownWords, context)
  const openWords = unknownWords.filter(
    ({ term, isHyphenated }) => !guesses.has(term) && !isHyphenated && !isStopWord(term),
  )
  for (const { term, word } of openWords.slice(0, MAX_GUESSED_WORDS)) {
    await yieldToEvents(context.signal)
    const guess = await guessWord(foldWord(word), context)
    if (guess) guesses.set(term, guess)
  }
  return guesses
}

/**
 * Guesses what was meant by a word. If another word of the query is known, a guess does not replace a word that has another meaning: it is written
 * as it was meant, and no document holds it.
 */
async function guessWord(word: string, context: GuessContext): Promise<TermGuess | undefined> {
  for (const step of guessSteps(word, context.isOnlyUnknown)) {
    const guess = await guessBy(step, word, context)
    if (guess) return guess
  }
  return undefined
}

async function guessBy(step: GuessStep, word: string, context: GuessContext): Promise<TermGuess | undefined> {
  if (step.kind === 'parts') return splitCompound(word, context)
  const terms = await termsWithPrefixes(step.prefixes, context)
  if (step.kind === 'containing') return mostFrequentTerms(termsContaining(word, terms), context)
  return nearestTerms(word, { terms, maxEdits: step.maxEdits }, context)
}

/** Whether a word means something else than a guess, which therefore does not replace it. */
function hasOtherMeaning(word: string, guess: string, { isOnlyUnknown }: GuessContext): boolean {
  return !isOnlyUnknown && wordMeaning(() => readAsset('word-vectors.bin')).hasOtherMeaning(word, guess)
}

/** Words one error away that many more documents contain than a rare word. */
export async function commonerWords({ word }: QueryTerm, context: GuessContext): Promise<TermGuess | undefined> {
  const folded = foldWord(word)
  const [first = '', second = ''] = folded
  const terms = await termsWithPrefixes([...new Set([first, second])], context)
  const guess = await nearestTerms(folded, { terms, maxEdits: Math.min(1, maxEditsOf(folded)) }, context)
  return guess && countLiveWith(guess.terms[0] ?? '', context.index.view) >= MIN_COMMON_DOCUMENTS ? guess : undefined
}

/** Minimum documents of a word that may replace a rare one. */
const MIN_COMMON_DOCUMENTS = 10

async function termsWithPrefixes(
  prefixes: readonly string[],
  { store, termsByPrefix }: GuessContext,
): Promise<readonly string[]> {
  const unread = prefixes.filter((prefix) => prefix !== '' && !termsByPrefix.has(prefix))
  const found = unread.length === 0 ? [] : await store.index.longer(unread, MAX_COMPARED)
  for (const [prefix, terms] of found) termsByPrefix.set(prefix, terms)
  return prefixes.flatMap((prefix) => termsByPrefix.get(prefix) ?? [])
}

/** The nearest terms that documents contain; of equally near ones those with most documents. */
async function nearestTerms(
  word: string,
  { terms, maxEdits }: { readonly terms: readonly string[]; readonly maxEdits: number },
  context: GuessContext,
): Promise<TermGuess | undefined> {
  const near = nearTerms(word, terms, maxEdits).slice(0, MAX_CANDIDATES)
  const { index } = context
  await index.read(near.map(({ term }) => term))
  const inIndex = near.filter(({ term }) => isInIndex(term, index.view))
  const counts = new Map(inIndex.map(({ term }) => [term, countLiveWith(term, index.view)]))
  const byFrequency = (one: string, other: string) => (counts.get(other) ?? 0) - (counts.get(one) ?? 0)
  const isUncertain = maxEdits > maxEditsOf(word)
  const likely = isUncertain ? inIndex : nearestOf(inIndex, byFrequency)
  const documents = isUncertain ? READ_TEXTS.ofAll / likely.length : READ_TEXTS.ofTerm
  const shown = await wordsInTexts(word, likely, { context, documents })
  const guesses = wordsOfTerms(word, likely, { maxEdits, shown })
  const best = nearestOf(guesses, byFrequency).filter((guess) => !hasOtherMeaning(word, guess.shown, context))
  if (best.length === 0) return undefined
  return {
    as: 'near',
    terms: best.map(({ term }) => term),
    words: best.map((guess) => guess.shown),
    forms: best.map((guess) => guess.word),
  }
}

/** Documents of each term, and of all terms, that are read for the words of the terms; and UTF-16 units of them. */
const READ_TEXTS = { ofTerm: 3, ofAll: 256, length: 4_000_000 } as const

/**
 * The word of each term that is nearest to a word, in the first documents with the terms: the index contains only stems. `documents`: number to read of
 * each term.
 */
async function wordsInTexts(
  word: string,
  near: readonly NearTerm[],
  { context: { store, index, signal }, documents }: { readonly context: GuessContext; readonly documents: number },
) {
  const terms = new Set(near.map(({ term }) => term))
  const ids = near.flatMap(({ term }) => documentsWith(term, index.view, Math.max(READ_TEXTS.ofTerm, documents)))
  const texts: string[] = []
  const wanted = [...new Set(ids)].slice(0, READ_TEXTS.ofAll)
  for (let at = 0, length = 0; at < wanted.length && length < READ_TEXTS.length; at += MAX_GUESSES) {
    throwIfAborted(signal)
    const some = wanted.slice(at, at + MAX_GUESSES)
    const [found, read] = [await store.documents.byId(some), await store.documents.texts(some)]
    texts.push(...read.values(), ...found.flatMap(({ title, path }) => [title, path]))
    length += [...read.values()].reduce((sum, text) => sum + text.length, 0)
  }
  return nearestWords(word, terms, texts)
}

async function splitCompound(word: string, context: GuessContext): Promise<TermGuess | undefined> {
  await context.index.read(possibleParts(word))
  const parts = partsOfCompound(word, (term) => isInIndex(term, context.index.view))
  return mostFrequentTerms(
    parts.filter((part) => !hasOtherMeaning(word, part, context)),
    context,
  )
}

async function mostFrequentTerms(terms: readonly string[], { index }: GuessContext): Promise<TermGuess | undefined> {
  const shortest = [...terms].sort((a, b) => a.length - b.length).slice(0, MAX_CANDIDATES)
  await index.read(shortest)
  const inIndex = shortest.filter((term) => isInIndex(term, index.view))
  const best = sortByFrequency(inIndex, index.view).slice(0, COMPLETION.limit)
  return best.length === 0 ? undefined : { as: 'near', terms: best, words: best }
}

/** Completions of words, for words that have any. Reads more terms until living documents contain enough of them. */
async function completeWords(
  unknownWords: readonly QueryTerm[],
  { store, index, isOnlyUnknown }: GuessContext,
): Promise<GuessesByTerm> {
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
      if (best.length > 0) guesses.set(term, { as: 'begun', terms: best, words: best })
      return !hasAllCompletions && inIndex.length < COMPLETION.limit
    })
  }
  return guesses
}

/** Whether a word can be a prefix: it begins with a letter, has the minimum length, and is not a pair of characters. */
function mayBePrefix(word: string, minLetters: number): boolean {
  return word.length >= minLetters && /^\p{L}/u.test(word) && !isCharacterPair(word)
}
