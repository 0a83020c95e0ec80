import type { Document, DocumentStore } from '../../../stores/document-store.ts'
import type { Sight } from './sight.ts'

/** Documents that begin alike and are looked through for those that are seen. */
const MOST_ALIKE = 10_000

/** The documents of the collections that are seen. */
export function seenDocuments(inner: DocumentStore, sight: Sight): DocumentStore {
  const seen = (documents: readonly Document[]) => documents.filter(({ collection }) => sight.has(collection))
  const byId = async (ids: readonly number[]) => seen(await inner.byId(ids))
  return {
    known: (collection, paths) => sight.in(collection, () => inner.known(collection, paths)),
    ids: (collection) => sight.in(collection, () => inner.ids(collection)),
    unlike: (collection) => sight.in(collection, () => inner.unlike(collection)),
    skipped: (collection) => sight.in(collection, () => inner.skipped(collection)),
    byId,
    find: async (collection, path) => (sight.has(collection) ? inner.find(collection, path) : undefined),
    among: (collection, paths) => sight.in(collection, () => inner.among(collection, paths)),
    below: (collection, directories) => sight.in(collection, () => inner.below(collection, directories)),
    children: (collection, directory) => sight.in(collection, () => inner.children(collection, directory)),
    byHash: async (prefix, most) => seen(await inner.byHash(prefix, MOST_ALIKE)).slice(0, most),
    list: async (filter) => {
      const kept = await sight.kept(filter)
      return kept ? sight.inAll(kept.collections, () => inner.list(kept)) : []
    },
    texts: async (ids) => inner.texts((await byId(ids)).map(({ id }) => id)),
  }
}
