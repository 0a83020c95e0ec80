/** The index as somebody sees it who sees some collections: documents of others are as dead. */

import { hasBit } from '../../../core/bits.ts'
import type {
  IndexChange,
  IndexStore,
  IndexView,
  IndexWriter,
  StoredSegment,
  TermRequest,
} from '../../../stores/store.ts'
import type { Sight } from './sight.ts'

/** Times that a view is read again when the index changed between its two halves. */
const MOST_TRIES = 5

const NOTHING = { segments: [], terms: new Map(), prefixes: new Map() } satisfies IndexView

/** A segment in which what is not seen is dead, by the bits of what is. */
type Veiled = Pick<StoredSegment, 'dead' | 'live'> & { readonly of: Uint8Array | undefined }

/** What works on segments as they are knows no collections: `apply` is where documents come in. */
class SeenIndexWriter implements IndexWriter {
  readonly #inner: IndexWriter
  readonly #sight: Sight
  readonly #of: readonly string[]
  readonly begin: IndexWriter['begin']
  readonly put: IndexWriter['put']

  /** `of`: the collection; none for the writer of what all have in common. */
  constructor(inner: IndexWriter, sight: Sight, of: readonly string[]) {
    this.#inner = inner
    this.#sight = sight
    this.#of = of
    this.begin = () => inner.begin()
    this.put = (segment, terms) => inner.put(segment, terms)
  }

  exclusively<Value>(waitMs: number, work: () => Promise<Value>, signal?: AbortSignal): Promise<Value> {
    return this.#sight.inAll(this.#of, () => this.#inner.exclusively(waitMs, work, signal))
  }

  apply(change: IndexChange): Promise<void> {
    const names = [change.added?.collection, change.skipped?.collection].filter((name) => name !== undefined)
    return this.#sight.inAll(names, () => this.#inner.apply(change))
  }
}

export class SeenIndex extends SeenIndexWriter implements IndexStore {
  readonly #inner: IndexStore
  readonly #sight: Sight
  readonly #veiled = new WeakMap<Uint8Array, Veiled>()
  readonly segments: IndexStore['segments']
  readonly terms: IndexStore['terms']
  readonly longer: IndexStore['longer']

  constructor(inner: IndexStore, sight: Sight) {
    super(inner, sight, [])
    this.#inner = inner
    this.#sight = sight
    // With the documents of others taken for dead, one segment of several would be without them.
    this.segments = () => inner.segments()
    this.terms = (from, most) => inner.terms(from, most)
    // Only terms that a living document holds come of it: see `read`.
    this.longer = (prefixes, most) => inner.longer(prefixes, most)
  }

  of(collection: string): IndexWriter {
    return new SeenIndexWriter(this.#inner.of(collection), this.#sight, [collection])
  }

  /** With what others hold taken for dead, no count, score or guess depends on it. */
  async read(request: TermRequest): Promise<IndexView> {
    for (let tries = 1; ; tries++) {
      const filter = await this.#sight.kept(request.filter)
      const names = (await this.#sight.collections()).map(({ name }) => name)
      if (!filter || names.length === 0) return NOTHING
      const read = async () => ({
        view: await this.#inner.read({ ...request, filter }),
        seen: await this.#inner.read({ terms: [], filter: { collections: names } }),
      })
      const { view, seen } = await this.#sight.inAll(filter.collections, read)
      if (!areSameSegments(view, seen) && tries < MOST_TRIES) continue
      const byId = new Map(seen.segments.map((segment) => [segment.id, segment.allowed]))
      return { ...view, segments: view.segments.map((segment) => this.#seen(segment, byId.get(segment.id))) }
    }
  }

  #seen(segment: StoredSegment, bits: Uint8Array | undefined): StoredSegment {
    const known = bits && this.#veiled.get(bits)
    const veiled = known && known.of === segment.dead ? known : veil(segment, bits)
    if (bits) this.#veiled.set(bits, veiled)
    const { dead, live } = veiled
    return { ...segment, live, ...(dead && { dead }) }
  }
}

function areSameSegments(a: IndexView, b: IndexView): boolean {
  return a.segments.length === b.segments.length && a.segments.every(({ id }, at) => id === b.segments[at]?.id)
}

/** `bits`: of each document that is seen; none where nothing is. */
function veil({ docs, dead, bodyLengths, titleLengths }: StoredSegment, bits: Uint8Array | undefined): Veiled {
  const veiled = new Uint8Array((docs + 7) >> 3)
  const live = { docs: 0, body: 0, title: 0 }
  for (let doc = 0; doc < docs; doc++) {
    if (hasBit(bits, doc) && !hasBit(dead, doc)) {
      live.docs++
      live.body += bodyLengths[doc] ?? 0
      live.title += titleLengths[doc] ?? 0
    } else {
      veiled[doc >> 3] = (veiled[doc >> 3] ?? 0) | (1 << (doc & 7))
    }
  }
  return { dead: veiled, live, of: dead }
}
