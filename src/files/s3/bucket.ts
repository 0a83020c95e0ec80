import { Readable } from 'node:stream'
import type { HeadObjectCommandOutput, S3Client } from '@aws-sdk/client-s3'
import { ContextError } from '../../core/errors.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { isKey, type ObjectInfo, objectLabel, objectNotFound, type ReadRequest } from '../objects.ts'
import type { Sdk } from './client.ts'

/** A bucket, with its client. */
export interface S3Bucket {
  readonly sdk: Sdk
  readonly uri: string
  readonly name: string
  /** The text before each key: `prefix/`, or `''`. */
  readonly base: string
  /** Sends a request about an object; about the bucket if `key` is empty. Failures become errors that say what to do. */
  ask<T>(key: string, signal: AbortSignal | undefined, work: (client: S3Client) => Promise<T>): Promise<T>
}

/** Whether an object can have this key. */
export function canHoldKey({ base }: S3Bucket, key: string): boolean {
  return key !== '' && isKey(base + key)
}

/** Checks a key. @throws ContextError `not-found` for a key that no object can have. */
export function requireKey(bucket: S3Bucket, key: string): string {
  if (canHoldKey(bucket, key)) return key
  throw objectNotFound(objectLabel(bucket.uri, key), 'does not exist: no object can have this key.')
}

export function address({ name, base }: S3Bucket, key: string, { version }: ReadRequest) {
  return { Bucket: name, Key: base + key, ...(version !== undefined && { VersionId: version }) }
}

export function abortOptions(signal: AbortSignal | undefined) {
  return signal ? { abortSignal: signal } : {}
}

/** The properties of an object in responses to GET, to HEAD and to lists. */
type ObjectHeaders = Pick<HeadObjectCommandOutput, 'ETag' | 'LastModified' | 'VersionId'>

/** @throws ContextError `unavailable` for a response without an etag, which every S3 service sends. */
export function objectInfoOf(key: string, { ETag, LastModified, VersionId }: ObjectHeaders, size: number): ObjectInfo {
  if (ETag === undefined) throw notS3Error()
  const modifiedAt = (LastModified ?? new Date(0)).toISOString()
  return omitUndefined({ key, size, etag: unquoteEtag(ETag), modifiedAt, version: VersionId })
}

export function notS3Error(): ContextError {
  const hint = 'Check the endpoint (AWS_ENDPOINT_URL_S3): a proxy, or a page to sign in at, may have answered.'
  return new ContextError('unavailable', 'The service at the endpoint does not answer as S3 does.', { hint })
}

/** An etag without its quotes. A weak etag (`W/"…"`) stays unchanged. */
export function unquoteEtag(etag: string): string {
  return etag.replace(/^"(.*)"$/, '$1')
}

export function quoteEtag(etag: string): string {
  return etag.startsWith('W/') ? etag : `"${etag}"`
}

/** The body of a response, which is a stream of Node. */
export function nodeStream(body: unknown): Readable {
  if (body instanceof Readable) return body
  throw new ContextError('unavailable', 'The answer of the service has no body.')
}

/** Closes a body that was not read to its end, and with it the connection. */
export function dropBody(body: unknown): void {
  if (body instanceof Readable) body.destroy()
}
