/** Registries with packages in them, as a collection called `lab`: of a directory, and of a bucket of S3. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { createEngine, type Engine } from '../../../src/engine/engine.ts'
import { objectsAt } from '../../../src/files/object-stores.ts'
import { openS3, type S3Settings } from '../../../src/files/s3/s3.ts'
import { openSqlite } from '../../../src/stores/sqlite/sqlite.ts'
import type { Held } from '../../support/memory-objects.ts'
import { Bucket } from '../../support/s3/bucket.ts'
import { KEY, REGION, type S3Server, SECRET, s3Server } from '../../support/s3/server.ts'
import { type Tree, tree } from '../../support/tree.ts'

export interface Lab extends AsyncDisposable {
  readonly engine: Engine
  /** Of the collection, as messages name it. */
  readonly uri: string
  /** What answers call it. */
  readonly bucket: string
  /** Puts more into it, or replaces what is there. */
  put(held: Held): void
}

const CONFIG = { file: undefined, unknown: [], home: false } as const

/** A manifest names its entries by where they are: in a directory, by paths that are seen from it. */
function textOf(value: Held[string]): string | Uint8Array {
  if (typeof value === 'string' || value instanceof Uint8Array) return value ?? ''
  throw new Error('Only texts and bytes are put.')
}

export interface DirectoryLab extends Lab {
  readonly files: Tree
}

export async function inDirectory(held: Held): Promise<DirectoryLab> {
  const files = tree({ 'lab/': '' })
  const engine = createEngine(CONFIG, { store: async () => openSqlite(':memory:'), objects: objectsAt })
  const put = (more: Held) => {
    for (const [key, value] of Object.entries(more)) {
      const path = files.at('lab', key)
      mkdirSync(dirname(path), { recursive: true })
      const text = textOf(value)
      writeFileSync(path, typeof text === 'string' ? text.replaceAll('s3://bucket/', '') : text)
    }
  }
  put(held)
  await (await engine.library()).collections.add({ name: 'lab', root: files.at('lab') })
  return {
    engine,
    files,
    put,
    uri: `file://${files.at('lab')}`,
    bucket: 'lab',
    async [Symbol.asyncDispose]() {
      await engine.close()
      files[Symbol.dispose]()
    },
  }
}

export interface BucketLab extends Lab {
  readonly server: S3Server
}

/** `settings`: how it is reached otherwise. */
export async function inBucket(held: Held, settings: Partial<S3Settings> = {}): Promise<BucketLab> {
  const server = await s3Server()
  const bucket = new Bucket(REGION)
  server.buckets.set('bucket', bucket)
  const put = (more: Held) => {
    for (const [key, value] of Object.entries(more)) bucket.put(key, Buffer.from(textOf(value)), {})
  }
  put(held)
  const engine = engineFor(server, settings)
  await (await engine.library()).collections.add({ name: 'lab', root: 's3://bucket/' })
  return {
    engine,
    server,
    put,
    uri: 's3://bucket',
    bucket: 'bucket',
    async [Symbol.asyncDispose]() {
      await engine.close()
      await server[Symbol.asyncDispose]()
    },
  }
}

/** An engine whose buckets are on a server, each of whose requests is sent once, unless told otherwise. */
export function engineFor({ url }: S3Server, more: Partial<S3Settings> = {}): Engine {
  const credentials = { accessKeyId: KEY, secretAccessKey: SECRET }
  const settings = { endpoint: url, region: REGION, credentials, maxAttempts: 1, ...more }
  return createEngine(CONFIG, {
    store: async () => openSqlite(':memory:'),
    objects: async (root) => {
      const [, name = '', prefix] = /^s3:\/\/([^/]+)(?:\/(.+))?$/.exec(root) ?? []
      if (name === '') return objectsAt(root)
      return openS3({ ...settings, bucket: name, ...(prefix !== undefined && { prefix }) })
    },
  })
}

export const LABS = [
  ['a directory', inDirectory],
  ['a bucket of S3', inBucket],
] as const satisfies readonly (readonly [string, (held: Held) => Promise<Lab>])[]
