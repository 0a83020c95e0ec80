/**
 * The port of everything that Ambit stores. Each method is one step that happens completely or not at all. Failures of the
 * database are `unavailable`; its own message is the cause, and shown only when it says what is wrong with its URL.
 */

import { type AnswerOf, array, count, flag, object, text, textOrNull, withDescription } from '../core/answer.ts'
import type { ByteStore } from './byte-store.ts'
import type { ConversationStore } from './conversation-store.ts'
import type { DocumentFilter, DocumentStore, FileStamp, NewDocument, SkippedFile } from './document-store.ts'
import type { IndexJobStore } from './index-jobs.ts'
import type { JobStore } from './jobs.ts'
import type { Counted, RowStore, Rows } from './row-store.ts'
import type { RunStore } from './run-store.ts'
import type { SignInStore } from './sign-in-store.ts'
import type { createCollectionStore } from './statements/collections.ts'
import type { createContextStore } from './statements/contexts.ts'
import type { createIndexStore } from './statements/index-store.ts'
import type { createIndexWriter } from './statements/index-writer.ts'
import type { TokenStore } from './token-store.ts'
import type { VectorStore } from './vector-store.ts'

/** A named tree of files. */
export const collectionRow = {
  name: text,
  /** Absolute path of a directory; or `s3://bucket/prefix`. */
  root: text,
  /** Globs of its files; all files when empty. */
  patterns: array(text),
  /** Globs of files that do not belong to it. */
  exclude: array(text),
  /** Searches that name no collection leave it out. */
  isPaused: flag,
  /** Whether the index has every piece of its texts, not only words. */
  hasSubstrings: flag,
  /** Settings for its bucket alone; for a directory, its real path when it was added. */
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
  /** Size of the files of the documents. */
  bytes: count,
}
const collectionSchema = () => object(collectionRow)
export type Collection = AnswerOf<typeof collectionSchema>

export type NewCollection = Pick<Collection, 'name' | 'root' | 'patterns' | 'exclude'> &
  Partial<Pick<Collection, 'hasSubstrings' | 'access'>>

export type CollectionStore = ReturnType<typeof createCollectionStore>

/** A path context: a person's description of a place. */
export const pathContextRow = {
  collection: withDescription(textOrNull, 'null where it applies to everything'),
  /** With a leading slash and without one at its end; `/` is the collection itself. */
  pathPrefix: text,
  context: text,
  createdAt: withDescription(text, 'ISO 8601, UTC'),
  updatedAt: withDescription(text, 'ISO 8601, UTC'),
}
const pathContextSchema = () => object(pathContextRow)
export type PathContext = AnswerOf<typeof pathContextSchema>

/** A place that can have a path context: the name of a collection, or `''` for all; and a normal path prefix. */
export interface PlaceKey {
  readonly collection: string
  readonly pathPrefix: string
}

export type ContextStore = ReturnType<typeof createContextStore>

/** The postings of one term in one segment. */
export interface TermPostings {
  readonly term: string
  readonly segment: number
  readonly postings: Uint8Array
}

/** The postings of one term, for a new segment. */
export type NewPostings = readonly [term: string, postings: Uint8Array]

/** A position in a segment; '' is before all terms. */
export interface TermsFrom {
  readonly segment: number
  readonly after: string
}

/** The length of each document of a segment, in words. */
export interface SegmentLengths {
  readonly bodyLengths: Uint32Array
  readonly titleLengths: Uint32Array
}

/** A segment as a query reads it. Its documents have numbers from 0. */
export interface StoredSegment extends SegmentLengths {
  readonly id: number
  readonly docs: number
  /** The id of each document. */
  readonly ids: Uint32Array
  readonly live: { readonly docs: number; readonly body: number; readonly title: number }
  /** A bit for each deleted document. */
  readonly dead?: Uint8Array
  /** A bit for each document that the filter accepts; absent when it accepts all. */
  readonly allowed?: Uint8Array
}

/** The part of the index that a query needs, as of one moment. */
export interface IndexView {
  readonly segments: readonly StoredSegment[]
  /** By term, then by the index of the segment. */
  readonly terms: ReadonlyMap<string, readonly (Uint8Array | undefined)[]>
  /** The terms of each prefix. */
  readonly prefixes: ReadonlyMap<string, readonly string[]>
}

export interface TermRequest {
  readonly terms: readonly string[]
  /** Each means the terms that begin with it; at most `mostTerms`, the most frequent. */
  readonly prefixes?: readonly string[]
  readonly mostTerms?: number
  readonly filter: DocumentFilter
}

/** One change of the index: readers see the state before or after it. */
export interface IndexChange {
  /** New documents, with their segment, in this order. */
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
  /** Files that are not documents, which replace what was known of them; and paths that are no longer such files. */
  readonly skipped?: {
    readonly collection: string
    readonly files: readonly SkippedFile[]
    readonly gone?: readonly string[]
  }
  /** A segment that replaces others. `ids`: of its documents. */
  readonly merged?: {
    readonly segment: number
    readonly instead: readonly number[]
    readonly ids: Uint32Array
    readonly lengths: SegmentLengths
  }
}

export type IndexWriter = ReturnType<typeof createIndexWriter>
export type IndexStore = ReturnType<typeof createIndexStore>

/** The content of a database that was moved aside. */
export interface Salvaged {
  /** The path of the old database. */
  readonly aside: string
  /** What people entered, for an empty store. `tell` receives the names of what cannot be read. */
  rows(tell: (lost: string) => void): AsyncIterable<Rows>
  /** The last numbers of counters, as far as they can be read. */
  readonly counted: Counted
}

/** A migration: the version of the tables before, 0 for none, and now. */
export const migrated = { name: text, from: count, to: count }
const migratedSchema = () => object(migrated)
export type Migrated = AnswerOf<typeof migratedSchema>

/** The data of one owner. No method sees data of another owner. */
export interface Owned {
  readonly conversations: ConversationStore
  readonly runs: RunStore
}

/** `conversations` and `runs` are those of the local owner, whose name is `''`. */
export interface Store extends Owned {
  /** Its name in messages: the path of its file, or its URL without a password. */
  readonly name: string
  readonly collections: CollectionStore
  readonly documents: DocumentStore
  readonly contexts: ContextStore
  readonly index: IndexStore
  readonly vectors: VectorStore
  readonly rows: RowStore
  readonly bytes: ByteStore
  /** The data of another owner. Cheap: it opens nothing. */
  of(owner: string): Owned
  /** Names of owners with data, in order. */
  owners(): Promise<string[]>
  readonly jobs: JobStore
  readonly tokens: TokenStore
  readonly signIns: SignInStore
  /** Indexing in the background. */
  readonly indexJobs: IndexJobStore
  /** Another number after each change, by any process. */
  version(): Promise<number>
  /** Milliseconds since 1970, by one clock for all processes of the store: the clocks of machines differ. */
  now(): Promise<number>
  /** Bytes on the disk. */
  size(): Promise<number>
  /**
   * Checks the whole content: a sentence for each problem, none when it is consistent. It takes seconds for a gigabyte, and
   * changes nothing.
   */
  check(): Promise<readonly string[]>
  /** @throws ContextError NoSpace where the disk is full, as far as this machine can tell. */
  assertRoom(): Promise<void>
  close(): Promise<void>
}
