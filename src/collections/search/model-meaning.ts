/** Meaning by the embedding model: by its stored vectors, and by passages that it reads during the search. */

import { ContextError } from '../../core/errors.ts'
import type { Run } from '../../core/flow.ts'
import { Deadline } from '../../core/steps.ts'
import { vectorsOf } from '../../ingest/embedded.ts'
import type { EmbeddingModel } from '../../models/embedding.ts'
import { cosineOf } from '../../retrieval/meaning.ts'
import { parseQuery } from '../../retrieval/query.ts'
import { passageAround } from '../../retrieval/snippets.ts'
import type { Store } from '../../stores/store.ts'
import type { SearchMode } from '../answers.ts'
import type { ReadTexts } from './exact-text.ts'
import type { VectorHit } from './fusion.ts'
import type { ComparedHit, Meaning, NearDocument } from './meaning.ts'

/** The embedding model, and its vector of the query. */
export interface AskedModel {
  /** The name of its vectors. */
  readonly name: string
  readonly vector: Float32Array
  /** The mean of directions, whose squared length is the cosine of unrelated texts. */
  readonly centre: Float32Array
  /** Embeds passages during the search; only for a local model. */
  readonly encode?: (texts: readonly string[]) => Promise<readonly Float32Array[]>
}

/** Meaning by vectors of a model: stored ones, the nearest first, and those of passages that `table` proposes and the model embeds now. */
export function modelMeaning(near: readonly VectorHit[], model: AskedModel, table: Meaning | undefined): Meaning {
  const hits = new Map<number, NearDocument>(near.map((hit) => [hit.document.id, hit]))
  const unrelated = Math.min(
    0.9,
    model.centre.reduce((sum, value) => sum + value * value, 0),
  )
  return {
    weightFor: () => 1,
    beyond: async (coverage) => [...near.map(({ document }) => document), ...((await table?.beyond(coverage)) ?? [])],
    nearest: async (compared, texts) => {
      const unknown = compared.filter(({ document }) => !hits.has(document.id))
      for (const [id, found] of await encodePassages(unknown, { model, table, texts })) hits.set(id, found)
      const share = (cosine: number) => (cosine - unrelated) / (1 - unrelated)
      return new Map([...hits].map(([id, hit]) => [id, { ...hit, cosine: share(hit.cosine) }]))
    },
  }
}

/** Maximum passages of a search, passages of one call, and milliseconds after which no call starts. */
const MAX_PASSAGES = 30
const AT_ONCE = 8
const WAIT_MS = 2_000

/** Maximum number of cached vectors of passages. */
const MAX_KEPT = 5_000
const kept = new Map<string, Float32Array>()

interface Reading {
  readonly model: AskedModel
  readonly table: Meaning | undefined
  readonly texts: ReadTexts
}

interface Passage {
  readonly id: number
  readonly text: string
  readonly place: { readonly start: number; readonly end: number }
}

/** The nearest passage of each document by its id. Those after the time limit are missing, until the next search. */
async function encodePassages(
  hits: readonly ComparedHit[],
  { model, table, texts }: Reading,
): Promise<ReadonlyMap<number, NearDocument>> {
  const found = new Map<number, NearDocument>()
  if (!model.encode) return found
  const most = Math.max(1, Math.floor(MAX_PASSAGES / (hits.length || 1)))
  const read = await texts.map(hits.slice(0, MAX_PASSAGES), (hit, text) => passagesOf(hit, text, table).slice(0, most))
  const passages = [...read.values()].flat()
  const keyOf = ({ text }: Passage) => `${model.name}\0${text}`
  const unread = passages.filter((passage) => !kept.has(keyOf(passage)))
  const since = performance.now()
  for (let at = 0; at < unread.length && performance.now() - since < WAIT_MS; at += AT_ONCE) {
    const some = unread.slice(at, at + AT_ONCE)
    const vectors = await model.encode(some.map(({ text }) => text))
    for (const [index, passage] of some.entries()) keep(keyOf(passage), vectors[index])
  }
  for (const passage of passages) {
    const vector = kept.get(keyOf(passage))
    if (!vector) continue
    const cosine = cosineOf(model.vector, vector)
    if (cosine > (found.get(passage.id)?.cosine ?? -2)) found.set(passage.id, { cosine, ...passage.place })
  }
  return found
}

