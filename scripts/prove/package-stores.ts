/** Package registries to try to break: a directory, scripted services, and Ceph if an endpoint is set. */

import { ListMultipartUploadsCommand } from '@aws-sdk/client-s3'
import { openWritable } from '../../src/files/directory.ts'
import type { Objects } from '../../src/files/objects.ts'
import { openS3 } from '../../src/files/s3/s3.ts'
import { ambit } from '../../test/support/program.ts'
import { adminOf, type Endpoint } from '../../test/support/s3/admin.ts'
import { Bucket } from '../../test/support/s3/bucket.ts'
import { KEY, REGION, SECRET, s3Server } from '../../test/support/s3/server.ts'
import { S3_ENDPOINT } from '../../test/support/s3-endpoint.ts'
import { type Tree, tree } from '../../test/support/tree.ts'

/** A registry, and a directory for homes (copies) of its package. */
export interface Store extends AsyncDisposable {
  readonly name: string
  readonly at: Tree
  /** The registry for `push`, and the address of the package for `get`. */
  readonly registry: string
  readonly address: string
  readonly env: Readonly<Record<string, string>>
  readonly objects: Objects
  /** Milliseconds that each command takes if it is not killed. */
  readonly times: Map<string, number>
  /** Hashes of verified revisions. */
  readonly verified: Set<string>
  uploads(): Promise<readonly string[]>
}

async function directory(name: string): Promise<Store> {
  const at = tree({ 'lab/': '' })
  ambit(['collection', 'add', 'lab', 'lab'], { cwd: at.base })
  return {
    ...storeAt(at, name),
    registry: 'lab',
    address: 'lab/team/data',
    env: {},
    objects: openWritable(at.at('lab')),
    uploads: async () => [],
    [Symbol.asyncDispose]: async () => at[Symbol.dispose](),
  }
}

const storeAt = (at: Tree, name: string) => ({ at, name, times: new Map(), verified: new Set<string>() })

async function bucketStore(name: string, endpoint: Endpoint, bucket: string): Promise<Store> {
  const at = tree({})
  const { url, region, key, secret } = endpoint
  const { client, close } = adminOf(endpoint)
  const objects = await openS3({
    bucket,
    endpoint: url,
    region,
    credentials: { accessKeyId: key, secretAccessKey: secret },
  })
  return {
    ...storeAt(at, name),
    registry: `s3://${bucket}`,
    address: `quilt+s3://${bucket}#package=team/data`,
    env: { AWS_ENDPOINT_URL_S3: url, AWS_REGION: region, AWS_ACCESS_KEY_ID: key, AWS_SECRET_ACCESS_KEY: secret },
    objects,
    uploads: async () => {
      const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: bucket }))
      return Uploads.map(({ Key = '' }) => Key)
    },
    [Symbol.asyncDispose]: async () => {
      await objects.close()
      close()
      at[Symbol.dispose]()
    },
  }
}

const scripted =
  (ifMatch: Bucket['ifMatch'], isVersioned: boolean) =>
  async (name: string): Promise<Store> => {
    const server = await s3Server()
    server.buckets.set('bucket', Object.assign(new Bucket(REGION), { ifMatch, ...(isVersioned && ENABLED) }))
    const store = await bucketStore(name, { url: server.url, region: REGION, key: KEY, secret: SECRET }, 'bucket')
    return {
      ...store,
      [Symbol.asyncDispose]: async () => {
        await store[Symbol.asyncDispose]()
        await server[Symbol.asyncDispose]()
      },
    }
  }

const ENABLED = { versioning: 'Enabled' } as const

const ceph = (endpoint: Endpoint, isVersioned: boolean) => async (name: string) => {
  const admin = adminOf(endpoint)
  const bucket = await admin.bucket({ isVersioned })
  admin.close()
  return bucketStore(name, endpoint, bucket)
}

export const STORES: readonly { readonly name: string; open(name: string): Promise<Store> }[] = [
  { name: 'a directory', open: directory },
  { name: 'a service that ignores If-Match', open: scripted('ignores', false) },
  ...(S3_ENDPOINT
    ? [
        { name: 'Ceph', open: ceph(S3_ENDPOINT, false) },
        { name: 'Ceph with versions', open: ceph(S3_ENDPOINT, true) },
      ]
    : [{ name: 'a service with versions that refuses If-Match', open: scripted('never', true) }]),
]
