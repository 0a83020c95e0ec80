/** A store for one principal, without data of others and without invisible collections. */

import { hasBit } from '../../../core/bits.ts'
import { ContextError } from '../../../core/errors.ts'
import { isBucketRoot } from '../../../files/bucket-root.ts'
import type { ByteStore } from '../../../stores/byte-store.ts'
import type { Document } from '../../../stores/document-store.ts'
import type { IndexJobStore } from '../../../stores/index-jobs.ts'
import type { RowStore } from '../../../stores/row-store.ts'
import type { CollectionStore, ContextStore, DocumentStore, Store } from '../../../stores/store.ts'
import type { VectorStore } from '../../../stores/vector-store.ts'
import { isLocalOwner, type Principal } from '../../principal.ts'
import { CollectionVisibility, visibleIndex } from './index-store.ts'

/** The only place that enforces rights to read: a search or a conversation can reveal only what this store returns. Closing it has no effect. */
export function visibleStore(store: Store, principal: Principal): Store {
  const { name, collections } = principal
  if (isLocalOwner(principal)) return store
  const guestStore: Store = {
    ...store.of(name),
    name: 'the database of the server',
    collections: withoutBuckets(store.collections),
    documents: store.documents,
    contexts: store.contexts,
    index: store.index,
    vectors: store.vectors,
    tokens: store.tokens,
    signIns: store.signIns,
    indexJobs: store.indexJobs,
    version: store.version,
    now: store.now,
    size: store.size,
    check: store.check,
    assertRoom: store.assertRoom,
    of: () => store.of(name),
    jobs: { ...store.jobs, open: async () => (await store.jobs.open()).filter(({ owner }) => owner === name) },
    rows: refusedPart as RowStore,
    // Bytes of uploads are read through their sessions only.
    bytes: refusedPart as ByteStore,
    close: async () => {},
  }
  return collections === undefined ? guestStore : limitToCollections(guestStore, collections)
}

/** Refuses to add a bucket as a collection, because buckets are read with the credentials of the server's owner. */
function withoutBuckets(inner: CollectionStore): CollectionStore {
  const add: CollectionStore['add'] = async (collection) => {
    if (!isBucketRoot(collection.root)) return inner.add(collection)
    const message = `${collection.root} is a bucket: only directories can be added over the network.`
    const hint = 'The administrator of the server can add it on the command line.'
    throw new ContextError('denied', message, { hint })
  }
  return { ...inner, add }
}

/** Refuses a transfer, because only the local owner exports and imports the whole store. */
const refuseTransfer = async () => {
  const hint = 'Use the command line.'
  throw new ContextError('denied', 'The whole database cannot be exported over the network.', { hint })
}
/** A part of the store that guests do not get. Each of its methods throws. */
const refusedPart: unknown = new Proxy({}, { get: () => refuseTransfer })

/** @throws ContextError `denied`. `what`: the end of the sentence, such as `add a collection`. */
async function denyToLimited(what: string): Promise<never> {
  const hint = 'Ask the administrator of the server.'
  throw new ContextError('denied', `A token that is limited to collections cannot ${what}.`, { hint })
}

function limitToCollections(store: Store, names: readonly string[]): Store {
  const visibility = new CollectionVisibility(store, names)
  return {
    ...store,
    collections: visibleCollections(store.collections, visibility),
    indexJobs: visibleIndexJobs(store.indexJobs, visibility),
    documents: visibleDocuments(store.documents, visibility),
    contexts: visibleContexts(store.contexts, visibility),
    index: visibleIndex(store.index, visibility),
    vectors: visibleVectors(store.vectors, visibility),
    size: async () => (await visibility.collections()).reduce((sum, { bytes }) => sum + bytes, 0),
    check: () => denyToLimited('check the database'),
  }
}

function visibleCollections(inner: CollectionStore, visibility: CollectionVisibility): CollectionStore {
  return {
    add: () => denyToLimited('add a collection'),
    list: () => visibility.collections(),
    get: async (name) => (visibility.has(name) ? inner.get(name) : undefined),
    indexing: async () => (await inner.indexing()).filter((name) => visibility.has(name)),
    remove: async (name) => (visibility.has(name) ? inner.remove(name) : false),
    rename: () => denyToLimited('rename a collection'),
    update: (name, change) => visibility.run(name, () => inner.update(name, change)),
  }
}

