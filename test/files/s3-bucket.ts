import type { Objects } from '../../src/files/objects.ts'
import { openS3, type S3Settings } from '../../src/files/s3/s3.ts'
import { Bucket } from '../support/s3/bucket.ts'
import { KEY, type Logged, REGION, type S3Server, SECRET, s3Server } from '../support/s3/server.ts'

export const BUCKET = 'ambit-test-faults'

/** A server with one bucket in it, and what was asked of it. */
export interface Served extends AsyncDisposable {
  readonly server: S3Server
  readonly bucket: Bucket
  readonly log: readonly Logged[]
  /** With the credentials of the server unless others are given. */
  open(more?: Partial<S3Settings>): Promise<Objects>
  /** With what the environment says. */
  openAsIs(more?: Partial<S3Settings>): Promise<Objects>
  fill(objects: Held): void
  /** Opens the bucket with these in it. */
  holding(objects: Held): Promise<Objects>
}

type Held = Readonly<Record<string, string | Buffer>>

export async function served(): Promise<Served> {
  const server = await s3Server()
  const bucket = new Bucket(REGION)
  server.buckets.set(BUCKET, bucket)
  const opened: Objects[] = []
  const openAsIs = async (more: Partial<S3Settings> = {}) => {
    const objects = await openS3({ bucket: BUCKET, endpoint: server.url, ...more })
    opened.push(objects)
    return objects
  }
  const open = (more: Partial<S3Settings> = {}) =>
    openAsIs({ region: REGION, credentials: { accessKeyId: KEY, secretAccessKey: SECRET }, ...more })
  const fill = (objects: Held) => {
    for (const [key, bytes] of Object.entries(objects)) bucket.put(key, Buffer.from(bytes), {})
  }
  return {
    server,
    bucket,
    log: server.log,
    openAsIs,
    open,
    fill,
    holding: (objects) => {
      fill(objects)
      return open()
    },
    async [Symbol.asyncDispose]() {
      for (const objects of opened) await objects.close()
      await server[Symbol.asyncDispose]()
    },
  }
}

/** Does something while variables of the environment have other values; undefined takes one away. */
export async function withEnvironment(
  values: Readonly<Record<string, string | undefined>>,
  work: () => Promise<void>,
): Promise<void> {
  const before = Object.keys(values).map((name) => [name, process.env[name]] as const)
  const set = ([name, value]: readonly [string, string | undefined]) => {
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
  Object.entries(values).forEach(set)
  try {
    await work()
  } finally {
    before.forEach(set)
  }
}
