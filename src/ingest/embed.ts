/** Computes the vectors of documents by an embedding model, for the search by meaning. */

import { ContextError, throwIfAborted } from '../core/errors.ts'
import type { Run } from '../core/flow.ts'
import { mapParallel } from '../core/steps.ts'
import type { EmbedAnswer, EmbeddingModel } from '../models/embedding.ts'
import { centreOf, packVector } from '../retrieval/packed-vectors.ts'
import type { Document } from '../stores/document-store.ts'
import type { Store } from '../stores/store.ts'
import type { NewVectors } from '../stores/vector-store.ts'
import { nameVectors } from './embedded.ts'
import { isMarkdown } from './extracted.ts'
import { chunksOf, type TextChunk } from './indexing/chunks.ts'
import { slices } from './indexing/prefetch.ts'

export interface EmbedOptions {
  /** Names of collections. An empty list means all collections. */
  readonly collections: readonly string[]
  /** Computes all vectors again. Default: false. */
  readonly force?: boolean | undefined
}

/** Number of documents whose texts are read at a time. */
const TEXTS_PER_READ = 64

/** Number of chunks (pieces of texts) in a request: few, so that a stop loses little, but enough for a fast service. */
const CHUNKS_PER_REQUEST = 32

/** Maximum concurrent requests. */
const MAX_REQUESTS = 3

/** If the service refuses this number of texts and accepts no text, the service counts as the cause of the failure. */
const MAX_REFUSED = 3

/** The chunk of a text that is only front matter. */
const TITLE_CHUNK: TextChunk = { text: '', lines: { start: 1, end: 1 }, headings: [] }

/**
 * Computes the vectors that documents lack: sends their chunks to the model in batches, and stores each answer, so that
 * finished work stays when the call is stopped. Deletes vectors of other models at the end. The caller holds the lock
 * for vectors.
 *
 * @throws ContextError `unavailable` or `denied` from the service; `invalid-input` if the service refuses everything;
 * `conflict` if the number of dimensions differs from the stored vectors; `cancelled`.
 */
export async function embedDocuments(
  store: Store,
  model: EmbeddingModel,
  { collections, force = false }: EmbedOptions,
  run: Run,
): Promise<EmbedAnswer> {
  const name = nameVectors(model)
  const { signal } = run
  // With the name `''`, which no vectors have, vectors of all documents are missing.
  const documents = await store.vectors.missing(force ? '' : name, collections)
  const recomputesAll = force && collections.length === 0
  const centre = documents.length > 0 ? await centreFor(store, model, { recomputesAll, signal }) : new Float32Array()
  const left: EmbedAnswer['left'][number][] = []
  let [embeddedCount, chunkCount, isFirstRequest] = [0, 0, true]
  const embedBatch = async (batch: Batch, stop: AbortSignal | undefined) => {
    const texts = batch.flatMap(({ document, chunks }) => chunks.map((chunk) => chunkText(document, chunk)))
    const vectors: Float32Array[] = []
    for (const request of slices(texts, CHUNKS_PER_REQUEST)) {
      vectors.push(...(await model.documents(request, stop, isFirstRequest)))
      isFirstRequest = false
    }
    const nextVector = vectors.values()
    const newVectors = batch.map(({ document, chunks }): NewVectors => {
      const packed = chunks.map(({ lines }) => ({ ...lines, ...packVector(nextVector.next().value ?? [], centre) }))
      return { hash: document.hash, chunks: packed }
    })
    await store.vectors.put(name, centre, newVectors)
    embeddedCount += batch.length
    chunkCount += texts.length
  }
  /** If the model refuses a batch, its documents are sent one by one. */
  const embedOrSplit = async (batch: Batch, stop: AbortSignal | undefined): Promise<void> => {
    try {
      await embedBatch(batch, stop)
    } catch (error) {
      if (!isRefused(error)) throw error
      if (batch.length > 1) for (const single of batch) await embedOrSplit([single], stop)
      else
        left.push(...batch.map(({ document: { collection, path } }) => ({ collection, path, detail: error.message })))
      if (embeddedCount === 0 && left.length >= MAX_REFUSED) throw error
    }
  }
  const reportProgress = () =>
    run.emit({ type: 'progress', what: model.name, done: embeddedCount + left.length, total: documents.length })
  const batches = batchDocuments(store, documents, signal)
  // The first request runs alone, so that a missing service is known soon. Then several run at once; the first failure ends
  // the other requests.
  const firstBatch = await batches.next()
  if (!firstBatch.done) await embedOrSplit(firstBatch.value, signal)
  await mapParallel(batches, { atOnce: MAX_REQUESTS, signal }, async (batch, stop) => {
    reportProgress()
    await embedOrSplit(batch, stop)
  })
  reportProgress()
  await store.vectors.prune(name)
  return { model: model.name, embedded: embeddedCount, chunks: chunkCount, failed: left.length, left }
}

