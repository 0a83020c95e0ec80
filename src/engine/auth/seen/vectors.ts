import { hasBit } from '../../../core/bits.ts'
import type { VectorStore, VectorView } from '../../../stores/vector-store.ts'
import { type CollectionVisibility, notOfSome } from './collection-visibility.ts'

/** Vectors of what is in the collections that are seen. */
export function seenVectors(inner: VectorStore, visibility: CollectionVisibility): VectorStore {
  const names = async () => (await visibility.collections()).map(({ name }) => name)
  const view = async (model: string, filter: Parameters<VectorStore['view']>[1]): Promise<VectorView> => {
    const kept = await visibility.kept(filter)
    if (kept) return visibility.inAll(kept.collections, () => inner.view(model, kept))
    return {
      centre: (await inner.centre(model)) ?? new Float32Array(),
      ids: new Uint32Array(),
      bits: new Uint32Array(),
    }
  }
  return {
    centre: (model) => inner.centre(model),
    missing: async (model, collections) => {
      const asked = collections.length > 0 ? collections : await names()
      return asked.length === 0 ? [] : visibility.inAll(asked, () => inner.missing(model, asked))
    },
    put: (model, centre, contents) => inner.put(model, centre, contents),
    view,
    byId: (ids) => inner.byId(ids),
    documentsOf: async (hashes, filter) => {
      const kept = await visibility.kept(filter)
      return kept ? visibility.inAll(kept.collections, () => inner.documentsOf(hashes, kept)) : []
    },
    counts: async (model) => {
      const all = await visibility.collections()
      const documents = all.reduce((sum, one) => sum + one.documents, 0)
      if (all.length === 0) return { documents: 0, missing: 0, chunks: 0 }
      const collections = all.map(({ name }) => name)
      const missing = (await inner.missing(model, collections)).length
      const { ids, allowed } = await view(model, { collections })
      const chunks = allowed ? ids.filter((_, at) => hasBit(allowed, at)).length : ids.length
      return { documents: documents - missing, missing, chunks }
    },
    // Of what no document has any more: whose it was matters no more.
    prune: (model) => inner.prune(model),
    clear: async () => {
      throw notOfSome('take away the vectors of all')
    },
    exclusively: (waitMs, work, signal) => inner.exclusively(waitMs, work, signal),
  }
}
