import { hasBit } from '../../core/bits.ts'
import { GUESS_SHARE } from '../../retrieval/guesses.ts'
import { type Query, type QueryTerm, stemsOfPrefix } from '../../retrieval/query.ts'
import type { RankedTerm } from '../../retrieval/rank.ts'
import { bodyDocuments, candidatePostings, INDEXED, piecesOfWords, termsOfPiece } from '../../retrieval/substrings.ts'
import type { DocumentFilter } from '../../stores/document-store.ts'
import type { IndexView, Store } from '../../stores/store.ts'
import {
  commonerWords,
  countLiveWith,
  type GuessContext,
  type GuessesByTerm,
  guessTerms,
  IndexReader,
  isInIndex,
} from './guess-terms.ts'

/** A word of a query, resolved to a term of the index. */
export interface ResolvedTerm {
  readonly term: QueryTerm
  /** The index terms that stand for the word. */
  readonly terms: readonly string[]
  /**
   * `typed`: the terms are the word, or begin with the typed prefix. `completed`: complete, `near`: correct the word.
   */
  readonly as: 'typed' | 'completed' | 'near'
  /** The words to show to a reader. Absent if they are the typed word. */
  readonly words?: readonly string[]
  /** For each term, its form that is nearest to the typed word. */
  readonly forms?: readonly string[]
  /** Weight of the terms, relative to the typed word: 1, or less for a guess. */
  readonly share: number
  /** Number of documents that contain any of the terms. */
  readonly docs?: number
  /** Inverse document frequency of the terms. */
  readonly idf?: number
}

/** Weights of terms by their relation to the typed word. */
const TERM_SHARES = { typed: 1, completed: 1, near: GUESS_SHARE, rareWordGuess: 0.3 } as const

/** Maximum terms of a prefix, and of an excluded prefix, which must exclude all its terms. */
const MAX_PREFIX_TERMS = 128
const MAX_EXCLUDED_TERMS = 1_000_000

/** A word is rare if at most this number of documents contain it. */
const RARE_DOCUMENTS = 1

/**
 * Resolves the words of a query to terms of the index. An unknown word is completed, else corrected. `requiredTerms`:
 * terms that each document with the substrings of the query must contain.
 */
export async function resolveTerms(store: Store, query: Query, filter: DocumentFilter, signal?: AbortSignal) {
  const queryTerms = [...query.terms, ...query.withoutTerms]
  const terms = queryTerms.flatMap(({ term, isPrefix }) => (isPrefix ? stemsOfPrefix(term) : [term]))
  const trigrams = query.pieces.length === 0 ? [] : [INDEXED, ...query.pieces.flatMap(termsOfPiece)]
  const prefixes = queryTerms.flatMap(({ term, isPrefix }) => (isPrefix && term !== '' ? [term] : []))
  const maxTerms = query.withoutTerms.some(({ isPrefix }) => isPrefix) ? MAX_EXCLUDED_TERMS : MAX_PREFIX_TERMS
  const reader = new IndexReader(store.index, { prefixes, maximumTerms: maxTerms, filter })
  await reader.read([...terms, ...trigrams])
  const words = query.terms.filter(({ kind, isPrefix }) => kind === 'word' && !isPrefix)
  const divided = new Set(query.terms.flatMap((term, at) => (query.terms[at + 1]?.kind === 'part' ? [term.term] : [])))
  const unknownWords = words.filter(({ term }) => !divided.has(term) && !isInIndex(term, reader.view))
  const isOnlyUnknown = unknownWords.length === query.terms.length
  const context = { store, index: reader, isOnlyUnknown, termsByPrefix: new Map(), signal }
  const guesses = await guessTerms(unknownWords, context)
  const resolved = resolveEach(query.terms, reader.view, guesses)
  const requiredTerms = await narrowSubstrings(query.pieces, { store, index: reader })
  return { requiredTerms, resolved: [...resolved, ...(await resolveRare(resolved, context))], view: reader.view }
}

/** Corrections of a query of one rare word, because the few documents with the word may misspell it. */
async function resolveRare(resolved: readonly ResolvedTerm[], context: GuessContext): Promise<ResolvedTerm[]> {
  const [single, ...others] = resolved
  if (!single?.terms.length || others.length > 0 || single.as !== 'typed' || single.term.isPrefix) return []
  if (!/^\p{L}{5,}$/u.test(single.term.word) || countLiveWith(single.term.term, context.index.view) > RARE_DOCUMENTS)
    return []
  const guess = await commonerWords(single.term, context)
  return guess ? [{ ...guess, term: { ...single.term, kind: 'name' }, share: TERM_SHARES.rareWordGuess }] : []
}

