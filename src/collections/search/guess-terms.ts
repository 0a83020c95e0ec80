/** Guesses corrections of words that no document contains, or hardly any. */

import { hasBit } from '../../core/bits.ts'
import { yieldToEvents } from '../../core/steps.ts'
import {
  compoundsWith,
  firstLetters,
  nearestWord,
  nearTerms,
  partsOfCompound,
  possibleParts,
  slipsOf,
} from '../../retrieval/guesses.ts'
import { decodePostings } from '../../retrieval/postings.ts'
import { type QueryTerm, stemsOfPrefix } from '../../retrieval/query.ts'
import { countLive } from '../../retrieval/rank.ts'
import { foldWord, isCharacterPair, isStopWord } from '../../retrieval/terms.ts'
import type { IndexView, Store, StoredSegment, TermRequest } from '../../stores/store.ts'
import { countEdits } from '../../text/nearest.ts'

/** The terms of the index that were read so far, as of one moment. */
export class GrowingView {
  readonly #index: Store['index']
  readonly #request: Omit<TermRequest, 'terms'>
  view: IndexView = { segments: [], terms: new Map(), prefixes: new Map() }

  constructor(index: Store['index'], request: Omit<TermRequest, 'terms'>) {
    this.#index = index
    this.#request = request
  }

  /** Adds the postings of these terms. If the index has changed, reads all again. */
  async read(terms: readonly string[]): Promise<void> {
    const { terms: known, segments, prefixes } = this.view
    const more = terms.filter((term) => !known.has(term))
    if (more.length === 0 && known.size > 0) return
    const isFirst = known.size === 0 && segments.length === 0
    const { filter } = this.#request
    const read = await this.#index.read(isFirst ? { ...this.#request, terms: more } : { terms: more, filter })
    if (isFirst) this.view = read
    else if (areSameSegments(segments, read.segments))
      this.view = { segments, terms: new Map([...known, ...read.terms]), prefixes }
    else this.view = await this.#index.read({ ...this.#request, terms: [...known.keys(), ...more] })
  }
}

/** Segments only lose documents, so the same number of living ones means the same documents. */
function areSameSegments(one: IndexView['segments'], other: IndexView['segments']): boolean {
  const isSame = ({ id, live }: StoredSegment, at: number) => other[at]?.id === id && other[at].live.docs === live.docs
  return one.length === other.length && one.every(isSame)
}

/** Whether a living document contains the term: postings include removed documents. */
export function isInIndex(term: string, { terms, segments }: IndexView): boolean {
  return terms.get(term)?.some((postings, index) => postings && livesIn(postings, segments[index]?.dead)) ?? false
}

function livesIn(postings: Uint8Array, dead: Uint8Array | undefined): boolean {
  if (!dead) return true
  const { docs, body, title } = decodePostings(postings)
  return docs.subarray(0, body + title).some((doc) => !hasBit(dead, doc))
}

/** Number of living documents with a term; a document with the term in text and title counts twice. */
export function countLiveWith(term: string, { terms, segments }: IndexView): number {
  const living = terms.get(term)?.map((postings, index) => {
    if (!postings) return 0
    const decoded = decodePostings(postings)
    const dead = segments[index]?.dead
    return countLive(decoded, dead, false) + countLive(decoded, dead, true)
  })
  return living?.reduce((all, one) => all + one, 0) ?? 0
}

/** Ids of the first living documents with a term. */
function documentsWith(term: string, { terms, segments }: IndexView, most: number): number[] {
  const found = terms.get(term)?.flatMap((postings, index) => {
    const { ids, dead } = segments[index] ?? {}
    if (!postings || !ids) return []
    const { docs, body, title } = decodePostings(postings)
    const living = [...docs.subarray(0, body + title)].filter((doc) => !dead || !hasBit(dead, doc))
    return living.slice(0, most).map((doc) => ids[doc] ?? 0)
  })
  return [...new Set(found)].slice(0, most)
}

/** Sorts terms by their number of documents, the highest first. */
function likeliest(terms: readonly string[], view: IndexView): string[] {
  const known = terms.map((term) => ({ term, living: countLiveWith(term, view) }))
  known.sort((a, b) => b.living - a.living || (a.term < b.term ? -1 : 1))
  return known.map(({ term }) => term)
}

