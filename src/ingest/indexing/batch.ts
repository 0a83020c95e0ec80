/** Collects documents into a segment (a part of the index), and stores the segment in one step. */

import { Worker } from 'node:worker_threads'
import { mapParallel, yieldToEvents } from '../../core/steps.ts'
import { indexedNames } from '../../retrieval/reread.ts'
import { type IndexedDocument, type NewSegment, postingsIn, SegmentBuilder } from '../../retrieval/segment.ts'
import { deflateInThread } from '../../stores/deflated.ts'
import type { FileStamp, NewDocument, SkippedFile } from '../../stores/document-store.ts'
import type { IndexWriter } from '../../stores/store.ts'
import { slices, TERMS_AT_ONCE } from './prefetch.ts'
import type { SegmenterMessage } from './side-work.ts'

/** Maximum characters of a segment, whose postings are in memory: twelve bytes for about every sixteen characters. */
const MAX_CHARACTERS = 12 * 1024 * 1024

/**
 * Maximum documents of a segment. Each takes a kilobyte of memory, and is read again after a crash before the write.
 */
const MAX_DOCUMENTS = 2048

/** Substrings multiply the postings of a text by this factor. */
const SUBSTRING_FACTOR = 4

/** Maximum concurrent compressions, which run in other threads, and are about a fifth of the work of indexing. */
const MAX_COMPRESSIONS = 4

export type IndexableDocument = Omit<NewDocument, 'deflated'> & { readonly text: string }

/** The changes of an index that are stored in one step. */
class SegmentContent {
  readonly documents: IndexableDocument[] = []
  readonly removed: number[] = []
  readonly stamped: { id: number; stamp: FileStamp }[] = []
  readonly skipped: SkippedFile[] = []
  characters = 0
}

export class IndexBatch {
  readonly #index: IndexWriter
  readonly #collection: string
  readonly #segmenter = new Segmenter()
  #content = new SegmentContent()
  /** The last write that was started. */
  #pendingWrite: Promise<void> = Promise.resolve()

  constructor(index: IndexWriter, collection: string) {
    this.#index = index
    this.#collection = collection
  }

  /** Adds a document. A full segment is stored while the next segment is collected. */
  async add(document: IndexableDocument): Promise<void> {
    const { title, path, hasSubstrings, text } = document
    const names = document.format === 'markdown' ? indexedNames(document, text) : []
    this.#content.documents.push(document)
    this.#content.characters += text.length * (hasSubstrings ? SUBSTRING_FACTOR : 1)
    await this.#segmenter.add({ title, path, body: text, names, hasSubstrings })
    const { characters, documents } = this.#content
    if (characters > MAX_CHARACTERS || documents.length >= MAX_DOCUMENTS) await this.#startWrite()
  }

  remove(id: number): void {
    this.#content.removed.push(id)
  }

  stamp(id: number, stamp: FileStamp): void {
    this.#content.stamped.push({ id, stamp })
  }

  /** As `add`, for a skipped file. */
  async skip(file: SkippedFile): Promise<void> {
    this.#content.skipped.push(file)
    if (this.#content.skipped.length >= MAX_DOCUMENTS) await this.#startWrite()
  }

  /** Stores all collected changes, or nothing, and waits for the write. */
  async flush(): Promise<void> {
    await this.#startWrite()
    await this.#pendingWrite
  }

  async #startWrite(): Promise<void> {
    // Writes run one after the other, even if several calls wait to start one.
    for (let previousWrite: Promise<void> | undefined; previousWrite !== this.#pendingWrite; ) {
      previousWrite = this.#pendingWrite
      await previousWrite
    }
    const content = this.#content
    this.#content = new SegmentContent()
    const segment = content.documents.length === 0 ? undefined : this.#segmenter.finish()
    this.#pendingWrite = this.#writeContent(content, segment)
    // Its error is thrown when the next write starts.
    this.#pendingWrite.catch(() => {})
  }

