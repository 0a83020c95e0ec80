/** A store as somebody sees it: what belongs to others, and collections that are not for them, are not there. */

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
 * The one place where rights to read are kept: whatever is built on a store, a search as well as a conversation, can tell
 * nothing that the store does not. Closing it closes nothing.
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

/** A bucket is read with the credentials of whoever runs the server: it is theirs to make it a collection. */
function withoutBuckets(inner: CollectionStore): CollectionStore {
  return {
    add: async (collection) => {
      if (!isBucketRoot(collection.root)) return inner.add(collection)
      throw new ContextError(
        'denied',
        `${collection.root} is a bucket: only directories can be added over the network.`,
        {
          hint: 'The administrator of the server can add it on the command line.',
        },
      )
    },
    list: () => inner.list(),
    get: (name) => inner.get(name),
    indexing: () => inner.indexing(),
    remove: (name) => inner.remove(name),
    rename: (name, to) => inner.rename(name, to),
    update: (name, change) => inner.update(name, change),
  }
}

/** All that is kept is everybody's: who may move it, moves the store itself. */
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
/** Bytes of files are had by the sessions that have them. */
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
    check: async () => {
      throw notOfSome('check the database')
    },
  }
}

function seenCollections(inner: CollectionStore, visibility: CollectionVisibility): CollectionStore {
  return {
    add: async () => {
      throw notOfSome('add a collection')
    },
    list: () => visibility.collections(),
    get: async (name) => (visibility.has(name) ? inner.get(name) : undefined),
    indexing: async () => (await inner.indexing()).filter((name) => visibility.has(name)),
    remove: async (name) => (visibility.has(name) ? inner.remove(name) : false),
    rename: async () => {
      throw notOfSome('rename a collection')
    },
    update: (name, change) => visibility.in(name, () => inner.update(name, change)),
  }
}

/** Who works on them sees all: a guest asks, looks and stops. */
function seenIndexJobs(inner: IndexJobStore, visibility: CollectionVisibility): IndexJobStore {
  return {
    ...inner,
    list: async () => (await inner.list()).filter(({ collection }) => visibility.has(collection)),
    ask: (collection, job, isAwaited) => visibility.in(collection, () => inner.ask(collection, job, isAwaited)),
    stop: (collection, isAwaited) => visibility.in(collection, () => inner.stop(collection, isAwaited)),
  }
}

/** What holds everywhere holds in their collections, too: it is seen, and is not theirs to change. */
function seenContexts(inner: ContextStore, visibility: CollectionVisibility): ContextStore {
  return {
    version: () => inner.version(),
    set: async (place, context) => {
      if (place.collection === '') throw notOfSome('say what holds everywhere')
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
