/**
 * Embedding models that are a table: a vector for each token, and a text has the mean of those of its tokens. They need no
 * service and no runtime. Reads what model2vec and sentence-transformers (StaticEmbedding) write.
 */

import { createHash } from 'node:crypto'
import { basename, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { Tokenizer } from '@huggingface/tokenizers'
import { ContextError, invalidInput, throwIfAborted } from '../../core/errors.ts'
import { openDirectory } from '../../files/directory.ts'
import type { Objects } from '../../files/objects.ts'
import type { EmbeddingModel } from '../embedding.ts'
import { openTensors, type Tensor } from './safetensors.ts'

/** Where the files of a model are, the newest kind first. */
export const STATIC_LAYOUTS: readonly StaticLayout[] = [
  { tensors: 'model.safetensors', tokenizer: 'tokenizer.json' },
  { tensors: '0_StaticEmbedding/model.safetensors', tokenizer: '0_StaticEmbedding/tokenizer.json' },
]

export interface StaticLayout {
  readonly tensors: string
  readonly tokenizer: string
}

/** Names of the table, as model2vec and sentence-transformers write it. */
const TABLES = ['embeddings', 'embedding.weight']

/** UTF-16 units of a text that count: a mean over more says little, and takes long. */
const LONGEST = 16_000

/** Milliseconds of work after which others have a turn. */
const TURN_MS = 20

/**
 * Opens the model in a folder. `name`: what it is called; default: the name of the folder.
 *
 * @throws ContextError `not-found` where there is none; `invalid-input` for one that cannot be read.
 */
export async function openStaticModel(folder: string, name = basename(folder)): Promise<EmbeddingModel> {
  const objects = openDirectory(folder)
  const layout = await findLayout(objects, folder)
  const { tokenizer, written } = await openTokenizer(objects, layout.tokenizer)
  const tensors = await openTensors(objects, layout.tensors)
  const vectors = TABLES.map((table) => tensors.get(table)).find((tensor) => tensor !== undefined)
  if (!vectors || vectors.columns < 2)
    throw invalidInput(`${layout.tensors} of ${folder} holds no vectors of tokens.`, MODEL_HINT)
  const [weights, mapping] = await Promise.all([tensors.get('weights')?.all(), tensors.get('mapping')?.all()])
  const fingerprint = JSON.stringify(['static', await digestModel(objects, layout, written)])
  const tokens = new TokenRows({ tokenizer, rows: vectors.rows, weights, mapping })
  return staticModel({ name, fingerprint, vectors, tokens })
}

/** The file in the directory of downloaded models that names the one in use. */
export const CURRENT_MODEL = 'current'

/** Opens the downloaded model that is in use. @throws ContextError as `openStaticModel`. */
export async function openCurrentModel(directory: string): Promise<EmbeddingModel> {
  const read = await openDirectory(directory).read(CURRENT_MODEL)
  const { model, folder }: { model: string; folder: string } = JSON.parse(
    Buffer.from(read === 'unchanged' ? [] : read.bytes).toString(),
  )
  return openStaticModel(join(directory, basename(folder)), model)
}

const MODEL_HINT = 'Give a folder with tokenizer.json and model.safetensors, or run "ambit embed --get".'

async function findLayout(objects: Objects, folder: string): Promise<StaticLayout> {
  for (const layout of STATIC_LAYOUTS) if (await isThere(objects, layout.tensors)) return layout
  throw new ContextError('not-found', `There is no embedding model in ${folder}.`, { hint: MODEL_HINT })
}

async function isThere(objects: Objects, key: string): Promise<boolean> {
  try {
    await objects.head(key)
    return true
  } catch (error) {
    if (error instanceof ContextError && error.code === 'not-found') return false
    throw error
  }
}

/** What is read of a tokenizer beside what the library reads. */
interface WrittenTokenizer {
  readonly model?: { readonly unk_token?: string }
}

async function openTokenizer(objects: Objects, key: string) {
  const read = await objects.read(key)
  const bytes = read === 'unchanged' ? new Uint8Array() : read.bytes
  try {
    const json: WrittenTokenizer = JSON.parse(new TextDecoder().decode(bytes))
    const tokenizer = new Tokenizer(json, {})
    const unknown = json.model?.unk_token
    return {
      tokenizer: { tokenizer, unknown: unknown === undefined ? undefined : tokenizer.token_to_id(unknown) },
      written: bytes,
    }
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new ContextError('invalid-input', `The tokenizer ${key} cannot be read: ${why}`, { hint: MODEL_HINT, cause })
  }
}

/** Parts of the table that tell it from another of the same size, and the bytes of each. */
const SAMPLES = 16
const SAMPLE = 4096

/** Tells one model from another without reading all of it: the tokenizer, the size of the table, and samples of it. */
async function digestModel(objects: Objects, { tensors }: StaticLayout, tokenizer: Uint8Array): Promise<string> {
  const { size } = await objects.head(tensors)
  const hash = createHash('sha256').update(tokenizer).update(`\0${size}\0`)
  for (let at = 0; at < SAMPLES; at++) {
    const read = await objects.read(tensors, { from: Math.floor((size / SAMPLES) * at), length: SAMPLE })
    if (read !== 'unchanged') hash.update(read.bytes)
  }
  return hash.digest('hex').slice(0, 32)
}

interface TokenRowsParts {
  readonly tokenizer: { readonly tokenizer: Tokenizer; readonly unknown: number | undefined }
  readonly rows: number
  /** How much each token counts; absent: all the same. */
  readonly weights: Float32Array | undefined
  /** The row of each token; absent: its own number. */
  readonly mapping: Float32Array | undefined
}

/** A row of the table, with how much it counts in a text. */
interface WeighedRow {
  readonly row: number
  readonly weight: number
}

/** The rows of the tokens of a text. Tokens that the model does not know are left out. */
class TokenRows {
  readonly #parts: TokenRowsParts

  constructor(parts: TokenRowsParts) {
    this.#parts = parts
  }

  of(text: string): WeighedRow[] {
    const { tokenizer, rows, weights, mapping } = this.#parts
    const { ids }: { ids: readonly number[] } = tokenizer.tokenizer.encode(text.slice(0, LONGEST), {
      add_special_tokens: false,
    })
    return ids
      .filter((id) => id !== tokenizer.unknown)
      .map((id) => ({ row: mapping?.[id] ?? id, weight: weights?.[id] ?? 1 }))
      .filter(({ row }) => row >= 0 && row < rows)
  }
}

interface StaticParts {
  readonly name: string
  readonly fingerprint: string
  readonly vectors: Tensor
  readonly tokens: TokenRows
}

function staticModel({ name, fingerprint, vectors, tokens }: StaticParts): EmbeddingModel {
  const { columns } = vectors
  let table: Promise<Float32Array> | undefined
  return {
    name,
    fingerprint,
    documents: async (texts, signal) => {
      table ??= vectors.all()
      const numbers = await table
      const rowAt = (row: number) => numbers.subarray(row * columns, (row + 1) * columns)
      const found: Float32Array[] = []
      let since = performance.now()
      for (const text of texts) {
        throwIfAborted(signal)
        found.push(meanOf(tokens.of(text), columns, rowAt))
        if (performance.now() - since > TURN_MS) {
          await setImmediate()
          since = performance.now()
        }
      }
      return found
    },
    // Of a table of many megabytes a query needs some rows.
    query: async (text, signal) => {
      throwIfAborted(signal)
      const weighed = tokens.of(text)
      const rows = await vectors.read(weighed.map(({ row }) => row))
      return meanOf(weighed, columns, (row) => rows.get(row) ?? new Float32Array(columns))
    },
  }
}

/** The weighed mean, of length 1. @throws ContextError `invalid-input` for a text without a token that the model knows. */
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
