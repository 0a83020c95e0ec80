import { setTimeout as sleep } from 'node:timers/promises'
import type { GetObjectCommandOutput, S3Client } from '@aws-sdk/client-s3'
import { ContextError } from '../../core/errors.ts'
import { placeOf } from '../keys.ts'
import { MAX_READ, type ObjectInfo, type ObjectRead, type ReadRequest, type StreamRequest } from '../objects.ts'
import { dropped, LOST, partOf, shortened, streamOf } from './body.ts'
import { aborting, address, type Bucket, infoOf, known, quoted } from './bucket.ts'
import { statusOf } from './errors.ts'

/** How often a body is asked for that is lost on the way. */
const AGAIN = 3

/** Bytes after which a stream counts as one that goes on. */
const PROGRESS = 1024 * 1024

/** Before it is asked for again, in milliseconds. */
const PAUSE_MS = 100

export async function read(bucket: Bucket, asked: string, request: ReadRequest): Promise<ObjectRead | 'unchanged'> {
  const key = known(bucket, asked)
  if (request.length === 0) return withoutBytes(await head(bucket, key, request))
  return bucket.ask(key, request.signal, async (client) => {
    for (let tries = 1; ; tries++) {
      try {
        return await readOnce(bucket, client, { ...request, key })
      } catch (error) {
        if (tries === AGAIN || !isLost(error)) throw error
      }
      await pause(tries, request.signal)
    }
  })
}

async function readOnce(
  bucket: Bucket,
  client: S3Client,
  request: Keyed<ReadRequest>,
): Promise<ObjectRead | 'unchanged'> {
  const { key, from = 0 } = request
  const answer = await got(bucket, client, request)
  if (answer === 'unchanged') return answer
  if (answer !== 'beyond') {
    const part = wanted(bucket, answer, request)
    return { ...infoOf(key, answer, sizeOf(answer)), bytes: await partOf(answer.Body, part) }
  }
  const info = await head(bucket, key, request)
  if (info === 'unchanged' || from >= info.size) return withoutBytes(info)
  throw Object.assign(new Error('It has grown meanwhile.'), { code: LOST })
}

/** Whether a body was lost on the way, or is another one by now, so that it is worth asking again. */
function isLost(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === LOST || error.name === 'TimeoutError')
}

/** Somewhat longer each time, and not all at once. */
async function pause(tries: number, signal: AbortSignal | undefined): Promise<void> {
  await sleep(PAUSE_MS * tries * (0.5 + Math.random() / 2), undefined, signal && { signal })
}

function withoutBytes(info: ObjectInfo | 'unchanged'): ObjectRead | 'unchanged' {
  return info === 'unchanged' ? info : { ...info, bytes: Buffer.alloc(0) }
}

type Keyed<Request> = Request & { readonly key: string }

/** The answer to GET; `beyond` where nothing is in the range. Its body has to be read or dropped. */
async function got(bucket: Bucket, client: S3Client, request: Keyed<ReadRequest & { readonly only?: string }>) {
  const { key, from = 0, length, unless, only, signal } = request
  const range = from > 0 || length !== undefined ? `bytes=${from}-${length === undefined ? '' : from + length - 1}` : ''
  const command = new bucket.sdk.GetObjectCommand({
    ...address(bucket, key, request),
    ...(range && { Range: range }),
    ...(unless !== undefined && { IfNoneMatch: quoted(unless) }),
    ...(only !== undefined && { IfMatch: quoted(only) }),
  })
  try {
    return await client.send(command, aborting(signal))
  } catch (error) {
    if (statusOf(error) === 304) return 'unchanged'
    if (statusOf(error) === 416) return 'beyond'
    throw error
  }
}

/** Which part of the body is asked for: a service that knows no ranges sends all. @throws ContextError `over-limit`. */
function wanted({ uri }: Bucket, answer: GetObjectCommandOutput, request: Keyed<ReadRequest>) {
  const { key, from = 0, length, maxBytes = MAX_READ } = request
  const size = sizeOf(answer)
  const there = Math.max(0, size - from)
  if (length === undefined && there > maxBytes) {
    dropped(answer.Body)
    const message = `${placeOf(uri, key)} has ${there} bytes; at most ${maxBytes} are read.`
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
function sizeOf({ ContentRange, ContentLength, Body }: GetObjectCommandOutput): number {
  const size = ContentRange === undefined ? ContentLength : Number(/\/(\d+)$/.exec(ContentRange)?.[1])
  if (size !== undefined && Number.isSafeInteger(size)) return size
  dropped(Body)
  throw new ContextError('unavailable', 'The service does not say how large the object is.')
}

export async function head(bucket: Bucket, key: string, request: ReadRequest): Promise<ObjectInfo | 'unchanged'> {
  const { unless, signal } = request
  const condition = unless === undefined ? {} : { IfNoneMatch: quoted(unless) }
  const command = new bucket.sdk.HeadObjectCommand({ ...address(bucket, key, request), ...condition })
  return bucket.ask(key, signal, async (client) => {
    try {
      const answer = await client.send(command, aborting(signal))
      return infoOf(key, answer, answer.ContentLength ?? 0)
    } catch (error) {
      if (statusOf(error) === 304) return 'unchanged'
      throw error
    }
  })
}

/** A connection that is lost is not the end: what is missing is asked for, of the same object. */
export async function* stream(bucket: Bucket, asked: string, request: StreamRequest): AsyncGenerator<Uint8Array, void> {
  const key = known(bucket, asked)
  const { from: start = 0, length = Number.POSITIVE_INFINITY, signal } = request
  if (length <= 0) return
  let answer = await opened(bucket, { ...request, key })
  if (answer === 'beyond') return
  const { etag, size } = infoOf(key, answer, sizeOf(answer))
  const end = Math.min(size, start + length)
  let at = start
  for (let lost = 0; at < end; ) {
    const from = at
    try {
      for await (const chunk of streamOf(answer.Body)) {
        // A service that knows no ranges sends more than was asked for.
        const part = chunk.subarray(0, end - at)
        at += part.length
        if (at - from > PROGRESS) lost = 0
        yield part
        if (part.length < chunk.length) return
      }
      if (at < end) throw shortened(at, end)
    } catch (error) {
      await bucket.ask(key, signal, async () => {
        if (++lost === AGAIN) throw error
        await pause(lost, signal)
      })
      const rest = Number.isFinite(length) ? { length: end - at } : {}
      answer = await opened(bucket, { ...request, ...rest, key, from: at, only: etag })
      if (answer === 'beyond') throw another(bucket, key)
    }
  }
}

/**
 * The answer to GET with its body, of which nothing is read yet; `beyond` where nothing is in the range. What was replaced
 * meanwhile is refused by its etag.
 */
async function opened(bucket: Bucket, request: Keyed<StreamRequest>): Promise<GetObjectCommandOutput | 'beyond'> {
  const { key, from = 0, signal } = request
  return bucket.ask<GetObjectCommandOutput | 'beyond'>(key, signal, async (client) => {
    const answer = await got(bucket, client, request)
    if (answer === 'beyond') return answer
    if (typeof answer === 'object' && (from === 0 || answer.ContentRange !== undefined)) return answer
    if (typeof answer === 'object') dropped(answer.Body)
    throw another(bucket, key)
  })
}

function another({ uri }: Bucket, key: string): ContextError {
  return new ContextError('conflict', `${placeOf(uri, key)} is another one by now.`)
}