/** A document, and its texts for the model. */
interface ChunkedDocument {
  readonly document: Document
  readonly chunks: readonly TextChunk[]
}

type Batch = readonly ChunkedDocument[]

/** Batches of whole documents with at most `CHUNKS_PER_REQUEST` chunks. A larger document is a batch of its own. */
async function* batchDocuments(store: Store, documents: readonly Document[], signal: AbortSignal | undefined) {
  let batch: ChunkedDocument[] = []
  let chunkCount = 0
  for (const page of slices(documents, TEXTS_PER_READ)) {
    throwIfAborted(signal)
    const texts = await store.documents.texts(page.map(({ id }) => id))
    for (const document of page) {
      const text = texts.get(document.id)
      // The document was removed meanwhile.
      if (text === undefined) continue
      const textChunks = chunksOf(text, { isMarkdown: isMarkdown(document) })
      const chunks = textChunks.length > 0 ? textChunks : [TITLE_CHUNK]
      if (chunkCount > 0 && chunkCount + chunks.length > CHUNKS_PER_REQUEST) {
        yield batch
        batch = []
        chunkCount = 0
      }
      batch.push({ document, chunks })
      chunkCount += chunks.length
    }
  }
  if (batch.length > 0) yield batch
}

/** The text of a chunk for the model: title and headings first, because the chunk may not name its subject. */
function chunkText({ title }: Document, { headings, text }: TextChunk): string {
  const headingPath = [title, ...headings.filter((heading) => heading !== title)].join(' > ')
  return `${headingPath}\n\n${text}`
}

/**
 * Texts about many subjects, whose mean vector is the centre of a model. The texts are constant, so that the vectors of
 * a document do not depend on other documents.
 */
export const SAMPLES: readonly string[] = [
  'The meeting was moved to Thursday because two of us are travelling.',
  'Install the package, then add its folder to your path.',
  'function add(a, b) { return a + b }',
  'Water the plants twice a week, and less often in winter.',
  'The court held that the contract was void.',
  'Patients with a fever should drink more than usual.',
  'SELECT name, price FROM products WHERE stock > 0 ORDER BY price',
  'She closed the door, walked down to the harbour and did not look back.',
  'Error: connection refused. Retrying in 5 seconds.',
  'Quarterly revenue rose by eight per cent, mostly in Asia.',
  'Die Bahn fährt heute nur bis zum Hauptbahnhof.',
  'El museo está abierto todos los días menos el lunes.',
  'Le vent tourne au nord et la mer se calme.',
  '会議は来週の月曜日に延期されました。',
  '这个函数返回一个列表。',
  'Собака спит под столом.',
  'The proof follows by induction on the length of the list.',
  'Whisk the eggs with sugar until the mixture is pale.',
  'timeout: 30\nretries: 3\nverbose: false',
  'A comet crossed the orbit of Mars last night.',
  'Please find the invoice attached; payment is due in thirty days.',
  'The striker scored twice in the second half.',
  'Who may see this page, and how do I sign in?',
  'Chapter 3: trade and cities in the Middle Ages',
]

/**
 * The stored centre of a model (the mean vector of the samples). Without a stored centre, or with `recomputesAll`,
 * computes the centre, and deletes old vectors after the service has answered.
 *
 * @throws ContextError as `EmbeddingModel.documents`.
 */
export async function centreFor(
  { vectors }: Store,
  model: EmbeddingModel,
  { recomputesAll, signal }: { readonly recomputesAll: boolean; readonly signal: AbortSignal | undefined },
): Promise<Float32Array> {
  const stored = recomputesAll ? undefined : await vectors.centre(nameVectors(model))
  if (stored) return stored
  const centre = await sampleCentre(model, signal)
  await vectors.clear(nameVectors(model))
  return centre
}

/** The centre of the samples. @throws ContextError as `EmbeddingModel.documents`. */
export async function sampleCentre(model: EmbeddingModel, signal: AbortSignal | undefined): Promise<Float32Array> {
  return centreOf(await sampleVectors(model, signal))
}

/** The vectors of the samples that the model can embed. A model may not know the languages of all samples. */
async function sampleVectors(model: EmbeddingModel, signal: AbortSignal | undefined): Promise<Float32Array[]> {
  try {
    return await model.documents(SAMPLES, signal, true)
  } catch (error) {
    if (!isRefused(error)) throw error
    const acceptedVectors: Float32Array[] = []
    for (const [at, sample] of SAMPLES.entries()) {
      if (acceptedVectors.length === 0 && at >= MAX_REFUSED) throw error
      const vectors = model.documents([sample], signal).catch((problem: unknown) => {
        if (isRefused(problem)) return []
        throw problem
      })
      acceptedVectors.push(...(await vectors))
    }
    return acceptedVectors
  }
}

/** Whether the model refused the texts. */
function isRefused(error: unknown): error is ContextError {
  return error instanceof ContextError && error.code === 'invalid-input'
}
