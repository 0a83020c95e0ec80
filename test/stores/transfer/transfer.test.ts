import { createHash } from 'node:crypto'
import { readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { yieldToEvents } from '../../../src/core/steps.ts'
import { openPostgres } from '../../../src/stores/postgres/postgres.ts'
import { openSqlite } from '../../../src/stores/sqlite/sqlite.ts'
import { TABLES } from '../../../src/stores/statements/tables.ts'
import type { Store } from '../../../src/stores/store.ts'
import { exportStore } from '../../../src/stores/transfer/store-export.ts'
import { importStore } from '../../../src/stores/transfer/store-import.ts'
import { own } from '../../support/own.ts'
import { ownDatabases, withPostgres } from '../../support/postgres.ts'
import { fc, forAllAsync } from '../../support/property.ts'
import { tree } from '../../support/tree.ts'
import { filled, rowsOf } from '../everything.ts'
import { COLLECTION, stored } from '../filled.ts'
import { found } from '../found.ts'

const at = own(tree({}))
const database = ownDatabases()

let count = 0
const newFile = (end = '.jsonl') => at.at(`${++count}${end}`)
const KINDS: Readonly<Record<string, () => Promise<Store>>> = {
  'a SQLite file': async () => openSqlite(newFile('.db')),
  'SQLite in memory': async () => openSqlite(':memory:'),
  PostgreSQL: async () => openPostgres(await database()),
}

async function using(kinds: readonly string[], work: (...stores: Store[]) => Promise<void>): Promise<void> {
  const stores = await Promise.all(kinds.map((kind) => KINDS[kind]?.() ?? Promise.reject(new Error(kind))))
  try {
    await work(...stores)
  } finally {
    await Promise.all(stores.map((store) => store.close()))
  }
}

/** Everything goes from one to the other and back, and is what it was. */
function roundTrip(from: string, to: string): void {
  it(`from ${from} to ${to} and back, nothing is lost`, () =>
    using([from, to, from], async (first, second, third) => {
      if (!first || !second || !third) throw new Error('There are three.')
      await filled(first)
      const [there, back] = [newFile('.jsonl.gz'), newFile()]
      const told = await exportStore(first, there)
      expect(await importStore(second, { path: there })).toEqual({ ...told, database: second.name })
      await exportStore(second, back)
      await importStore(third, { path: back })
      const rows = await rowsOf(first)
      expect(rows.length).toBe(told.rows)
      expect(new Set(rows.map(([table]) => table))).toEqual(new Set(Object.keys(TABLES)))
      expect(await rowsOf(second)).toEqual(rows)
      expect(await rowsOf(third)).toEqual(rows)
      for (const store of [second, third]) {
        expect(await store.check()).toEqual([])
        expect(await found(store, 'zebra3')).toEqual(await found(first, 'zebra3'))
        expect(await store.collections.list()).toEqual(await first.collections.list())
        expect(await store.conversations.get('c1')).toEqual(await first.conversations.get('c1'))
        expect(await store.of('alice').conversations.get('c1')).toEqual(await first.of('alice').conversations.get('c1'))
        expect(await store.tokens.list()).toEqual(await first.tokens.list())
        await goesOn(store)
      }
    }))
}

/** What is added has numbers that nothing had, not even what is gone. */
async function goesOn(store: Store): Promise<void> {
  const used = (await rowsOf(store)).filter(([table]) => table === 'documents').map(([, id]) => Number(id))
  const [id = -1] = await stored(store, 'docs', [{ path: 'new', text: 'tapir' }])
  // One was removed, which had the last number.
  expect(id).toBeGreaterThan(Math.max(...used) + 1)
  expect(await found(store, 'tapir')).toEqual(['docs/new'])
  await store.collections.add({ ...COLLECTION, name: 'more' })
  await store.conversations.begin({ id: 'c2', title: 't', place: 'p', model: 'm' })
  await store.runs.add({ id: 'c'.repeat(32), question: 'More?', settings: '{}' })
  expect((await store.runs.list(1)).map(({ question }) => question)).toEqual(['More?'])
  expect(await store.check()).toEqual([])
}

describe('a store that is moved by a file', () => {
  roundTrip('a SQLite file', 'SQLite in memory')
  roundTrip('a SQLite file', 'a SQLite file')

  it('makes a file for its owner alone, the same for the same store, and never over another one', () =>
    using(['a SQLite file'], async (store) => {
      if (!store) return
      await filled(store)
      const [one, other, zipped] = [newFile(), newFile(), newFile('.gz')]
      for (const path of [one, other, zipped]) await exportStore(store, path)
      expect(statSync(one).mode & 0o777).toBe(0o600)
      expect(readFileSync(one, 'utf8')).toBe(readFileSync(other, 'utf8'))
      expect(gunzipSync(readFileSync(zipped)).equals(readFileSync(one))).toBe(true)
      const before = readFileSync(one)
      await expect(exportStore(store, one)).rejects.toMatchObject({ code: 'conflict' })
      expect(readFileSync(one).equals(before)).toBe(true)
    }))

  it('leaves no file where it is stopped', () =>
    using(['a SQLite file'], async (store) => {
      if (!store) return
      await filled(store)
      const path = newFile()
      await expect(exportStore(store, path, AbortSignal.abort())).rejects.toMatchObject({ code: 'cancelled' })
      expect(statSync(path, { throwIfNoEntry: false })).toBeUndefined()
    }))

  it.each([
    ['in a directory that there is none of', '/none/x.jsonl'],
    ['in the place of a directory', ''],
  ])('is refused in words %s', (_, name) =>
    using(['SQLite in memory'], async (store) => {
      if (!store) return
      await expect(exportStore(store, `${at.base}${name}`)).rejects.toMatchObject({ hint: expect.any(String) })
    }),
  )
})

/** The text of an export of a small store. */
async function exported(): Promise<string> {
  const store = openSqlite(':memory:')
  const path = newFile()
  await filled(store, 3)
  await exportStore(store, path)
  await store.close()
  return readFileSync(path, 'utf8')
}

const edited = (text: string, edit: (lines: string[]) => void): string => {
  const lines = text.split('\n')
  edit(lines)
  return lines.join('\n')
}

/** With a checksum that holds. */
function signed(text: string): string {
  const lines = text.split('\n').slice(0, -2)
  const body = `${lines.join('\n')}\n`
  const sha256 = createHash('sha256').update(body).digest('hex')
  return `${body}${JSON.stringify({ end: true, rows: lines.length - 1, sha256 })}\n`
}

/** What is done to a file, and why it is refused then. */
const HARMS: readonly (readonly [harm: string, why: string, (text: string) => string | Uint8Array])[] = [
  ['is empty', 'it is not an export', () => ''],
  ['is text of another kind', 'it is not an export', () => 'global_context: Ours\n'],
  ['is JSON of another kind', 'it is not an export', () => '{"format":"other"}\n'],
  ['is a picture', 'it is not an export', () => new Uint8Array([137, 80, 78, 71, 0, 255])],
  ['is one byte', 'it is not an export', () => new Uint8Array([0x1f])],
  ['is of a newer version', 'by a newer version', (text) => text.replace('"version":1', '"version":2')],
  ['is of no version', 'first line is damaged', (text) => text.replace('"version":1', '"version":"1"')],
  ['is of an older version', 'first line is damaged', (text) => text.replace('"version":1', '"version":0')],
  ['counts in words', 'first line is damaged', (text) => text.replace(/"counted":\{"\w+":\d+/, '"counted":{"a":"b"')],
  ['counts nothing', 'first line is damaged', (text) => text.replace('"counted":{', '"counted":null,"x":{')],
  ['names no tables', 'first line is damaged', (text) => text.replace('"tables":{', '"tables":1,"x":{')],
  ['names columns by number', 'first line is damaged', (text) => text.replace('"metadata"', '7')],
  ['has a table that is not known', 'by a newer version', (text) => text.replace('"skipped":', '"strange":')],
  ['has a column that is not known', 'by a newer version', (text) => text.replace('"metadata"', '"strange"')],
  ['has lost its end', 'it is cut off after', (text) => edited(text, (lines) => lines.splice(-2, 1))],
  ['has another end', 'it is damaged after row', (text) => text.replace('"end":true', '"end":1')],
  ['has no JSON in it', 'it is damaged after row 2', (text) => edited(text, (lines) => lines.splice(3, 0, '['))],
  ['has lost a line', 'its checksum does not hold', (text) => edited(text, (lines) => lines.splice(4, 1))],
  ['has a line twice', 'its checksum', (text) => edited(text, (lines) => lines.splice(4, 0, lines[4] ?? ''))],
  [
    'has lines in another order',
    'row 2 is misplaced',
    (text) => edited(text, (lines) => lines.splice(1, 0, ...lines.splice(-4, 1))),
  ],
  ['has rows of no table', 'row 1 is misplaced', (text) => text.replace('["collections",', '["constructor",')],
  ['goes on behind its end', 'continues after its end', (text) => `${text}["texts",1,""]\n`],
  ['was changed in one letter', 'its checksum', (text) => text.replace('lion', 'lyon').replace('notes', 'nodes')],
  ['has a number for a text', 'row 1 is damaged', (text) => text.replace('"/srv/docs"', '1')],
  ['has a text for a number', 'row 1 is damaged', (text) => text.replace('["collections",1', '["collections","1"')],
  ['has a fraction for a number', 'row 1 is damaged', (text) => text.replace('["collections",1', '["collections",1.5')],
  ['has a text for a fraction', 'is damaged', (text) => text.replace(/(\["vector_bytes",\d+,)[\d.]+/, '$1"1"')],
  ['has no base64 for bytes', 'is damaged', (text) => text.replace(/(\["texts",\d+,")/, '$1-')],
  ['has a value too many', 'row 1 is damaged', (text) => text.replace('["collections",', '["collections",0,')],
  ['has a value too few', 'row 1 is damaged', (text) => text.replace('["collections",1,', '["collections",')],
  [
    'has rows that do not fit together',
    'its rows do not fit together',
    (text) => signed(text.replace('["documents",1,1,', '["documents",1,99,')),
  ],
  ['is compressed, and cut off', 'it is damaged', (text) => gzipSync(text).subarray(0, -20)],
  ['is compressed, and damaged', 'it is damaged', (text) => gzipSync(text).fill(7, 60, 70)],
]

function refusals(kind: string): void {
  /** One for all: none of them changes it. */
  let held: Store | undefined
  afterAll(() => held?.close())

  it.each(HARMS)(`a file that %s changes nothing in ${kind}`, async (_, why, harm) => {
    const path = newFile()
    writeFileSync(path, harm(await exported()))
    if (!held) {
      held = await KINDS[kind]?.()
      await held?.collections.add({ ...COLLECTION, name: 'mine' })
    }
    const store = held as Store
    const before = await rowsOf(store)
    const taken = importStore(store, { path, replace: true })
    const message = expect.stringMatching(`${path}.*${why}`)
    await expect(taken).rejects.toMatchObject({ code: 'invalid-input', message })
    expect(await rowsOf(store)).toEqual(before)
  })

  it(`a store that holds something is left as it is, unless it is to be replaced: ${kind}`, async () => {
    const path = newFile()
    writeFileSync(path, await exported())
    await using([kind], async (store) => {
      if (!store) return
      await store.collections.add({ ...COLLECTION, name: 'mine' })
      await store.contexts.set({ collection: 'mine', pathPrefix: '/' }, 'mine')
      const versions = [await store.version(), await store.contexts.version()]
      await expect(importStore(store, { path })).rejects.toMatchObject({
        code: 'conflict',
        hint: expect.stringContaining('--replace'),
      })
      expect((await store.collections.list()).map(({ name }) => name)).toEqual(['mine'])
      await importStore(store, { path, replace: true })
      expect((await store.collections.list()).map(({ name }) => name)).toEqual(['docs', 'notes', 'ämter 😀'])
      expect(await found(store, 'lion')).toHaveLength(3)
      expect(await store.version()).not.toBe(versions[0])
      expect(await store.contexts.version()).not.toBe(versions[1])
      expect(await store.check()).toEqual([])
    })
  })
}

describe('what is taken in', () => {
  refusals('a SQLite file')

  it('is refused where it is cut off anywhere', async () => {
    const text = await exported()
    const store = openSqlite(newFile('.db'))
    const path = newFile()
    await forAllAsync(20, fc.nat(Buffer.byteLength(text) - 1), async (length) => {
      writeFileSync(path, text)
      truncateSync(path, length)
      await expect(importStore(store, { path })).rejects.toMatchObject({ code: 'invalid-input' })
      expect(await store.rows.isEmpty()).toBe(true)
    })
    await store.close()
  })

  it('is not found where there is no file', () =>
    using(['SQLite in memory'], async (store) => {
      if (!store) return
      await expect(importStore(store, { path: at.at('none') })).rejects.toMatchObject({ code: 'not-found' })
      await expect(importStore(store, { path: at.base })).rejects.toMatchObject({ code: 'invalid-input' })
    }))

  it('is damaged where it is compressed, and cannot be read behind its beginning', () =>
    using(['SQLite in memory'], async (store) => {
      if (!store) return
      const path = newFile('.gz')
      writeFileSync(path, gzipSync(await exported()))
      await using handle = await open(path)
      const files = Object.getPrototypeOf(handle)
      const { read } = files
      using _ = vi.spyOn(files, 'read').mockRejectedValue(new Error('EIO')).mockImplementationOnce(read)
      await expect(importStore(store, { path })).rejects.toMatchObject({ message: expect.stringMatching(/is damaged/) })
    }))

  it('is not taken where it is stopped', async () => {
    const path = newFile()
    writeFileSync(path, await exported())
    await using(['a SQLite file'], async (store) => {
      if (!store) return
      await expect(importStore(store, { path }, AbortSignal.abort())).rejects.toMatchObject({ code: 'cancelled' })
      expect(await store.rows.isEmpty()).toBe(true)
    })
  })
})

/** What others do meanwhile is in it whole or not at all. */
function whileOthersWrite(kind: string): void {
  it(`is of one moment, though others write all the time: ${kind}`, { tags: 'long' }, () =>
    using([kind, kind], async (store, empty) => {
      if (!store || !empty) return
      await filled(store, 200)
      let [isOver, written] = [false, 0]
      const writing = (async () => {
        while (!isOver) {
          await stored(store, 'docs', [{ path: `more/${written}`, text: `lion ${written++}` }])
          await store.runs.append('a'.repeat(32), written + 2, [{ seq: written + 3, at: 'now', data: '{}' }])
          await yieldToEvents()
        }
      })()
      for (let times = 0; times < 5; times++) {
        const path = newFile()
        const before = written
        await exportStore(store, path)
        await importStore(empty, { path, replace: true })
        expect(await empty.check()).toEqual([])
        expect((await found(empty, 'lion')).length).toBeGreaterThanOrEqual(200 + before - 1)
        const seqs = (await empty.runs.records('a'.repeat(32), 0, 10_000)).map(({ seq }) => seq)
        expect(seqs).toEqual(seqs.map((_, place) => place + 1))
      }
      isOver = true
      await writing
      expect(written).toBeGreaterThan(5)
    }),
  )
}

describe('an export', () => whileOthersWrite('a SQLite file'))

withPostgres('between SQLite and PostgreSQL', () => {
  whileOthersWrite('PostgreSQL')
  roundTrip('a SQLite file', 'PostgreSQL')
  roundTrip('PostgreSQL', 'a SQLite file')
  roundTrip('PostgreSQL', 'PostgreSQL')
  refusals('PostgreSQL')

  it('a large store goes there and back', { tags: 'long' }, () =>
    using(['a SQLite file', 'PostgreSQL', 'a SQLite file'], async (first, second, third) => {
      if (!first || !second || !third) return
      await filled(first, 5000)
      await first.runs.addFile(
        'a'.repeat(32),
        { id: 'l', name: 'l', size: 1, type: 't', sha256: '3'.repeat(64) },
        new Uint8Array(20_000_000).fill(7),
      )
      const [there, back] = [newFile('.gz'), newFile('.gz')]
      await exportStore(first, there)
      await importStore(second, { path: there })
      await exportStore(second, back)
      await importStore(third, { path: back })
      expect(await rowsOf(third)).toEqual(await rowsOf(first))
      expect([await second.check(), await third.check()]).toEqual([[], []])
    }),
  )
})
