import { expect, it } from 'vitest'
import { openPostgres } from '../../../src/stores/postgres/postgres.ts'
import { asked, ownDatabases, withPostgres } from '../../support/postgres.ts'
import { COLLECTION, stored } from '../filled.ts'

const DOCUMENTS = 3_000

/** Where the statistics of PostgreSQL know nothing of a segment or a collection, it takes them for small ones. */
withPostgres('what is newer than the statistics of its table', () => {
  const database = ownDatabases()

  it('is looked up by its index, and not read whole', async () => {
    const url = await database()
    const documents = Array.from({ length: DOCUMENTS }, (_, at) => ({ path: `${at}.md`, text: `word${at}` }))
    const filled = await openPostgres(url)
    await filled.collections.add(COLLECTION)
    await stored(filled, COLLECTION.name, documents)
    await filled.close()
    await asked(url, async (client) => {
      await client.query('ALTER TABLE ambit.postings SET (autovacuum_enabled = false)')
      await client.query('ALTER TABLE ambit.documents SET (autovacuum_enabled = false)')
      await client.query('ANALYZE')
    })
    const store = await openPostgres(url)
    await store.collections.add({ ...COLLECTION, name: 'later' })
    await stored(store, 'later', documents)
    await asked(url, (client) => client.query('DELETE FROM ambit.segments WHERE id = 1'))
    await store.close()

    const read = await rowsRead(url, async () => {
      const fresh = await openPostgres(url)
      const { segments, terms } = await fresh.index.read({ terms: ['word7', 'word70', 'none'], filter: {} })
      expect(segments).toHaveLength(1)
      expect(['word7', 'word70', 'none'].map((term) => terms.get(term)?.[0] !== undefined)).toEqual([true, true, false])
      const paths = ['7.md', '70.md', 'none.md', '7.md']
      const { documents } = await fresh.documents.findAtPaths('later', paths)
      expect(documents.map(({ path }) => path).sort()).toEqual(['7.md', '70.md'])
      await fresh.close()
    })
    expect(read).toBeGreaterThan(0)
    expect(read).toBeLessThan(50)
  })
})

/** Rows of the indexes of the two tables that are read meanwhile. */
async function rowsRead(url: string, work: () => Promise<void>): Promise<number> {
  const number = (sql: string) => asked(url, async (client) => Number((await client.query(sql)).rows[0]?.number))
  const total = async () => {
    // A connection tells what it has read when it ends.
    await expect.poll(() => number(OTHERS), { timeout: 60_000 }).toBe(0)
    return number(READ)
  }
  const before = await total()
  await work()
  return (await total()) - before
}

const OTHERS = `
  SELECT count(*) AS number FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`

const READ = `
  SELECT sum(idx_tup_read) AS number FROM pg_stat_user_indexes WHERE relname IN ('postings', 'documents')`
