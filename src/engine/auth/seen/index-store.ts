/** The index for a principal of some collections: documents of others count as removed. */

import { hasBit } from '../../../core/bits.ts'
import type {
  IndexChange,
  IndexStore,
  IndexView,
  IndexWriter,
  StoredSegment,
  TermRequest,
} from '../../../stores/store.ts'
import type { CollectionVisibility } from './collection-visibility.ts'

/** Maximum number of reads of a view when the index changes meanwhile. */
const MOST_TRIES = 5

const NOTHING = { segments: [], terms: new Map(), prefixes: new Map() } satisfies IndexView

/** A segment in which unseen documents count as removed, by the bits of the seen ones. */
type MaskedSegment = Pick<StoredSegment, 'dead' | 'live'> & { readonly of: Uint8Array | undefined }

/** Work on whole segments needs no collections: documents come in by `apply`. */
class SeenIndexWriter implements IndexWriter {
  readonly #inner: IndexWriter
  readonly #visibility: CollectionVisibility
  readonly #of: readonly string[]
  readonly begin: IndexWriter['begin']
  readonly put: IndexWriter['put']

  /** `of`: the collection; none for the writer of what all have in common. */
  constructor(inner: IndexWriter, visibility: CollectionVisibility, of: readonly string[]) {
    this.#inner = inner
    this.#visibility = visibility
    this.#of = of
    this.begin = () => inner.begin()
    this.put = (segment, terms) => inner.put(segment, terms)
  }

  exclusively<Value>(waitMs: number, work: () => Promise<Value>, signal?: AbortSignal): Promise<Value> {
    return this.#visibility.inAll(this.#of, () => this.#inner.exclusively(waitMs, work, signal))
  }

  apply(change: IndexChange): Promise<void> {
    const names = [change.added?.collection, change.skipped?.collection].filter((name) => name !== undefined)
    return this.#visibility.inAll(names, () => this.#inner.apply(change))
  }
}

export class SeenIndex extends SeenIndexWriter implements IndexStore {
  readonly #inner: IndexStore
  readonly #visibility: CollectionVisibility
  readonly #masked = new WeakMap<Uint8Array, MaskedSegment>()
  readonly segments: IndexStore['segments']
  readonly terms: IndexStore['terms']
  readonly longer: IndexStore['longer']

  constructor(inner: IndexStore, visibility: CollectionVisibility) {
    super(inner, visibility, [])
    this.#inner = inner
    this.#visibility = visibility
    // With the documents of others taken for dead, one segment of several would be without them.
    this.segments = () => inner.segments()
    this.terms = (from, most) => inner.terms(from, most)
    // Only terms that a living document holds come of it: see `read`.
    this.longer = (prefixes, most) => inner.longer(prefixes, most)
  }

  of(collection: string): IndexWriter {
    return new SeenIndexWriter(this.#inner.of(collection), this.#visibility, [collection])
  }

  /** Documents of others count as removed, so no count, score or guess depends on them. */
  async read(request: TermRequest): Promise<IndexView> {
    for (let tries = 1; ; tries++) {
      const filter = await this.#visibility.kept(request.filter)
      const names = (await this.#visibility.collections()).map(({ name }) => name)
      if (!filter || names.length === 0) return NOTHING
      const read = async () => ({
        view: await this.#inner.read({ ...request, filter }),
        seen: await this.#inner.read({ terms: [], filter: { collections: names } }),
      })
      const { view, seen } = await this.#visibility.inAll(filter.collections, read)
      if (!areSameSegments(view, seen) && tries < MOST_TRIES) continue
      const byId = new Map(seen.segments.map((segment) => [segment.id, segment.allowed]))
      return { ...view, segments: view.segments.map((segment) => this.#seen(segment, byId.get(segment.id))) }
    }
  }

  #seen(segment: StoredSegment, bits: Uint8Array | undefined): StoredSegment {
    const known = bits && this.#masked.get(bits)
    const masked = known && known.of === segment.dead ? known : maskSegment(segment, bits)
    if (bits) this.#masked.set(bits, masked)
    const { dead, live } = masked
    return { ...segment, live, ...(dead && { dead }) }
  }
}

function areSameSegments(a: IndexView, b: IndexView): boolean {
  return a.segments.length === b.segments.length && a.segments.every(({ id }, at) => id === b.segments[at]?.id)
}

/** `bits`: of each document that is seen; none where nothing is. */
function maskSegment(
  { docs, dead, bodyLengths, titleLengths }: StoredSegment,
  bits: Uint8Array | undefined,
): MaskedSegment {
  const masked = new Uint8Array((docs + 7) >> 3)
  const live = { docs: 0, body: 0, title: 0 }
  for (let doc = 0; doc < docs; doc++) {
    if (hasBit(bits, doc) && !hasBit(dead, doc)) {
      live.docs++
      live.body += bodyLengths[doc] ?? 0
      live.title += titleLengths[doc] ?? 0
    } else {
      masked[doc >> 3] = (masked[doc >> 3] ?? 0) | (1 << (doc & 7))
    }
  }
  return { dead: masked, live, of: dead }
}
