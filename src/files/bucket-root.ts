import { type ContextError, invalidInput } from '../core/errors.ts'
import { shortenPath } from '../text/paths.ts'
import { trimEnd } from '../text/trim.ts'

/** A bucket of S3, or what in it begins alike. */
export interface BucketRoot {
  readonly bucket: string
  /** Without a slash at its end; absent for all of the bucket. */
  readonly prefix?: string
  /** `s3://bucket/prefix`: one root is written in one way. */
  readonly uri: string
}

/** Whether a root is meant as a bucket of S3. */
export function isBucketRoot(root: string): boolean {
  return /^s3:/i.test(root)
}

/** @throws ContextError `invalid-input` for what names no bucket. */
export function bucketRoot(root: string): BucketRoot {
  const [, bucket, rest = ''] = /^s3:\/\/([^/]*)(?:\/(.*))?$/is.exec(root) ?? []
  if (bucket === undefined) throw invalidBucketRoot(root, 'lacks "//" before the bucket')
  if (bucket === '') throw invalidBucketRoot(root, 'names no bucket')
  if (!/^[A-Za-z0-9][\w.-]{1,254}$/.test(bucket))
    throw invalidBucketRoot(root, 'names a bucket that there can be none of', LETTERS)
  const prefix = trimEnd(rest, '/')
  if (/[\0-\x1f\x7f]/.test(prefix) || !prefix.isWellFormed())
    throw invalidBucketRoot(root, 'has characters that no prefix should have')
  return prefix === '' ? { bucket, uri: `s3://${bucket}` } : { bucket, prefix, uri: `s3://${bucket}/${prefix}` }
}

/** The settings of a bucket. Default: from the files of AWS, else as at Amazon. */
export interface BucketSettings {
  /** The service, where it is not Amazon's: `http://127.0.0.1:9000`. */
  readonly endpoint?: string
  readonly region?: string
  /** The name of a profile in the files of AWS. */
  readonly profile?: string
  /** The bucket is in the path, not in the host. Default: where there is an endpoint that is not Amazon's. */
  readonly pathStyle?: boolean
  /** Asks without credentials. Default: false. */
  readonly anonymous?: boolean
  /** Each request says that the requester pays. Default: false. */
  readonly requesterPays?: boolean
}

/** How the root of a collection is reached. */
export interface RootAccess extends BucketSettings {
  /** Of a directory: its real path when it became a root. Another one is refused. */
  readonly realPath?: string
}

/** @throws ContextError `invalid-input` for what is not an address, or holds a password. */
export function checkEndpoint(endpoint: string): string {
  const hint = 'It is such as http://127.0.0.1:9000 (AWS_ENDPOINT_URL_S3), without credentials.'
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined
  const isFit = url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
  if (!isFit) {
    const said = endpoint.includes('@') ? '' : ` ${JSON.stringify(endpoint.slice(0, 200))}`
    throw invalidInput(`The endpoint of buckets${said} is not an address of a service.`, hint)
  }
  return endpoint
}

const LETTERS = ' The name of a bucket has letters, digits, ".", "_" and "-", three at least.'

function invalidBucketRoot(root: string, problem: string, more = ''): ContextError {
  const hint = `Write s3://BUCKET, or s3://BUCKET/PREFIX.${more}`
  return invalidInput(`${JSON.stringify(shortenPath(root))} ${problem}.`, hint)
}
