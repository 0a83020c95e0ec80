import { type ContextError, invalidInput, quoteValue } from '../core/errors.ts'
import { shortenPath } from '../text/paths.ts'
import { trimEnd } from '../text/trim.ts'

/** A bucket of S3, or the objects in it whose keys have a prefix. */
export interface BucketRoot {
  readonly bucket: string
  /** The prefix of all keys, without a final slash; absent for the whole bucket. */
  readonly prefix?: string
  /** The normal form of this root: `s3://bucket/prefix`. */
  readonly uri: string
}

export function isBucketRoot(root: string): boolean {
  return /^s3:/i.test(root)
}

/** @throws ContextError `invalid-input` for an invalid name. */
export function bucketRoot(root: string): BucketRoot {
  const [, bucket, pathInBucket = ''] = /^s3:\/\/([^/]*)(?:\/(.*))?$/is.exec(root) ?? []
  if (bucket === undefined) throw invalidBucketRoot(root, 'lacks "//" before the bucket')
  if (bucket === '') throw invalidBucketRoot(root, 'names no bucket')
  if (!/^[A-Za-z0-9][\w.-]{1,254}$/.test(bucket))
    throw invalidBucketRoot(root, 'has a bucket name that is not valid', NAME_RULE)
  const prefix = trimEnd(pathInBucket, '/')
  if (/[\0-\x1f\x7f]/.test(prefix) || !prefix.isWellFormed())
    throw invalidBucketRoot(root, 'has control characters, or is not valid Unicode')
  return prefix === '' ? { bucket, uri: `s3://${bucket}` } : { bucket, prefix, uri: `s3://${bucket}/${prefix}` }
}

/** The settings of a bucket. Defaults: the configuration files of AWS, then the defaults of Amazon S3. */
export interface BucketSettings {
  /** A service other than Amazon's: `http://127.0.0.1:9000`. */
  readonly endpoint?: string
  readonly region?: string
  /** A profile in the files of AWS. */
  readonly profile?: string
  /** Puts the bucket in the path, not in the host. Default: true for an endpoint other than Amazon's. */
  readonly pathStyle?: boolean
  /** Sends no credentials. Default: false. */
  readonly anonymous?: boolean
  /** States in each request that the requester pays. Default: false. */
  readonly requesterPays?: boolean
}

/** Access to the root of a collection. */
export interface RootAccess extends BucketSettings {
  /** The real path of a directory when it became a root. Opening is refused if the root now leads to another path. */
  readonly realPath?: string
}

/** @throws ContextError `invalid-input` for an invalid address, or an address with a password. */
export function checkEndpoint(endpoint: string): string {
  const hint = 'Give an address such as http://127.0.0.1:9000 (AWS_ENDPOINT_URL_S3), without credentials.'
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined
  const isValid = url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
  if (!isValid) {
    const shownEndpoint = endpoint.includes('@') ? '' : ` ${quoteValue(endpoint)}`
    throw invalidInput(`The endpoint of buckets${shownEndpoint} is not an address of a service.`, hint)
  }
  return endpoint
}

const NAME_RULE = ' A bucket name has at least three characters: letters, digits, ".", "_" and "-".'

function invalidBucketRoot(root: string, problem: string, addition = ''): ContextError {
  const hint = `Write s3://BUCKET, or s3://BUCKET/PREFIX.${addition}`
  return invalidInput(`${JSON.stringify(shortenPath(root))} ${problem}.`, hint)
}
