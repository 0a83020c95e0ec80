/** The index for a principal who may read only some collections: documents of other collections count as removed. */

import { hasBit, withBits } from '../../../core/bits.ts'
import { ContextError } from '../../../core/errors.ts'
import type { DocumentFilter } from '../../../stores/document-store.ts'
import type { Collection, IndexStore, IndexView, IndexWriter, Store, StoredSegment } from '../../../stores/store.ts'

/** The collections that a principal sees. For the principal, other collections do not exist. */
export class CollectionVisibility {
  readonly #store: Pick<Store, 'collections'>
  readonly #names: ReadonlySet<string>

  constructor(store: Pick<Store, 'collections'>, names: readonly string[]) {
    this.#store = store
    this.#names = new Set(names)
  }

  has(name: string): boolean {
    return this.#names.has(name)
  }

  /** The visible collections, by name. */
  async collections(): Promise<Collection[]> {
    return (await this.#store.collections.list()).filter(({ name }) => this.has(name))
  }

  /** Runs `work` on a collection. @throws ContextError `not-found` for a collection that is not visible. */
  run<Value>(name: string, work: () => Promise<Value>): Promise<Value> {
    return this.runAll([name], work)
  }

  /**
   * As `run`, for several collections. It replaces the store's error for a removed collection, because that error names other collections.
   *
   * @throws ContextError `not-found`.
   */
  async runAll<Value>(names: readonly string[], work: () => Promise<Value>): Promise<Value> {
    const hiddenName = names.find((name) => !this.has(name))
    if (hiddenName !== undefined) throw await this.#missing(hiddenName)
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ContextError && error.code === 'not-found')) throw error
      const visibleNames = new Set((await this.collections()).map(({ name }) => name))
      const missingName = names.find((name) => !visibleNames.has(name))
      throw missingName === undefined ? error : await this.#missing(missingName)
    }
  }

  /** The filter, restricted to visible collections; undefined if it cannot match anything. @throws ContextError `not-found`. */
  async restrictFilter(filter: DocumentFilter) {
    const { collections: names = [] } = filter
    const visible = await this.collections()
    if (names.length === 0) {
      const unpausedNames = visible.filter(({ isPaused }) => !isPaused).map(({ name }) => name)
      return unpausedNames.length === 0 ? undefined : { ...filter, collections: unpausedNames }
    }
    const missingName = names.find((name) => !visible.some((one) => one.name === name))
    if (missingName !== undefined) throw await this.#missing(missingName)
    return { ...filter, collections: names }
  }

  async #missing(name: string): Promise<ContextError> {
    const names = (await this.collections()).map((one) => one.name)
    const hint = names.length === 0 ? 'This token may read no collection.' : `There are: ${names.join(', ')}.`
    return new ContextError('not-found', `There is no collection "${name}".`, { hint })
  }
}

/** Maximum attempts to make two reads without a change of the index between them. */
const MAX_TRIES = 5

const EMPTY_VIEW = { segments: [], terms: new Map(), prefixes: new Map() } satisfies IndexView

/** Fields of a segment whose invisible documents count as removed. `originalDead`: `dead` of the stored segment. */
type MaskedSegment = Pick<StoredSegment, 'dead' | 'live'> & { readonly originalDead: Uint8Array | undefined }

/**
 * A writer that works only while the collections `names` are visible. `exclusively` checks `names`, and `apply`
 * the collections of the documents that it adds or skips. `begin` and `put` add no documents, so they check nothing.
 */
function visibleWriter(inner: IndexWriter, visibility: CollectionVisibility, names: readonly string[]): IndexWriter {
  return {
    begin: () => inner.begin(),
    put: (segment, terms) => inner.put(segment, terms),
    exclusively: (waitMs, work, signal) => visibility.runAll(names, () => inner.exclusively(waitMs, work, signal)),
    apply: (change) => {
      const changedNames = [change.added?.collection, change.skipped?.collection].filter((name) => name !== undefined)
      return visibility.runAll(changedNames, () => inner.apply(change))
    },
  }
}

export function visibleIndex(inner: IndexStore, visibility: CollectionVisibility): IndexStore {
  const maskedByBits = new WeakMap<Uint8Array, MaskedSegment>()
  const mask = (segment: StoredSegment, bits: Uint8Array | undefined): StoredSegment => {
    const cached = bits && maskedByBits.get(bits)
    const masked = cached && cached.originalDead === segment.dead ? cached : maskSegment(segment, bits)
    if (bits) maskedByBits.set(bits, masked)
    const { dead, live } = masked
    return { ...segment, live, ...(dead && { dead }) }
  }
  return {
    ...visibleWriter(inner, visibility, []),
    // Not masked: a merge of masked segments would delete the documents of invisible collections.
    segments: () => inner.segments(),
    terms: (from, most) => inner.terms(from, most),
    // Not filtered here: `read` drops the terms that no visible document contains.
    longer: (prefixes, most) => inner.longer(prefixes, most),
    of: (collection) => visibleWriter(inner.of(collection), visibility, [collection]),
    /** Documents of invisible collections count as removed, so that no count, score or guess depends on them. */
    read: async (request) => {
      for (let tries = 1; ; tries++) {
        const filter = await visibility.restrictFilter(request.filter)
        const visibleNames = (await visibility.collections()).map(({ name }) => name)
        if (!filter || visibleNames.length === 0) return EMPTY_VIEW
        const { view, visible } = await visibility.runAll(filter.collections, async () => ({
          view: await inner.read({ ...request, filter }),
          visible: await inner.read({ terms: [], filter: { collections: visibleNames } }),
        }))
        if (!areSameSegments(view, visible) && tries < MAX_TRIES) continue
        const byId = new Map(visible.segments.map((segment) => [segment.id, segment.allowed]))
        return { ...view, segments: view.segments.map((segment) => mask(segment, byId.get(segment.id))) }
      }
    },
  }
}

function areSameSegments(a: IndexView, b: IndexView): boolean {
  return a.segments.length === b.segments.length && a.segments.every(({ id }, at) => id === b.segments[at]?.id)
}

/** A segment that counts only visible documents. `visible`: a bit for each visible document; absent if none is visible. */
function maskSegment({ docs, dead, bodyLengths, titleLengths }: StoredSegment, visible?: Uint8Array): MaskedSegment {
  const hiddenDocs: number[] = []
  const live = { docs: 0, body: 0, title: 0 }
  for (let doc = 0; doc < docs; doc++) {
    if (hasBit(visible, doc) && !hasBit(dead, doc)) {
      live.docs++
      live.body += bodyLengths[doc] ?? 0
      live.title += titleLengths[doc] ?? 0
    } else hiddenDocs.push(doc)
  }
  return { dead: withBits(null, hiddenDocs, docs), live, originalDead: dead }
}
