import type { Blobs } from './blobs.ts'
import { bucketRoot, isBucketRoot } from './bucket-root.ts'
import type { Objects } from './objects.ts'

/** How buckets of S3 are reached. What is left out comes from the files of AWS, or is as Amazon has it. */
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
}

/**
 * The objects at the root of a collection: of a directory, or of a bucket. What a bucket needs is loaded for the first one.
 *
 * @throws ContextError `unavailable` where the SDK of S3 is not installed; as `openRoot` does for a directory.
 */
export async function objectsAt(root: string, settings: BucketSettings = {}): Promise<Objects> {
  if (!isBucketRoot(root)) return (await import('./directory.ts')).openDirectory(root)
  const { bucket, prefix } = bucketRoot(root)
  const { openS3 } = await import('./s3/s3.ts')
  return openS3({ ...settings, bucket, ...(prefix !== undefined && { prefix }) })
}

/**
 * Blobs in a directory, which is made when it is first written to, or in a bucket.
 *
 * @throws ContextError `unavailable` where the SDK of S3 is not installed; `invalid-input` for what names no bucket.
 */
export async function blobsAt(root: string, settings: BucketSettings = {}): Promise<Blobs> {
  if (!isBucketRoot(root)) return (await import('./disk/blobs-directory.ts')).directoryBlobs(root)
  const { bucket, prefix } = bucketRoot(root)
  const { s3Blobs } = await import('./s3/s3.ts')
  return s3Blobs({ ...settings, bucket, ...(prefix !== undefined && { prefix }) })
}
