import type { Document } from '../../../stores/document-store.ts'
import type { DocumentStore } from '../../../stores/store.ts'
import type { CollectionVisibility } from './collection-visibility.ts'

/** Documents that begin alike and are looked through for those that are seen. */
const MOST_ALIKE = 10_000

/** The documents of the collections that are seen. */
export function seenDocuments(inner: DocumentStore, visibility: CollectionVisibility): DocumentStore {
  const seen = (documents: readonly Document[]) => documents.filter(({ collection }) => visibility.has(collection))
  const byId = async (ids: readonly number[]) => seen(await inner.byId(ids))
  return {
    known: (collection, paths) => visibility.in(collection, () => inner.known(collection, paths)),
    ids: (collection) => visibility.in(collection, () => inner.ids(collection)),
    unlike: (collection) => visibility.in(collection, () => inner.unlike(collection)),
    skipped: (collection) => visibility.in(collection, () => inner.skipped(collection)),
    byId,
    find: async (collection, path) => (visibility.has(collection) ? inner.find(collection, path) : undefined),
    among: (collection, paths) => visibility.in(collection, () => inner.among(collection, paths)),
    below: (collection, directories) => visibility.in(collection, () => inner.below(collection, directories)),
    children: (collection, directory) => visibility.in(collection, () => inner.children(collection, directory)),
    byHash: async (prefix, most) => seen(await inner.byHash(prefix, MOST_ALIKE)).slice(0, most),
    list: async (filter) => {
      const kept = await visibility.kept(filter)
      return kept ? visibility.inAll(kept.collections, () => inner.list(kept)) : []
    },
    texts: async (ids) => inner.texts((await byId(ids)).map(({ id }) => id)),
  }
}
