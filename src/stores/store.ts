/**
 * The store: the interface to all that Ambit stores in a database. Each method is atomic. A failure of the database is
 * a ContextError `unavailable`, with the error of the database as its cause.
 */

import { type AnswerOf, count, object, text } from '../core/answer.ts'
import type { ByteStore } from './byte-store.ts'
import type { ConversationStore } from './conversation-store.ts'
import type { IndexJobStore } from './index-jobs.ts'
import type { JobStore } from './jobs.ts'
import type { Counters, RowStore, Rows } from './row-store.ts'
import type { RunStore } from './run-store.ts'
import type { SignInStore } from './sign-in-store.ts'
import type { createCollectionStore } from './statements/collections.ts'
import type { createContextStore } from './statements/contexts.ts'
import type { createDocumentStore } from './statements/documents.ts'
import type { createIndexStore } from './statements/index-store.ts'
import type { createIndexWriter } from './statements/index-writer.ts'
import type { TokenStore } from './token-store.ts'
import type { VectorStore } from './vector-store.ts'

export type {
  Collection,
  IndexChange,
  IndexView,
  NewCollection,
  NewPostings,
  PathContext,
  PlaceKey,
  StoredSegment,
  TermPostings,
  TermRequest,
} from './library.ts'

export type CollectionStore = ReturnType<typeof createCollectionStore>
export type ContextStore = ReturnType<typeof createContextStore>
export type DocumentStore = ReturnType<typeof createDocumentStore>
export type IndexWriter = ReturnType<typeof createIndexWriter>
export type IndexStore = ReturnType<typeof createIndexStore>

/** What could be read of a damaged database, whose file was renamed. */
export interface SalvagedContent {
  /** The path of the renamed file. */
  readonly aside: string
  /** The rows that people entered, to write to an empty store. `reportLoss` receives the names of unreadable rows. */
  rows(reportLoss: (lost: string) => void): AsyncIterable<Rows>
  /** The last number of each counter that can be read. */
  readonly counted: Counters
}

/** Fields of a migration's answer: the name of the database, and the versions of its tables before (0: no tables) and after. */
export const migrated = { name: text, from: count, to: count }
const migratedSchema = () => object(migrated)
export type Migrated = AnswerOf<typeof migratedSchema>

/** The data of one owner. No method sees data of another owner. */
export interface OwnerData {
  readonly conversations: ConversationStore
  readonly runs: RunStore
}

/** `conversations` and `runs` belong to the local owner, whose name is `''`. */
export interface Store extends OwnerData {
  /** Its name in messages: the path of its file, or its URL without a password. */
  readonly name: string
  readonly collections: CollectionStore
  readonly documents: DocumentStore
  readonly contexts: ContextStore
  readonly index: IndexStore
  readonly vectors: VectorStore
  readonly rows: RowStore
  readonly bytes: ByteStore
  /** The data of another owner. A call is cheap, because it opens nothing. */
  of(owner: string): OwnerData
  readonly jobs: JobStore
  readonly tokens: TokenStore
  readonly signIns: SignInStore
  readonly indexJobs: IndexJobStore
  /** A number that changes with every change by any process. */
  version(): Promise<number>
  /** Milliseconds since 1970, by the clock of the database, because the clocks of machines differ. */
  now(): Promise<number>
  /** Size on the disk, in bytes. */
  size(): Promise<number>
  /** Checks the whole content, and changes nothing. Returns a sentence for each problem. Takes seconds for a gigabyte. */
  check(): Promise<readonly string[]>
  /** @throws ContextError NoSpace if the disk of the database is full. Does not see the disk of another machine. */
  assertRoom(): Promise<void>
  close(): Promise<void>
}
