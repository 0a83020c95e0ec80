import type { EmbeddingModel } from '../models/embedding.ts'

/** Goes up when chunks come out otherwise, or are sent otherwise: vectors of older ones are then made anew. */
const EDITION = 1

/** Names the vectors of a model, as what they are of is cut and sent. */
export function vectorsOf({ fingerprint }: Pick<EmbeddingModel, 'fingerprint'>): string {
  return `${fingerprint} ${EDITION}`
}