/** Terms of the index that replace a word, and the words to show to a reader. */
export interface Guess {
  /** `begun`: the word is a prefix of the terms; `near`: it is a misspelling, a compound or a part of them. */
  readonly as: 'begun' | 'near'
  readonly terms: readonly string[]
  readonly words: readonly string[]
  /** Likely corrections. Forms that documents contain come first. */
  readonly forms?: readonly string[]
}

type Guesses = Map<string, Guess>

export interface Guessing {
  readonly store: Store
  readonly index: GrowingView
  /** Whether no other word of the query is known. */
  readonly isLast: boolean
  /** Terms of the index by prefix, as far as this query has read them. */
  readonly read: Map<string, readonly string[]>
  readonly signal?: AbortSignal | undefined
}

/**
 * An unknown word of at least `letters` is completed; a shorter one only if no word of the query is known. Of the `pool` shortest completions, those
 * with most documents are taken.
 */
const BEGINNING = { letters: 4, pool: 64, most: 16 } as const

/** Maximum terms with the same first letter to compare, near terms to look up, and guesses for a word. */
const MAX_COMPARED = 100_000
const MAX_READ = 256
const MAX_GUESSES = 5

/** Maximum words of a query that are compared with the index. Each takes some milliseconds for 10,000 terms. */
const MAX_GUESSED = 12

/** Minimum letters of a word that may have one more error if nothing else is found. */
const BADLY = 5

/** Guesses for the first `MAX_GUESSED` unknown words, by their terms. */
export async function guessTerms(
  unknown: readonly QueryTerm[],
  guessing: Guessing,
): Promise<ReadonlyMap<string, Guess>> {
  const guesses = await longerWords(unknown, guessing)
  const open = unknown.filter(({ term, isHyphenated }) => !guesses.has(term) && !isHyphenated && !isStopWord(term))
  for (const { term, word } of open.slice(0, MAX_GUESSED)) {
    await yieldToEvents(guessing.signal)
    const guess = await guessWord(foldWord(word), guessing)
    if (guess) guesses.set(term, guess)
  }
  return guesses
}

/** Tries in this order: misspelt, a compound; and if no other word of the query is known, a part of other words, or badly misspelt. */
async function guessWord(word: string, guessing: Guessing): Promise<Guess | undefined> {
  if (!isCutWord(word, 1)) return undefined
  const [first = '', second = ''] = word
  const slips = slipsOf(word)
  const alike = await termsFrom([...new Set([first, second])], guessing)
  const near = (await nearest(word, { terms: alike, slips }, guessing)) ?? (await splitCompound(word, guessing))
  if (near || !guessing.isLast) return near
  const all = await termsFrom(firstLetters(word), guessing)
  return (
    (await nearest(word, { terms: all, slips }, guessing)) ??
    (await chooseLiving(compoundsWith(word, all), guessing)) ??
    (word.length < BADLY ? undefined : await nearest(word, { terms: all, slips: slips + 1 }, guessing))
  )
}

/** Words one error away that many more documents contain than a rare word. */
export async function commonerWords({ word }: QueryTerm, guessing: Guessing): Promise<Guess | undefined> {
  const folded = foldWord(word)
  const [first = '', second = ''] = folded
  const terms = await termsFrom([...new Set([first, second])], guessing)
  const guess = await nearest(folded, { terms, slips: Math.min(1, slipsOf(folded)) }, guessing)
  return guess && countLiveWith(guess.terms[0] ?? '', guessing.index.view) >= COMMON ? guess : undefined
}

/** Minimum documents of a word that may replace a rare one. */
const COMMON = 10

async function termsFrom(beginnings: readonly string[], { store, read }: Guessing): Promise<readonly string[]> {
  const wanted = beginnings.filter((one) => one !== '')
  const unread = wanted.filter((one) => !read.has(one))
  const found = unread.length === 0 ? [] : await store.index.longer(unread, MAX_COMPARED)
  for (const [beginning, terms] of found) read.set(beginning, terms)
  return wanted.flatMap((one) => read.get(one) ?? [])
}

interface Compared {
  readonly terms: readonly string[]
  readonly slips: number
}