function resolveEach(terms: readonly QueryTerm[], view: IndexView, guesses: GuessesByTerm): ResolvedTerm[] {
  // The parts of a compound are searched only if the whole word is unknown.
  let isLastWordKnown = false
  const seenTerms = new Set(terms.flatMap(({ term, kind, inTitle }) => (kind === 'word' ? [`${inTitle} ${term}`] : [])))
  return terms.flatMap((term): ResolvedTerm[] => {
    const { kind, isPrefix, inTitle } = term
    if (kind === 'part' && (isLastWordKnown || seenTerms.has(`${inTitle} ${term.term}`))) return []
    seenTerms.add(`${inTitle} ${term.term}`)
    const indexTerms = isPrefix
      ? prefixTerms(term.term, view).slice(0, MAX_PREFIX_TERMS)
      : [term.term].filter((single) => isInIndex(single, view))
    if (kind === 'word') isLastWordKnown = indexTerms.length > 0
    if (indexTerms.length > 0) return [{ term, terms: indexTerms, as: 'typed', share: TERM_SHARES.typed }]
    if (kind !== 'word') return []
    const guess = guesses.get(term.term) ?? { as: 'typed', terms: [] }
    return [{ term, ...guess, share: TERM_SHARES[guess.as] }]
  })
}

/** The index terms that begin with a prefix, or are stems of words that may begin with it. */
function prefixTerms(prefix: string, view: IndexView): string[] {
  const continued = view.prefixes.get(prefix) ?? []
  return [...new Set([...stemsOfPrefix(prefix), ...continued])].filter((term) => isInIndex(term, view))
}

/** Number of live documents that the filter accepts, but whose substrings are not in the index. */
export function countUnindexed({ segments, terms }: IndexView): number {
  let count = 0
  for (const [index, { docs, dead, allowed }] of segments.entries()) {
    const indexed = terms.get(INDEXED)?.[index]
    const indexedDocs = new Set(indexed ? bodyDocuments(indexed) : [])
    for (let doc = 0; doc < docs; doc++) {
      if (!indexedDocs.has(doc) && !hasBit(dead, doc) && (!allowed || hasBit(allowed, doc))) count++
    }
  }
  return count
}

/** The terms for the ranking: the resolved terms, then the substrings, then the excluded terms. */
export function toRankedTerms(query: Query, resolved: readonly ResolvedTerm[], view: IndexView): RankedTerm[] {
  const inPhrase = new Set(query.phrases.flatMap(({ terms }) => terms))
  const rankedWords = resolved.map(({ term, terms, share }): RankedTerm => {
    const { weight, inTitle } = term
    const role = inTitle || inPhrase.has(term.term) ? 'must' : 'may'
    return { postings: postingsOf(terms, view), weight: weight * share, role, inTitle }
  })
  const exclusions = query.withoutTerms.map(({ term, isPrefix, inTitle }): RankedTerm => {
    const terms = isPrefix ? prefixTerms(term, view) : [term]
    return { postings: postingsOf(terms, view), weight: 1, role: 'not', inTitle }
  })
  const substrings = query.pieces.map((piece): RankedTerm => {
    const terms = termsOfPiece(piece).map((term) => view.terms.get(term))
    const candidates = view.segments.map(({ docs }, index) => {
      const trigramPostings = terms.map((postings) => postings?.[index])
      return [candidatePostings(docs, view.terms.get(INDEXED)?.[index], trigramPostings)]
    })
    // A constant idf, because the number of candidates depends on the history of the index, and scores must not.
    return { postings: candidates, weight: 1, role: 'must', inTitle: false, idf: 1 }
  })
  return [...rankedWords, ...substrings, ...exclusions]
}

/** For each segment of the index, the postings of these terms. */
function postingsOf(terms: readonly string[], view: IndexView): RankedTerm['postings'] {
  return view.segments.map((_, index) => terms.flatMap((term) => view.terms.get(term)?.[index] ?? []))
}

/**
 * Maximum index terms that may complete a cut word at the start or end of a substring. A word with more such terms is
 * ignored, because most documents contain one of the terms.
 */
const MAX_GROUP_TERMS = 1_000
/** Maximum terms of the index to read in search of terms that complete a cut word. */
const MAX_READ_TERMS = 10_000_000

/** Groups of terms. A document with the substrings must contain a term of each group. */
async function narrowSubstrings(
  pieces: readonly string[],
  { store, index }: { readonly store: Store; readonly index: IndexReader },
): Promise<RankedTerm[]> {
  const words = pieces.flatMap(piecesOfWords)
  const wholeWords = words.flatMap(({ term }) => (term === undefined ? [] : [[term]]))
  // One whole word narrows the search enough: to read the documents with it is faster than to read all terms.
  const hasOnlyCutWords = words.length > 0 && wholeWords.length === 0
  const allTerms = hasOnlyCutWords ? [...(await store.index.longer([''], MAX_READ_TERMS)).values()].flat() : []
  const groups = hasOnlyCutWords ? words.map(({ mayBeIn }) => allTerms.filter(mayBeIn)) : wholeWords
  const narrowGroups = groups.filter(({ length }) => length <= MAX_GROUP_TERMS)
  await index.read(narrowGroups.flat())
  return narrowGroups.map((group) => {
    return { postings: postingsOf(group, index.view), weight: 0, role: 'must', inTitle: false, idf: 0 }
  })
}
