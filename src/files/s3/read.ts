import { unescape as decodePercent } from 'node:querystring'
import { setTimeout as sleep } from 'node:timers/promises'
import type { GetObjectCommandOutput, ListObjectsV2CommandOutput, S3Client } from '@aws-sdk/client-s3'
import { BOUNDS } from '../../core/bounds.ts'
import { ContextError } from '../../core/errors.ts'
import {
  type ListRequest,
  MAX_PAGE,
  type ObjectInfo,
  type ObjectPage,
  type ObjectRead,
  objectLabel,
  type ReadRequest,
  type StreamRequest,
} from '../objects.ts'
import {
  abortOptions,
  address,
  dropBody,
  nodeStream,
  notS3Error,
  objectInfoOf,
  quoteEtag,
  requireKey,
  type S3Bucket,
} from './bucket.ts'
import { serviceStatus } from './errors.ts'

/** Maximum requests for one body if connections are lost, and maximum reads of an object that is replaced meanwhile. */
const MAX_TRIES = 3

/** After a connection delivered more bytes than this, the count of lost connections starts at 0 again. */
const PROGRESS_BYTES = 1024 * 1024

/** Maximum milliseconds of the pause before the second request. */
const PAUSE_MS = 100

/** Reads an object. `tries`: maximum number of reads if it is replaced during the read. */
export async function readKey(
  bucket: S3Bucket,
  key: string,
  request: ReadRequest,
  tries = MAX_TRIES,
): Promise<ObjectRead | 'unchanged'> {
  const { from = 0, length, maxBytes = BOUNDS.object, unless } = request
  const response = length === 0 ? 'beyond' : await openKey(bucket, { ...request, key })
  if (response === 'unchanged') return response
  if (response === 'beyond') {
    const info = await headKey(bucket, key, request)
    if (info.etag === unless) return 'unchanged'
    // An object that is larger than `from` grew after the first request.
    return length === 0 || from >= info.size ? { ...info, bytes: Buffer.alloc(0) } : readKey(bucket, key, request)
  }
  const info = objectInfoOf(key, response, objectSize(response))
  const available = Math.max(0, info.size - from)
  if (length === undefined && available > maxBytes) {
    dropBody(response.Body)
    const message = `${objectLabel(bucket.uri, key)} has ${available} bytes; at most ${maxBytes} are read.`
    throw new ContextError('over-limit', message, { hint: 'Read a part of it.' })
  }
  const bytes = Buffer.allocUnsafeSlow(Math.min(length ?? available, available))
  let at = 0
  try {
    for await (const part of bodyOf(bucket, response, { ...request, key })) {
      bytes.set(part, at)
      at += part.length
    }
  } catch (error) {
    if (tries > 1 && error instanceof ContextError && error.code === 'conflict')
      return readKey(bucket, key, request, tries - 1)
    throw error
  }
  return { ...info, bytes }
}

type Keyed<Request> = Request & { readonly key: string }
type GetRequest = Keyed<ReadRequest & Pick<StreamRequest, 'only'>>

/** The response to GET; `beyond` for an empty range. The caller reads or drops its body. */
async function sendGet(bucket: S3Bucket, client: S3Client, request: GetRequest) {
  const { key, from = 0, length, unless, only, signal } = request
  const range = from > 0 || length !== undefined ? `bytes=${from}-${length === undefined ? '' : from + length - 1}` : ''
  const command = new bucket.sdk.GetObjectCommand({
    ...address(bucket, key, request),
    ...(range && { Range: range }),
    ...(unless !== undefined && { IfNoneMatch: quoteEtag(unless) }),
    ...(only !== undefined && { IfMatch: quoteEtag(only) }),
  })
  try {
    return await client.send(command, abortOptions(signal))
  } catch (error) {
    if (serviceStatus(error) === 304) return 'unchanged'
    if (serviceStatus(error) === 416) return 'beyond'
    throw error
  }
}

/** The size of the whole object, from the response to a GET with or without a range. */
function objectSize({ ContentRange, ContentLength, Body }: GetObjectCommandOutput): number {
  const size = ContentRange === undefined ? ContentLength : Number(/\/(\d+)$/.exec(ContentRange)?.[1])
  if (size !== undefined && Number.isSafeInteger(size)) return size
  dropBody(Body)
  throw new ContextError('unavailable', 'The service does not say how large the object is.')
}

type HeadRequest = Pick<ReadRequest, 'version' | 'signal'>

export async function headKey(bucket: S3Bucket, key: string, request: HeadRequest): Promise<ObjectInfo> {
  const { version, signal } = request
  const command = new bucket.sdk.HeadObjectCommand(address(bucket, key, request))
  return bucket.ask(key, signal, async (client) => {
    try {
      const response = await client.send(command, abortOptions(signal))
      return objectInfoOf(key, response, response.ContentLength ?? 0)
    } catch (error) {
      if (!STATUSES_WITH_BODY.has(serviceStatus(error) ?? 0)) throw error
      return headByGet(bucket, client, { key, version, signal })
    }
  })
}

/** Statuses of errors whose body gives the reason. A response to HEAD has no body, so a GET follows. */
const STATUSES_WITH_BODY: ReadonlySet<number> = new Set([400, 403])

