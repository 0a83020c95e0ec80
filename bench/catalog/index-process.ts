/** Run as a program: reads all objects of a bucket, with the SDK alone or into an index. Prints the cost as JSON. */

import { GetObjectCommand, ListObjectsV2Command, type ListObjectsV2CommandOutput, S3Client } from '@aws-sdk/client-s3'
import { SILENT } from '../../src/core/flow.ts'
import { createEngine } from '../../src/engine/engine.ts'
import { openS3 } from '../../src/files/s3/s3.ts'
import { openSqlite } from '../../src/stores/sqlite/sqlite.ts'
import { limitJobMemory } from '../../src/surfaces/cli/memory.ts'
import type { Endpoint } from '../../test/support/s3/admin.ts'
import { mostMemory } from '../harness.ts'

/** The cost of a run. */
export interface IndexCost {
  readonly milliseconds: number
  /** Processor time in milliseconds, which depends little on other work of the machine. */
  readonly processor: number
  /** Peak memory in bytes. */
  readonly peak: number
  /** Objects that were read. */
  readonly read: number
  /** Objects that were known before. */
  readonly unchanged: number
}

/** Number of objects that the SDK reads at the same time: as many as an update reads. */
const WIDE = 16

async function readBare({ url, region, key, secret }: Endpoint, bucket: string) {
  const credentials = { accessKeyId: key, secretAccessKey: secret }
  const client = new S3Client({ endpoint: url, region, forcePathStyle: true, credentials })
  let [token, read]: [string | undefined, number] = [undefined, 0]
  do {
    const page: ListObjectsV2CommandOutput = await client.send(
      new ListObjectsV2Command({ Bucket: bucket, ...(token && { ContinuationToken: token }) }),
    )
    const keys = (page.Contents ?? []).map(({ Key }) => Key ?? '')
    const next = keys.values()
    const reading = async () => {
      for (const Key of next) {
        const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key }))
        read += (await Body?.transformToByteArray()) ? 1 : 0
      }
    }
    await Promise.all(Array.from({ length: WIDE }, reading))
    token = page.NextContinuationToken
  } while (token)
  return { read, unchanged: 0 }
}

async function readIntoIndex({ url, region, key, secret }: Endpoint, bucket: string, db: string) {
  const credentials = { accessKeyId: key, secretAccessKey: secret }
  // As `ambit index` does.
  limitJobMemory()
  const engine = createEngine(
    { file: undefined, unknown: [], home: false },
    {
      store: async () => openSqlite(db),
      objects: () => openS3({ endpoint: url, region, bucket, pathStyle: true, credentials }),
    },
  )
  try {
    const { collections } = await engine.library()
    if ((await collections.list()).length === 0) await collections.add({ name: 'many', root: `s3://${bucket}` })
    const { collections: all } = await collections.index({}, SILENT)
    const [{ added = 0, unchanged = 0 } = {}] = all as readonly { added?: number; unchanged?: number }[]
    return { read: added, unchanged }
  } finally {
    await engine.close()
  }
}

if (import.meta.main) {
  const [way, endpoint = '{}', bucket = '', db = ''] = process.argv.slice(2)
  const start = performance.now()
  const at: Endpoint = JSON.parse(endpoint)
  const counts = way === 'bare' ? await readBare(at, bucket) : await readIntoIndex(at, bucket, db)
  const { user, system } = process.cpuUsage()
  const processor = (user + system) / 1000
  const cost: IndexCost = { milliseconds: performance.now() - start, processor, peak: mostMemory('self'), ...counts }
  console.log(JSON.stringify(cost))
}
