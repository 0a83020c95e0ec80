import { mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openSqlite } from '../../src/stores/sqlite/sqlite.ts'
import { COLLECTION, stored } from '../stores/filled.ts'
import { found } from '../stores/found.ts'
import { seeded } from '../support/seed.ts'
import { opened, placeOfDatabases } from './databases.ts'
import { done } from './store-process.ts'

const { fresh } = placeOfDatabases()

/** A database and its log, as they lie on the disk when the machine stops: 30 commits that are only in the log. */
async function logged(): Promise<{ readonly path: string; readonly main: Buffer; readonly log: Buffer }> {
  const path = fresh()
  const store = openSqlite(path)
  for (let index = 100; index < 130; index++) {
    await store.collections.add({ ...COLLECTION, name: `${index}` })
    await stored(store, `${index}`, [{ path: `${index}`, text: `lion ${'word '.repeat(300)}` }])
  }
  const [main, log] = [readFileSync(path), readFileSync(`${path}-wal`)]
  await store.close()
  return { path, main, log }
}

/** How many of the commits a database of this log holds; they are always the first ones. */
async function commitsOf(main: Buffer, log: Buffer): Promise<number> {
  const path = fresh()
  mkdirSync(join(path, '..'))
  writeFileSync(path, main)
  writeFileSync(`${path}-wal`, log)
  const names = await opened(path, async (store) => {
    expect(await store.check()).toEqual([])
    const collections = await store.collections.list()
    const holding = collections.filter(({ documents }) => documents === 1).map(({ name }) => name)
    expect(holding).toEqual(await found(store, 'lion').then((all) => all.map((each) => each.split('/')[0])))
    return collections.map(({ name }) => name)
  })
  rmSync(join(path, '..'), { recursive: true })
  expect(names).toEqual(Array.from({ length: names.length }, (_, index) => `${100 + index}`))
  return names.length
}

describe('a log that is not whole', () => {
  it('D8 gives the first commits, wherever it is cut off', { tags: 'long', timeout: 300_000 }, async () => {
    const { main, log } = await logged()
    // A page, and the header of its frame.
    const frame = main.readUInt16BE(16) + 24
    const edges = Array.from({ length: Math.ceil((log.length - 32) / frame) }, (_, index) => 32 + frame * index)
    const random = seeded('D8')
    const offsets = Array.from({ length: 1000 }, () => Math.floor(random() * log.length))
    let last = 0
    for (const size of [0, 31, ...edges, ...offsets, log.length].sort((a, b) => a - b)) {
      const commits = await commitsOf(main, log.subarray(0, size))
      expect(commits).toBeGreaterThanOrEqual(last)
      last = commits
    }
    expect(last).toBe(30)
  })

  it('D9 gives the first commits, whichever bit of it is another', { tags: 'long', timeout: 300_000 }, async () => {
    const { main, log } = await logged()
    const seen = new Set<number>()
    const random = seeded('D9')
    for (let flip = 0; flip < 500; flip++) {
      const bit = Math.floor(random() * log.length * 8)
      const harmed = Buffer.from(log)
      harmed[bit >> 3] = (harmed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      seen.add(await commitsOf(main, harmed))
    }
    expect(seen.size).toBeGreaterThan(5)
  })

  it('D12 gives what was brought into the main file, when it is gone', async () => {
    const { main } = await logged()
    expect(await commitsOf(main, Buffer.alloc(0))).toBe(0)
  })
})

describe('a database that is damaged', () => {
  it('D10 ends no program and keeps none busy; what is told is a sentence with what to do', {
    tags: 'long',
  }, async () => {
    const path = fresh()
    await opened(path, async (store) => {
      await store.collections.add(COLLECTION)
      const text = (index: number) => `lion zebra ${Array.from({ length: 200 }, (_, at) => `w${index * at}`).join(' ')}`
      for (let part = 0; part < 4; part++) {
        await stored(
          store,
          'docs',
          Array.from({ length: 20 }, (_, index) => ({ path: `${part}/${index}`, text: text(index) })),
        )
      }
    })
    const whole = readFileSync(path)
    const random = seeded('D10')
    const paths = Array.from({ length: 500 }, (_, index) => {
      const harmed = Buffer.from(whole)
      for (let byte = 0; byte < 8; byte++) {
        harmed[Math.floor(random() * harmed.length)] = Math.floor(random() * 256)
      }
      const copy = `${path}-${index}`
      writeFileSync(copy, harmed)
      return copy
    })
    const lines = await done('read', { paths: JSON.stringify(paths) })
    expect(lines).toHaveLength(paths.length)
    const bugs = lines.filter((line) => line.includes('bug:'))
    expect(bugs).toEqual([])
    for (const line of lines)
      if (!line.startsWith('{'))
        expect(line).toMatch(/^unavailable: .*(damaged|another program|newer|not belong to Ambit)/)
    const noticed = lines.filter((line) => !line.startsWith('{"problems":[],'))
    expect(noticed.length).toBeGreaterThan(20)
  })

  it.each([
    ['a text', Buffer.from('This is not a database. '.repeat(500))],
    ['zeros', Buffer.alloc(8192)],
    ['the beginning of one alone', 'cut'],
  ])('D10 is told as such, with a way to make it anew: %s', async (_, bytes) => {
    const path = fresh()
    await opened(path, async (store) => {
      await store.collections.add(COLLECTION)
      await stored(store, 'docs', [{ path: 'a', text: 'word '.repeat(5000) }])
    })
    if (typeof bytes === 'string') truncateSync(path, 5000)
    else writeFileSync(path, bytes)
    const before = readFileSync(path)
    const told = await done('use', { db: path })
    expect(told[0]).toMatch(/^unavailable: .* is damaged, or is not a database\. .*ambit index --rebuild/)
    expect(readFileSync(path).equals(before)).toBe(true)
  })
})
