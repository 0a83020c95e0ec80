import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import type { LazyModel } from '../../../src/collections/collections.ts'
import { libraryOver } from '../../../src/collections/library.ts'
import { loadOnce } from '../../../src/core/steps.ts'
import { IndexBatch } from '../../../src/ingest/indexing/batch.ts'
import { openLocalModel } from '../../../src/models/local/local-models.ts'
import { openPostgres } from '../../../src/stores/postgres/postgres.ts'
import { openSqlite } from '../../../src/stores/sqlite/sqlite.ts'
import type { Store } from '../../../src/stores/store.ts'
import type { OwnPostgres } from '../../../test/support/own-postgres.ts'
import type { Doc } from '../collection.ts'
import type { Ranker, RankerMaker } from '../measure.ts'

/** Ambit with a store in memory and default options, as `ambit search`. */
export const ambitRanker: RankerMaker = { name: 'Ambit', ours: true, open: () => rankerOver(openInMemory, {}) }

/** Ambit without the table of word vectors, to show what search by meaning gains. */
export const ambitByWordsRanker: RankerMaker = {
  name: 'Ambit by words alone',
  open: () => rankerOver(openInMemory, { mode: 'lexical' }),
}

/** Ambit with databases of a PostgreSQL server. */
export function postgresRanker(server: OwnPostgres): RankerMaker {
  const open = async () => openPostgres(await server.database())
  return { name: 'Ambit on PostgreSQL', ours: true, open: () => rankerOver(open, {}) }
}

/** Ambit with an embedding model on disk instead of the table. */
export function modelRanker(path: string): RankerMaker {
  const opening = loadOnce(() => openLocalModel(path))
  return { name: `Ambit with ${basename(path)}`, open: () => rankerOver(openInMemory, {}, opening) }
}

async function openInMemory(): Promise<Store> {
  return openSqlite(':memory:')
}

/** A ranker that indexes documents into a store as Ambit does. */
function rankerOver(open: () => Promise<Store>, options: { readonly mode?: 'lexical' }, embedding?: LazyModel): Ranker {
  const opening = open()
  // A document without a path must not be found by an invented path. Punctuation has no words.
  const ids = new Map<string, string>()
  return {
    async index(documents) {
      const store = await opening
      await store.collections.add({ name: 'set', root: '/', patterns: [], exclude: [] })
      const index = store.index.of('set')
      await index.exclusively(1000, async () => {
        const batch = new IndexBatch(index, 'set')
        for await (const document of documents) {
          const { id, path, title, text } = document
          const name = path === '' ? punctuationName(ids.size) : path
          ids.set(name, id)
          await batch.add({
            ...UNCHANGED,
            hash: hashOf(document),
            path: name,
            title,
            text,
            format: 'markdown',
            metadata: {},
          })
        }
        await batch.flush()
        await batch.end()
      })
    },
    async search(query, k) {
      const { results } = await libraryOver(await opening, { ...(embedding && { embedding }) }).search({
        query,
        limit: k,
        ...options,
      })
      return results.map(({ path }) => ids.get(path) ?? path)
    },
    close: async () => (await opening).close(),
  }
}

const UNCHANGED = { size: 0, mtime: '0', ctime: '0' }

/** A different hash for each document, because vectors are stored by the hash of the content. */
function hashOf({ id, title, text }: Doc): string {
  return createHash('sha256')
    .update(JSON.stringify([id, title, text]))
    .digest('hex')
}

/** A name of punctuation for each number. */
function punctuationName(number: number): string {
  return Array.from(number.toString(8), (digit) => '!$%&+,;='[Number(digit)] ?? '').join('')
}
