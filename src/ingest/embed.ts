/** Gives vectors to the documents that have none yet. */

import { throwIfAborted } from '../core/errors.ts'
import type { Run } from '../core/flow.ts'
import type { EmbedAnswer, EmbeddingModel } from '../models/embedding.ts'
import { packVector } from '../retrieval/packed-vectors.ts'
import type { Document } from '../stores/document-store.ts'
import type { Store } from '../stores/store.ts'
import type { NewVectors } from '../stores/vector-store.ts'
import { vectorsOf } from './embedded.ts'
import { centreFor, isRefused, sampleCentre } from './indexing/centre.ts'
import { chunksOf, type TextChunk } from './indexing/chunks.ts'

export { sampleCentre }

export interface EmbedOptions {
  /** Names of collections; none: all. */
  readonly collections: readonly string[]
  /** Makes all vectors anew. Default: false. */
  readonly force?: boolean | undefined
}

/** Documents whose texts are read at a time. */
const READ_AT_ONCE = 64

/** Chunks that are sent at a time: few enough that a stop loses little, many enough that a service is kept busy. */
const SENT_AT_ONCE = 32

/** Requests under way at a time. */
const UNDER_WAY = 3

/** Texts refused one after the other, with none taken before, after which it is not a fault of the texts. */
const MOST_REFUSED = 3

/** Of a text that holds nothing but front matter. */
const TITLE_ALONE: TextChunk = { text: '', lines: { start: 1, end: 1 }, headings: [] }

/**
 * Sends what is new to the model, some chunks at a time, and stores each answer: what was done stays when it is stopped.
 * Vectors of other models go when this one has made its own. The caller holds the right to write vectors.
 *
 * @throws ContextError `unavailable` or `denied` by the service; `invalid-input` when it refuses everything; `conflict` when it
 * gives other dimensions than before; `cancelled`.
 */
export async function embedDocuments(
  store: Store,
  model: EmbeddingModel,
  { collections, force = false }: EmbedOptions,
  run: Run,
): Promise<EmbedAnswer> {
  const name = vectorsOf(model)
  // Those of a model that there is none of: all.
  const documents = await store.vectors.missing(force ? '' : name, collections)
  const isAnew = force && collections.length === 0
  const hasWork = documents.length > 0
  const centre = hasWork ? await centreFor(store, model, { isAnew, signal: run.signal }) : new Float32Array()
  const work = new Embedding(store, model, run, { total: documents.length, centre })
  await work.all(documents)
  await store.vectors.prune(name)
  return work.answer
}

/** A document with what is sent of it. */
interface Cut {
  readonly document: Document
  readonly chunks: readonly TextChunk[]
}

class Embedding {
  readonly #store: Store
  readonly #model: EmbeddingModel
  readonly #run: Run
  readonly #total: number
  readonly #centre: Float32Array
  #isFirst = true
  readonly #left: { collection: string; path: string; detail: string }[] = []
  #embedded = 0
  #chunks = 0

  constructor(
    store: Store,
    model: EmbeddingModel,
    run: Run,
    { total, centre }: { readonly total: number; readonly centre: Float32Array },
  ) {
    this.#store = store
    this.#model = model
    this.#run = run
    this.#total = total
    this.#centre = centre
  }

  get answer(): EmbedAnswer {
    const { length: failed } = this.#left
    return { model: this.#model.name, embedded: this.#embedded, chunks: this.#chunks, failed, left: this.#left }
  }

  /** Some requests at a time; the first that fails ends the others. */
  async all(documents: readonly Document[]): Promise<void> {
    const stop = new AbortController()
    const signal = AbortSignal.any([stop.signal, ...(this.#run.signal ? [this.#run.signal] : [])])
    const groups = this.#groups(documents)
    const worker = async () => {
      for await (const group of groups) {
        this.#tell()
        await this.#group(group, signal)
      }
    }
    try {
      // One alone: where nobody is there, that is soon known.
      const first = await groups.next()
      if (!first.done) await this.#group(first.value, signal)
      await Promise.all(Array.from({ length: UNDER_WAY }, worker))
    } catch (error) {
      stop.abort()
      throw error
    }
    this.#tell()
  }

  #tell(): void {
    const done = this.#embedded + this.#left.length
    this.#run.emit({ type: 'progress', what: this.#model.name, done, total: this.#total })
  }

  /** Whole documents, of so many chunks together or one that has more. */
  async *#groups(documents: readonly Document[]): AsyncGenerator<Cut[], void, void> {
    let group: Cut[] = []
    let size = 0
    for (let at = 0; at < documents.length; at += READ_AT_ONCE) {
      throwIfAborted(this.#run.signal)
      const some = documents.slice(at, at + READ_AT_ONCE)
      const texts = await this.#store.documents.texts(some.map(({ id }) => id))
      for (const document of some) {
        const text = texts.get(document.id)
        // Removed meanwhile.
        if (text === undefined) continue
        const found = chunksOf(text, { isMarkdown: isMarkdown(document) })
        const chunks = found.length > 0 ? found : [TITLE_ALONE]
        if (size > 0 && size + chunks.length > SENT_AT_ONCE) {
          yield group
          group = []
          size = 0
        }
        group.push({ document, chunks })
        size += chunks.length
      }
    }
    if (group.length > 0) yield group
  }

  /** Where one text makes the model refuse them all, they are sent one document after the other. */
  async #group(group: readonly Cut[], signal: AbortSignal): Promise<void> {
    try {
      await this.#send(group, signal)
    } catch (error) {
      if (!isRefused(error)) throw error
      if (group.length > 1) for (const one of group) await this.#group([one], signal)
      else for (const { document } of group) this.#leave(document, error)
    }
  }

  #leave({ collection, path }: Document, error: Error): void {
    this.#left.push({ collection, path, detail: error.message })
    if (this.#embedded === 0 && this.#left.length >= MOST_REFUSED) throw error
  }

  async #send(group: readonly Cut[], signal: AbortSignal): Promise<void> {
    const texts = group.flatMap((cut) => cut.chunks.map((chunk) => chunkText(cut.document, chunk)))
    const vectors: Float32Array[] = []
    for (let at = 0; at < texts.length; at += SENT_AT_ONCE) {
      vectors.push(...(await this.#model.documents(texts.slice(at, at + SENT_AT_ONCE), signal, this.#isFirst)))
      this.#isFirst = false
    }
    let next = 0
    const contents = group.map(({ document, chunks }): NewVectors => {
      const own = vectors.slice(next, next + chunks.length)
      next += chunks.length
      const packedAt = (at: number) => packVector(own[at] ?? [], this.#centre)
      return { hash: document.hash, chunks: chunks.map(({ lines }, at) => ({ ...lines, ...packedAt(at) })) }
    })
    await this.#store.vectors.put(vectorsOf(this.#model), this.#centre, contents)
    this.#embedded += group.length
    this.#chunks += texts.length
  }
}

/** With where it stands: a chunk alone may not name what it is about. */
function chunkText({ title }: Document, { headings, text }: TextChunk): string {
  const place = [title, ...headings.filter((heading) => heading !== title)].join(' > ')
  return `${place}\n\n${text}`
}

/** Of these formats the text is Markdown, as it was extracted. */
function isMarkdown({ format }: Document): boolean {
  return /^(?:markdown|html|docx|xlsx|pptx|odt)$/.test(format)
}
