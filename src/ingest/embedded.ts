import type { EmbeddingModel } from '../models/embedding.ts'

/** Increase this number when chunks are cut or sent in another way; older vectors are then computed again. */
const CHUNK_VERSION = 1

/** The stored name of a model's vectors: the fingerprint, and the version of the chunks. */
export function nameVectors({ fingerprint }: Pick<EmbeddingModel, 'fingerprint'>): string {
  return `${fingerprint} ${CHUNK_VERSION}`
}
