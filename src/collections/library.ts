/** The operations on the collections of one store (the database of the index). */

import { type Run, SILENT } from '../core/flow.ts'
import { loadOnce } from '../core/steps.ts'
import { objectsAt } from '../files/object-stores.ts'
import type { OpenRoot } from '../files/objects.ts'
import type { RerankingModel } from '../models/reranking.ts'
import type { DocumentStore, Store } from '../stores/store.ts'
import type { FolderAnswer, SearchAnswer } from './answers.ts'
import type { Browser } from './browse/browse.ts'
import { Collections, type LazyModel } from './collections.ts'
import { Documents } from './documents.ts'
import { type FolderRequest, listFolder } from './library/list-folder.ts'
import { PathContexts } from './path-contexts.ts'
import { assertSearchable } from './search/facets.ts'
import { embedQuery } from './search/model-meaning.ts'
import { createReranker } from './search/reranking.ts'
import { type SearchRequest, searchCollections } from './search.ts'

export interface Library {
  readonly port: Store
  readonly collections: Collections
  readonly contexts: PathContexts
  /** Browses the files of collections as they are now, not as they were indexed. */
  browser(): Promise<Browser>
  /** Lists a directory on disk. @throws ContextError as `openRoot` does; `cancelled`. */
  folder(request: FolderRequest, run?: Run): Promise<FolderAnswer>
  /** Documents, with the current path contexts. */
  documents(): Promise<Documents>
  /** @throws ContextError `not-found` for an unknown collection; `invalid-input`; `cancelled`. */
  search(request: SearchRequest, run?: Run): Promise<SearchAnswer>
}

export type { FolderRequest } from './library/list-folder.ts'

/** The reranking model, loaded at the first call; undefined if none is configured. */
export type LazyReranking = () => Promise<RerankingModel | undefined>

const NO_MODEL = async () => undefined

/** Optional dependencies of a library. */
export interface LibraryDependencies {
  /** The model that makes vectors. */
  readonly embedding?: LazyModel
  readonly reranking?: LazyReranking
  /** Opens the roots of collections. Default: directories, and buckets with the settings of the AWS SDK. */
  readonly openRoot?: OpenRoot
}

export function libraryOver(store: Store, dependencies: LibraryDependencies = {}): Library {
  const { embedding: model = NO_MODEL, reranking = NO_MODEL, openRoot = objectsAt } = dependencies
  const contexts = new PathContexts(store)
  const search: Library['search'] = async (request, run = SILENT) => {
    assertSearchable(request)
    const embedded = await embedQuery(store, model, request, run)
    const reranker = request.rerank ? createReranker(await reranking(), run) : undefined
    return retryStale(store, async (watchedStore) =>
      searchCollections(watchedStore, { contexts: await contexts.resolver(), embedded, reranker }, request, run),
    )
  }
  return {
    port: store,
    collections: new Collections(store, model, openRoot),
    contexts,
    browser: loadOnce(async () => {
      const { Browser } = await import('./browse/browse.ts')
      return new Browser(store, () => contexts.resolver(), openRoot)
    }),
    folder: (request, run = SILENT) => listFolder(store, request, run),
    documents: async () => new Documents(store, await contexts.resolver()),
    search,
  }
}

/** Maximum number of attempts of a search, if updates replace documents during each attempt. */
const MAX_STALE_RETRIES = 10

/** Repeats a search if an update between two of its steps replaced documents that it found. */
async function retryStale<Value>(store: Store, search: (store: Store) => Promise<Value>): Promise<Value> {
  for (let attempts = 1; ; attempts++) {
    let isStale = false
    const documents: DocumentStore = {
      ...store.documents,
      byId: async (ids) => {
        const stored = await store.documents.byId(ids)
        isStale ||= stored.length < ids.length
        return stored
      },
      texts: async (ids) => {
        const texts = await store.documents.texts(ids)
        isStale ||= texts.size < ids.length
        return texts
      },
    }
    const value = await search({ ...store, documents })
    if (!isStale || attempts === MAX_STALE_RETRIES) return value
  }
}
