/** The types of collections, of path contexts, and of the index, which is a set of segments. */

import { type AnswerOf, array, count, flag, object, text, textOrNull, withDescription } from '../core/answer.ts'
import type { DocumentFilter, FileStamp, NewDocument, SkippedFile } from './document-store.ts'

/** The fields of a collection: a named tree of files. */
export const collectionRow = {
  name: text,
  /** Absolute path of a directory; or `s3://bucket/prefix`. */
  root: text,
  /** Globs of files to index; empty for all files. */
  patterns: array(text),
  /** Globs of files to leave out. */
  exclude: array(text),
  /** Whether searches without named collections skip the collection. */
  isPaused: flag,
  /** Whether the index holds all substrings of the texts, not only their words. */
  hasSubstrings: flag,
  /** Settings of its bucket; for a directory, its real path when it was added. */
  'access?': object({
    'endpoint?': text,
    'region?': text,
    'profile?': text,
    'anonymous?': flag,
    'pathStyle?': flag,
    'requesterPays?': flag,
    'realPath?': text,
  }),
  /** ISO 8601, UTC. */
  createdAt: text,
  /** When it was last indexed completely; absent when never. ISO 8601, UTC. */
  'indexedAt?': text,
  documents: count,
  /** Total size of the files of the documents. */
  bytes: count,
}
const collectionSchema = () => object(collectionRow)
export type Collection = AnswerOf<typeof collectionSchema>

export type NewCollection = Pick<Collection, 'name' | 'root' | 'patterns' | 'exclude'> &
  Partial<Pick<Collection, 'hasSubstrings' | 'access'>>

/** The fields of a path context: a description of a place, written by a person. */
export const pathContextRow = {
  collection: withDescription(textOrNull, 'null where it applies to everything'),
  /** With a leading slash, without a trailing slash; `/` is the collection itself. */
  pathPrefix: text,
  context: text,
  createdAt: withDescription(text, 'ISO 8601, UTC'),
  updatedAt: withDescription(text, 'ISO 8601, UTC'),
}
const pathContextSchema = () => object(pathContextRow)
export type PathContext = AnswerOf<typeof pathContextSchema>

/** A place that can have a path context. `collection` is `''` for all collections; `pathPrefix` is normalized. */
export interface PlaceKey {
  readonly collection: string
  readonly pathPrefix: string
}

export interface TermPostings {
  readonly term: string
  readonly segment: number
  readonly postings: Uint8Array
}

/** The postings of one term in a new segment. */
export type NewPostings = readonly [term: string, postings: Uint8Array]

/** A position in the terms of a segment: after the term `after`; `''` is before all terms. */
export interface TermCursor {
  readonly segment: number
  readonly after: string
}

/** For each document of a segment, the number of words of its body and of its title. */
type SegmentLengths = Readonly<Record<'bodyLengths' | 'titleLengths', Uint32Array>>

/** A segment (an immutable part of the index) as a query reads it. Its documents are numbered from 0. */
export interface StoredSegment extends SegmentLengths {
  readonly id: number
  /** Number of documents, and their ids by number. */
  readonly docs: number
  readonly ids: Uint32Array
  /** Number of documents that are not deleted, and of the words of their bodies and titles. */
  readonly live: { readonly docs: number; readonly body: number; readonly title: number }
  /** One bit per document: whether the document is deleted; absent if no document is. */
  readonly dead?: Uint8Array
  /** One bit per document: whether the filter accepts the document; absent if it accepts all documents. */
  readonly allowed?: Uint8Array
}

/** What a query needs of the index, as of one moment. */
export interface IndexView {
  readonly segments: readonly StoredSegment[]
  /** For each term, its postings in each segment, in the order of `segments`. */
  readonly terms: ReadonlyMap<string, readonly (Uint8Array | undefined)[]>
  readonly prefixes: ReadonlyMap<string, readonly string[]>
}

export interface TermRequest {
  readonly terms: readonly string[]
  /** Prefixes. A prefix stands for the `maximumTerms` most frequent terms that begin with it. */
  readonly prefixes?: readonly string[]
  readonly maximumTerms?: number
  readonly filter: DocumentFilter
}

/** One atomic change of the index. */
export interface IndexChange {
  /** New documents, in their order in the segment. */
  readonly added?: {
    readonly collection: string
    readonly documents: readonly NewDocument[]
    readonly segment: number
    readonly lengths: SegmentLengths
  }
  /** Ids of documents to delete. */
  readonly removed?: readonly number[]
  /** Files with new times and the same content. */
  readonly stamped?: readonly { readonly id: number; readonly stamp: FileStamp }[]
  /** Files that are not documents: their new rows, and the paths of rows to delete. */
  readonly skipped?: {
    readonly collection: string
    readonly files: readonly SkippedFile[]
    readonly gone?: readonly string[]
  }
  /** A segment that replaces other segments. `ids`: ids of its documents. */
  readonly merged?: {
    readonly segment: number
    readonly replacedIds: readonly number[]
    readonly ids: Uint32Array
    readonly lengths: SegmentLengths
  }
}