/** The properties of an object from GET, or the reason for a failure. */
async function headByGet(bucket: S3Bucket, client: S3Client, request: Keyed<HeadRequest>): Promise<ObjectInfo> {
  const response = await sendGet(bucket, client, { ...request, length: 1 })
  if (typeof response !== 'object')
    throw new ContextError('unavailable', `${objectLabel(bucket.uri, request.key)} was not described by the service.`)
  dropBody(response.Body)
  return objectInfoOf(request.key, response, objectSize(response))
}

export async function* stream(bucket: S3Bucket, rawKey: string, request: StreamRequest): AsyncGenerator<Uint8Array> {
  const key = requireKey(bucket, rawKey)
  if ((request.length ?? 1) <= 0) return
  const response = await openKey(bucket, { ...request, key })
  if (typeof response === 'object') yield* bodyOf(bucket, response, { ...request, key })
}

/** Yields the requested bytes of an object. After a lost connection, requests the missing bytes, if the object has the same etag. */
async function* bodyOf(
  bucket: S3Bucket,
  first: GetObjectCommandOutput,
  { unless: _, ...request }: Keyed<ReadRequest>,
): AsyncGenerator<Uint8Array> {
  const { key, from: start = 0, length = Number.POSITIVE_INFINITY, signal } = request
  const { etag, size } = objectInfoOf(key, first, objectSize(first))
  const end = Math.min(size, start + length)
  if (start >= end) dropBody(first.Body)
  let response = first
  let at = start
  for (let lostCount = 0; at < end; ) {
    const from = at
    // A service without ranges sends the whole object.
    let skip = response.ContentRange === undefined ? from : 0
    try {
      for await (const chunk of nodeStream(response.Body)) {
        const unskipped = chunk.subarray(skip)
        skip = Math.max(0, skip - chunk.length)
        const part = unskipped.subarray(0, end - at)
        at += part.length
        if (at - from > PROGRESS_BYTES) lostCount = 0
        if (part.length > 0) yield part
        if (part.length < unskipped.length) return
      }
      // A body that ended early counts as a lost connection.
      if (at < end) throw Object.assign(new Error(`${at} of ${end} bytes came.`), { code: 'ECONNRESET' })
    } catch (error) {
      await bucket.ask(key, signal, async () => {
        if (++lostCount === MAX_TRIES) throw error
        // Each pause is longer, and random.
        await sleep(PAUSE_MS * lostCount * (0.5 + Math.random() / 2), undefined, { signal })
      })
      const remaining = Number.isFinite(length) ? { length: end - at } : {}
      const next = await openKey(bucket, { ...request, ...remaining, key, from: at, only: etag })
      if (typeof next !== 'object') throw new ContextError('conflict', `${objectLabel(bucket.uri, key)} was replaced.`)
      response = next
    }
  }
}

/**
 * The response to GET, whose body the caller reads or drops; `beyond` for an empty range. With `only`, an object with another etag is an error.
 */
function openKey(bucket: S3Bucket, request: GetRequest): ReturnType<typeof sendGet> {
  return bucket.ask(request.key, request.signal, (client) => sendGet(bucket, client, request))
}

/** One page of a listing. @throws ContextError `unavailable` if the service does not name the next page. */
export async function listPage(bucket: S3Bucket, request: ListRequest): Promise<ObjectPage> {
  const { prefix = '', delimiter, token, limit = MAX_PAGE, signal } = request
  // A text with a lone surrogate is not UTF-8, so no key contains it.
  if (!prefix.isWellFormed() || !(delimiter ?? '').isWellFormed()) return { objects: [], prefixes: [], left: [] }
  const command = new bucket.sdk.ListObjectsV2Command({
    Bucket: bucket.name,
    // XML cannot hold every character of a key.
    EncodingType: 'url',
    Prefix: bucket.base + prefix,
    MaxKeys: Math.max(1, Math.min(limit, MAX_PAGE)),
    ...(delimiter && { Delimiter: delimiter }),
    ...(token !== undefined && { ContinuationToken: token }),
  })
  return bucket.ask('', signal, async (client) =>
    pageOf(bucket, await client.send(command, abortOptions(signal)), token),
  )
}

function pageOf({ base, uri }: S3Bucket, response: ListObjectsV2CommandOutput, token: string | undefined): ObjectPage {
  if (response.Name === undefined && response.IsTruncated === undefined) throw notS3Error()
  const { Contents = [], CommonPrefixes = [], NextContinuationToken: next, IsTruncated, EncodingType } = response
  if (IsTruncated && (next === undefined || next === token))
    throw new ContextError('unavailable', `${uri} cannot be listed: the service does not name the next page.`)
  const decode = (text = '') =>
    (EncodingType === 'url' ? decodePercent(text.replaceAll('+', ' ')) : text).slice(base.length)
  const objects = Contents.map((one) => objectInfoOf(decode(one.Key), one, one.Size ?? 0))
  return {
    // The prefix itself may be an object that marks a folder. Its key below the prefix would be empty.
    objects: objects.filter(({ key }) => key !== ''),
    prefixes: CommonPrefixes.map(({ Prefix }) => decode(Prefix)),
    left: [],
    ...(IsTruncated && next !== undefined && { next }),
  }
}
