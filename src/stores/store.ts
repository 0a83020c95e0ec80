/**
 * The port of what Ambit keeps: collections, documents, what places are for, and the lexical index. Every method is one
 * step that happens whole or not at all. Failures of the database are `unavailable`; its own words are the cause, and told only
 * where they say what is wrong with its URL.
 */

import { type AnswerOf, array, count, flag, object, text, textOrNull, withDescription } from '../core/answer.ts'
import type { ByteStore } from './byte-store.ts'
import type { Conversation, ConversationStore } from './conversation-store.ts'
import type { DocumentFilter, DocumentStore, FileStamp, NewDocument, SkippedFile } from './document-store.ts'
import type { IndexJobStore } from './index-jobs.ts'
import type { JobStore } from './jobs.ts'
import type { Counted, RowStore, Rows } from './row-store.ts'
import type { RunStore } from './run-store.ts'
import type { SignInStore } from './sign-in-store.ts'
import type { TokenStore } from './token-store.ts'
import type { VectorStore } from './vector-store.ts'

/** A named tree of files. */
export const collectionRow = {
  name: text,
  /** Absolute path of a directory; or `s3://bucket/prefix`. */
  root: text,
  /** Globs of the files that belong to it; all when there are none. */
  patterns: array(text),
  /** Globs of files that do not. */
  exclude: array(text),
  /** Left out of searches that name no collection. */
  isPaused: flag,
  /** Whether any piece of its texts is in the index, not only their words. */
  hasSubstrings: flag,
  /** How its bucket is reached, where that is said of it alone; where its directory led when it was added. */
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
  /** When it was last indexed to the end; absent when it never was. ISO 8601, UTC. */
  'indexedAt?': text,
  documents: count,
  /** Of the files that the documents were made of. */
  bytes: count,
}
const collectionSchema = () => object(collectionRow)
export type Collection = AnswerOf<typeof collectionSchema>

export type NewCollection = Pick<Collection, 'name' | 'root' | 'patterns' | 'exclude'> &
  Partial<Pick<Collection, 'hasSubstrings' | 'access'>>

export interface CollectionStore {
  /** @throws ContextError `conflict` when the name is taken. */
  add(collection: NewCollection): Promise<Collection>
  /** By name. */
  list(): Promise<Collection[]>
  get(name: string): Promise<Collection | undefined>
  /** The names of those that some process indexes now. */
  indexing(): Promise<string[]>
  /** With its documents and the contexts of its paths. Returns whether there was one. */
  remove(name: string): Promise<boolean>
  /** With the contexts of its paths. @throws ContextError `not-found`; `conflict` when the new name is taken. */
  rename(name: string, to: string): Promise<void>
  /** @throws ContextError `not-found`. */
  update(
    name: string,
    change: Partial<Pick<Collection, 'isPaused' | 'hasSubstrings' | 'indexedAt' | 'access'>>,
  ): Promise<void>
}

/** What a person said of a place. */
export const pathContextRow = {
  collection: withDescription(textOrNull, 'null where it applies to everything'),
  /** With a leading slash and none at its end; `/` is the collection itself. */
  pathPrefix: text,
  context: text,
  createdAt: withDescription(text, 'ISO 8601, UTC'),
  updatedAt: withDescription(text, 'ISO 8601, UTC'),
}
const pathContextSchema = () => object(pathContextRow)
export type PathContext = AnswerOf<typeof pathContextSchema>

/** A place that a person can say something of: a collection's name, or `''` for all; and a normal path prefix. */
export interface PlaceKey {
  readonly collection: string
  readonly pathPrefix: string
}

export interface ContextStore {
  /** Another number whenever one of them was changed, by this or another process. */
  version(): Promise<number>
  /** Adds it, or replaces what was said. @throws ContextError `not-found` for a collection that there is none of. */
  set(place: PlaceKey, context: string): Promise<void>
  /** By collection, the global one first, then by path. */
  list(): Promise<PathContext[]>
  /** Returns whether there was one. */
  remove(place: PlaceKey): Promise<boolean>
}

/** Of one term in one segment. */
export interface TermPostings {
  readonly term: string
  readonly segment: number
  readonly postings: Uint8Array
}

/** Of one term, for a segment that is being written. */
export type NewPostings = readonly [term: string, postings: Uint8Array]

/** Where to read on in a segment; before all terms is ''. */
export interface TermsFrom {
  readonly segment: number
  readonly after: string
}

/** How long each document of a segment is, in words. */
export interface SegmentLengths {
  readonly bodyLengths: Uint32Array
  readonly titleLengths: Uint32Array
}

/** A segment as a query sees it. Its documents are counted from 0. */
export interface StoredSegment extends SegmentLengths {
  readonly id: number
  readonly docs: number
  /** The id of each document. */
  readonly ids: Uint32Array
  readonly live: { readonly docs: number; readonly body: number; readonly title: number }
  /** A bit for each document that is no more. */
  readonly dead?: Uint8Array
  /** A bit for each document that the filter lets through; absent when it lets all through. */
  readonly allowed?: Uint8Array
}

/** What a query needs of the index, as of one moment. */
export interface IndexView {
  readonly segments: readonly StoredSegment[]
  /** By term, then by the index of the segment. */
  readonly terms: ReadonlyMap<string, readonly (Uint8Array | undefined)[]>
  /** What each prefix stands for. */
  readonly prefixes: ReadonlyMap<string, readonly string[]>
}

