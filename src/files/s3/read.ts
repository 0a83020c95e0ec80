import { setTimeout as sleep } from 'node:timers/promises'
import type {
  GetObjectCommandOutput,
  _Object as Listed,
  ListObjectsV2CommandOutput,
  S3Client,
} from '@aws-sdk/client-s3'
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
  CONNECTION_LOST,
  dropBody,
  keyInfo,
  noAnswer,
  nodeStream,
  quoteEtag,
  readBodyPart,
  requireKey,
  type S3Bucket,
  truncatedBody,
} from './bucket.ts'
import { serviceStatus } from './errors.ts'

/** How often a body is asked for that is lost on the way. */
const AGAIN = 3

/** Bytes after which a stream counts as making progress. */
const PROGRESS = 1024 * 1024

/** Before it is asked for again, in milliseconds. */
const PAUSE_MS = 100

export async function readKey(
  bucket: S3Bucket,
  asked: string,
  request: ReadRequest,
): Promise<ObjectRead | 'unchanged'> {
  const key = requireKey(bucket, asked)
  if (request.length === 0) return withoutBytes(await headKey(bucket, key, request))
  return bucket.ask(key, request.signal, async (client) => {
    for (let tries = 1; ; tries++) {
      try {
        return await readOnce(bucket, client, { ...request, key })
      } catch (error) {
        if (tries === AGAIN || !isConnectionLost(error)) throw error
      }
      await pauseBeforeRetry(tries, request.signal)
    }
  })
}

async function readOnce(
  bucket: S3Bucket,
  client: S3Client,
  request: Keyed<ReadRequest>,
): Promise<ObjectRead | 'unchanged'> {
  const { key, from = 0 } = request
  const answer = await got(bucket, client, request)
  if (answer === 'unchanged') return answer
  if (answer !== 'beyond') {
    const part = wantedPart(bucket, answer, request)
    return { ...keyInfo(key, answer, objectSize(answer)), bytes: await readBodyPart(answer.Body, part) }
  }
  const info = await headKey(bucket, key, request)
  if (info === 'unchanged' || from >= info.size) return withoutBytes(info)
  throw Object.assign(new Error('It grew while it was read.'), { code: CONNECTION_LOST })
}

/** Whether a body was lost on the way, or was replaced, so that it is worth asking again. */
function isConnectionLost(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === CONNECTION_LOST || error.name === 'TimeoutError')
}

/** Somewhat longer each time, and not all at once. */
async function pauseBeforeRetry(tries: number, signal: AbortSignal | undefined): Promise<void> {
  await sleep(PAUSE_MS * tries * (0.5 + Math.random() / 2), undefined, { signal })
}

function withoutBytes(info: ObjectInfo | 'unchanged'): ObjectRead | 'unchanged' {
  return info === 'unchanged' ? info : { ...info, bytes: Buffer.alloc(0) }
}

type Keyed<Request> = Request & { readonly key: string }

