/// <reference path="./onnxruntime-node.d.ts" />
/**
 * Encoders: embedding models that ONNX Runtime runs in this process. Reads folders of sentence-transformers with an
 * ONNX export or with BERT weights, and ONNX files with a tokenizer in their folder. The runtime is loaded at the first
 * use.
 */

import type { Output, Session } from 'onnxruntime-node'
import { ContextError, invalidInput, loadPackage, throwIfAborted } from '../../core/errors.ts'
import type { Objects } from '../../files/objects.ts'
import { type EmbeddingModel, prefixesOf } from '../embedding.ts'
import { digestModel, isPresent, openTokenizer, readBytes } from '../static/model-files.ts'
import { openTensors } from '../static/safetensors.ts'
import { type BertConfig, EXPORT_HINT, writeBert } from './bert-graph.ts'

/** Files of ONNX exports, the preferred first. An int8 export takes a quarter of the memory and half of the time. */
export const EXPORTS: readonly string[] = [
  ...(process.arch === 'arm64' ? ['onnx/model_qint8_arm64.onnx'] : ['onnx/model_quint8_avx2.onnx']),
  'onnx/model_quantized.onnx',
  'onnx/model.onnx',
  'model.onnx',
]

/** Settings in the folder of a model. Only the tokenizer is required. */
export const ENCODER_FILES = {
  tokenizer: 'tokenizer.json',
  settings: ['config.json', 'modules.json', 'sentence_bert_config.json', '1_Pooling/config.json'],
} as const

/** Maximum tokens of a text, because time grows with the number of tokens. A passage has fewer. */
const MAX_TOKENS = 256

/** Texts of one batch, of similar lengths. */
const BATCH_SIZE = 8

/** The key of the weights of a model without an export. */
export const WEIGHTS = 'model.safetensors'

/** Opens an encoder of a folder. `model`: the key of its export, or of its weights. @throws ContextError as `openLocalModel`. */
export async function openEncoder(objects: Objects, model: string, name: string): Promise<EmbeddingModel> {
  const runtime = await loadRuntime()
  const { tokenizer, tokenizerBytes } = await openTokenizer(objects, ENCODER_FILES.tokenizer)
  const [config = {}, modules = {}, limits = {}, pooling = {}] = await Promise.all(
    ENCODER_FILES.settings.map((key) => readJson(objects, key)),
  )
  assertModules(modules)
  const tensors = model === WEIGHTS ? await openTensors(objects, model) : undefined
  const graph = tensors ? await writeBert(tensors, readBertConfig(config)) : await readBytes(objects, model)
  const session = await openSession(runtime, graph, model)
  const usesFirstToken = pooling.pooling_mode_cls_token === true
  const fingerprint = JSON.stringify(['encoder', await digestModel(objects, model, tokenizerBytes), usesFirstToken])
  const maxTokens = Math.min(MAX_TOKENS, Number(limits.max_seq_length) || MAX_TOKENS)
  // RoBERTa numbers positions from the padding id plus 1.
  const firstPosition = /roberta/.test(String(config.model_type)) ? Number(config.pad_token_id ?? 1) + 1 : 0
  const parts: EncoderParts = { runtime, session, usesFirstToken, firstPosition }
  const idsOf = (text: string) => {
    const { ids }: { ids: TokenIds } = tokenizer.encode(text.slice(0, 16 * maxTokens))
    return ids.length > maxTokens ? [...ids.slice(0, maxTokens - 1), ...ids.slice(-1)] : ids
  }
  const prefixes = prefixesOf({ model: name, url: '' })
  return {
    name,
    fingerprint,
    isInProcess: true,
    documents: (texts, signal) => {
      const ids = texts.map((text) => idsOf(prefixes.document + text))
      return encode(parts, ids, signal)
    },
    query: async (text, signal) => {
      const [vector] = await encode(parts, [idsOf(prefixes.query + text)], signal)
      if (!vector) throw new RangeError('One text has one vector.')
      return vector
    },
  }
}

type Runtime = typeof import('onnxruntime-node')

/** @throws ContextError `unavailable` if the runtime is not installed. */
export function loadRuntime(): Promise<Runtime> {
  const need = 'This embedding model needs the package onnxruntime-node'
  return loadPackage(() => import('onnxruntime-node'), need, '--ignore-scripts onnxruntime-node')
}

