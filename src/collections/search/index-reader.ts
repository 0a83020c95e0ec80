/** Reads terms of the index, and counts and finds the living documents with them. */

import { hasBit } from '../../core/bits.ts'
import { decodePostings } from '../../retrieval/postings.ts'
import { countLive } from '../../retrieval/rank.ts'
import type { IndexView, Store, StoredSegment, TermRequest } from '../../stores/store.ts'

/** The terms of the index that were read so far, as of one moment. */
export class IndexReader {
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

/** Segments only lose documents, so the same number of living ones means the same documents. */
function areSameSegments(one: IndexView['segments'], other: IndexView['segments']): boolean {
  const isSame = ({ id, live }: StoredSegment, at: number) => other[at]?.id === id && other[at].live.docs === live.docs
  return one.length === other.length && one.every(isSame)
}

/** The segments with a term, and its postings, which include removed documents. */
function segmentsWith(term: string, { terms, segments }: IndexView) {
  const postingsBySegment = terms.get(term) ?? []
  return segments.flatMap((segment, index) => {
    const postings = postingsBySegment[index]
    return postings ? [{ segment, postings }] : []
  })
}

/** Whether a living document contains the term. */
export function isInIndex(term: string, view: IndexView): boolean {
  return segmentsWith(term, view).some(({ segment: { dead }, postings }) => {
    if (!dead) return true
    const { docs, body, title } = decodePostings(postings)
    return docs.subarray(0, body + title).some((doc) => !hasBit(dead, doc))
  })
}

/** Number of living documents with a term; a document with the term in text and title counts twice. */
export function countLiveWith(term: string, view: IndexView): number {
  return segmentsWith(term, view).reduce((sum, { segment: { dead }, postings }) => {
    const decoded = decodePostings(postings)
    return sum + countLive(decoded, dead, false) + countLive(decoded, dead, true)
  }, 0)
}

/** Ids of the first living documents with a term. */
export function documentsWith(term: string, view: IndexView, limit: number): number[] {
  const documentIds = segmentsWith(term, view).flatMap(({ segment: { ids, dead }, postings }) => {
    const { docs, body, title } = decodePostings(postings)
    const living = [...docs.subarray(0, body + title)].filter((doc) => !hasBit(dead, doc))
    return living.slice(0, limit).map((doc) => ids[doc] ?? 0)
  })
  return [...new Set(documentIds)].slice(0, limit)
}

/** Sorts terms by their number of documents, the highest first. */
export function sortByFrequency(terms: readonly string[], view: IndexView): string[] {
  const countedTerms = terms.map((term) => ({ term, living: countLiveWith(term, view) }))
  countedTerms.sort((a, b) => b.living - a.living || (a.term < b.term ? -1 : 1))
  return countedTerms.map(({ term }) => term)
}
