/** Operations on collections, over one store. */

import { type Run, SILENT } from '../core/flow.ts'
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
import { rerankerOf } from './search/reranking.ts'
import { type SearchRequest, searchCollections } from './search.ts'

export interface Library {
  readonly port: Store
  readonly collections: Collections
  readonly contexts: PathContexts
  /** Browses the present files of collections. */
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

const NONE = async () => undefined

/** Optional dependencies of a library. */
export interface LibraryParts {
  /** The model that makes vectors. */
  readonly embedding?: LazyModel
  readonly reranking?: LazyReranking
  /** Opens the roots of collections. Default: buckets by the settings of AWS. */
  readonly objects?: OpenRoot
}

/** The library over a store and its other dependencies. */
export function libraryOver(store: Store, parts: LibraryParts = {}): Library {
  const { embedding: model = NONE, reranking = NONE, objects = objectsAt } = parts
  const contexts = new PathContexts(store)
  let browser: Promise<Browser> | undefined
  const search: Library['search'] = async (request, run = SILENT) => {
    assertSearchable(request)
    const how = await embedQuery(store, model, request, run)
    const reranker = request.rerank ? rerankerOf(await reranking(), run) : undefined
    return retryStale(store, async (noted) =>
      searchCollections(noted, { contexts: await contexts.resolver(), asked: how, reranker }, request, run),
    )
  }
  return {
    port: store,
    collections: new Collections(store, model, objects),
    contexts,
    browser: () => {
      browser ??= import('./browse/browse.ts').then(
        ({ Browser }) => new Browser(store, () => contexts.resolver(), objects),
      )
      return browser
    },
    folder: (request, run = SILENT) => listFolder(store, request, run),
    documents: async () => new Documents(store, await contexts.resolver()),
    search,
  }
}

/** Maximum number of repetitions of a search whose documents are replaced meanwhile. */
const MAX_TRIES = 10

/** Repeats a search if an update between two of its steps replaced documents that it found. */
async function retryStale<Value>(store: Store, search: (store: Store) => Promise<Value>): Promise<Value> {
  for (let tries = 1; ; tries++) {
    let isStale = false
    const noted = <Found extends { readonly length: number } | { readonly size: number }>(
      asked: number,
      found: Found,
    ) => {
      isStale ||= ('length' in found ? found.length : found.size) < asked
      return found
    }
    const documents: DocumentStore = {
      ...store.documents,
      byId: async (ids) => noted(ids.length, await store.documents.byId(ids)),
      texts: async (ids) => noted(ids.length, await store.documents.texts(ids)),
    }
    const value = await search({ ...store, documents })
    if (!isStale || tries === MAX_TRIES) return value
  }
}
