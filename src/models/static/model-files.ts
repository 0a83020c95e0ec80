/** Reads files of a model's folder, and makes the fingerprint of a model. */

import { createHash } from 'node:crypto'
import { Tokenizer } from '@huggingface/tokenizers'
import { ContextError } from '../../core/errors.ts'
import { ignoreMissing, type Objects, type ReadRequest } from '../../files/objects.ts'

export const MODEL_HINT =
  'Give the path of an ONNX file or of a folder with tokenizer.json and model.safetensors, or run "ambit embed --get".'

export async function isPresent(objects: Objects, key: string): Promise<boolean> {
  return (await ignoreMissing(objects.head(key))) !== undefined
}

/** The bytes of a file, or of a part of it. */
export async function readBytes(objects: Objects, key: string, part: ReadRequest = {}): Promise<Uint8Array> {
  const object = await objects.read(key, part)
  return object === 'unchanged' ? new Uint8Array() : object.bytes
}

export async function openTokenizer(objects: Objects, key: string) {
  const bytes = await readBytes(objects, key)
  try {
    const json: { readonly model?: { readonly unk_token?: string } } = JSON.parse(new TextDecoder().decode(bytes))
    const tokenizer = new Tokenizer(json, {})
    // The library does not expose the token of unknown words.
    const unknown = json.model?.unk_token
    const unknownId = unknown === undefined ? undefined : tokenizer.token_to_id(unknown)
    return { tokenizer, unknownId, tokenizerBytes: bytes }
  } catch (cause) {
    const message = `The tokenizer ${key} cannot be read: ${Object(cause).message}`
    throw new ContextError('invalid-input', message, { hint: MODEL_HINT, cause })
  }
}

/** Number and bytes of the samples in a fingerprint: the size is not enough, because other models may have the same. */
const SAMPLES = 16
const SAMPLE_BYTES = 4096

/** A fingerprint of a model: its tokenizer, the size of its file, and samples of the file. */
export async function digestModel(objects: Objects, modelKey: string, tokenizerBytes: Uint8Array): Promise<string> {
  const { size } = await objects.head(modelKey)
  const hash = createHash('sha256').update(tokenizerBytes).update(`\0${size}\0`)
  for (let index = 0; index < SAMPLES; index++) {
    const from = Math.floor((size / SAMPLES) * index)
    hash.update(await readBytes(objects, modelKey, { from, length: SAMPLE_BYTES }))
  }
  return hash.digest('hex').slice(0, 32)
}
