/** The part of the port that keeps vectors of texts. */

import type { Document, DocumentFilter } from './document-store.ts'

/** A content whose chunks have vectors. */
export interface NewVectors {
  /** SHA-256 of the file, hex. */
  readonly hash: string
  readonly chunks: readonly (VectorChunk & PackedBytes & { readonly bits: Uint32Array })[]
}

interface PackedBytes {
  /** As many as there are dimensions. */
  readonly bytes: Int8Array
  readonly scale: number
}

/** Lines of a content, from 1. */
export interface VectorChunk {
  readonly start: number
  readonly end: number
}

/** All vectors of one model by their bits, as of one moment. */
export interface VectorView {
  /** Of the model: a number for each dimension. Empty when it has made none. */
  readonly centre: Float32Array
  /** Ascending. */
  readonly ids: Uint32Array
  /** One after the other, in the order of the ids. */
  readonly bits: Uint32Array
  /** A bit for each vector of a content that the filter lets through; absent when it lets all through. */
  readonly allowed?: Uint8Array
}

/** One vector, with what it is of. */
export interface StoredVector extends VectorChunk, PackedBytes {
  readonly id: number
  readonly hash: string
}

/** How much of the documents has vectors of one model. */
export interface VectorCounts {
  readonly documents: number
  /** Documents that have none yet. */
  readonly missing: number
  readonly chunks: number
}

/**
 * Vectors of texts, by the content they are of: a document that moves keeps them, and those of a content that is in two
 * collections are there once. `model` is a fingerprint.
 */
export interface VectorStore {
  /** What the vectors of a model are packed about; undefined when it has made none. */
  centre(model: string): Promise<Float32Array | undefined>
  /** A document of each content that has no vectors of the model yet, by path; of these collections, or all. */
  missing(model: string, collections: readonly string[]): Promise<Document[]>
  /**
   * All chunks of each content at once, in place of those that it had. The first ones of a model set its centre.
   *
   * @throws ContextError `conflict` for other dimensions than those there are.
   */
  put(model: string, centre: Float32Array, contents: readonly NewVectors[]): Promise<void>
  view(model: string, filter: DocumentFilter): Promise<VectorView>
  /** Those that there are, in no order. */
  byId(ids: readonly number[]): Promise<StoredVector[]>
  /** The documents of these contents that the filter lets through, by collection and path. */
  documentsOf(hashes: readonly string[], filter: DocumentFilter): Promise<Document[]>
  counts(model: string): Promise<VectorCounts>
  /** Removes those of other models, and of contents that no document has. Returns how many contents. */
  prune(model: string): Promise<number>
  /** Removes those of a model. */
  clear(model: string): Promise<void>
  /** As in `IndexStore`, for those who make vectors. */
  exclusively<Value>(waitMs: number, work: () => Promise<Value>, signal?: AbortSignal): Promise<Value>
}
