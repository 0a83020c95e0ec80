import { searchLexically } from '../../src/collections/search/search-index.ts'
import { SILENT } from '../../src/core/flow.ts'
import type { DocumentFilter } from '../../src/stores/document-store.ts'
import type { Store } from '../../src/stores/store.ts'

/** What a query finds, by name. */
export async function found(store: Store, query: string, filter: DocumentFilter = {}): Promise<string[]> {
  const { hits } = await searchLexically(store, { query, filter, limit: 1000 }, SILENT)
  return hits.map(({ document: { collection, path } }) => `${collection}/${path}`).sort()
}
