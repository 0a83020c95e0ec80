import type { Document } from '../../stores/document-store.ts'
import type { VectorChunk } from '../../stores/vector-store.ts'
import { byCodeUnit } from '../../text/paths.ts'
import type { Boost } from './title.ts'

/** A document that was found. */
export interface LexicalHit {
  readonly document: Document
  /** In 0..1: the share of what a document could have scored. */
  readonly score: number
  readonly boost: Boost
  /** Where what was found shows best, in its text; absent where the text was not read again. */
  readonly shown?: { readonly start: number; readonly end: number }
}

/** A document that was found by its nearest chunk. */
export interface VectorHit {
  readonly document: Document
  /** -1 to 1. */
  readonly cosine: number
  readonly chunk: VectorChunk
}

/** By collection and path. */
export function compareHits(a: Document, b: Document): number {
  return byCodeUnit(a.collection, b.collection) || byCodeUnit(a.path, b.path)
}
