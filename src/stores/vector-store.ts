/** The part of the port for vectors of texts. */

import type { Document, DocumentFilter } from './document-store.ts'

/** A content whose chunks have vectors. */
export interface NewVectors {
  /** SHA-256 of the file, hex. */
  readonly hash: string
  readonly chunks: readonly (VectorChunk & PackedBytes & { readonly bits: Uint32Array })[]
}

interface PackedBytes {
  /** One for each dimension. */
  readonly bytes: Int8Array
  readonly scale: number
}

/** Lines of a file, from 1. */
export interface VectorChunk {
  readonly start: number
  readonly end: number
}

/** All vectors of one model by their bits, as of one moment. */
export interface VectorView {
  /** The mean of the model: a number for each dimension. Empty when there are no vectors. */
  readonly centre: Float32Array
  /** Ascending. */
  readonly ids: Uint32Array
  /** One after the other, in the order of the ids. */
  readonly bits: Uint32Array
  /** A bit for each vector whose content the filter accepts; absent when it accepts all. */
  readonly allowed?: Uint8Array
}

/** One vector with its content and lines. */
export interface StoredVector extends VectorChunk, PackedBytes {
  readonly id: number
  readonly hash: string
}

/** How many documents have vectors of one model. */
export interface VectorCounts {
  readonly documents: number
  /** Documents without vectors. */
  readonly missing: number
  readonly chunks: number
}

/**
 * Vectors of texts, by content: a moved document keeps them, and a content in two collections has them once. `model` is a
 * fingerprint.
 */
export interface VectorStore {
  /** The mean that the vectors of a model are packed around; undefined without vectors. */
  centre(model: string): Promise<Float32Array | undefined>
  /** A document for each content without vectors of the model, by path; of these collections, or all. */
  missing(model: string, collections: readonly string[]): Promise<Document[]>
  /**
   * Replaces all chunks of each content at once. The first call for a model sets its centre.
   *
   * @throws ContextError `conflict` for a different number of dimensions.
   */
  put(model: string, centre: Float32Array, contents: readonly NewVectors[]): Promise<void>
  view(model: string, filter: DocumentFilter): Promise<VectorView>
  /** The vectors that exist, in no order. */
  byId(ids: readonly number[]): Promise<StoredVector[]>
  /** The documents of these contents that the filter accepts, by collection and path. */
  documentsOf(hashes: readonly string[], filter: DocumentFilter): Promise<Document[]>
  counts(model: string): Promise<VectorCounts>
  /** Removes vectors of other models, and of contents without a document. Returns the number of contents. */
  prune(model: string): Promise<number>
  /** Removes the vectors of a model. */
  clear(model: string): Promise<void>
  /** As in `IndexStore`, for the process that makes vectors. */
  exclusively<Value>(waitMs: number, work: () => Promise<Value>, signal?: AbortSignal): Promise<Value>
}
