import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PutObjectCommandInput, S3Client } from '@aws-sdk/client-s3'
import { ContextError, invalidInput } from '../../core/errors.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { trimEnd } from '../../text/trim.ts'
import { type Objects, type ObjectWritten, objectLabel, type PutRequest } from '../objects.ts'
import { abortOptions, address, canHoldKey, quoteEtag, requireKey, type S3Bucket, unquoteEtag } from './bucket.ts'
import { connect, loadSdk, type S3Connection, type S3Settings, type Sdk } from './client.ts'
import { serviceStatus, withBucketErrors } from './errors.ts'
import { headKey, listPage, readKey, stream } from './read.ts'
import { sweepUploads, uploadStream } from './upload.ts'

export type { S3Settings } from './client.ts'

/** Maximum attempts of a put that conflicts with simultaneous writes, and milliseconds of the first pause. */
const CONFLICT_RETRIES = { times: 5, waitMs: 50 }

/**
 * The objects of a bucket. Opening a bucket sends no request.
 *
 * @throws ContextError `invalid-input` for an invalid endpoint; `unavailable` if `@aws-sdk/client-s3` is not installed.
 */
export async function openS3(settings: S3Settings): Promise<Objects> {
  const sdk = await loadSdk()
  const connection = await connect(sdk, settings)
  return objectsOf(bucketOf(sdk, settings, connection), connection)
}

async function deleteObject(bucket: S3Bucket, key: string, signal: AbortSignal | undefined): Promise<void> {
  const command = new bucket.sdk.DeleteObjectCommand(address(bucket, key, {}))
  await bucket.ask(key, signal, async (client) => {
    try {
      await client.send(command, abortOptions(signal))
    } catch (error) {
      // Most services report success for a missing object; some report an error.
      if (!isMissing(error)) throw error
    }
  })
}

function bucketOf(
  sdk: Sdk,
  { bucket: name, prefix, endpoint, anonymous }: S3Settings,
  connection: S3Connection,
): S3Bucket {
  const prefixPath = trimEnd(prefix ?? '', '/')
  const uri = `s3://${name}${prefixPath && `/${prefixPath}`}`
  const host = endpoint === undefined ? undefined : new URL(endpoint).host
  return {
    sdk,
    uri,
    name,
    base: prefixPath && `${prefixPath}/`,
    ask: (key, signal, work) => {
      const request = { place: objectLabel(uri, key), host, isAnonymous: anonymous ?? false }
      return withBucketErrors(request, signal, () => connection.use(work))
    },
  }
}

function objectsOf(bucket: S3Bucket, connection: S3Connection): Objects {
  return {
    uri: bucket.uri,
    read: async (key, request = {}) => readKey(bucket, requireKey(bucket, key), request),
    stream: (key, request = {}) => stream(bucket, key, request),
    head: async (key, request = {}) => headKey(bucket, requireKey(bucket, key), request),
    list: async (request = {}) => listPage(bucket, request),
    put: async (key, bytes, request = {}) => putKey(bucket, { key, bytes }, request),
    putStream: async (key, bytes, request = {}) =>
      uploadStream(bucket, { key, bytes, put: (one) => putKey(bucket, { key, bytes: one }, request) }, request),
    remove: async (key, signal) => deleteObject(bucket, requireKey(bucket, key), signal),
    sweep: (keys, signal) => sweepUploads(bucket, keys, signal),
    close: async () => connection.close(),
  }
}

/** An object to write, with the condition on the existing object. */
interface ObjectWrite {
  readonly key: string
  readonly bytes: Uint8Array
  readonly condition: Pick<PutObjectCommandInput, 'IfNoneMatch' | 'IfMatch'>
  readonly signal: AbortSignal | undefined
}

async function putKey(
  bucket: S3Bucket,
  { key, bytes }: Pick<ObjectWrite, 'key' | 'bytes'>,
  { if: condition, signal }: PutRequest,
): Promise<ObjectWritten> {
  const place = objectLabel(bucket.uri, key)
  if (!canHoldKey(bucket, key)) throw invalidInput(`${place} cannot be written: ${NO_KEY}`)
  return bucket.ask(key, signal, async (client) => {
    const write = (condition: ObjectWrite['condition']) => putObject(bucket, client, { key, bytes, condition, signal })
    if (condition === undefined) return write({})
    if (condition === 'absent') return write({ IfNoneMatch: '*' })
    const { etag } = condition
    try {
      return await write({ IfMatch: quoteEtag(etag) })
    } catch (error) {
      if (isMissing(error)) throw new ContextError('conflict', `${place} ${IS_GONE}`)
      if (serviceStatus(error) !== 412 || !(await isCurrent(bucket, etag, { key, signal }))) throw error
    }
    // Ceph before release 19 compares the etag in the request with an etag without quotes.
    return write({ IfMatch: etag })
  })
}

const NO_KEY = 'no object can have this key.'
const IS_GONE = 'no longer exists.'

/** Sends a put. Repeats it if it conflicts with simultaneous writes. */
async function putObject(bucket: S3Bucket, client: S3Client, writing: ObjectWrite): Promise<ObjectWritten> {
  const { key, bytes, condition, signal } = writing
  const body = { Body: bytes, ContentMD5: createHash('md5').update(bytes).digest('base64') }
  const command = new bucket.sdk.PutObjectCommand({ ...address(bucket, key, {}), ...body, ...condition })
  for (let tries = 1; ; tries++) {
    try {
      const { ETag = '', VersionId } = await client.send(command, abortOptions(signal))
      return omitUndefined({ key, size: bytes.length, etag: unquoteEtag(ETag), version: VersionId })
    } catch (error) {
      if (serviceStatus(error) !== 409 || tries === CONFLICT_RETRIES.times) throw error
    }
    await sleep(CONFLICT_RETRIES.waitMs * tries, undefined, { signal })
  }
}

/** Whether an error says that the object does not exist. */
function isMissing(error: unknown): boolean {
  return error instanceof Error && error.name === 'NoSuchKey'
}

async function isCurrent(bucket: S3Bucket, etag: string, { key, signal }: Pick<ObjectWrite, 'key' | 'signal'>) {
  const info = await headKey(bucket, key, { signal }).catch(() => undefined)
  return info?.etag === etag
}
