import { type Query, type QueryTerm, stemsOfPrefix } from '../lexical/query.ts'
import type { Wanted } from '../lexical/rank.ts'
import { nearTerms } from '../lexical/typo.ts'
import type { DocumentFilter, IndexView, Store } from '../stores/store.ts'

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
const GUESS_WEIGHT = 0.7

/** Terms that one prefix stands for at most. */
const MOST_TERMS = 128

/** Looks up what the words of a query are in the index; a word that it does not know is taken for one that is near. */
export async function meaningOf(
  store: Store,
  query: Query,
  filter: DocumentFilter,
): Promise<{ readonly view: IndexView; readonly meant: readonly Meant[] }> {
  const asked = [...query.terms, ...query.withoutTerms]
  const terms = asked.flatMap(({ term, isPrefix }) => (isPrefix ? stemsOfPrefix(term) : [term]))
  const prefixes = asked.flatMap(({ term, isPrefix }) => (isPrefix && term !== '' ? [term] : []))
  const request = { prefixes, mostTerms: MOST_TERMS, filter }
  const view = await store.index.read({ ...request, terms })
  const unknown = query.terms.filter((one) => one.kind === 'word' && !one.isPrefix && !isKnown(one.term, view))
  const guesses = new Map<string, string[]>()
  for (const { term } of unknown) guesses.set(term, nearTerms(term, await store.index.similar(term)))
  const guessed = [...guesses.values()].flat()
  const whole = guessed.length === 0 ? view : await store.index.read({ ...request, terms: [...terms, ...guessed] })
  return { view: whole, meant: taken(query.terms, whole, guesses) }
}

function isKnown(term: string, { terms }: IndexView): boolean {
  return terms.get(term)?.some((postings) => postings !== undefined) ?? false
}

function taken(terms: readonly QueryTerm[], view: IndexView, guesses: ReadonlyMap<string, readonly string[]>): Meant[] {
  // Parts count where the whole is unknown.
  let lastKnown = false
  return terms.flatMap((term): Meant[] => {
    const { kind, isPrefix } = term
    if (kind === 'part' && lastKnown) return []
    const found = isPrefix ? prefixTerms(term.term, view) : isKnown(term.term, view) ? [term.term] : []
    if (kind === 'word') lastKnown = found.length > 0
    if (found.length > 0) return [{ term, terms: found, isGuess: false }]
    const near = guesses.get(term.term) ?? []
    return kind === 'word' ? [{ term, terms: near, isGuess: near.length > 0 }] : []
  })
}

/** All that begins so; else the longest stem that what was typed begins with. */
function prefixTerms(prefix: string, view: IndexView): readonly string[] {
  const begun = view.prefixes.get(prefix) ?? []
  if (begun.length > 0) return begun
  const stem = stemsOfPrefix(prefix).find((each) => isKnown(each, view))
  return stem === undefined ? [] : [stem]
}

/** What is wanted, for the ranking; as many as were meant, and then what must not be there. */
export function wantedOf(query: Query, meant: readonly Meant[], view: IndexView): Wanted[] {
  const inPhrase = new Set(query.phrases.flatMap(({ terms }) => terms))
  const postings = (terms: readonly string[]) =>
    view.segments.map((_, index) => terms.flatMap((term) => view.terms.get(term)?.[index] ?? []))
  const wanted = meant.map(({ term, terms, isGuess }): Wanted => {
    const { weight, inTitle } = term
    const role = inTitle || inPhrase.has(term.term) ? 'must' : 'may'
    return { postings: postings(terms), weight: isGuess ? weight * GUESS_WEIGHT : weight, role, inTitle }
  })
  const without = query.withoutTerms.map(({ term, isPrefix }): Wanted => {
    const terms = isPrefix ? (view.prefixes.get(term) ?? []) : [term]
    return { postings: postings(terms), weight: 1, role: 'not', inTitle: false }
  })
  return [...wanted, ...without]
}