export interface TermRequest {
  readonly terms: readonly string[]
  /** Each stands for the terms that begin with it; at most `mostTerms` of them, the most frequent. */
  readonly prefixes?: readonly string[]
  readonly mostTerms?: number
  readonly filter: DocumentFilter
}

/** One change of the index: what readers see before it is the old state, and after it the new. */
export interface IndexChange {
  /** Documents that are added, with the segment that holds them, in this order. */
  readonly added?: {
    readonly collection: string
    readonly documents: readonly NewDocument[]
    readonly segment: number
    readonly lengths: SegmentLengths
  }
  /** Ids of documents that go. */
  readonly removed?: readonly number[]
  /** Files that were only touched. */
  readonly stamped?: readonly { readonly id: number; readonly stamp: FileStamp }[]
  /** Files that are no documents, instead of what was known of them; and paths of files that are none of these any more. */
  readonly skipped?: {
    readonly collection: string
    readonly files: readonly SkippedFile[]
    readonly gone?: readonly string[]
  }
  /** A segment that takes the place of others. `ids` are those of its documents. */
  readonly merged?: {
    readonly segment: number
    readonly instead: readonly number[]
    readonly ids: Uint32Array
    readonly lengths: SegmentLengths
  }
}

/** Writes the index: one process at a time, of what it is the writer of. */
export interface IndexWriter {
  /** Begins a segment; what it began before and did not finish goes. No reader sees it before a change names it. */
  begin(): Promise<number>
  put(segment: number, terms: readonly NewPostings[]): Promise<void>
  apply(change: IndexChange): Promise<void>
  /**
   * Does something while no other process writes the same; waits for one that does. Where another takes over meanwhile, what
   * this writer is asked for is a `conflict`.
   *
   * @param signal ends the waiting; the work itself heeds it or not
   * @throws ContextError `conflict` when another is still at it after `waitMs`; `cancelled`.
   */
  exclusively<Value>(waitMs: number, work: () => Promise<Value>, signal?: AbortSignal): Promise<Value>
}

/** As a writer, it is the one that makes one segment of several: of what all collections have in common. */
export interface IndexStore extends IndexWriter {
  /** The writer that brings this collection in step. Many processes may each write another collection. */
  of(collection: string): IndexWriter
  read(request: TermRequest): Promise<IndexView>
  /** All segments as they are, whoever sees what of them: for who makes one of several. */
  segments(): Promise<readonly StoredSegment[]>
  /**
   * Terms that begin with each of these and are longer: the `most` shortest, of equal length by code point. Some may be of
   * documents that are no more.
   */
  longer(prefixes: readonly string[], most: number): Promise<ReadonlyMap<string, readonly string[]>>
  /**
   * Postings of each of these segments, of its first `most` terms after `after` by the bytes of UTF-8, in that order; fewer at
   * its end. Segments come one after the other.
   */
  terms(from: readonly TermsFrom[], most: number): Promise<TermPostings[]>
}

/** What was taken out of a database that was moved aside. */
export interface Salvaged {
  /** Where the old one is now. */
  readonly aside: string
  readonly collections: readonly (NewCollection & Pick<Collection, 'isPaused'>)[]
  readonly contexts: readonly Pick<PathContext, 'collection' | 'pathPrefix' | 'context'>[]
  /** `owner`: absent for the local one. */
  readonly conversations: readonly (Conversation & { readonly owner?: string })[]
  /**
   * Research and tokens, read while they are asked for: `tell` hears what of them cannot be read. They are put into an
   * empty store before anything else is.
   */
  rows(tell: (lost: string) => void): AsyncIterable<Rows>
  /** What tables had counted up to, as far as that can be read. */
  readonly counted: Counted
  /** What could not be read: `collections`, `contexts`, `conversations`; where nothing could be, `research` and `tokens`, too. */
  readonly lost: readonly string[]
}

/** What became of the tables of a database: how many steps of them there were before, 0 for none, and are now. */
export const migrated = { name: text, from: count, to: count }
const migratedSchema = () => object(migrated)
export type Migrated = AnswerOf<typeof migratedSchema>

/** What belongs to somebody. Nobody's methods see anything of another: it is as if it were not there. */
export interface Owned {
  readonly conversations: ConversationStore
  readonly runs: RunStore
}

/** `conversations` and `runs` are those of the local owner, whose name is `''`. */
export interface Store extends Owned {
  /** What it is called in messages: the path of its file, or its URL without a password. */
  readonly name: string
  readonly collections: CollectionStore
  readonly documents: DocumentStore
  readonly contexts: ContextStore
  readonly index: IndexStore
  readonly vectors: VectorStore
  readonly rows: RowStore
  readonly bytes: ByteStore
  /** What belongs to somebody else. Cheap: it opens nothing. */
  of(owner: string): Owned
  /** Names of those who keep something, in order. */
  owners(): Promise<string[]>
  readonly jobs: JobStore
  readonly tokens: TokenStore
  readonly signIns: SignInStore
  /** Indexing in the background. */
  readonly indexJobs: IndexJobStore
  /** Another number whenever another process, or this one, changed anything. */
  version(): Promise<number>
  /** Milliseconds since 1970, by a clock that all processes of the store have in common: those of machines differ. */
  now(): Promise<number>
  /** Bytes on the disk. */
  size(): Promise<number>
  /**
   * What is wrong with what is kept, a sentence each; none when all is well. Reads all of it, which takes seconds for a
   * gigabyte, and changes nothing.
   */
  check(): Promise<readonly string[]>
  /** @throws ContextError NoSpace where the disk is full, as far as this machine can tell. */
  assertRoom(): Promise<void>
  close(): Promise<void>
}
