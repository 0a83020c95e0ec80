/** Compares documents with a query by the embedding model: by stored vectors, and by vectors computed in the search. */

import { ContextError, orElse } from '../../core/errors.ts'
import type { Run } from '../../core/flow.ts'
import { setNewest } from '../../core/set-newest.ts'
import { Deadline } from '../../core/steps.ts'
import { nameVectors } from '../../ingest/embedded.ts'
import type { EmbeddingModel } from '../../models/embedding.ts'
import { cosineOf, type PassageSpan } from '../../retrieval/meaning.ts'
import { parseQuery } from '../../retrieval/query.ts'
import { passageAround } from '../../retrieval/snippets.ts'
import type { Store } from '../../stores/store.ts'
import type { SearchMode } from '../answers.ts'
import type { ExactTextReader } from './exact-text.ts'
import type { VectorHit } from './fusion.ts'
import type { ComparedHit, Meaning, NearDocument } from './meaning.ts'

/** A query as a vector of a model. */
export interface ModelQuery {
  /** The name of the stored vectors of the model. */
  readonly name: string
  readonly vector: Float32Array
  /** The mean of the vectors at length 1. Its squared length is about the cosine of two unrelated texts. */
  readonly centre: Float32Array
  /** Embeds passages during the search; only for a local model. */
  readonly encode?: (texts: readonly string[]) => Promise<readonly Float32Array[]>
}

/**
 * The comparison by the embedding model. `vectorHits`: hits by stored vectors, the nearest first. `table`: the
 * comparison by the built-in table of word vectors, which proposes passages of documents without vectors; the model
 * embeds them.
 */
export function modelMeaning(vectorHits: readonly VectorHit[], model: ModelQuery, table: Meaning | undefined): Meaning {
  const nearestById = new Map<number, NearDocument>(vectorHits.map((hit) => [hit.document.id, hit]))
  const squaredLength = model.centre.reduce((sum, value) => sum + value * value, 0)
  const unrelatedCosine = Math.min(0.9, squaredLength)
  return {
    // The square ranks short texts without a word of the query higher. With the table, it made German results worse.
    coverageExponent: 2,
    weightFor: () => 1,
    findFurther: async (coverage) => [
      ...vectorHits.map(({ document }) => document),
      ...((await table?.findFurther(coverage)) ?? []),
    ],
    nearest: async (hits, texts) => {
      const hitsWithoutVector = hits.filter(({ document }) => !nearestById.has(document.id))
      for (const [id, passage] of await encodePassages(hitsWithoutVector, { model, table, texts }))
        nearestById.set(id, passage)
      const normalise = (cosine: number) => (cosine - unrelatedCosine) / (1 - unrelatedCosine)
      return new Map([...nearestById].map(([id, hit]) => [id, { ...hit, cosine: normalise(hit.cosine) }]))
    },
  }
}

/** Maximum passages of a search, passages of one call of the model, and milliseconds after which no call starts. */
const MAX_PASSAGES = 30
const BATCH_SIZE = 8
const ENCODE_MS = 2_000

/** Maximum number of cached vectors of passages. */
const MAX_CACHED_VECTORS = 5_000
const cachedVectors = new Map<string, Float32Array>()

interface PassageSources {
  readonly model: ModelQuery
  readonly table: Meaning | undefined
  readonly texts: ExactTextReader
}

interface Passage extends PassageSpan {
  readonly id: number
  readonly text: string
}

/**
 * The nearest passage of each document, by its id. Skips passages after the time limit; a later search embeds the
 * skipped passages.
 */
async function encodePassages(hits: readonly ComparedHit[], { model, table, texts }: PassageSources) {
  const nearestById = new Map<number, NearDocument>()
  if (!model.encode) return nearestById
  const passagesPerHit = Math.max(1, Math.floor(MAX_PASSAGES / (hits.length || 1)))
  const passagesById = await texts.map(hits.slice(0, MAX_PASSAGES), (hit, text) =>
    passagesOf(hit, text, table).slice(0, passagesPerHit),
  )
  const passages = [...passagesById.values()].flat()
  const keyOf = ({ text }: Passage) => `${model.name}\0${text}`
  const passagesToEncode = passages.filter((passage) => !cachedVectors.has(keyOf(passage)))
  const startTime = performance.now()
  for (let at = 0; at < passagesToEncode.length && performance.now() - startTime < ENCODE_MS; at += BATCH_SIZE) {
    const batch = passagesToEncode.slice(at, at + BATCH_SIZE)
    const vectors = await model.encode(batch.map(({ text }) => text))
    for (const [index, passage] of batch.entries()) {
      const vector = vectors[index]
      if (vector) setNewest(cachedVectors, keyOf(passage), vector, MAX_CACHED_VECTORS)
    }
  }
  for (const passage of passages) {
    const vector = cachedVectors.get(keyOf(passage))
    if (!vector) continue
    const cosine = cosineOf(model.vector, vector)
    const { id, start, end } = passage
    if (cosine > (nearestById.get(id)?.cosine ?? Number.NEGATIVE_INFINITY)) nearestById.set(id, { cosine, start, end })
  }
  return nearestById
}

