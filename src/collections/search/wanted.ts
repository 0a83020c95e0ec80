import { hasBit } from '../../core/bits.ts'
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
  /** The terms of the index that stand for it. */
  readonly terms: readonly string[]
  /**
   * Their relation to the typed word: the word itself or its prefix search; for an unknown word, its completions (`begun`), else the nearest words
   * (`near`).
   */
  readonly as: 'typed' | 'begun' | 'near'
  /** The words to show for it, if they differ from the typed word. */
  readonly words?: readonly string[]
  readonly forms?: readonly string[]
  /** Weight of the terms, relative to a typed one. */
  readonly share: number
  /** Number of documents that contain it. */
  readonly docs?: number
  /** Its inverse document frequency. */
  readonly idf?: number
}

/** Weights of terms by their relation to the typed word. */
const TERM_SHARES = { typed: 1, begun: 1, near: 0.7, rareWordGuess: 0.3 } as const

/** Maximum terms of a prefix; and of an excluded prefix, so that none is missed. */
const MAX_PREFIX_TERMS = 128
const MAX_EXCLUDED_TERMS = 1_000_000

/** Maximum documents of a rare word. */
const RARE_DOCUMENTS = 1

/**
 * Resolves the words of a query to terms of the index. An unknown word is completed, else corrected. `needed`: words that a document with the
 * substrings must contain.
 */
export async function resolveTerms(store: Store, query: Query, filter: DocumentFilter, signal?: AbortSignal) {
  const queryTerms = [...query.terms, ...query.withoutTerms]
  const terms = queryTerms.flatMap(({ term, isPrefix }) => (isPrefix ? stemsOfPrefix(term) : [term]))
  const trigrams = query.pieces.length === 0 ? [] : [INDEXED, ...query.pieces.flatMap(termsOfPiece)]
  const prefixes = queryTerms.flatMap(({ term, isPrefix }) => (isPrefix && term !== '' ? [term] : []))
  const mostTerms = query.withoutTerms.some(({ isPrefix }) => isPrefix) ? MAX_EXCLUDED_TERMS : MAX_PREFIX_TERMS
  const index = new IndexReader(store.index, { prefixes, maximumTerms: mostTerms, filter })
  await index.read([...terms, ...trigrams])
  const words = query.terms.filter(({ kind, isPrefix }) => kind === 'word' && !isPrefix)
  const wholes = new Set(query.terms.flatMap((term, at) => (query.terms[at + 1]?.kind === 'part' ? [term.term] : [])))
  const unknown = words.filter(({ term }) => !wholes.has(term) && !isInIndex(term, index.view))
  const isOnlyUnknown = unknown.length === query.terms.length
  const context = { store, index, isOnlyUnknown, termsByPrefix: new Map(), signal }
  const guesses = await guessTerms(unknown, context)
  const resolved = resolveEach(query.terms, index.view, guesses)
  const needed = await narrowSubstrings(query.pieces, { store, index })
  return { needed, resolved: [...resolved, ...(await resolveRare(resolved, context))], view: index.view }
}

/** Adds corrections to a query of one rare word, which documents may misspell. */
async function resolveRare(resolved: readonly ResolvedTerm[], context: GuessContext): Promise<ResolvedTerm[]> {
  const [single, ...others] = resolved
  if (!single?.terms.length || others.length > 0 || single.as !== 'typed' || single.term.isPrefix) return []
  if (!/^\p{L}{5,}$/u.test(single.term.word) || countLiveWith(single.term.term, context.index.view) > RARE_DOCUMENTS)
    return []
  const guess = await commonerWords(single.term, context)
  return guess ? [{ ...guess, term: { ...single.term, kind: 'name' }, share: TERM_SHARES.rareWordGuess }] : []
}

function resolveEach(terms: readonly QueryTerm[], view: IndexView, guesses: GuessesByTerm): ResolvedTerm[] {
  // Parts of a compound count if the whole is unknown.
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

/** Terms with this prefix, and stems of words with it. */
function prefixTerms(prefix: string, view: IndexView): string[] {
  const continued = view.prefixes.get(prefix) ?? []
  return [...new Set([...stemsOfPrefix(prefix), ...continued])].filter((term) => isInIndex(term, view))
}

/** Accepted documents whose substrings are not indexed. */
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

/** Terms for the ranking: the resolved ones, then verbatim texts, then excluded ones. */
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
    // Weight without idf: candidates may depend on the index, but scores must not.
    return { postings: candidates, weight: 1, role: 'must', inTitle: false, idf: 1 }
  })
  return [...rankedWords, ...substrings, ...exclusions]
}

/** The postings of all these terms, by the index of the segment. */
function postingsOf(terms: readonly string[], view: IndexView): RankedTerm['postings'] {
  return view.segments.map((_, index) => terms.flatMap((term) => view.terms.get(term)?.[index] ?? []))
}

/** Maximum terms for the words at the ends of a substring. More would match most documents. */
const MAX_GROUP_TERMS = 1_000
const MAX_READ_TERMS = 10_000_000

/** Terms that documents with the substrings must contain, from the words in them; none if that would not narrow the search. */
async function narrowSubstrings(
  pieces: readonly string[],
  { store, index }: { readonly store: Store; readonly index: IndexReader },
): Promise<RankedTerm[]> {
  const words = pieces.flatMap(piecesOfWords)
  const wholeWords = words.flatMap(({ term }) => (term === undefined ? [] : [[term]]))
  // Only without a whole word: reading all terms takes longer than reading some more documents.
  const isOpen = words.length > 0 && wholeWords.length === 0
  const allTerms = isOpen ? [...(await store.index.longer([''], MAX_READ_TERMS)).values()].flat() : []
  const groups = isOpen ? words.map(({ mayBeIn }) => allTerms.filter(mayBeIn)) : wholeWords
  const narrowGroups = groups.filter(({ length }) => length <= MAX_GROUP_TERMS)
  await index.read(narrowGroups.flat())
  return narrowGroups.map((group) => {
    return { postings: postingsOf(group, index.view), weight: 0, role: 'must', inTitle: false, idf: 0 }
  })
}
