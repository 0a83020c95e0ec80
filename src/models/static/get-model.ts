/** Downloads an embedding model from a hub with the API of Hugging Face. */

import { createHash } from 'node:crypto'
import { isAbsolute } from 'node:path'
import { ContextError, invalidInput, orElse, throwIfAborted, tryToRead } from '../../core/errors.ts'
import type { Run } from '../../core/flow.ts'
import { Deadline } from '../../core/steps.ts'
import { openWritable } from '../../files/directory.ts'
import { isDirectory, removeDirectory } from '../../files/file-version.ts'
import { readBody } from '../../internet/responses.ts'
import type { ModelDownload } from '../embedding.ts'
import { loadRuntime } from '../encoder/encoder.ts'
import { CURRENT_MODEL, findModelFiles, openLocalModel } from '../local/local-models.ts'
import { readBytes } from './model-files.ts'

/** The model that hints show as an example. */
const EXAMPLE_MODEL = 'sentence-transformers/all-MiniLM-L6-v2'

export interface GetModelRequest {
  /** `OWNER/NAME`, `OWNER/NAME@REVISION`, or the absolute path of a folder or file, which is not copied. */
  readonly model: string
  /** Base URL of the hub. */
  readonly hub: string
  /** Directory of the models. Created if missing. */
  readonly directory: string
}

/** A file in the list of the hub. Large files have a SHA-256; all have a git hash. */
interface HubFile {
  readonly rfilename: string
  readonly size?: number
  readonly blobId?: string
  readonly lfs?: { readonly sha256?: string; readonly size?: number }
}

interface HubModel {
  readonly sha: string
  readonly siblings: readonly HubFile[]
}

const NAME_HINT = `Give OWNER/NAME, such as ${EXAMPLE_MODEL}.`
const NAME = /^[\w.-]{1,96}\/[\w.-]{1,96}$/
const REVISION = /^[\w./-]{1,200}$/

/** Time limit for the list of files, in milliseconds. */
const LIST_MS = 30_000

/** Maximum bytes of the list. */
const MAX_LIST_BYTES = 4_000_000

/**
 * Downloads the files of a model, verifies their checksums, opens the model once, and makes it the model in use. After
 * a failure, the previous model stays in use, and the new files are removed.
 *
 * @throws ContextError `invalid-input` for an invalid name, or a model of another kind; `not-found`; `unavailable`;
 * `conflict` for a file with another checksum; `cancelled`.
 */
export async function getModel(
  { model: reference, hub, directory }: GetModelRequest,
  { signal, emit }: Run,
): Promise<ModelDownload> {
  const saveCurrent = (model: string, location: object) =>
    openWritable(directory, { create: true }).put(CURRENT_MODEL, Buffer.from(JSON.stringify({ model, ...location })))
  if (isAbsolute(reference)) {
    const { name: model } = await openLocalModel(reference)
    await saveCurrent(model, { path: reference })
    return { model, revision: '', folder: reference, files: [] }
  }
  const [model = '', revision = 'main'] = reference.split('@', 2)
  if (!NAME.test(model) || model.includes('..') || !REVISION.test(revision) || revision.includes('..'))
    throw invalidInput(`${JSON.stringify(reference)} is not the name of a model.`, NAME_HINT)
  const listUrl = `${hub}/api/models/${model}/revision/${encodeURIComponent(revision)}?blobs=true`
  const hubModel = await listModel(listUrl, model, signal)
  const { files, isEncoder } = selectFiles(hubModel, model)
  // Checked before the download: an encoder needs the runtime.
  if (isEncoder) await loadRuntime()
  const name = `${model.replace('/', '--')}-${hubModel.sha.slice(0, 12)}`
  const models = openWritable(directory, { create: true })
  await models.sweep([CURRENT_MODEL, `${name}/`], signal)
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0)
  let receivedBytes = 0
  const reportBytes = (bytes: number) => {
    receivedBytes += bytes
    emit({ type: 'progress', what: model, done: receivedBytes, total })
  }
  const folder = `${directory}/${name}`
  const isNew = !isDirectory(folder)
  try {
    for (const file of files) {
      const url = `${hub}/${model}/resolve/${hubModel.sha}/${file.path}`
      await models.putStream(`${name}/${file.path}`, download(url, { file, onBytes: reportBytes, signal }))
    }
    await openLocalModel(folder, model)
  } catch (error) {
    // An incomplete folder would look like a model, so it is removed, unless another process has completed this model and uses
    // it.
    const current = await orElse(readBytes(models, CURRENT_MODEL), () => new Uint8Array())
    if (isNew && !Buffer.from(current).includes(name)) removeDirectory(folder)
    throw error
  }
  await saveCurrent(model, { folder: name })
  return { model, revision: hubModel.sha, folder, files }
}

