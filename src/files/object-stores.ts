import { type BucketSettings, bucketRoot, isBucketRoot, type RootAccess } from './bucket-root.ts'
import type { Objects } from './objects.ts'

/** How all buckets are reached, and some of them otherwise: what is said of one stands in for what is said of all. */
export interface BucketsSettings extends BucketSettings {
  readonly buckets?: Readonly<Record<string, BucketSettings>>
}

function bucketSettings({ buckets = {}, ...all }: BucketsSettings, bucket: string): BucketSettings {
  return { ...all, ...(Object.hasOwn(buckets, bucket) && buckets[bucket]) }
}

/**
 * The objects at the root of a collection: of a directory, or of a bucket. What a bucket needs is loaded for the first one.
 * `own`: what is said of this collection, which stands in for what is said of buckets.
 *
 * @throws ContextError `unavailable` where the SDK of S3 is not installed; as `openRoot` does for a directory.
 */
export async function objectsAt(root: string, settings: BucketsSettings = {}, own: RootAccess = {}): Promise<Objects> {
  if (!isBucketRoot(root)) return (await import('./directory.ts')).openDirectory(root, own)
  const { bucket, prefix } = bucketRoot(root)
  const { openS3 } = await import('./s3/s3.ts')
  return openS3({ ...bucketSettings(settings, bucket), ...own, bucket, ...(prefix !== undefined && { prefix }) })
}

/** As `objectsAt`, of what Ambit keeps by itself: a directory is made when it is first written to, for the user alone. */
export async function ownObjectsAt(root: string, settings: BucketsSettings = {}): Promise<Objects> {
  if (isBucketRoot(root)) return objectsAt(root, settings)
  return (await import('./disk/private-directory.ts')).privateDirectory(root)
}
