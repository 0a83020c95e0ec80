/**
 * Uploads objects of any size in parts. The service keeps the parts of an interrupted upload, and the next upload of the same key
 * sends only missing and changed parts.
 */

import { createHash } from 'node:crypto'
import type {
  CompleteMultipartUploadCommandInput,
  ListMultipartUploadsCommandOutput,
  MultipartUpload,
  S3Client,
} from '@aws-sdk/client-s3'
import { ContextError } from '../../core/errors.ts'
import { mapParallel } from '../../core/steps.ts'
import { ignoreMissing, type ObjectWritten, objectLabel, type PutStreamRequest } from '../objects.ts'
import { abortOptions, address, requireKey, type S3Bucket, unquoteEtag } from './bucket.ts'
import type { Sdk } from './client.ts'
import { serviceStatus } from './errors.ts'
import { headKey } from './read.ts'

/** Bytes of a part. An object that would need more than `MAX_PARTS` parts has larger parts. */
const PART_BYTES = 8 << 20

/** Maximum parts of an upload at any service. */
const MAX_PARTS = 10_000

/** Maximum parts that are sent at once. Each is in memory. */
const PARALLEL_PARTS = 2

/** Age in milliseconds from which an unfinished upload counts as abandoned. */
const ABANDONED_MS = 24 * 3_600_000

export interface StreamUpload {
  readonly key: string
  readonly bytes: AsyncIterable<Uint8Array>
  /** Writes an object of a single part. */
  put(bytes: Uint8Array): Promise<ObjectWritten>
}

interface Part {
  readonly number: number
  readonly bytes: Buffer
}

export async function uploadStream(bucket: S3Bucket, upload: StreamUpload, request: PutStreamRequest) {
  const { size = 0, signal } = request
  const key = requireKey(bucket, upload.key)
  const parts = partsOf(upload.bytes, Math.max(PART_BYTES, Math.ceil(size / MAX_PARTS / PART_BYTES) * PART_BYTES), size)
  try {
    const [first, second] = [await parts.next(), await parts.next()]
    if (first.done || second.done) return await upload.put(first.done ? Buffer.alloc(0) : first.value.bytes)
    const allParts = (async function* () {
      yield first.value
      yield second.value
      yield* parts
    })()
    return await uploadParts(bucket, { key, parts: allParts, mustBeNew: request.if === 'absent', signal })
  } finally {
    await parts.return()
  }
}

/**
 * Splits a stream into parts. `size`: bytes of a part; `total`: bytes of the object, 0 if unknown. Copies the bytes,
 * because a stream may reuse its memory.
 */
async function* partsOf(bytes: AsyncIterable<Uint8Array>, size: number, total: number): AsyncGenerator<Part, void> {
  const partBytes = total > 0 ? Math.min(size, total) : size
  let [number, part, filled] = [1, Buffer.allocUnsafeSlow(partBytes), 0]
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.length; ) {
      if (filled === part.length) {
        yield { number: number++, bytes: part }
        part = Buffer.allocUnsafeSlow(partBytes)
        filled = 0
      }
      const piece = chunk.subarray(at, at + part.length - filled)
      part.set(piece, filled)
      filled += piece.length
      at += piece.length
    }
  }
  if (filled > 0) yield { number, bytes: part.subarray(0, filled) }
}

interface PartsUpload {
  readonly key: string
  readonly parts: AsyncIterable<Part>
  readonly mustBeNew: boolean
  readonly signal: AbortSignal | undefined
}

