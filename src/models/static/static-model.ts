/**
 * Static embedding models: a table with a vector for each token. The vector of a text is the mean of its tokens'
 * vectors. Such a model needs no service and no runtime. Reads the files of model2vec and of sentence-transformers
 * (StaticEmbedding).
 */

import { setImmediate } from 'node:timers/promises'
import { invalidInput, throwIfAborted } from '../../core/errors.ts'
import type { Objects } from '../../files/objects.ts'
import type { EmbeddingModel } from '../embedding.ts'
import { digestModel, MODEL_HINT, openTokenizer } from './model-files.ts'
import { openTensors } from './safetensors.ts'

/** Layouts of a model's files, the newest first. */
export const STATIC_LAYOUTS = [
  { tensors: 'model.safetensors', tokenizer: 'tokenizer.json' },
  { tensors: '0_StaticEmbedding/model.safetensors', tokenizer: '0_StaticEmbedding/tokenizer.json' },
] as const

/** Names of the table of vectors, as model2vec and sentence-transformers write it. */
const TABLE_NAMES = ['embeddings', 'embedding.weight']

/** Maximum UTF-16 units of a text that are embedded: the mean of a longer text says little, and takes long. */
const MAX_TEXT = 16_000

/** Milliseconds of work between two pauses. During a pause, the process does other work. */
const TURN_MS = 20

/** @throws ContextError `not-found` without a tokenizer; `invalid-input` for an unsupported tokenizer. */
export async function openStaticModel(
  objects: Objects,
  files: { readonly model: string; readonly tokenizer: string },
  name: string,
): Promise<EmbeddingModel> {
  const { tokenizer, unknownId, tokenizerBytes } = await openTokenizer(objects, files.tokenizer)
  const tensors = await openTensors(objects, files.model)
  const vectors = TABLE_NAMES.map((table) => tensors.get(table)).find((tensor) => tensor !== undefined)
  if (!vectors || vectors.columns < 2)
    throw invalidInput(`${files.model} of ${name} holds no vectors of tokens.`, MODEL_HINT)
  // The weight and the row of each token. Default: weight 1, and the token's number as the row.
  const [weights, mapping] = await Promise.all([tensors.get('weights')?.readAll(), tensors.get('mapping')?.readAll()])
  const fingerprint = JSON.stringify(['static', await digestModel(objects, files.model, tokenizerBytes)])
  const { columns, rows } = vectors
  /** The rows of the tokens of a text, without unknown tokens. */
  const rowsOf = (text: string): WeighedRow[] => {
    const { ids }: { ids: readonly number[] } = tokenizer.encode(text.slice(0, MAX_TEXT), { add_special_tokens: false })
    return ids
      .filter((id) => id !== unknownId)
      .map((id) => ({ row: mapping?.[id] ?? id, weight: weights?.[id] ?? 1 }))
      .filter(({ row }) => row >= 0 && row < rows)
  }
  let table: Promise<Float32Array> | undefined
  return {
    name,
    fingerprint,
    isInProcess: true,
    documents: async (texts, signal) => {
      table ??= vectors.readAll()
      const numbers = await table
      const rowAt = (row: number) => numbers.subarray(row * columns, (row + 1) * columns)
      const means: Float32Array[] = []
      let turnStart = performance.now()
      for (const text of texts) {
        throwIfAborted(signal)
        means.push(meanOf(rowsOf(text), columns, rowAt))
        if (performance.now() - turnStart > TURN_MS) {
          await setImmediate()
          turnStart = performance.now()
        }
      }
      return means
    },
    // A query needs only some rows of a table of many megabytes.
    query: async (text, signal) => {
      throwIfAborted(signal)
      const weighed = rowsOf(text)
      const numbers = await vectors.read(weighed.map(({ row }) => row))
      return meanOf(weighed, columns, (row) => numbers.get(row) ?? new Float32Array(columns))
    },
  }
}

/** A row of the table, with its weight in a text. */
type WeighedRow = Readonly<Record<'row' | 'weight', number>>

/** The weighted mean, of length 1. @throws ContextError `invalid-input` for a text without a known token. */
function meanOf(weighed: readonly WeighedRow[], columns: number, rowAt: (row: number) => Float32Array): Float32Array {
  const sum = new Float64Array(columns)
  for (const { row, weight } of weighed) {
    const numbers = rowAt(row)
    for (let at = 0; at < columns; at++) sum[at] = (sum[at] ?? 0) + weight * (numbers[at] ?? 0)
  }
  const length = Math.hypot(...sum)
  if (!(length > 0 && Number.isFinite(length)))
    throw invalidInput('The embedding model knows no word of this text.', 'Use a model for more languages.')
  return Float32Array.from(sum, (value) => value / length)
}
