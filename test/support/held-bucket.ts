import { Bucket } from './s3/bucket.ts'
import { REGION, type S3Server, s3Server } from './s3/server.ts'

/** Files of the bucket, and those of them that are answered at once: more than an update reads between two reports of its progress. */
export const ALL_FILES = 200
export const FREE_FILES = 100

/** A bucket of which some files are answered only when a test says so. Until then, whoever indexes it is in the middle. */
export interface HeldBucket extends AsyncDisposable {
  /** Endpoint of the service. */
  readonly url: string
  /** The files, as the root of a collection. Anybody may read them. */
  readonly root: string
  readonly bucket: string
  readonly prefix: string
  /** Keys of the files that were read, once for each time. */
  read(): string[]
  /** Requests that are waiting for their answer. */
  readonly waiting: number
  /** Answers all files from now on. */
  release(): void
}

export async function heldBucket(): Promise<HeldBucket> {
  const server: S3Server = await s3Server()
  const [name, prefix] = ['team-files', 'many']
  const bucket = new Bucket(REGION)
  bucket.isPublic = true
  for (let at = 0; at < ALL_FILES; at++) bucket.put(keyOf(prefix, at), Buffer.from(`# ${at}\n\nword ${at}\n`), {})
  server.buckets.set(name, bucket)
  const first = keyOf(prefix, FREE_FILES)
  const release = server.holdAnswers(({ method, key }) => method === 'GET' && FILE.test(key) && key >= first)
  return {
    url: server.url,
    root: `s3://${name}/${prefix}`,
    bucket: name,
    prefix,
    read: () =>
      server.log
        .filter(({ path, status, wasLeft }) => FILE.test(path) && status === 200 && !wasLeft)
        .map(({ path }) => path),
    get waiting() {
      return server.running
    },
    release,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

const FILE = /\/\d{4}\.md$/

function keyOf(prefix: string, at: number): string {
  return `${prefix}/${String(at).padStart(4, '0')}.md`
}
