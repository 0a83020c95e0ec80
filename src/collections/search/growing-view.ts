/** The index as a query reads it, step by step. */

import { hasBit } from '../../core/bits.ts'
import { DecodeBuffer } from '../../retrieval/postings.ts'
import { countLive } from '../../retrieval/rank.ts'
import type { IndexView, Store, StoredSegment, TermRequest } from '../../stores/store.ts'

/** For one term at a time. */
const looked = new DecodeBuffer()

/** What was read of the index so far, all as of one moment. */
export class GrowingView {
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

/** Whether a document that lives holds it: the postings of a segment name those that are no more, too. */
export function isInIndex(term: string, { terms, segments }: IndexView): boolean {
  return terms.get(term)?.some((postings, index) => postings && livesIn(postings, segments[index]?.dead)) ?? false
}

function livesIn(postings: Uint8Array, dead: Uint8Array | undefined): boolean {
  if (!dead) return true
  const { docs, body, title } = looked.empty().decode(postings)
  return docs.subarray(0, body + title).some((doc) => !hasBit(dead, doc))
}

/** In how many documents that live a term stands; twice for one that also has it in its title. */
export function countLiveWith(term: string, { terms, segments }: IndexView): number {
  const living = terms.get(term)?.map((postings, index) => {
    if (!postings) return 0
    const decoded = looked.empty().decode(postings)
    const dead = segments[index]?.dead
    return countLive(decoded, dead, false) + countLive(decoded, dead, true)
  })
  return living?.reduce((all, one) => all + one, 0) ?? 0
}

/** Ids of the first living documents that hold a term. */
export function documentsWith(term: string, { terms, segments }: IndexView, most: number): number[] {
  const found = terms.get(term)?.flatMap((postings, index) => {
    const { ids, dead } = segments[index] ?? {}
    if (!postings || !ids) return []
    const { docs, body, title } = looked.empty().decode(postings)
    const living = [...docs.subarray(0, body + title)].filter((doc) => !dead || !hasBit(dead, doc))
    return living.slice(0, most).map((doc) => ids[doc] ?? 0)
  })
  return [...new Set(found)].slice(0, most)
}

/** Those that most documents hold first. */
export function likeliest(terms: readonly string[], view: IndexView): string[] {
  const known = terms.map((term) => ({ term, living: countLiveWith(term, view) }))
  known.sort((a, b) => b.living - a.living || (a.term < b.term ? -1 : 1))
  return known.map(({ term }) => term)
}
