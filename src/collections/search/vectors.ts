/** Finds the documents with chunks (pieces with a vector) that are similar to a query. */

import { throwIfAborted } from '../../core/errors.ts'
import type { Run } from '../../core/flow.ts'
import { satisfiesAll } from '../../retrieval/conditions.ts'
import { nearestByBits, prepareQueryVector } from '../../retrieval/packed-vectors.ts'
import type { Query } from '../../retrieval/query.ts'
import type { DocumentFilter } from '../../stores/document-store.ts'
import type { Store } from '../../stores/store.ts'
import type { VectorChunk } from '../../stores/vector-store.ts'
import { ExactTextReader, filterByText } from './exact-text.ts'
import { compareHits, type VectorHit } from './fusion.ts'
import { narrowFilter } from './search-index.ts'

export interface VectorRequest {
  readonly query: Query
  readonly vector: Float32Array
  /** The name of the vectors of the model. */
  readonly name: string
  readonly filter: DocumentFilter
  /** Maximum number of hits. */
  readonly limit: number
}

/** Hits, the nearest first; ties by collection and path. None if the stored vectors have another length. */
export async function searchByVector(store: Store, request: VectorRequest, { signal }: Run): Promise<VectorHit[]> {
  const { query, vector, name, limit } = request
  const filter = narrowFilter(query, request.filter)
  const view = await store.vectors.view(name, filter)
  if (view.centre.length !== vector.length) return []
  const { bits, cosineTo } = prepareQueryVector(vector, view.centre)
  // Takes more vectors than hits, because the comparison by bits is rough.
  const nearest = nearestByBits(view, bits, Math.max(400, 8 * limit))
  const chunks = await store.vectors.byId(nearest.map((at) => view.ids[at] ?? 0))
  throwIfAborted(signal)
  const bestByHash = new Map<string, { readonly cosine: number; readonly chunk: VectorChunk }>()
  for (const { hash, start, end, ...packed } of chunks) {
    const cosine = cosineTo(packed)
    if (cosine > (bestByHash.get(hash)?.cosine ?? -2)) bestByHash.set(hash, { cosine, chunk: { start, end } })
  }
  const documents = await store.vectors.documentsOf([...bestByHash.keys()], filter)
  const hits = documents.flatMap((document): VectorHit[] => {
    const best = bestByHash.get(document.hash)
    return best ? [{ document, ...best }] : []
  })
  hits.sort((a, b) => b.cosine - a.cosine || compareHits(a.document, b.document))
  if (isPlainQuery(query)) return hits.slice(0, limit)
  const texts = new ExactTextReader((ids) => store.documents.texts(ids))
  return filterByText(texts, hits, { query, limit, satisfies: satisfiesAll, signal })
}

/** Whether a query has only words, and no conditions such as phrases. */
export function isPlainQuery({ phrases, withoutTerms, withoutPhrases, pieces, withoutPieces, terms }: Query): boolean {
  const lists = [phrases, withoutTerms, withoutPhrases, pieces, withoutPieces]
  return lists.every((list) => list.length === 0) && !terms.some(({ inTitle }) => inTitle)
}