async function listModel(url: string, model: string, signal: AbortSignal | undefined): Promise<HubModel> {
  using deadline = new Deadline(LIST_MS)
  const response = await fetchFrom(url, signal, deadline.or(signal))
  if (response.status === 401 || response.status === 404)
    throw new ContextError('not-found', `${new URL(url).host} has no public model ${model}.`)
  if (!response.ok) throw statusProblem(url, response.status)
  const list = await readBody(response.body, MAX_LIST_BYTES, () => invalidListError(url))
  const { sha, siblings }: HubModel = Object(tryToRead(() => JSON.parse(list.toString())))
  if (typeof sha === 'string' && /^[0-9a-f]{40}$/.test(sha) && Array.isArray(siblings)) return { sha, siblings }
  throw invalidListError(url)
}

/** A file to download. `checksum`: `sha256:…`, or `git:…`, the SHA-1 of a header and the bytes. */
type DownloadFile = ModelDownload['files'][number]

/** The files of a model to download, each with its checksum. */
function selectFiles({ siblings }: HubModel, model: string) {
  const names = new Set(siblings.map(({ rfilename }) => rfilename))
  const modelFiles = findModelFiles(names)
  if (!modelFiles || !names.has(modelFiles.tokenizer)) {
    const hint = `Models that run here have tokenizer.json, and an export to ONNX or a table of vectors, such as ${EXAMPLE_MODEL}.`
    throw invalidInput(`${model} is not an embedding model that runs in this process.`, hint)
  }
  const paths = [modelFiles.tokenizer, modelFiles.model, ...modelFiles.more]
  const listedFiles = paths.flatMap((path) => siblings.filter(({ rfilename }) => rfilename === path))
  const files = listedFiles.map(({ rfilename: path, size, blobId, lfs }): DownloadFile => {
    const checksum = lfs?.sha256 ? `sha256:${lfs.sha256}` : blobId && `git:${blobId}`
    const bytes = lfs?.size ?? size
    if (!checksum || bytes === undefined)
      throw new ContextError('unavailable', `The hub lists no checksum of ${path} of ${model}.`)
    return { path, bytes, checksum }
  })
  return { files, isEncoder: modelFiles.isEncoder }
}

/** The bytes of a file. Fails at the end if its checksum differs, so that the file is not stored. */
async function* download(
  url: string,
  { file, onBytes, signal }: { file: DownloadFile; onBytes(bytes: number): void; signal: AbortSignal | undefined },
): AsyncGenerator<Uint8Array, void, void> {
  const { ok, status, body } = await fetchFrom(url, signal)
  if (!ok || !body) throw statusProblem(url, status)
  const [kind = '', expected] = file.checksum.split(':')
  const hash = kind === 'git' ? createHash('sha1').update(`blob ${file.bytes}\0`) : createHash('sha256')
  let size = 0
  try {
    for await (const chunk of body) {
      size += chunk.length
      if (size > file.bytes) break
      hash.update(chunk)
      onBytes(chunk.length)
      yield chunk
    }
  } catch (error) {
    throwIfAborted(signal)
    throw unreachableError(url, error)
  }
  if (size === file.bytes && hash.digest('hex') === expected) return
  const message = `${file.path} from ${new URL(url).host} does not have the checksum that is listed for it.`
  const hint = 'Nothing was saved. Try again; if it fails again, do not use this hub.'
  throw new ContextError('conflict', message, { hint })
}

/** `requestSignal`: `signal` with a time limit. Default: no time limit. */
async function fetchFrom(url: string, signal: AbortSignal | undefined, requestSignal = signal): Promise<Response> {
  try {
    return await fetch(url, { headers: { 'user-agent': 'ambit' }, signal: requestSignal ?? null })
  } catch (error) {
    throwIfAborted(signal)
    throw unreachableError(url, error)
  }
}

function unreachableError(url: string, cause: unknown): ContextError {
  const { message, cause: inner } = Object(cause)
  const { message: why = message } = Object(inner)
  const hint = 'Without a network, copy the folder of a model here and set AMBIT_EMBEDDING_MODEL to its path.'
  return new ContextError('unavailable', `${new URL(url).host} cannot be reached: ${why}.`, { hint, cause })
}

function statusProblem(url: string, status: number): ContextError {
  return new ContextError('unavailable', `${new URL(url).host} answered ${status} for ${new URL(url).pathname}.`)
}

function invalidListError(url: string): ContextError {
  return new ContextError('unavailable', `${new URL(url).host} does not list its models as Hugging Face does.`, {
    hint: 'Set HF_ENDPOINT to the base URL of a mirror, or leave it out.',
  })
}
