/** A store for one principal: data of others, and unseen collections, do not exist in it. */

import { ContextError } from '../../../core/errors.ts'
import { isBucketRoot } from '../../../files/bucket-root.ts'
import type { ByteStore } from '../../../stores/byte-store.ts'
import type { IndexJobStore } from '../../../stores/index-jobs.ts'
import type { RowStore } from '../../../stores/row-store.ts'
import type { CollectionStore, ContextStore, Store } from '../../../stores/store.ts'
import { isLocalOwner, type Principal } from '../../principal.ts'
import { CollectionVisibility, notOfSome } from './collection-visibility.ts'
import { seenDocuments } from './documents.ts'
import { SeenIndex } from './index-store.ts'
import { seenVectors } from './vectors.ts'

/**
 * The one place that enforces rights to read: a search or a conversation can reveal only what this store returns. Closing it closes
 * nothing.
 */
export function seenStore(store: Store, principal: Principal): Store {
  const { name, collections } = principal
  if (isLocalOwner(principal)) return store
  const own: Store = {
    name: 'the database of the server',
    collections: withoutBuckets(store.collections),
    documents: store.documents,
    contexts: store.contexts,
    index: store.index,
    vectors: store.vectors,
    ...store.of(name),
    of: () => store.of(name),
    jobs: { ...store.jobs, open: async () => (await store.jobs.open()).filter(({ owner }) => owner === name) },
    owners: async () => (await store.owners()).filter((owner) => owner === name),
    tokens: store.tokens,
    signIns: store.signIns,
    indexJobs: store.indexJobs,
    rows: NO_ROWS,
    bytes: NO_BYTES,
    version: () => store.version(),
    now: () => store.now(),
    size: () => store.size(),
    check: () => store.check(),
    assertRoom: () => store.assertRoom(),
    close: async () => {},
  }
  return collections === undefined ? own : ofSome(own, collections)
}

/** A bucket is read with the credentials of the owner of the server, who alone may add it as a collection. */
function withoutBuckets(inner: CollectionStore): CollectionStore {
  const add: CollectionStore['add'] = async (collection) => {
    if (!isBucketRoot(collection.root)) return inner.add(collection)
    const hint = 'The administrator of the server can add it on the command line.'
    throw new ContextError(
      'denied',
      `${collection.root} is a bucket: only directories can be added over the network.`,
      { hint },
    )
  }
  return { ...inner, add }
}

/** Only the local owner moves the whole store. */
const refuseTransfer = async () => {
  throw new ContextError('denied', 'The whole database cannot be exported over the network.', {
    hint: 'Use the command line.',
  })
}
const NO_ROWS: RowStore = {
  counted: refuseTransfer,
  read: refuseTransfer,
  isEmpty: refuseTransfer,
  write: refuseTransfer,
}
/** Bytes of uploads are read through their sessions only. */
const NO_BYTES: ByteStore = {
  id: refuseTransfer,
  find: refuseTransfer,
  move: refuseTransfer,
  inDatabase: refuseTransfer,
  inObjects: refuseTransfer,
  used: refuseTransfer,
  left: refuseTransfer,
  forget: refuseTransfer,
}

async function refuseOfSome(what: string): Promise<never> {
  throw notOfSome(what)
}

function ofSome(store: Store, names: readonly string[]): Store {
  const visibility = new CollectionVisibility(store, names)
  return {
    ...store,
    collections: seenCollections(store.collections, visibility),
    indexJobs: seenIndexJobs(store.indexJobs, visibility),
    documents: seenDocuments(store.documents, visibility),
    contexts: seenContexts(store.contexts, visibility),
    index: new SeenIndex(store.index, visibility),
    vectors: seenVectors(store.vectors, visibility),
    size: async () => (await visibility.collections()).reduce((sum, { bytes }) => sum + bytes, 0),
    check: () => refuseOfSome('check the database'),
  }
}

function seenCollections(inner: CollectionStore, visibility: CollectionVisibility): CollectionStore {
  return {
    add: () => refuseOfSome('add a collection'),
    list: () => visibility.collections(),
    get: async (name) => (visibility.has(name) ? inner.get(name) : undefined),
    indexing: async () => (await inner.indexing()).filter((name) => visibility.has(name)),
    remove: async (name) => (visibility.has(name) ? inner.remove(name) : false),
    rename: () => refuseOfSome('rename a collection'),
    update: (name, change) => visibility.in(name, () => inner.update(name, change)),
  }
}

/** Workers see all jobs; a guest may add, list and stop jobs of their collections. */
function seenIndexJobs(inner: IndexJobStore, visibility: CollectionVisibility): IndexJobStore {
  return {
    ...inner,
    list: async () => (await inner.list()).filter(({ collection }) => visibility.has(collection)),
    ask: (collection, job, isAwaited) => visibility.in(collection, () => inner.ask(collection, job, isAwaited)),
    stop: (collection, isAwaited) => visibility.in(collection, () => inner.stop(collection, isAwaited)),
  }
}

/** The global path context also applies to their collections: they see it, and cannot change it. */
function seenContexts(inner: ContextStore, visibility: CollectionVisibility): ContextStore {
  return {
    version: () => inner.version(),
    set: async (place, context) => {
      if (place.collection === '') return refuseOfSome('say what holds everywhere')
      return visibility.in(place.collection, () => inner.set(place, context))
    },
    list: async () =>
      (await inner.list()).filter(({ collection }) => collection === null || visibility.has(collection)),
    remove: async (place) => {
      if (place.collection === '') throw notOfSome('say what holds everywhere')
      return visibility.has(place.collection) ? inner.remove(place) : false
    },
  }
}
