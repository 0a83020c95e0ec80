/** Documents on their way into the store: gathered into one segment, and stored in one step. */

import { pause } from '../core/steps.ts'
import { SegmentBuilder } from '../lexical/segment.ts'
import type { FileStamp, NewDocument } from '../stores/document-store.ts'
import type { IndexStore } from '../stores/store.ts'
import { Packer } from './packer.ts'

/** Held in memory at a time: postings, twelve bytes each, and characters of texts, which are compressed meanwhile. */
const MOST_POSTINGS = 700_000
const MOST_CHARACTERS = 24 * 1024 * 1024

/** A document with its text. */
export type Indexable = Omit<NewDocument, 'deflated'> & { readonly text: string }

/** Terms that are written at a time: others may write between. */
const TERMS_AT_ONCE = 4_000

export class Batch {
  readonly #index: IndexStore
  readonly #collection: string
  readonly #packer = new Packer()
  #builder = new SegmentBuilder()
  #documents: (Omit<NewDocument, 'deflated'> & { readonly packed: Promise<Uint8Array> })[] = []
  #characters = 0
  #removed: number[] = []
  #stamped: { id: number; stamp: FileStamp }[] = []

  constructor(index: IndexStore, collection: string) {
    this.#index = index
    this.#collection = collection
  }

  get isFull(): boolean {
    return this.#builder.postings > MOST_POSTINGS || this.#characters > MOST_CHARACTERS
  }

  add({ text, ...document }: Indexable): void {
    const { title, path, hasSubstrings } = document
    this.#builder.add({ title, path, body: text, hasSubstrings })
    const packed = this.#packer.pack(text)
    // Who flushes hears of the failure.
    packed.catch(() => {})
    this.#documents.push({ ...document, packed })
    this.#characters += text.length
  }

  remove(id: number): void {
    this.#removed.push(id)
  }

  stamp(id: number, stamp: FileStamp): void {
    this.#stamped.push({ id, stamp })
  }

  /** Stores what there is: all of it, or nothing. */
  async flush(): Promise<void> {
    this.#packer.flush()
    const whole = this.#documents.map(async ({ packed, ...document }) => ({ ...document, deflated: await packed }))
    const documents = await Promise.all(whole)
    const [removed, stamped] = [this.#removed, this.#stamped]
    const segment = documents.length === 0 ? undefined : this.#builder.finish()
    this.#builder = new SegmentBuilder()
    this.#documents = []
    this.#removed = []
    this.#stamped = []
    this.#characters = 0
    if (!segment) {
      if (removed.length + stamped.length > 0) await this.#index.apply({ removed, stamped })
      return
    }
    const id = await this.#index.begin()
    for (const terms of slices(segment.terms(), TERMS_AT_ONCE)) {
      await this.#index.put(id, terms)
      await pause()
    }
    const added = { collection: this.#collection, documents, segment: id, lengths: segment }
    await this.#index.apply({ added, removed, stamped })
  }

  /** Ends what it needed. */
  end(): Promise<void> {
    return this.#packer.end()
  }
}

function* slices<Item>(items: Iterable<Item>, size: number): Generator<Item[]> {
  let slice: Item[] = []
  for (const item of items) {
    slice.push(item)
    if (slice.length < size) continue
    yield slice
    slice = []
  }
  if (slice.length > 0) yield slice
}
