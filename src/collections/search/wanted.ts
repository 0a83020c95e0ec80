import { hasBit } from '../../core/bits.ts'
import { SharedRoom } from '../../retrieval/postings.ts'
import { type Query, type QueryTerm, stemsOfPrefix } from '../../retrieval/query.ts'
import { countLive, type RankedTerm } from '../../retrieval/rank.ts'
import { docsOf, INDEXED, mayHold, termsOfPiece } from '../../retrieval/substrings.ts'
import { foldWord, isCharacterPair } from '../../retrieval/terms.ts'
import { nearTerms } from '../../retrieval/typo.ts'
import type { DocumentFilter } from '../../stores/document-store.ts'
import type { IndexView, Store, StoredSegment, TermRequest } from '../../stores/store.ts'

/** What a word of a query was taken for. */
export interface ResolvedTerm {
  readonly term: QueryTerm
  /** The terms of the index that stand for it. */
  readonly terms: readonly string[]
  /**
   * What they are to the word as it was typed: itself, or all that begin so, where that was asked for; where no document
   * holds it, words that it is the beginning of (`begun`), else the nearest (`near`).
   */
  readonly as: 'typed' | 'begun' | 'near'
  /** What such a word weighs beside one that stands there as it was typed. */
  readonly share: number
  /** Documents that hold it. */
  readonly docs?: number
  /** How much it tells. */
  readonly idf?: number
}

/** What was not typed counts for less. */
const SHARES = { typed: 1, begun: 1, near: 0.7 } as const

/** Terms that one prefix stands for at most; and where it must not be there, so that none is missed. */
const MOST_TERMS = 128
const ALL_TERMS = 1_000_000

/** Words that one word is taken for at most. */
const MOST_GUESSES = 5

/**
 * An unknown word of so many letters is taken for the beginning of others; a shorter one where no word of the query is known.
 * Of the `pool` shortest that begin so, those are taken that most documents hold.
 */
const BEGINNING = { letters: 4, pool: 64, most: 16 } as const

/** For one term at a time. */
const looked = new SharedRoom()

/** Terms of the index by the word that they may stand for. */
type Guesses = ReadonlyMap<string, readonly string[]>

/**
 * Looks up what the words of a query are in the index. A word that it does not know is taken for the beginning of others, and
 * where it is none, for one that is near.
 */
export async function resolveTerms(
  store: Store,
  query: Query,
  filter: DocumentFilter,
): Promise<{ readonly view: IndexView; readonly resolved: readonly ResolvedTerm[] }> {
  const asked = [...query.terms, ...query.withoutTerms]
  const words = asked.flatMap(({ term, isPrefix }) => (isPrefix ? stemsOfPrefix(term) : [term]))
  const pieces = query.pieces.length === 0 ? [] : [INDEXED, ...query.pieces.flatMap(termsOfPiece)]
  const prefixes = asked.flatMap(({ term, isPrefix }) => (isPrefix && term !== '' ? [term] : []))
  const mostTerms = query.withoutTerms.some(({ isPrefix }) => isPrefix) ? ALL_TERMS : MOST_TERMS
  const index = new GrowingView(store.index, { prefixes, mostTerms, filter })
  await index.read([...words, ...pieces])
  const whole = query.terms.filter(({ kind, isPrefix }) => kind === 'word' && !isPrefix)
  const unknown = whole.filter(({ term }) => !isInIndex(term, index.view))
  const begun = await longerWords(store, unknown, { index, isLast: unknown.length === query.terms.length })
  const strange = unknown.filter(({ term, isHyphenated }) => !isHyphenated && !begun.has(term))
  const near = new Map<string, readonly string[]>()
  for (const { term } of strange) near.set(term, nearTerms(term, await store.index.similar(term)))
  await index.read([...near.values()].flat())
  return { view: index.view, resolved: resolveEach(query.terms, index.view, { begun, near }) }
}

/** What was read of the index so far, all as of one moment. */
class GrowingView {
  readonly #index: Store['index']
  readonly #request: Omit<TermRequest, 'terms'>
  view: IndexView = { segments: [], terms: new Map(), prefixes: new Map() }

