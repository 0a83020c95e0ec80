/** What the vectors of a model are packed about. */

import { ContextError } from '../../core/errors.ts'
import type { EmbeddingModel } from '../../models/embedding.ts'
import { centreOf } from '../../retrieval/packed-vectors.ts'
import type { Store } from '../../stores/store.ts'
import { vectorsOf } from '../embedded.ts'

/**
 * Texts about many things, whose vectors tell where those of a model lie. They are the same for everybody: what is stored
 * of a document depends neither on the others nor on which came first.
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
 * The centre that the vectors of a model have; where it has none, or all are made anew, that of the samples. Those that
 * are made anew go when the service has answered: not before, for it may not. @throws ContextError as `documents`.
 */
export async function centreFor(
  { vectors }: Store,
  model: EmbeddingModel,
  { isAnew, signal }: { readonly isAnew: boolean; readonly signal: AbortSignal | undefined },
): Promise<Float32Array> {
  const known = isAnew ? undefined : await vectors.centre(vectorsOf(model))
  if (known) return known
  const centre = await sampleCentre(model, signal)
  await vectors.clear(vectorsOf(model))
  return centre
}

/** The centre of the samples. @throws ContextError as `documents`. */
export async function sampleCentre(model: EmbeddingModel, signal: AbortSignal | undefined): Promise<Float32Array> {
  return centreOf(await sampleVectors(model, signal))
}

/** Samples refused one after the other, with none taken before, after which it is not a fault of the texts. */
const MOST_REFUSED = 3

/** A model of one language makes nothing of some samples: those are left out. */
async function sampleVectors(model: EmbeddingModel, signal: AbortSignal | undefined): Promise<Float32Array[]> {
  try {
    return await model.documents(SAMPLES, signal, true)
  } catch (error) {
    if (!isRefused(error)) throw error
    const found: Float32Array[] = []
    for (const [at, sample] of SAMPLES.entries()) {
      if (found.length === 0 && at >= MOST_REFUSED) throw error
      found.push(...(await vectorOf(model, sample, signal)))
    }
    return found
  }
}

async function vectorOf(
  model: EmbeddingModel,
  sample: string,
  signal: AbortSignal | undefined,
): Promise<Float32Array[]> {
  try {
    return await model.documents([sample], signal)
  } catch (error) {
    if (isRefused(error)) return []
    throw error
  }
}

/** Whether a model refused the texts that it was given. */
export function isRefused(error: unknown): error is ContextError {
  return error instanceof ContextError && error.code === 'invalid-input'
}
