import { type Blobs, blobsOver } from './blobs.ts'
import { openBucket } from './s3.ts'
import type { S3Settings } from './s3-settings.ts'

/** Blobs in a bucket of S3, which must be there. The credentials need to read, write, delete and list. @throws as `openS3`. */
export async function s3Blobs(settings: S3Settings): Promise<Blobs> {
  const { objects, remove } = await openBucket(settings)
  return blobsOver(objects.uri, {
    objects: async () => objects,
    made: async () => objects,
    remove,
    // Each is one request: of one that is interrupted nothing is left.
    tidy: async () => {},
  })
}