  constructor(index: Store['index'], request: Omit<TermRequest, 'terms'>) {
    this.#index = index
    this.#request = request
  }

  /** Adds the postings of these terms. Where the index has changed meanwhile, all is read again. */
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

/** Documents only ever die: as many that live are the same ones. */
function areSameSegments(one: IndexView['segments'], other: IndexView['segments']): boolean {
  const isSame = ({ id, live }: StoredSegment, at: number) => other[at]?.id === id && other[at].live.docs === live.docs
  return one.length === other.length && one.every(isSame)
}

interface Beginning {
  readonly index: GrowingView
  /** Whether nothing else of the query is known. */
  readonly isLast: boolean
}

/**
 * The words that each of these is the beginning of; without those that are the beginning of none. Dead documents do not show in
 * it: more terms are looked at until enough of them live.
 */
async function longerWords(
  store: Store,
  unknown: readonly QueryTerm[],
  { index, isLast }: Beginning,
): Promise<Guesses> {
  const shortest = isLast ? 1 : BEGINNING.letters
  const found = new Map<string, readonly string[]>()
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
      if (best.length > 0) found.set(term, best.slice(0, BEGINNING.most))
      return !isAll && best.length < BEGINNING.most
    })
    open = isOpen
  }
  return found
}

/** Letters, and digits behind them; a number is the beginning of none. */
function isCutWord(word: string, shortest: number): boolean {
  return word.length >= shortest && /^\p{L}/u.test(word) && !isCharacterPair(word)
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
function countLiveWith(term: string, { terms, segments }: IndexView): number {
  const living = terms.get(term)?.map((postings, index) => {
    if (!postings) return 0
    const decoded = looked.empty().decode(postings)
    const dead = segments[index]?.dead
    return countLive(decoded, dead, false) + countLive(decoded, dead, true)
  })
  return living?.reduce((all, one) => all + one, 0) ?? 0
}

interface Read {
  readonly begun: Guesses
  readonly near: Guesses
}

function resolveEach(terms: readonly QueryTerm[], view: IndexView, { begun, near }: Read): ResolvedTerm[] {
  // Parts count where the whole is unknown.
  let lastKnown = false
  const covered = new Set(terms.flatMap(({ term, kind, inTitle }) => (kind === 'word' ? [`${inTitle} ${term}`] : [])))
  return terms.flatMap((term): ResolvedTerm[] => {
    const { kind, isPrefix, inTitle } = term
    if (kind === 'part' && (lastKnown || covered.has(`${inTitle} ${term.term}`))) return []
    covered.add(`${inTitle} ${term.term}`)
    const found = isPrefix
      ? prefixTerms(term.term, view).slice(0, MOST_TERMS)
      : isInIndex(term.term, view)
        ? [term.term]
        : []
    if (kind === 'word') lastKnown = found.length > 0
    const resolvedAs = (as: ResolvedTerm['as'], some: readonly string[]): ResolvedTerm => ({ term, terms: some, as, share: SHARES[as] })
    if (found.length > 0) return [resolvedAs('typed', found)]
    if (kind !== 'word') return []
    const longer = begun.get(term.term) ?? []
    if (longer.length > 0) return [resolvedAs('begun', longer)]
    const guessed = (near.get(term.term) ?? []).filter((one) => isInIndex(one, view))
    return [resolvedAs(guessed.length > 0 ? 'near' : 'typed', likeliest(guessed, view).slice(0, MOST_GUESSES))]
  })
}

/** Those that most documents hold first. */
function likeliest(terms: readonly string[], view: IndexView): string[] {
  const known = terms.map((term) => ({ term, living: countLiveWith(term, view) }))
  known.sort((a, b) => b.living - a.living || (a.term < b.term ? -1 : 1))
  return known.map(({ term }) => term)
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

/** What is wanted, for the ranking; as many as were resolved, then pieces of text, then what must not be there. */
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
    // Which documents may hold it depends on what is indexed; what a hit scores must not.
    return { postings: may, weight: 1, role: 'must', inTitle: false, idf: 1 }
  })
  return [...wanted, ...pieces, ...without]
}