/** Passages of a document to compare: the best passage by words, then those that the table proposes. */
function passagesOf({ document, shown }: ComparedHit, text: string, table: Meaning | undefined): Passage[] {
  const { id, title } = document
  const toPassage = ({ start, end }: PassageSpan, words: string): Passage => {
    return { id, text: `${title}\n\n${words}`, start, end }
  }
  const tablePlaces = table?.passages?.(document, text) ?? []
  const beginning = { start: 0, end: Math.min(MAX_PASSAGE_LENGTH, text.length) }
  const places = tablePlaces.length > 0 || shown ? tablePlaces : [beginning]
  const rest = places.map((place) => toPassage(place, text.slice(place.start, place.end)))
  return shown ? [toPassage(shown, passageAround(text, { span: shown }).slice(0, MAX_PASSAGE_LENGTH)), ...rest] : rest
}

/** Maximum UTF-16 units of a passage: about as much as small embedding models read. */
const MAX_PASSAGE_LENGTH = 900

/** How a search runs. `mode` differs from the requested mode if the model fails, or the query has no words for it. */
export interface EmbeddedQuery {
  readonly mode: SearchMode
  /** `vector` if the model failed or is missing; else empty. */
  readonly degraded: readonly string[]
  readonly notices: readonly string[]
  /** The query as a vector of the embedding model. Absent without a model. */
  readonly model?: ModelQuery
}

/** Time limits of the model in milliseconds: short in the default mode, where words find results, too. */
const DEFAULT_MODE_WAIT_MS = 2_000
const REQUESTED_MODE_WAIT_MS = 30_000

const NO_MODEL =
  'no embedding model is set: run "ambit embed --get", or set AMBIT_EMBEDDING_URL and AMBIT_EMBEDDING_MODEL'

const LEXICAL_QUERY: EmbeddedQuery = { mode: 'lexical', degraded: [], notices: [] }
const TABLE_QUERY: EmbeddedQuery = { mode: 'hybrid', degraded: [], notices: [] }

/** Embeds a query by the configured model. If the model fails, the table of word vectors is used, with a notice. */
export async function embedQuery(
  store: Store,
  loadModel: () => Promise<EmbeddingModel | undefined>,
  { query, mode: requestedMode }: { readonly query: string; readonly mode?: SearchMode | undefined },
  { signal }: Run,
): Promise<EmbeddedQuery> {
  if (requestedMode === 'lexical') return LEXICAL_QUERY
  const model = await orElse(loadModel(), (error) => error)
  if (model instanceof ContextError) return fallBackToTable(model.message.replace(/\.$/, ''))
  if (!model) return requestedMode === 'vector' ? fallBackToTable(NO_MODEL) : TABLE_QUERY
  const name = nameVectors(model)
  const storedCentre = await store.vectors.centre(name)
  if (!storedCentre && (requestedMode === 'vector' || !model.isInProcess))
    return fallBackToTable('nothing is embedded yet; run "ambit embed"')
  const { plain } = parseQuery(query)
  if (plain === '') return LEXICAL_QUERY
  const mode = requestedMode ?? 'hybrid'
  // The first query of a process opens the model and calibrates it.
  const centre = storedCentre ?? (await calibrateCentre(model, signal))
  using deadline = new Deadline(requestedMode ? REQUESTED_MODE_WAIT_MS : DEFAULT_MODE_WAIT_MS)
  try {
    const vector = await model.query(plain, deadline.or(signal))
    const encode = (texts: readonly string[]) => model.documents(texts, signal)
    const modelQuery = { name, vector, centre, ...(model.isInProcess && { encode }) }
    if (vector.length === centre.length) return { mode, degraded: [], notices: [], model: modelQuery }
    const mismatch = `the model gives vectors of ${vector.length} dimensions, and gave ${centre.length} before`
    return fallBackToTable(`${mismatch}; run "ambit embed --force"`)
  } catch (error) {
    if (signal?.aborted || !(error instanceof ContextError)) throw error
    return fallBackToTable(deadline.isOver ? 'the embedding service took too long' : error.message.replace(/\.$/, ''))
  }
}

/** The mean of the vectors of sample texts, by model, for models without stored vectors. */
const cachedCentres = new WeakMap<EmbeddingModel, Float32Array>()

async function calibrateCentre(model: EmbeddingModel, signal: AbortSignal | undefined): Promise<Float32Array> {
  const cached = cachedCentres.get(model)
  if (cached) return cached
  const { sampleCentre } = await import('../../ingest/embed.ts')
  const centre = await sampleCentre(model, signal)
  cachedCentres.set(model, centre)
  return centre
}

function fallBackToTable(why: string): EmbeddedQuery {
  return { mode: 'hybrid', degraded: ['vector'], notices: [`Searched without the embedding model: ${why}.`] }
}
