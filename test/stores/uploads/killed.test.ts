/** @module-tag long */

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { SILENT } from '../../../src/core/flow.ts'
import type { BucketSettings } from '../../../src/files/bucket-root.ts'
import { ownObjectsAt } from '../../../src/files/object-stores.ts'
import { openPostgres } from '../../../src/stores/postgres/postgres.ts'
import { openSqlite } from '../../../src/stores/sqlite/sqlite.ts'
import type { Store } from '../../../src/stores/store.ts'
import { sweepOrphans, uploadsFinding } from '../../../src/stores/uploads/beside.ts'
import { withEnvironment } from '../../files/s3-bucket.ts'
import { own } from '../../support/own.ts'
import { ownDatabases, withPostgres } from '../../support/postgres.ts'
import { Bucket } from '../../support/s3/bucket.ts'
import { ownS3 } from '../../support/s3/own.ts'
import { KEY, REGION, SECRET } from '../../support/s3/server.ts'
import { tree } from '../../support/tree.ts'
import { aged, beside, given, hashOf, ID, keysIn } from './beside.ts'

const CHILD = fileURLToPath(new URL('killed-child.ts', import.meta.url))

/** Where one process after the other keeps its uploads. */
interface Place {
  readonly db: string
  readonly root: string
  readonly s3?: BucketSettings
  open(): Promise<Store>
  /** Makes all objects so old that nobody may be about to write their rows. */
  age(keys: readonly string[]): void
}

/** What the process said: nothing, where it was killed. */
async function run(step: number, { db, root, s3 = {} }: Place): Promise<string> {
  const words = [CHILD, String(step), db, root, JSON.stringify(s3)]
  try {
    return (await promisify(execFile)(process.execPath, words)).stdout
  } catch (error) {
    if (Object(error).signal === 'SIGKILL') return ''
    throw error
  }
}

/** Whatever was left: each file that is listed can be read, and what belongs to nobody goes. */
async function isSound(place: Place): Promise<void> {
  const { store, uploads, blobs } = beside(await place.open(), await ownObjectsAt(place.root, place.s3))
  try {
    const listed = async () => {
      const hashes = new Set<string>()
      for (const { id } of await store.runs.list(10)) {
        for (const { sha256 } of await store.runs.files(id)) {
          await store.runs.bytes(sha256)
          hashes.add(sha256)
        }
      }
      return [...hashes].toSorted()
    }
    const before = await listed()
    place.age(await keysIn(blobs))
    await sweepOrphans(uploads)
    expect(await listed()).toEqual(before)
    expect((await keysIn(blobs)).map((key) => key.split('/')[3]?.split('.')[0])).toEqual(before)
    expect(await uploadsFinding(uploads, undefined, SILENT)).toMatchObject({ status: 'ok' })
    // It goes on.
    await given(store.runs, ID('f'), { 'a.md': 'shared', 'x.md': 'new' })
    for (const text of ['shared', 'new']) await store.runs.bytes(hashOf(text))
  } finally {
    await store.close()
  }
}

/** Killed before each step in turn, or before some of them, until there are no more. Gives how many there are. */
async function killed(place: () => Promise<Place>, stride = 1): Promise<number> {
  for (let step = 1; ; step += stride) {
    const on = await place()
    const said = await run(step, on)
    await isSound(on)
    if (said !== '') return Number(said.split(' ')[1])
  }
}

const at = own(tree({}, 'ambit-killed-'))
const [database, s3] = [ownDatabases(), ownS3()]

let count = 0

describe('a process that is killed before any step of adding and taking away leaves no row without its bytes', () => {
  it('in SQLite with a directory', async () => {
    const steps = await killed(async () => {
      const db = at.at(`${++count}.db`)
      const root = `${db}.objects`
      return { db, root, open: async () => openSqlite(db), age: (keys) => aged(root, keys, 48) }
    })
    expect(steps).toBeGreaterThan(20)
  }, 600_000)

  withPostgres('in PostgreSQL with S3', () => {
    it('the same, at every third step', async () => {
      const { url, buckets } = await s3()
      const place = async (): Promise<Place> => {
        const [bucket, name] = [new Bucket(REGION), `uploads-${++count}`]
        buckets.set(name, bucket)
        const db = await database()
        const age = () => {
          for (const key of bucket.keys()) bucket.current(key)?.modifiedAt.setTime(Date.now() - 48 * 3_600_000)
        }
        const s3 = { endpoint: url, region: REGION }
        return { db, root: `s3://${name}/ambit`, s3, open: () => openPostgres(db), age }
      }
      await withEnvironment({ AWS_ACCESS_KEY_ID: KEY, AWS_SECRET_ACCESS_KEY: SECRET }, async () => {
        expect(await killed(place, 3)).toBeGreaterThan(20)
      })
    }, 600_000)
  })
})
