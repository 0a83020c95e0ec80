import { hasBit } from '../../core/bits.ts'
import { SharedRoom } from '../../retrieval/postings.ts'
import { type Query, type QueryTerm, stemsOfPrefix } from '../../retrieval/query.ts'
import { livingIn, type RankedTerm } from '../../retrieval/rank.ts'
import { docsOf, INDEXED, mayHold, termsOfPiece } from '../../retrieval/substrings.ts'
import { nearTerms } from '../../retrieval/typo.ts'
import type { DocumentFilter } from '../../stores/document-store.ts'
import type { IndexView, Store } from '../../stores/store.ts'

/** What a word of a query was taken for. */
export interface Meant {
  readonly term: QueryTerm
  /** The terms of the index that stand for it. */
  readonly terms: readonly string[]
  /** The word as it was typed is in no document; these are the nearest. */
  readonly isGuess: boolean
  /** Documents that hold it. */
  readonly docs?: number
  /** How much it tells. */
  readonly idf?: number
}

/** A guess counts for less than what was typed. */
export const GUESS_WEIGHT = 0.7

/** Terms that one prefix stands for at most; and where it must not be there, so that none is missed. */
const MOST_TERMS = 128
const ALL_TERMS = 1_000_000

/** Words that one word is taken for at most. */
const MOST_GUESSES = 5

/** For one term at a time. */
const looked = new SharedRoom()

/** Looks up what the words of a query are in the index; a word that it does not know is taken for one that is near. */
export async function meaningOf(
  store: Store,
  query: Query,
  filter: DocumentFilter,
): Promise<{ readonly view: IndexView; readonly meant: readonly Meant[] }> {
  const asked = [...query.terms, ...query.withoutTerms]
  const words = asked.flatMap(({ term, isPrefix }) => (isPrefix ? stemsOfPrefix(term) : [term]))
  const pieces = query.pieces.length === 0 ? [] : [INDEXED, ...query.pieces.flatMap(termsOfPiece)]
  const terms = [...words, ...pieces]
  const prefixes = asked.flatMap(({ term, isPrefix }) => (isPrefix && term !== '' ? [term] : []))
  const mostTerms = query.withoutTerms.some(({ isPrefix }) => isPrefix) ? ALL_TERMS : MOST_TERMS
  const request = { prefixes, mostTerms, filter }
  const view = await store.index.read({ ...request, terms })
  const unknown = query.terms.filter((one) => one.kind === 'word' && !one.isPrefix && !isInIndex(one.term, view))
  const guesses = new Map<string, string[]>()
  for (const { term, isHyphenated } of unknown)
    if (!isHyphenated) guesses.set(term, nearTerms(term, await store.index.similar(term)))
  const guessed = [...guesses.values()].flat()
  const whole = guessed.length === 0 ? view : await store.index.read({ ...request, terms: [...terms, ...guessed] })
  return { view: whole, meant: resolveTerms(query.terms, whole, guesses) }
}

/** Whether a document that lives holds it: the postings of a segment name those that are no more, too. */
function isInIndex(term: string, { terms, segments }: IndexView): boolean {
  return terms.get(term)?.some((postings, index) => postings && livesIn(postings, segments[index]?.dead)) ?? false
}

function livesIn(postings: Uint8Array, dead: Uint8Array | undefined): boolean {
  if (!dead) return true
  const { docs, body, title } = looked.empty().decode(postings)
  return docs.subarray(0, body + title).some((doc) => !hasBit(dead, doc))
}

/** In how many documents that live a term stands; twice for one that also has it in its title. */
function livingWith(term: string, { terms, segments }: IndexView): number {
  const living = terms.get(term)?.map((postings, index) => {
    if (!postings) return 0
    const decoded = looked.empty().decode(postings)
    const dead = segments[index]?.dead
    return livingIn(decoded, dead, false) + livingIn(decoded, dead, true)
  })
  return living?.reduce((all, one) => all + one, 0) ?? 0
}

function resolveTerms(
  terms: readonly QueryTerm[],
  view: IndexView,
  guesses: ReadonlyMap<string, readonly string[]>,
): Meant[] {
  // Parts count where the whole is unknown.
  let lastKnown = false
  const covered = new Set(terms.flatMap(({ term, kind, inTitle }) => (kind === 'word' ? [`${inTitle} ${term}`] : [])))
  return terms.flatMap((term): Meant[] => {
    const { kind, isPrefix, inTitle } = term
    if (kind === 'part' && (lastKnown || covered.has(`${inTitle} ${term.term}`))) return []
    covered.add(`${inTitle} ${term.term}`)
    const found = isPrefix
      ? prefixTerms(term.term, view).slice(0, MOST_TERMS)
      : isInIndex(term.term, view)
        ? [term.term]
        : []
    if (kind === 'word') lastKnown = found.length > 0
    if (found.length > 0) return [{ term, terms: found, isGuess: false }]
    const near = likeliest(guesses.get(term.term) ?? [], view)
    return kind === 'word' ? [{ term, terms: near, isGuess: near.length > 0 }] : []
  })
}

/** Those that most documents hold. */
function likeliest(terms: readonly string[], view: IndexView): string[] {
  const known = terms.map((term) => ({ term, living: livingWith(term, view) })).filter(({ living }) => living > 0)
  known.sort((a, b) => b.living - a.living || (a.term < b.term ? -1 : 1))
  return known.slice(0, MOST_GUESSES).map(({ term }) => term)
}

/** All that begins so, and the stems of words that do. */
function prefixTerms(prefix: string, view: IndexView): string[] {
  const begun = view.prefixes.get(prefix) ?? []
  return [...new Set([...stemsOfPrefix(prefix), ...begun])].filter((term) => isInIndex(term, view))
}

/** Documents that count and whose pieces are not in the index. */
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

/** What is wanted, for the ranking; as many as were meant, then pieces of text, then what must not be there. */
export function wantedOf(query: Query, meant: readonly Meant[], view: IndexView): RankedTerm[] {
  const inPhrase = new Set(query.phrases.flatMap(({ terms }) => terms))
  const postings = (terms: readonly string[]) =>
    view.segments.map((_, index) => terms.flatMap((term) => view.terms.get(term)?.[index] ?? []))
  const wanted = meant.map(({ term, terms, isGuess }): RankedTerm => {
    const { weight, inTitle } = term
    const role = inTitle || inPhrase.has(term.term) ? 'must' : 'may'
    return { postings: postings(terms), weight: isGuess ? weight * GUESS_WEIGHT : weight, role, inTitle }
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
    // Which documents may hold it depends on what is indexed; what a hit scores must not.
    return { postings: may, weight: 1, role: 'must', inTitle: false, idf: 1 }
  })
  return [...wanted, ...pieces, ...without]
}