  async #writeContent(
    { documents, removed, stamped, skipped: files }: SegmentContent,
    segmentPromise: Promise<NewSegment> | undefined,
  ): Promise<void> {
    const skipped = files.length > 0 ? { skipped: { collection: this.#collection, files } } : {}
    if (!segmentPromise) {
      if (removed.length + stamped.length + files.length > 0) await this.#index.apply({ removed, stamped, ...skipped })
      return
    }
    const compressed = mapParallel(documents, { atOnce: MAX_COMPRESSIONS }, async ({ text, ...document }) => ({
      ...document,
      deflated: await deflateInThread(text),
    }))
    const [segment, deflated] = await Promise.all([segmentPromise, compressed])
    const id = await this.#index.begin()
    for (const terms of slices(postingsIn(segment), TERMS_AT_ONCE)) {
      await this.#index.put(id, terms)
      await yieldToEvents()
    }
    const added = { collection: this.#collection, documents: deflated, segment: id, lengths: segment }
    await this.#index.apply({ added, removed, stamped, ...skipped })
  }

  /** Ends the thread. */
  async end(): Promise<void> {
    await this.#segmenter.end()
  }
}

/** Maximum characters of a segment whose words this thread counts. Above it, another thread counts all words again. */
const MAX_IN_THREAD = 512 * 1024

/** Characters of a message to the thread, and maximum number of messages without an answer. */
const CHARACTERS_PER_MESSAGE = 256 * 1024
const MAX_UNANSWERED = 8

/** Size in MB of the other thread's young heap, which holds the words of a text. */
const YOUNG_HEAP_MB = 4

/**
 * Makes segments of documents: small segments in this thread, large segments in another. Counting words is about half of the
 * work of indexing.
 */
export class Segmenter {
  #worker: Worker | undefined
  /** The error that ended the thread. */
  #failure: unknown
  /** For each message to the other thread without an answer, in order: the promise of the answer. */
  readonly #pendingSegments: PromiseWithResolvers<NewSegment>[] = []
  /** Counts the words of `#documents` while there is no thread. */
  #builder = new SegmentBuilder()
  /** Documents to send to the thread. Before the thread starts, all documents of the segment. */
  #documents: IndexedDocument[] = []
  /** Number of characters of `#documents`. */
  #characters = 0

  /** Adds a document. Waits for the thread if it is behind. */
  async add(document: IndexedDocument): Promise<void> {
    this.#documents.push(document)
    this.#characters += document.body.length
    if (this.#characters < (this.#worker ? CHARACTERS_PER_MESSAGE : MAX_IN_THREAD)) {
      if (!this.#worker) this.#builder.add(document)
      return
    }
    if (!this.#worker) this.#builder = new SegmentBuilder()
    // `finish` throws the error.
    this.#send(false).catch(() => {})
    while (this.#pendingSegments.length > MAX_UNANSWERED) await this.#pendingSegments[0]?.promise
  }

  /** The segment of the documents since the last segment. @throws Error if the thread ended before its answer. */
  async finish(): Promise<NewSegment> {
    if (this.#worker) return this.#send(true)
    this.#documents = []
    this.#characters = 0
    return this.#builder.finish()
  }

  #send(isLast: boolean): Promise<NewSegment> {
    this.#worker ??= this.#startWorker()
    const pendingSegment = Promise.withResolvers<NewSegment>()
    if (this.#failure) pendingSegment.reject(this.#failure)
    else {
      this.#pendingSegments.push(pendingSegment)
      this.#worker.postMessage({ documents: this.#documents, isLast } satisfies SegmenterMessage)
    }
    this.#documents = []
    this.#characters = 0
    return pendingSegment.promise
  }

  #startWorker(): Worker {
    const moduleUrl = import.meta.url
    const program = new URL(`./side-work${moduleUrl.slice(moduleUrl.lastIndexOf('.'))}`, moduleUrl)
    const worker = new Worker(program, { resourceLimits: { maxYoungGenerationSizeMb: YOUNG_HEAP_MB } })
    worker.on('message', (answer) => this.#pendingSegments.shift()?.resolve(answer))
    worker.on('error', (error) => this.#fail(error))
    worker.on('exit', () => this.#fail(new Error('The thread ended.')))
    return worker
  }

  #fail(reason: unknown): void {
    this.#failure ??= reason
    for (const { reject } of this.#pendingSegments.splice(0)) reject(reason)
  }

  /** Ends the thread, and drops pending work. */
  async end(): Promise<void> {
    await this.#worker?.terminate()
  }
}
