/** Documents on their way into the store: gathered into one segment, and stored in one step. */

import { yieldToEvents } from '../../core/steps.ts'
import { indexedNames } from '../../retrieval/reread.ts'
import type { NewSegment } from '../../retrieval/segment.ts'
import type { FileStamp, NewDocument, SkippedFile } from '../../stores/document-store.ts'
import type { IndexWriter } from '../../stores/store.ts'
import { Packer } from './packer.ts'
import { slices, TERMS_AT_ONCE } from './prefetch.ts'
import { Segmenter } from './segmenter.ts'

/** Characters of a segment: its postings are held in memory, twelve bytes each, and there is one for about every sixteen. */
const MOST_CHARACTERS = 12 * 1024 * 1024

/** Documents of a segment, however short: each takes a kilobyte until it is stored, and is read again where that is cut off. */
const MOST_DOCUMENTS = 2048

/** As many characters as this hold as many postings as one does where there are no pieces of words. */
const WITH_SUBSTRINGS = 4

/** A document with its text. */
export type Indexable = Omit<NewDocument, 'deflated'> & { readonly text: string }

/** What is stored in one step. */
class Content {
  readonly documents: (Omit<NewDocument, 'deflated'> & { readonly packed: Promise<Uint8Array> })[] = []
  readonly removed: number[] = []
  readonly stamped: { id: number; stamp: FileStamp }[] = []
  readonly skipped: SkippedFile[] = []
  characters = 0
}

export class IndexBatch {
  readonly #index: IndexWriter
  readonly #collection: string
  readonly #packer = new Packer()
  readonly #segmenter = new Segmenter()
  #content = new Content()
  /** What went before, on its way. */
  #storing: Promise<void> = Promise.resolve()

  constructor(index: IndexWriter, collection: string) {
    this.#index = index
    this.#collection = collection
  }

  /** Also begins to store what there is, when it is enough: the next is gathered meanwhile. */
  async add({ text, ...document }: Indexable): Promise<void> {
    const { title, path, hasSubstrings } = document
    const names = document.format === 'markdown' ? indexedNames(document, text) : []
    const packed = this.#packer.pack(text)
    // Who stores it hears of the failure.
    packed.catch(() => {})
    this.#content.documents.push({ ...document, packed })
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
    this.#packer.flush()
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
    const segment = await building
    const documents = await Promise.all(
      given.map(async ({ packed, ...document }) => ({ ...document, deflated: await packed })),
    )
    const id = await this.#index.begin()
    for (const terms of slices(segment.terms(), TERMS_AT_ONCE)) {
      await this.#index.put(id, terms)
      await yieldToEvents()
    }
    const added = { collection: this.#collection, documents, segment: id, lengths: segment }
    await this.#index.apply({ added, removed, stamped, ...skipped })
  }

  /** Ends what it needed. */
  async end(): Promise<void> {
    await Promise.all([this.#packer.end(), this.#segmenter.end()])
  }
}