/** Passages of a document: first those by words, then those by the meaning of the table. */
function passagesOf({ document, shown }: ComparedHit, text: string, table: Meaning | undefined): Passage[] {
  const { id, title } = document
  const near = table?.passages?.(document, text) ?? []
  const byWords = shown ? [{ place: shown, said: passageAround(text, { span: shown }).slice(0, LONGEST) }] : []
  const others = near.length === 0 && !shown ? [{ start: 0, end: Math.min(LONGEST, text.length) }] : near
  const places = [...byWords, ...others.map((place) => ({ place, said: text.slice(place.start, place.end) }))]
  return places.map(({ place: { start, end }, said }) => {
    return { id, text: `${title}\n\n${said}`, place: { start, end } }
  })
}

/** Maximum UTF-16 units of a passage, about the context of encoders. */
const LONGEST = 900

function keep(key: string, vector: Float32Array | undefined): void {
  if (!vector) return
  kept.set(key, vector)
  for (const old of kept.keys()) {
    if (kept.size <= MAX_KEPT) break
    kept.delete(old)
  }
}

/** How a search runs, after some requested ways may have failed. */
export interface EmbeddedQuery {
  readonly mode: SearchMode
  /** Requested ways that did not answer. */
  readonly degraded: readonly string[]
  readonly notices: readonly string[]
  /** The query as a vector of the embedding model. Absent without a model. */
  readonly model?: AskedModel
}

/** Time limit in milliseconds of a model that the request does not name: it must not delay the results by words. */
const WAIT_UNASKED_MS = 2_000
const WAIT_WHEN_ASKED_MS = 30_000

const BY_WORDS: EmbeddedQuery = { mode: 'lexical', degraded: [], notices: [] }
const BY_TABLE: EmbeddedQuery = { mode: 'hybrid', degraded: [], notices: [] }

/** Embeds a query by the configured model. If it fails, the built-in table replaces it, with a notice. The default mode is hybrid. */
export async function embedQuery(
  store: Store,
  load: () => Promise<EmbeddingModel | undefined>,
  { query, mode: wanted }: { readonly query: string; readonly mode?: SearchMode | undefined },
  { signal }: Run,
): Promise<EmbeddedQuery> {
  if (wanted === 'lexical') return BY_WORDS
  const loaded = await load().catch((error: unknown) => {
    if (signal?.aborted || !(error instanceof ContextError)) throw error
    return error
  })
  if (loaded instanceof ContextError) return withoutModel(loaded.message.replace(/\.$/, ''))
  const model = loaded
  if (!model && wanted !== 'vector') return BY_TABLE
  if (!model)
    return withoutModel(
      'no embedding model is set: run "ambit embed --get", or set AMBIT_EMBEDDING_URL and AMBIT_EMBEDDING_MODEL',
    )
  const name = vectorsOf(model)
  const stored = await store.vectors.centre(name)
  if (!stored && (wanted === 'vector' || !model.isInProcess))
    return withoutModel('nothing is embedded yet; run "ambit embed"')
  const { plain } = parseQuery(query)
  if (plain === '') return BY_WORDS
  const mode = wanted ?? 'hybrid'
  // The first query of a process opens the model and calibrates it.
  const centre = stored ?? (await calibratedCentre(model, signal))
  using patience = new Deadline(wanted ? WAIT_WHEN_ASKED_MS : WAIT_UNASKED_MS)
  try {
    const vector = await model.query(plain, patience.or(signal))
    const encode = (texts: readonly string[]) => model.documents(texts, signal)
    const asked = { name, vector, centre, ...(model.isInProcess && { encode }) }
    if (vector.length === centre.length) return { mode, degraded: [], notices: [], model: asked }
    const found = `the model gives vectors of ${vector.length} dimensions, and gave ${centre.length} before`
    return withoutModel(`${found}; run "ambit embed --force"`)
  } catch (error) {
    if (signal?.aborted || !(error instanceof ContextError)) throw error
    return withoutModel(patience.isOver ? 'the embedding service took too long' : error.message.replace(/\.$/, ''))
  }
}

const centres = new WeakMap<EmbeddingModel, Float32Array>()

async function calibratedCentre(model: EmbeddingModel, signal: AbortSignal | undefined): Promise<Float32Array> {
  const known = centres.get(model)
  if (known) return known
  const { sampleCentre } = await import('../../ingest/embed.ts')
  const centre = await sampleCentre(model, signal)
  centres.set(model, centre)
  return centre
}

function withoutModel(why: string): EmbeddedQuery {
  return { mode: 'hybrid', degraded: ['vector'], notices: [`Searched without the embedding model: ${why}.`] }
}
