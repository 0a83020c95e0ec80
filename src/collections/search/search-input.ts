import { ContextError } from '../../core/errors.ts'
import type { Run } from '../../core/flow.ts'
import { Deadline } from '../../core/steps.ts'
import { vectorsOf } from '../../ingest/embedded.ts'
import type { EmbeddingModel } from '../../models/embedding.ts'
import { parseQuery } from '../../retrieval/query.ts'
import type { Store } from '../../stores/store.ts'
import type { SearchMode } from '../answers.ts'
import type { AskedModel } from './model-meaning.ts'

/** How a search is done in the end: what was wanted may not be there. */
export interface EmbeddedQuery {
  readonly mode: SearchMode
  /** Ways that were wanted and did not answer. */
  readonly degraded: readonly string[]
  readonly notices: readonly string[]
  /** What is looked for as the model that is set has it, the name of its vectors, and their centre. Default: none is asked. */
  readonly model?: AskedModel
}

/** Milliseconds that a model is waited for: one that nobody asked for by name must not hold up the words. */
const WAIT_MS = 2_000
const WAIT_WHEN_ASKED_MS = 30_000

const BY_WORDS: EmbeddedQuery = { mode: 'lexical', degraded: [], notices: [] }
const BY_TABLE: EmbeddedQuery = { mode: 'hybrid', degraded: [], notices: [] }

/**
 * Asks the model that is set for the vector of a query. Where it cannot be had, the built-in table takes its place, and that is
 * said. The mode is both where none is named.
 */
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
  // The first question to a model in this process opens it, and calibrates it.
  const centre = stored ?? (await calibratedCentre(model, signal))
  using patience = new Deadline(wanted ? WAIT_WHEN_ASKED_MS : WAIT_MS)
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