/** Guests may add, list and stop jobs of their collections. Workers see all jobs. */
function visibleIndexJobs(inner: IndexJobStore, visibility: CollectionVisibility): IndexJobStore {
  return {
    ...inner,
    list: async () => (await inner.list()).filter(({ collection }) => visibility.has(collection)),
    addJob: (collection, job, isAwaited) => visibility.run(collection, () => inner.addJob(collection, job, isAwaited)),
    stop: (collection, isAwaited) => visibility.run(collection, () => inner.stop(collection, isAwaited)),
  }
}

/** Guests see the global path context, which applies to their collections, but cannot change it. */
function visibleContexts(inner: ContextStore, visibility: CollectionVisibility): ContextStore {
  return {
    version: () => inner.version(),
    set: async (place, context) => {
      if (place.collection === '') return denyToLimited('change the global path context')
      return visibility.run(place.collection, () => inner.set(place, context))
    },
    list: async () =>
      (await inner.list()).filter(({ collection }) => collection === null || visibility.has(collection)),
    remove: async (place) => {
      if (place.collection === '') return denyToLimited('change the global path context')
      return visibility.has(place.collection) ? inner.remove(place) : false
    },
  }
}

/**
 * Maximum number of documents that `byHash` reads for a beginning of a hash, before it drops the invisible documents.
 */
const MAX_CANDIDATES = 10_000

function visibleDocuments(inner: DocumentStore, visibility: CollectionVisibility): DocumentStore {
  const visible = (documents: readonly Document[]) => documents.filter(({ collection }) => visibility.has(collection))
  const byId = async (ids: readonly number[]) => visible(await inner.byId(ids))
  return {
    known: (collection, paths) => visibility.run(collection, () => inner.known(collection, paths)),
    ids: (collection) => visibility.run(collection, () => inner.ids(collection)),
    listOutdated: (collection) => visibility.run(collection, () => inner.listOutdated(collection)),
    skipped: (collection) => visibility.run(collection, () => inner.skipped(collection)),
    byId,
    find: async (collection, path) => (visibility.has(collection) ? inner.find(collection, path) : undefined),
    findAtPaths: (collection, paths) => visibility.run(collection, () => inner.findAtPaths(collection, paths)),
    countBelow: (collection, directories) =>
      visibility.run(collection, () => inner.countBelow(collection, directories)),
    children: (collection, directory) => visibility.run(collection, () => inner.children(collection, directory)),
    byHash: async (prefix, most) => visible(await inner.byHash(prefix, MAX_CANDIDATES)).slice(0, most),
    list: async (filter) => {
      const restricted = await visibility.restrictFilter(filter)
      return restricted ? visibility.runAll(restricted.collections, () => inner.list(restricted)) : []
    },
    texts: async (ids) => inner.texts((await byId(ids)).map(({ id }) => id)),
  }
}

function visibleVectors(inner: VectorStore, visibility: CollectionVisibility): VectorStore {
  const visibleNames = async () => (await visibility.collections()).map(({ name }) => name)
  const view: VectorStore['view'] = async (model, filter) => {
    const restricted = await visibility.restrictFilter(filter)
    if (restricted) return visibility.runAll(restricted.collections, () => inner.view(model, restricted))
    const centre = (await inner.centre(model)) ?? new Float32Array()
    return { centre, ids: new Uint32Array(), bits: new Uint32Array() }
  }
  return {
    centre: (model) => inner.centre(model),
    missing: async (model, collections) => {
      const names = collections.length > 0 ? collections : await visibleNames()
      return names.length === 0 ? [] : visibility.runAll(names, () => inner.missing(model, names))
    },
    put: (model, centre, contents) => inner.put(model, centre, contents),
    view,
    byId: (ids) => inner.byId(ids),
    documentsOf: async (hashes, filter) => {
      const restricted = await visibility.restrictFilter(filter)
      return restricted ? visibility.runAll(restricted.collections, () => inner.documentsOf(hashes, restricted)) : []
    },
    counts: async (model) => {
      const shownCollections = await visibility.collections()
      const documents = shownCollections.reduce((sum, one) => sum + one.documents, 0)
      if (shownCollections.length === 0) return { documents: 0, missing: 0, chunks: 0 }
      const collections = shownCollections.map(({ name }) => name)
      const missing = (await inner.missing(model, collections)).length
      const { ids, allowed } = await view(model, { collections })
      const chunks = allowed ? ids.filter((_, at) => hasBit(allowed, at)).length : ids.length
      return { documents: documents - missing, missing, chunks }
    },
    // A guest may delete vectors without a document, because nobody uses them.
    prune: (model) => inner.prune(model),
    clear: () => denyToLimited('delete all vectors'),
    exclusively: (waitMs, work, signal) => inner.exclusively(waitMs, work, signal),
  }
}
