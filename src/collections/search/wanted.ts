import { hasBit } from '../../core/bits.ts'
import { type Query, type QueryTerm, stemsOfPrefix } from '../../retrieval/query.ts'
import type { RankedTerm } from '../../retrieval/rank.ts'
import { docsOf, INDEXED, mayHold, piecesOfWords, termsOfPiece } from '../../retrieval/substrings.ts'
import type { DocumentFilter } from '../../stores/document-store.ts'
import type { IndexView, Store } from '../../stores/store.ts'
import {
  commonerWords,
  countLiveWith,
  GrowingView,
  type Guess,
  type Guessing,
  guessTerms,
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

/** Weights by the relation to the typed word. */
const SHARES = { typed: 1, begun: 1, near: 0.7, beside: 0.3 } as const

/** Maximum terms of a prefix; and of an excluded prefix, so that none is missed. */
const MAX_TERMS = 128
const ALL_TERMS = 1_000_000

/** Maximum documents of a rare word. */
const RARE = 1

/**
 * Resolves the words of a query to terms of the index. An unknown word is completed, else corrected. `needed`: words that a document with the
 * substrings must contain.
 */
export async function resolveTerms(store: Store, query: Query, filter: DocumentFilter, signal?: AbortSignal) {
  const asked = [...query.terms, ...query.withoutTerms]
  const words = asked.flatMap(({ term, isPrefix }) => (isPrefix ? stemsOfPrefix(term) : [term]))
  const pieces = query.pieces.length === 0 ? [] : [INDEXED, ...query.pieces.flatMap(termsOfPiece)]
  const prefixes = asked.flatMap(({ term, isPrefix }) => (isPrefix && term !== '' ? [term] : []))
  const mostTerms = query.withoutTerms.some(({ isPrefix }) => isPrefix) ? ALL_TERMS : MAX_TERMS
  const index = new GrowingView(store.index, { prefixes, mostTerms, filter })
  await index.read([...words, ...pieces])
  const whole = query.terms.filter(({ kind, isPrefix }) => kind === 'word' && !isPrefix)
  const parted = new Set(query.terms.flatMap((one, at) => (query.terms[at + 1]?.kind === 'part' ? [one.term] : [])))
  const unknown = whole.filter(({ term }) => !parted.has(term) && !isInIndex(term, index.view))
  const guessing = { store, index, isLast: unknown.length === query.terms.length, read: new Map(), signal }
  const guesses = await guessTerms(unknown, guessing)
  const resolved = resolveEach(query.terms, index.view, guesses)
  const needed = await narrowPieces(query.pieces, { store, index })
  return { needed, resolved: [...resolved, ...(await resolveRare(resolved, guessing))], view: index.view }
}

/** Adds corrections to a query of one rare word, which documents may misspell. */
async function resolveRare(resolved: readonly ResolvedTerm[], guessing: Guessing): Promise<ResolvedTerm[]> {
  const [only, ...others] = resolved
  if (!only || others.length > 0 || only.as !== 'typed' || only.term.isPrefix || only.terms.length === 0) return []
  if (!/^\p{L}{5,}$/u.test(only.term.word) || countLiveWith(only.term.term, guessing.index.view) > RARE) return []
  const guess = await commonerWords(only.term, guessing)
  return guess ? [{ ...guess, term: { ...only.term, kind: 'name' }, share: SHARES.beside }] : []
}

function resolveEach(
  terms: readonly QueryTerm[],
  view: IndexView,
  guesses: ReadonlyMap<string, Guess>,
): ResolvedTerm[] {
  // Parts of a compound count if the whole is unknown.
  let lastKnown = false
  const covered = new Set(terms.flatMap(({ term, kind, inTitle }) => (kind === 'word' ? [`${inTitle} ${term}`] : [])))
  return terms.flatMap((term): ResolvedTerm[] => {
    const { kind, isPrefix, inTitle } = term
    if (kind === 'part' && (lastKnown || covered.has(`${inTitle} ${term.term}`))) return []
    covered.add(`${inTitle} ${term.term}`)
    const found = isPrefix
      ? prefixTerms(term.term, view).slice(0, MAX_TERMS)
      : isInIndex(term.term, view)
        ? [term.term]
        : []
    if (kind === 'word') lastKnown = found.length > 0
    if (found.length > 0) return [{ term, terms: found, as: 'typed', share: SHARES.typed }]
    if (kind !== 'word') return []
    const guess = guesses.get(term.term) ?? { as: 'typed', terms: [] }
    return [{ term, ...guess, share: SHARES[guess.as] }]
  })
}

/** Terms with this prefix, and stems of words with it. */
function prefixTerms(prefix: string, view: IndexView): string[] {
  const begun = view.prefixes.get(prefix) ?? []
  return [...new Set([...stemsOfPrefix(prefix), ...begun])].filter((term) => isInIndex(term, view))
}

/** Accepted documents whose substrings are not indexed. */
export function withoutPieces({ segments, terms }: IndexView): number {
  let count = 0
  for (const [index, { docs, dead, allowed }] of segments.entries()) {
    const indexed = terms.get(INDEXED)?.[index]
    const known = new Set(indexed ? docsOf(indexed) : [])
    for (let doc = 0; doc < docs; doc++) {
      if (!known.has(doc) && !(dead && hasBit(dead, doc)) && (!allowed || hasBit(allowed, doc))) count++
    }
  }
  return count
}

/** Terms for the ranking: the resolved ones, then verbatim texts, then excluded ones. */
export function wantedOf(query: Query, resolved: readonly ResolvedTerm[], view: IndexView): RankedTerm[] {
  const inPhrase = new Set(query.phrases.flatMap(({ terms }) => terms))
  const postings = (terms: readonly string[]) =>
    view.segments.map((_, index) => terms.flatMap((term) => view.terms.get(term)?.[index] ?? []))
  const wanted = resolved.map(({ term, terms, share }): RankedTerm => {
    const { weight, inTitle } = term
    const role = inTitle || inPhrase.has(term.term) ? 'must' : 'may'
    return { postings: postings(terms), weight: weight * share, role, inTitle }
  })
  const without = query.withoutTerms.map(({ term, isPrefix, inTitle }): RankedTerm => {
    const terms = isPrefix ? prefixTerms(term, view) : [term]
    return { postings: postings(terms), weight: 1, role: 'not', inTitle }
  })
  const pieces = query.pieces.map((piece): RankedTerm => {
    const terms = termsOfPiece(piece).map((term) => view.terms.get(term))
    const may = view.segments.map(({ docs }, index) => [
      mayHold(
        docs,
        view.terms.get(INDEXED)?.[index],
        terms.map((postings) => postings?.[index]),
      ),
    ])
    // Weight without idf: candidates may depend on the index, but scores must not.
    return { postings: may, weight: 1, role: 'must', inTitle: false, idf: 1 }
  })
  return [...wanted, ...pieces, ...without]
}

/** Maximum terms for the words at the ends of a substring. More would match most documents. */
const MAX_AROUND = 1_000
const ALL_AROUND = 10_000_000

/** Terms that documents with the substrings must contain, from the words in them; none if that would not narrow the search. */
async function narrowPieces(
  pieces: readonly string[],
  { store, index }: { readonly store: Store; readonly index: GrowingView },
): Promise<RankedTerm[]> {
  const parts = pieces.flatMap(piecesOfWords)
  const whole = parts.flatMap(({ term }) => (term === undefined ? [] : [[term]]))
  // Only without a whole word: reading all terms takes longer than reading some more documents.
  const isOpen = parts.length > 0 && whole.length === 0
  const all = isOpen ? [...(await store.index.longer([''], ALL_AROUND)).values()].flat() : []
  const groups = isOpen ? parts.map(({ mayStandIn }) => all.filter(mayStandIn)) : whole
  const narrow = groups.filter(({ length }) => length <= MAX_AROUND)
  await index.read(narrow.flat())
  const { segments, terms } = index.view
  return narrow.map((group) => {
    const postings = segments.map((_, at) => group.flatMap((term) => terms.get(term)?.[at] ?? []))
    return { postings, weight: 0, role: 'must', inTitle: false, idf: 0 }
  })
}
