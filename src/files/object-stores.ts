import { type BucketSettings, bucketRoot, isBucketRoot, type RootAccess } from './bucket-root.ts'
import type { Objects } from './objects.ts'

/** Settings of all buckets. `buckets`: settings of single buckets, by name, which replace the general settings. */
export interface BucketsSettings extends BucketSettings {
  readonly buckets?: Readonly<Record<string, BucketSettings>>
}

/**
 * The objects at the root of a collection, which is a directory or a bucket. The first bucket loads the SDK of AWS.
 * `own`: settings of this collection, which replace the values in `settings`.
 *
 * @throws ContextError `unavailable` if the SDK of S3 is not installed; as `openRoot` does for a directory.
 */
export async function objectsAt(root: string, own: RootAccess = {}, settings: BucketsSettings = {}): Promise<Objects> {
  if (!isBucketRoot(root)) return (await import('./directory.ts')).openDirectory(root, own)
  const { bucket, prefix } = bucketRoot(root)
  const { openS3 } = await import('./s3/s3.ts')
  const { buckets = {}, ...general } = settings
  const bucketSettings = Object.hasOwn(buckets, bucket) ? buckets[bucket] : undefined
  return openS3({ ...general, ...bucketSettings, ...own, bucket, ...(prefix !== undefined && { prefix }) })
}

/** As `objectsAt`, for Ambit's own files: the first write creates a directory, which only its owner may read. */
export async function ownObjectsAt(root: string, settings: BucketsSettings = {}): Promise<Objects> {
  if (isBucketRoot(root)) return objectsAt(root, {}, settings)
  return (await import('./disk/private-directory.ts')).privateDirectory(root)
}