async function openSession({ InferenceSession }: Runtime, graph: Uint8Array, key: string): Promise<Session> {
  try {
    return await InferenceSession.create(graph, {
      intraOpNumThreads: Math.min(4, navigator.hardwareConcurrency),
      // Spinning threads would take processor time from other processes.
      extra: { session: { intra_op: { allow_spinning: '0' } } },
      logSeverityLevel: 3,
    })
  } catch (cause) {
    const message = `The model ${key} cannot be read: ${Object(cause).message}`
    throw new ContextError('invalid-input', message, { hint: EXPORT_HINT, cause })
  }
}

/** The ids of the tokens of a text. */
type TokenIds = readonly number[]

interface EncoderParts {
  readonly runtime: Runtime
  readonly session: Session
  /**
   * Whether the vector of a text is the vector of its first token. Otherwise, it is the mean of the vectors of all its tokens.
   */
  readonly usesFirstToken: boolean
  readonly firstPosition: number
}

async function encode(parts: EncoderParts, texts: readonly TokenIds[], signal?: AbortSignal): Promise<Float32Array[]> {
  const byLength = [...texts.entries()].sort(([, one], [, other]) => one.length - other.length)
  const vectors = new Array<Float32Array>(texts.length)
  for (let from = 0; from < byLength.length; from += BATCH_SIZE) {
    throwIfAborted(signal)
    for (const [index, vector] of await encodeBatch(parts, byLength.slice(from, from + BATCH_SIZE)))
      vectors[index] = vector
  }
  return vectors
}

/** The vectors of some texts, each with its index. */
async function encodeBatch(
  { runtime, session, firstPosition, usesFirstToken }: EncoderParts,
  texts: readonly (readonly [index: number, ids: TokenIds])[],
) {
  const length = Math.max(...texts.map(([, ids]) => ids.length))
  const tensorOf = (numberAt: (id: number, at: number) => number) => {
    const numbers = new BigInt64Array(texts.length * length)
    for (const [row, [, ids]] of texts.entries())
      for (const [at, id] of ids.entries()) numbers[row * length + at] = BigInt(numberAt(id, at))
    return new runtime.Tensor('int64', numbers, [texts.length, length])
  }
  const inputs: Readonly<Record<string, () => unknown>> = {
    input_ids: () => tensorOf((id) => id),
    attention_mask: () => tensorOf(() => 1),
    token_type_ids: () => tensorOf(() => 0),
    position_ids: () => tensorOf((_, at) => at + firstPosition),
  }
  const feeds = Object.fromEntries(session.inputNames.map((name) => [name, inputs[name]?.()]))
  const answer = await session.run(feeds)
  const output = answer.sentence_embedding ?? answer[session.outputNames[0] ?? '']
  if (!output) throw invalidInput('The embedding model returned no vectors.', EXPORT_HINT)
  return texts.map(([index, ids], row) => [index, vectorAt(output, row, usesFirstToken ? 1 : ids.length)] as const)
}

/** The mean of the vectors of the first `tokens` tokens, scaled to length 1. Some models give one vector per text. */
function vectorAt({ data, dims }: Output, row: number, tokens: number): Float32Array {
  const width = dims.at(-1) ?? 0
  const rows = dims.length === 3 ? (dims[1] ?? 0) : 1
  const sum = new Float32Array(width)
  for (let token = 0; token < Math.min(tokens, rows); token++) {
    const from = (row * rows + token) * width
    for (let at = 0; at < width; at++) sum[at] = (sum[at] ?? 0) + (data[from + at] ?? 0)
  }
  const length = Math.hypot(...sum)
  return sum.map((value) => value / length)
}

type Json = Readonly<Record<string, unknown>>

/** The JSON of a file; `{}` if it is missing. */
async function readJson(objects: Objects, key: string): Promise<Json> {
  return (await isPresent(objects, key)) ? JSON.parse(new TextDecoder().decode(await readBytes(objects, key))) : {}
}

/** Refuses models with layers that are not known, because such layers would change the vectors. */
function assertModules(modules: Json): void {
  const types = Object.values(modules).flatMap((module) => String(Object(module).type).split('.').slice(-1))
  const other = types.find((type) => !['Transformer', 'Pooling', 'Normalize'].includes(type))
  if (other)
    throw invalidInput(`The embedding model has a layer of the kind ${other}, which is not known.`, EXPORT_HINT)
}

function readBertConfig(config: Json): BertConfig {
  const { num_hidden_layers: layers, num_attention_heads: heads, layer_norm_eps: epsilon, hidden_act: act } = config
  if (typeof layers === 'number' && typeof heads === 'number' && act === 'gelu')
    return { layers, heads, epsilon: typeof epsilon === 'number' ? epsilon : 1e-12 }
  throw invalidInput('The embedding model is not a BERT model.', EXPORT_HINT)
}
