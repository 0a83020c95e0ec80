import * as s3 from '@aws-sdk/client-s3'

/** Where an S3 is, and who may do everything there. */
export interface Endpoint {
  readonly url: string
  readonly region: string
  readonly key: string
  readonly secret: string
}

/** Requests at a time. */
const AT_ONCE = 32

/** Prepares buckets of any S3, and takes them away: with the SDK, never with our own driver. */
export interface Admin {
  readonly client: s3.S3Client
  /** A new, empty bucket. */
  bucket(options?: { readonly isVersioned?: boolean }): Promise<string>
  put(bucket: string, objects: Iterable<readonly [key: string, bytes: Uint8Array]>): Promise<void>
  /** The objects of a bucket with all their versions, and itself. */
  remove(bucket: string): Promise<void>
  close(): void
}

export function adminOf({ url, region, key, secret }: Endpoint): Admin {
  const client = new s3.S3Client({
    endpoint: url,
    region,
    forcePathStyle: true,
    credentials: { accessKeyId: key, secretAccessKey: secret },
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  return {
    client,
    async bucket({ isVersioned = false } = {}) {
      const name = `ambit-test-${crypto.randomUUID()}`
      await client.send(new s3.CreateBucketCommand({ Bucket: name }))
      const VersioningConfiguration = { Status: 'Enabled' } as const
      if (isVersioned) await client.send(new s3.PutBucketVersioningCommand({ Bucket: name, VersioningConfiguration }))
      return name
    },
    put: (bucket, objects) =>
      inParallel(objects, ([Key, Body]) => client.send(new s3.PutObjectCommand({ Bucket: bucket, Key, Body }))),
    async remove(bucket) {
      for (let isLast = false; !isLast; ) {
        const page = await client.send(new s3.ListObjectVersionsCommand({ Bucket: bucket, EncodingType: 'url' }))
        const versions = [...(page.Versions ?? []), ...(page.DeleteMarkers ?? [])]
        await inParallel(versions, ({ Key = '', VersionId }) => {
          const key = decodeURIComponent(Key.replaceAll('+', ' '))
          return client.send(new s3.DeleteObjectCommand({ Bucket: bucket, Key: key, ...(VersionId && { VersionId }) }))
        })
        isLast = !page.IsTruncated
      }
      await client.send(new s3.DeleteBucketCommand({ Bucket: bucket }))
    },
    close: () => client.destroy(),
  }
}

async function inParallel<T>(items: Iterable<T>, work: (item: T) => Promise<unknown>): Promise<void> {
  const rest = items[Symbol.iterator]()
  const worker = async () => {
    for (let next = rest.next(); !next.done; next = rest.next()) await work(next.value)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}
