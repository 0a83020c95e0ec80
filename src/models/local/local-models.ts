/** Embedding models on disk that run in this process: a table of word vectors, or an encoder. */

import { basename, dirname, relative, resolve } from 'node:path'
import { ContextError } from '../../core/errors.ts'
import { openDirectory } from '../../files/directory.ts'
import type { EmbeddingModel } from '../embedding.ts'
import { ENCODER_FILES, EXPORTS, openEncoder, WEIGHTS } from '../encoder/encoder.ts'
import { isPresent, MODEL_HINT, readBytes } from '../static/model-files.ts'
import { openStaticModel, STATIC_LAYOUTS } from '../static/static-model.ts'

/**
 * Opens the model in a folder, or an ONNX file. `name`: its name; default: the name of the folder.
 *
 * @throws ContextError `not-found` without a model; `invalid-input` if it cannot be read; `unavailable` if its runtime
 * is not installed.
 */
export async function openLocalModel(path: string, name?: string): Promise<EmbeddingModel> {
  const folder = path.endsWith('.onnx') ? await findFolder(path) : path
  const objects = openDirectory(folder)
  const modelName = name ?? basename(folder)
  if (folder !== path) return openEncoder(objects, relative(folder, path), modelName)
  const presentKeys = new Set<string>()
  for (const key of MODEL_KEYS) if (await isPresent(objects, key)) presentKeys.add(key)
  const files = findModelFiles(presentKeys)
  if (files?.isEncoder) return openEncoder(objects, files.model, modelName)
  if (files) return openStaticModel(objects, files, modelName)
  throw new ContextError('not-found', `There is no embedding model in ${folder}.`, { hint: MODEL_HINT })
}

const POOLING = '1_Pooling/config.json'
const MODEL_KEYS = [...EXPORTS, ...ENCODER_FILES.settings, ...STATIC_LAYOUTS.flatMap((one) => Object.values(one))]

/**
 * The files of the model in a folder, by their keys. `more`: its settings files. `model.safetensors` is an encoder if there is a
 * pooling configuration, else a table of word vectors.
 */
export function findModelFiles(keys: ReadonlySet<string>) {
  const has = (key: string) => keys.has(key)
  const weights = has(POOLING) && has(WEIGHTS) ? WEIGHTS : undefined
  const encoder = has(POOLING) || !has(WEIGHTS) ? (EXPORTS.find(has) ?? weights) : undefined
  const { tokenizer, settings } = ENCODER_FILES
  if (encoder !== undefined && has(tokenizer))
    return { isEncoder: true, model: encoder, tokenizer, more: settings.filter(has) }
  const table = STATIC_LAYOUTS.find(({ tensors }) => has(tensors))
  return table && { isEncoder: false, model: table.tensors, tokenizer: table.tokenizer, more: [] }
}

/** The folder of a model. An ONNX file is beside the tokenizer, or in a folder below the tokenizer's folder. */
async function findFolder(file: string): Promise<string> {
  const folder = dirname(file)
  return (await isPresent(openDirectory(folder), ENCODER_FILES.tokenizer)) ? folder : dirname(folder)
}

/** The file in the directory of downloaded models that names the model in use. */
export const CURRENT_MODEL = 'current'

/** Opens the model that is in use. @throws ContextError as `openLocalModel`. */
export async function openCurrentModel(directory: string): Promise<EmbeddingModel> {
  const json = Buffer.from(await readBytes(openDirectory(directory), CURRENT_MODEL)).toString()
  const { model, folder = '', path = folder }: { model: string; folder?: string; path?: string } = JSON.parse(json)
  return openLocalModel(resolve(directory, path), model)
}