async function uploadParts(bucket: S3Bucket, { key, parts, mustBeNew, signal }: PartsUpload): Promise<ObjectWritten> {
  if (mustBeNew) await requireAbsent(bucket, key, signal)
  const { sdk } = bucket
  const target = address(bucket, key, {})
  /** Sends a request of the upload. @throws ContextError `conflict` if another writer completed or ended the same upload. */
  const ask = <T>(work: (client: S3Client, stop: ReturnType<typeof abortOptions>) => Promise<T>) =>
    bucket.ask(key, signal, async (client) => {
      try {
        return await work(client, abortOptions(signal))
      } catch (error) {
        const label = objectLabel(bucket.uri, key)
        if (error instanceof Error && /^(NoSuchUpload|NoSuchKey|InvalidPart)$/.test(error.name))
          throw new ContextError('conflict', `${label} is uploaded by somebody else at the same time.`)
        throw serviceStatus(error) === 501 ? new NotImplemented('unavailable', `${label}: not implemented.`) : error
      }
    })

  const unfinished = (await uploadsOf(bucket, key, signal)).filter(({ Key }) => Key === target.Key)
  const latestUploadId = unfinished.sort((a, b) => Number(a.Initiated ?? 0) - Number(b.Initiated ?? 0)).at(-1)?.UploadId
  const UploadId =
    latestUploadId ?? (await ask((to, stop) => to.send(new sdk.CreateMultipartUploadCommand(target), stop))).UploadId
  const upload = { ...target, UploadId }
  const uploadedEtags = new Map<number | undefined, string>()
  const readParts = async (client: S3Client) => {
    // The paginator of the SDK would not end: after the last page, Ceph names a next page, which is the first page again.
    for (let PartNumberMarker: string | undefined = '0'; PartNumberMarker !== undefined; ) {
      const command: InstanceType<Sdk['ListPartsCommand']> = new sdk.ListPartsCommand({ ...upload, PartNumberMarker })
      const page = await client.send(command, abortOptions(signal))
      for (const { PartNumber, ETag = '' } of page.Parts ?? []) uploadedEtags.set(PartNumber, unquoteEtag(ETag))
      const isMore: boolean = page.IsTruncated === true && Number(page.NextPartNumberMarker) > Number(PartNumberMarker)
      PartNumberMarker = isMore ? page.NextPartNumberMarker : undefined
    }
  }
  if (latestUploadId !== undefined) await ask(readParts)

  let size = 0
  const Parts = await mapParallel(parts, { atOnce: PARALLEL_PARTS, signal }, async ({ number, bytes }, partSignal) => {
    size += bytes.length
    const digest = createHash('md5').update(bytes).digest()
    const etag = digest.toString('hex')
    if (uploadedEtags.get(number) === etag) return { PartNumber: number, ETag: `"${etag}"` }
    const part = { Body: bytes, ContentMD5: digest.toString('base64'), PartNumber: number }
    const command = new sdk.UploadPartCommand({ ...upload, ...part })
    const { ETag } = await ask((client) => client.send(command, abortOptions(partSignal)))
    return { PartNumber: number, ETag }
  })

  const complete = (condition: Partial<CompleteMultipartUploadCommandInput>) => {
    const command = new sdk.CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts }, ...condition })
    return ask((client, stop) => client.send(command, stop))
  }
  const { ETag = '', VersionId } = await complete(mustBeNew ? { IfNoneMatch: '*' } : {}).catch((error: unknown) => {
    if (mustBeNew && error instanceof NotImplemented) return complete({})
    throw error
  })
  return { key, size, etag: unquoteEtag(ETag), ...(VersionId !== undefined && { version: VersionId }) }
}

/** Refuses an existing object before the upload, because some services do not support `IfNoneMatch` at its end. */
async function requireAbsent(bucket: S3Bucket, key: string, signal: AbortSignal | undefined): Promise<void> {
  if ((await ignoreMissing(headKey(bucket, key, { signal }))) === undefined) return
  throw new ContextError('conflict', `${objectLabel(bucket.uri, key)} exists already.`)
}

/** Thrown for the status 501: the service does not support the operation. */
class NotImplemented extends ContextError {}

/** An empty list for a service that cannot list uploads, or denies it: no upload is resumed or swept. Else rethrows. */
function ignoreUnlisted(error: unknown): Partial<ListMultipartUploadsCommandOutput> {
  if (error instanceof ContextError && (error.code === 'unavailable' || error.code === 'denied')) return {}
  throw error
}

async function uploadsOf(bucket: S3Bucket, prefix: string, signal?: AbortSignal): Promise<MultipartUpload[]> {
  const { Bucket, Key: Prefix } = address(bucket, prefix, {})
  const uploads: MultipartUpload[] = []
  let marker: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } | undefined = {}
  while (marker) {
    const command: InstanceType<S3Bucket['sdk']['ListMultipartUploadsCommand']> =
      new bucket.sdk.ListMultipartUploadsCommand({ Bucket, Prefix, ...marker })
    const ask = bucket.ask(prefix, signal, (client) => client.send(command, abortOptions(signal)))
    const page = await ask.catch(ignoreUnlisted)
    uploads.push(...(page.Uploads ?? []))
    const { IsTruncated, NextKeyMarker, NextUploadIdMarker } = page
    const isMore: boolean = IsTruncated === true && NextKeyMarker !== undefined && NextKeyMarker !== marker.KeyMarker
    marker = isMore ? { KeyMarker: NextKeyMarker, UploadIdMarker: NextUploadIdMarker } : undefined
  }
  return uploads
}

/** Aborts abandoned uploads of these keys. A key that ends with a slash means all keys below it. */
export async function sweepUploads(bucket: S3Bucket, keys: readonly string[], signal?: AbortSignal): Promise<void> {
  const sweptKeys = new Set(keys.map((key) => bucket.base + key))
  const wholePrefixes = [...sweptKeys].filter((key) => key.endsWith('/'))
  const abandonedBefore = Date.now() - ABANDONED_MS
  for (const { Key = '', UploadId, Initiated } of await uploadsOf(bucket, commonStart(keys), signal)) {
    const isSwept = sweptKeys.has(Key) || wholePrefixes.some((prefix) => Key.startsWith(prefix))
    if (!isSwept || Number(Initiated ?? Date.now()) > abandonedBefore) continue
    const command = new bucket.sdk.AbortMultipartUploadCommand({ Bucket: bucket.name, Key, UploadId })
    await bucket.ask(Key, signal, (client) => client.send(command, abortOptions(signal)))
  }
}

function commonStart([first = '', ...others]: readonly string[]): string {
  let length = first.length
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length--
  return first.slice(0, length)
}