/** The answer to GET; `beyond` where nothing is in the range. Its body has to be read or dropped. */
async function got(
  bucket: S3Bucket,
  client: S3Client,
  request: Keyed<ReadRequest & { readonly only?: string | undefined }>,
) {
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

/** Which part of the body is asked for: a service that knows no ranges sends all. @throws ContextError `over-limit`. */
function wantedPart({ uri }: S3Bucket, answer: GetObjectCommandOutput, request: Keyed<ReadRequest>) {
  const { key, from = 0, length, maxBytes = BOUNDS.object } = request
  const size = objectSize(answer)
  const there = Math.max(0, size - from)
  if (length === undefined && there > maxBytes) {
    dropBody(answer.Body)
    const message = `${objectLabel(uri, key)} has ${there} bytes; at most ${maxBytes} are read.`
    throw new ContextError('over-limit', message, { hint: 'Read a part of it.' })
  }
  const isWhole = answer.ContentRange === undefined
  return {
    skip: isWhole ? Math.min(from, size) : 0,
    length: Math.min(length ?? there, there),
    total: answer.ContentLength ?? 0,
  }
}

/** Of the whole object, whichever part was sent. */
function objectSize({ ContentRange, ContentLength, Body }: GetObjectCommandOutput): number {
  const size = ContentRange === undefined ? ContentLength : Number(/\/(\d+)$/.exec(ContentRange)?.[1])
  if (size !== undefined && Number.isSafeInteger(size)) return size
  dropBody(Body)
  throw new ContextError('unavailable', 'The service does not say how large the object is.')
}

export async function headKey(bucket: S3Bucket, key: string, request: ReadRequest): Promise<ObjectInfo | 'unchanged'> {
  const { unless, signal } = request
  const condition = unless === undefined ? {} : { IfNoneMatch: quoteEtag(unless) }
  const command = new bucket.sdk.HeadObjectCommand({ ...address(bucket, key, request), ...condition })
  return bucket.ask(key, signal, async (client) => {
    try {
      const answer = await client.send(command, abortOptions(signal))
      return keyInfo(key, answer, answer.ContentLength ?? 0)
    } catch (error) {
      if (serviceStatus(error) === 304) return 'unchanged'
      if (!SAYS_MORE.has(serviceStatus(error) ?? 0)) throw error
      return headByGet(bucket, client, { ...request, key })
    }
  })
}

/** Statuses with which an answer says why: one to HEAD has no body, so it is asked once more. */
const SAYS_MORE: ReadonlySet<number> = new Set([400, 403])

/** What GET says of an object, or why it does not. */
async function headByGet(
  bucket: S3Bucket,
  client: S3Client,
  { unless: _, ...request }: Keyed<ReadRequest>,
): Promise<ObjectInfo> {
  const answer = await got(bucket, client, { ...request, length: 1 })
  if (typeof answer !== 'object')
    throw new ContextError('unavailable', `${objectLabel(bucket.uri, request.key)} was not described by the service.`)
  dropBody(answer.Body)
  return keyInfo(request.key, answer, objectSize(answer))
}

/** A connection that is lost is not the end: what is missing is asked for, of the same object. */
export async function* stream(
  bucket: S3Bucket,
  asked: string,
  request: StreamRequest,
): AsyncGenerator<Uint8Array, void> {
  const key = requireKey(bucket, asked)
  const { from: start = 0, length = Number.POSITIVE_INFINITY, signal } = request
  if (length <= 0) return
  let answer = await openKey(bucket, { ...request, key })
  if (answer === 'beyond') return
  const { etag, size } = keyInfo(key, answer, objectSize(answer))
  const end = Math.min(size, start + length)
  let at = start
  for (let lost = 0; at < end; ) {
    const from = at
    try {
      for await (const chunk of nodeStream(answer.Body)) {
        // A service that knows no ranges sends more than was asked for.
        const part = chunk.subarray(0, end - at)
        at += part.length
        if (at - from > PROGRESS) lost = 0
        yield part
        if (part.length < chunk.length) return
      }
      if (at < end) throw truncatedBody(at, end)
    } catch (error) {
      await bucket.ask(key, signal, async () => {
        if (++lost === AGAIN) throw error
        await pauseBeforeRetry(lost, signal)
      })
      const rest = Number.isFinite(length) ? { length: end - at } : {}
      answer = await openKey(bucket, { ...request, ...rest, key, from: at, only: etag })
      if (answer === 'beyond') throw another(bucket, key)
    }
  }
}

/**
 * The answer to GET with its body, of which nothing is read yet; `beyond` where nothing is in the range. What was replaced
 * meanwhile is refused by its etag.
 */
async function openKey(bucket: S3Bucket, request: Keyed<StreamRequest>): Promise<GetObjectCommandOutput | 'beyond'> {
  const { key, from = 0, signal } = request
  return bucket.ask<GetObjectCommandOutput | 'beyond'>(key, signal, async (client) => {
    const answer = await got(bucket, client, request)
    if (answer === 'beyond') return answer
    if (typeof answer === 'object' && (from === 0 || answer.ContentRange !== undefined)) return answer
    if (typeof answer === 'object') dropBody(answer.Body)
    throw another(bucket, key)
  })
}

function another({ uri }: S3Bucket, key: string): ContextError {
  return new ContextError('conflict', `${objectLabel(uri, key)} was replaced.`)
}

/** One page. @throws ContextError `unavailable` for a service whose pages do not end. */
export async function listPage(bucket: S3Bucket, request: ListRequest): Promise<ObjectPage> {
  const { prefix = '', delimiter, token, limit = MAX_PAGE, signal } = request
  // No key begins with what UTF-8 cannot write.
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

function pageOf({ base, uri }: S3Bucket, answer: ListObjectsV2CommandOutput, token: string | undefined): ObjectPage {
  if (answer.Name === undefined && answer.IsTruncated === undefined) throw noAnswer()
  const { Contents = [], CommonPrefixes = [], NextContinuationToken: next, IsTruncated, EncodingType } = answer
  if (IsTruncated && (next === undefined || next === token)) {
    throw new ContextError('unavailable', `${uri} cannot be listed: the service gives the same page again.`)
  }
  const own = (text = '') => (EncodingType === 'url' ? decodeKey(text) : text).slice(base.length)
  const objects = Contents.map((one: Listed) => keyInfo(own(one.Key), one, one.Size ?? 0))
  return {
    // The prefix itself may be an object, of those that stand for folders; below the prefix it has no name.
    objects: objects.filter(({ key }) => key !== ''),
    prefixes: CommonPrefixes.map(({ Prefix }) => own(Prefix)),
    left: [],
    ...(IsTruncated && next !== undefined && { next }),
  }
}

/** Decodes URL encoding; a space is a plus, or `%20`. Invalid UTF-8 becomes U+FFFD. */
function decodeKey(text: string): string {
  const spaced = text.replaceAll('+', ' ')
  try {
    return decodeURIComponent(spaced)
  } catch {
    const bytes = spaced.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    return Buffer.from(bytes, 'latin1').toString('utf8')
  }
}
