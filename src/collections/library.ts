/** What can be done with collections, over one store. */

import { type Run, SILENT } from '../core/flow.ts'
import type { Store } from '../stores/store.ts'
import { Collections } from './collections.ts'
import { PathContexts } from './contexts.ts'
import { Documents } from './documents.ts'
import { type SearchAnswer, type SearchRequest, search } from './search.ts'

export interface Library {
  /** What it is kept in. */
  readonly port: Store
  readonly collections: Collections
  readonly contexts: PathContexts
  /** Documents, with what their places are for as it is now. */
  documents(): Promise<Documents>
  /** @throws ContextError `not-found` for a collection that there is none of; `invalid-input`; `cancelled`. */
  search(request: SearchRequest, run?: Run): Promise<SearchAnswer>
}

/** The library over a store. */
export function libraryOver(store: Store): Library {
  const contexts = new PathContexts(store)
  return {
    port: store,
    collections: new Collections(store),
    contexts,
    documents: async () => new Documents(store, await contexts.resolver()),
    search: async (request, run = SILENT) => search(store, await contexts.resolver(), request, run),
  }
}
