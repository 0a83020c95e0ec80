import { describe, expect, it } from 'vitest'
import type { Rows } from '../../../src/stores/row-store.ts'
import { openSqlite } from '../../../src/stores/sqlite/sqlite.ts'
import type { Store } from '../../../src/stores/store.ts'
import { own } from '../../support/own.ts'
import { tree } from '../../support/tree.ts'
import { filled, rowsOf } from '../everything.ts'
import { COLLECTION } from '../filled.ts'

const at = own(tree({}))

let count = 0
const PLACES = [
  ['a file', () => at.at(`${++count}.db`)],
  ['memory', () => ':memory:'],
] as const

/** All that a store keeps, given again; after it comes `end`. */
async function* givenFrom(store: Store, end: () => void = () => {}): AsyncGenerator<Rows> {
  const all: Rows[] = []
  await store.rows.read(async (rows) => {
    all.push(rows)
  })
  yield* all
  end()
}

describe.each(PLACES)('rows that are put into %s', (_, place) => {
  const withBoth = async (test: (from: Store, to: Store) => Promise<void>) => {
    const [from, to] = [openSqlite(':memory:'), openSqlite(place())]
    await filled(from)
    await test(from, to)
    await from.close()
    await to.close()
  }

  it('are all there, and the next ones may follow', () =>
    withBoth(async (from, to) => {
      for (const replace of [false, true]) {
        await to.rows.write(givenFrom(from), { counted: await from.rows.readCounters(), replace })
        expect(await rowsOf(to)).toEqual(await rowsOf(from))
      }
      expect(await to.check()).toEqual([])
    }))

  it('are none where they end with an error, which is told, and what there was stays', () =>
    withBoth(async (from, to) => {
      await to.collections.add({ ...COLLECTION, name: 'before' })
      const before = await rowsOf(to)
      const failed = () => {
        throw new Error('own')
      }
      const write = to.rows.write(givenFrom(from, failed), { counted: {}, replace: true })
      await expect(write).rejects.toThrow('own')
      expect(await rowsOf(to)).toEqual(before)
      await to.collections.add({ ...COLLECTION, name: 'after' })
      expect((await to.collections.list()).map(({ name }) => name)).toEqual(['after', 'before'])
    }))

  it('are none where the database refuses one of them', () =>
    withBoth(async (from, to) => {
      const twice = async function* () {
        for await (const rows of givenFrom(from)) {
          yield rows
          if (rows.table === 'tokens') yield rows
        }
      }
      const write = to.rows.write(twice(), { counted: {}, replace: false })
      await expect(write).rejects.toThrow(/UNIQUE/)
      expect(await to.rows.isEmpty()).toBe(true)
      await to.rows.write(givenFrom(from), { counted: {}, replace: false })
      expect(await to.rows.isEmpty()).toBe(false)
    }))
})

describe.each(PLACES)('rows that are read from %s', (_, place) => {
  const names = async (store: Store) => (await store.collections.list()).map(({ name }) => name)

  it('are those of the moment when the reading began', async () => {
    const store = openSqlite(place())
    await filled(store)
    const before = await rowsOf(store)
    const read: unknown[] = []
    await store.rows.read(async ({ rows }) => {
      if (read.length === 0) await store.collections.add({ ...COLLECTION, name: 'meanwhile' })
      read.push(...rows)
    })
    expect(read).toHaveLength(before.length)
    expect(await names(store)).toContain('meanwhile')
    await store.close()
  })

  it('may be read twice at once', async () => {
    const store = openSqlite(place())
    await filled(store)
    const [one, other] = await Promise.all([rowsOf(store), rowsOf(store)])
    expect(one).toEqual(other)
    expect(one).not.toEqual([])
    await store.close()
  })

  it('take nothing with them that was written meanwhile when the reading fails', async () => {
    const store = openSqlite(place())
    await filled(store)
    const reading = store.rows.read(async () => {
      await store.collections.add({ ...COLLECTION, name: 'meanwhile' })
      throw new Error('gone')
    })
    await expect(reading).rejects.toThrow('gone')
    expect(await names(store)).toContain('meanwhile')
    await store.close()
  })
})
