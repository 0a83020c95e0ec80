/** Documents on their way into the store: gathered into one segment, and stored in one step. */

import { Worker } from 'node:worker_threads'
import { mapParallel, yieldToEvents } from '../../core/steps.ts'
import { indexedNames } from '../../retrieval/reread.ts'
import { type Indexed, type NewSegment, postingsIn, SegmentBuilder } from '../../retrieval/segment.ts'
import { deflateInThread } from '../../stores/deflated.ts'
import type { FileStamp, NewDocument, SkippedFile } from '../../stores/document-store.ts'
import type { IndexWriter } from '../../stores/store.ts'
import { slices, TERMS_AT_ONCE } from './prefetch.ts'
import type { WorkOrder } from './side-work.ts'

/** Characters of a segment: its postings are held in memory, twelve bytes each, and there is one for about every sixteen. */
const MOST_CHARACTERS = 12 * 1024 * 1024

/** Documents of a segment, however short: each takes a kilobyte until it is stored, and is read again where that is cut off. */
const MOST_DOCUMENTS = 2048

/** As many characters as this hold as many postings as one does where there are no pieces of words. */
const WITH_SUBSTRINGS = 4

/** Texts that are compressed at the same time, beside this thread: that is about a fifth of what it takes to index. */
const WIDE = 4

/** A document with its text. */
export type Indexable = Omit<NewDocument, 'deflated'> & { readonly text: string }

/** Content that is stored in one step. */
class Content {
  readonly documents: Indexable[] = []
  readonly removed: number[] = []
  readonly stamped: { id: number; stamp: FileStamp }[] = []
  readonly skipped: SkippedFile[] = []
  characters = 0
}

export class IndexBatch {
  readonly #index: IndexWriter
  readonly #collection: string
  readonly #segmenter = new Segmenter()
  #content = new Content()
  /** The store of the step before, under way. */
  #storing: Promise<void> = Promise.resolve()

  constructor(index: IndexWriter, collection: string) {
    this.#index = index
    this.#collection = collection
  }

  /** Also begins to store what there is, when it is enough: the next is gathered meanwhile. */
  async add(document: Indexable): Promise<void> {
    const { title, path, hasSubstrings, text } = document
    const names = document.format === 'markdown' ? indexedNames(document, text) : []
    this.#content.documents.push(document)
    this.#content.characters += text.length * (hasSubstrings ? WITH_SUBSTRINGS : 1)
    await this.#segmenter.add({ title, path, body: text, names, hasSubstrings })
    const { characters, documents } = this.#content
    if (characters > MOST_CHARACTERS || documents.length >= MOST_DOCUMENTS) await this.#store()
  }

  remove(id: number): void {
    this.#content.removed.push(id)
  }

  stamp(id: number, stamp: FileStamp): void {
    this.#content.stamped.push({ id, stamp })
  }

  /** As `add`, of a file that is no document. */
  async skip(file: SkippedFile): Promise<void> {
    this.#content.skipped.push(file)
    if (this.#content.skipped.length >= MOST_DOCUMENTS) await this.#store()
  }

  /** Stores what there is: all of it, or nothing. */
  async flush(): Promise<void> {
    await this.#store()
    await this.#storing
  }

  async #store(): Promise<void> {
    // One after the other, also where several find that it is enough.
    for (let before: Promise<void> | undefined; before !== this.#storing; ) {
      before = this.#storing
      await before
    }
    const content = this.#content
    this.#content = new Content()
    const segment = content.documents.length === 0 ? undefined : this.#segmenter.finish()
    this.#storing = this.#stored(content, segment)
    // Whoever stores next hears of it.
    this.#storing.catch(() => {})
  }

  async #stored(
    { documents: given, removed, stamped, skipped: files }: Content,
    building: Promise<NewSegment> | undefined,
  ): Promise<void> {
    const skipped = files.length > 0 ? { skipped: { collection: this.#collection, files } } : {}
    if (!building) {
      if (removed.length + stamped.length + files.length > 0) await this.#index.apply({ removed, stamped, ...skipped })
      return
    }
    const compressed = mapParallel(given, { wide: WIDE }, async ({ text, ...document }) => ({
      ...document,
      deflated: await deflateInThread(text),
    }))
    const [segment, documents] = await Promise.all([building, compressed])
    const id = await this.#index.begin()
    for (const terms of slices(postingsIn(segment), TERMS_AT_ONCE)) {
      await this.#index.put(id, terms)
      await yieldToEvents()
    }
    const added = { collection: this.#collection, documents, segment: id, lengths: segment }
    await this.#index.apply({ added, removed, stamped, ...skipped })
  }

  /** Ends what it needed. */
  async end(): Promise<void> {
    await this.#segmenter.end()
  }
}

/** Characters that are counted here, while the next files are read: so much is done again where there turn out to be more. */
const FEW = 512 * 1024

/** Characters that the thread is sent at a time, and how many lists before it has answered. */
const TOGETHER = 256 * 1024
const MOST_UNANSWERED = 8

/** Memory of the thread for what is short-lived: the words of a text. */
const YOUNG_MB = 4

/**
 * Makes segments of documents: of a few here, of many in a thread beside the one that reads them. To count words is about
 * half of what it takes to index.
 */
export class Segmenter {
  #worker: Worker | undefined
  /** Why the thread has ended. */
  #ended: unknown
  /** In the order of the answers. */
  readonly #asked: PromiseWithResolvers<NewSegment>[] = []
  /** Of `#documents`, as long as there is no thread. */
  #builder = new SegmentBuilder()
  /** Documents to send; all of them, until there is a thread. */
  #documents: Indexed[] = []
  #characters = 0

  /** Waits for the thread when that has not kept up. */
  async add(document: Indexed): Promise<void> {
    this.#documents.push(document)
    this.#characters += document.body.length
    if (this.#characters < (this.#worker ? TOGETHER : FEW)) {
      if (!this.#worker) this.#builder.add(document)
      return
    }
    if (!this.#worker) this.#builder = new SegmentBuilder()
    // Whoever asks for the segment hears of a failure.
    this.#send(false).catch(() => {})
    while (this.#asked.length > MOST_UNANSWERED) await this.#asked[0]?.promise
  }

  /** The segment of what was added since the last one. @throws Error when the thread has ended, or ends before it answers. */
  async finish(): Promise<NewSegment> {
    if (this.#worker) return this.#send(true)
    this.#documents = []
    this.#characters = 0
    return this.#builder.finish()
  }

  #send(isLast: boolean): Promise<NewSegment> {
    this.#worker ??= this.#started()
    const answer = Promise.withResolvers<NewSegment>()
    if (this.#ended) answer.reject(this.#ended)
    else {
      this.#asked.push(answer)
      this.#worker.postMessage({ documents: this.#documents, isLast } satisfies WorkOrder)
    }
    this.#documents = []
    this.#characters = 0
    return answer.promise
  }

  #started(): Worker {
    const here = import.meta.url
    const program = new URL(`./side-work${here.slice(here.lastIndexOf('.'))}`, here)
    const worker = new Worker(program, { resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB } })
    worker.on('message', (answer) => this.#asked.shift()?.resolve(answer))
    worker.on('error', (error) => this.#failed(error))
    worker.on('exit', () => this.#failed(new Error('The thread ended.')))
    return worker
  }

  #failed(reason: unknown): void {
    this.#ended ??= reason
    for (const { reject } of this.#asked.splice(0)) reject(reason)
  }

  /** Ends the thread; what was not waited for is given up. */
  async end(): Promise<void> {
    await this.#worker?.terminate()
  }
}