/** The nearest terms that documents contain; of equally near ones those with most documents. */
async function nearest(word: string, { terms, slips }: Compared, guessing: Guessing): Promise<Guess | undefined> {
  if (slips === 0) return undefined
  const near = nearTerms(word, terms, slips).slice(0, MAX_READ)
  await guessing.index.read(near.map(({ term }) => term))
  const inIndex = near.filter(({ term }) => isInIndex(term, guessing.index.view))
  const fewest = inIndex[0]?.edits
  const words = new Map(inIndex.flatMap((one) => (one.edits === fewest ? [[one.term, one.word] as const] : [])))
  const best = likeliest([...words.keys()], guessing.index.view).slice(0, MAX_GUESSES)
  if (best.length === 0) return undefined
  const read = await Promise.all(
    best.map(async (term) => ({ term, shown: nearestWord(word, term, await textsWith(term, guessing)) })),
  )
  // With one more error, a form that no text contains is too uncertain.
  const isBad = slips > slipsOf(word)
  const kept = read.filter(({ shown }) => !isBad || (shown !== undefined && countEdits(word, shown, slips) <= slips))
  if (kept.length === 0) return undefined
  const formed = kept.map(({ term, shown }) => ({ form: words.get(term) ?? term, shown }))
  return {
    as: 'near',
    terms: kept.map(({ term }) => term),
    words: formed.map(({ form, shown }) => shown ?? form),
    forms: formed.map(({ form }) => form),
  }
}

/** Maximum documents that are read for the words of a term. */
const MAX_TEXTS = 3

/** Some texts with a term, to show words to the reader: an index contains stems. */
async function textsWith(term: string, { store, index }: Guessing): Promise<readonly string[]> {
  const ids = documentsWith(term, index.view, MAX_TEXTS)
  const [documents, texts] = [await store.documents.byId(ids), await store.documents.texts(ids)]
  return [...texts.values(), ...documents.flatMap(({ title, path }) => [title, path])]
}

async function splitCompound(word: string, guessing: Guessing): Promise<Guess | undefined> {
  await guessing.index.read(possibleParts(word))
  const parts = partsOfCompound(word, (term) => isInIndex(term, guessing.index.view))
  return chooseLiving(parts, guessing)
}

async function chooseLiving(terms: readonly string[], { index }: Guessing): Promise<Guess | undefined> {
  const some = [...terms].sort((a, b) => a.length - b.length).slice(0, MAX_READ)
  await index.read(some)
  const best = likeliest(
    some.filter((term) => isInIndex(term, index.view)),
    index.view,
  ).slice(0, BEGINNING.most)
  return best.length === 0 ? undefined : { as: 'near', terms: best, words: best }
}

/** Completions of words, for words that have any. Ignores removed documents: reads more terms until enough are alive. */
async function longerWords(unknown: readonly QueryTerm[], { store, index, isLast }: Guessing): Promise<Guesses> {
  const shortest = isLast ? 1 : BEGINNING.letters
  const found: Guesses = new Map()
  let open = unknown.flatMap(({ term, word }) => {
    const raw = foldWord(word)
    return isCutWord(raw, shortest) ? [{ term, raw, prefix: raw.startsWith(term) ? term : raw }] : []
  })
  for (let pool: number = BEGINNING.pool; open.length > 0; pool *= 4) {
    const longer = await store.index.longer([...new Set(open.map(({ prefix }) => prefix))], pool)
    const candidates = open.map((one) => ({
      ...one,
      terms: [...new Set([...stemsOfPrefix(one.raw).slice(1), ...(longer.get(one.prefix) ?? [])])],
      isAll: (longer.get(one.prefix)?.length ?? 0) < pool,
    }))
    await index.read(candidates.flatMap(({ terms }) => terms))
    const isOpen = candidates.filter(({ term, terms, isAll }) => {
      const best = likeliest(terms.filter((one) => isInIndex(one, index.view)).slice(0, BEGINNING.pool), index.view)
      const chosen = best.slice(0, BEGINNING.most)
      if (chosen.length > 0) found.set(term, { as: 'begun', terms: chosen, words: chosen })
      return !isAll && best.length < BEGINNING.most
    })
    open = isOpen
  }
  return found
}

/** Whether a word can be a prefix: it begins with a letter, has the minimum length, and is not a pair of characters. */
function isCutWord(word: string, shortest: number): boolean {
  return word.length >= shortest && /^\p{L}/u.test(word) && !isCharacterPair(word)
}
