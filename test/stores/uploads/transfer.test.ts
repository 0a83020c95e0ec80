import { createHash } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { ContextError } from '../../../src/core/errors.ts'
import { SILENT } from '../../../src/core/flow.ts'
import { privateDirectory } from '../../../src/files/disk/private-directory.ts'
import { openS3 } from '../../../src/files/s3/s3.ts'
import { openWith } from '../../../src/open.ts'
import { upkeep } from '../../../src/operations/upkeep/upkeep.ts'
import { openPostgres } from '../../../src/stores/postgres/postgres.ts'
import type { Rows } from '../../../src/stores/row-store.ts'
import { openSqlite } from '../../../src/stores/sqlite/sqlite.ts'
import { TABLES } from '../../../src/stores/statements/tables.ts'
import { exportStore } from '../../../src/stores/transfer/store-export.ts'
import { importStore } from '../../../src/stores/transfer/store-import.ts'
import { endedAfterEach, own } from '../../support/own.ts'
import { ownDatabases, withPostgres } from '../../support/postgres.ts'
import { Bucket } from '../../support/s3/bucket.ts'
import { ownS3 } from '../../support/s3/own.ts'
import { KEY, REGION, SECRET } from '../../support/s3/server.ts'
import { tree } from '../../support/tree.ts'
import { type Beside, beside, bytesOf, given, hashOf, ID, keysIn, textIn } from './beside.ts'

const { export: exportOperation } = upkeep

const at = own(tree({}, 'ambit-uploads-'))
const [database, s3] = [ownDatabases(), ownS3()]

const keep = endedAfterEach()

let count = 0
const newPath = (end: string) => at.at(`${++count}${end}`)

function kept(one: Beside): Beside {
  keep(one.store)
  return one
}

const inFile = async (db = newPath('.db')) => kept(beside(openSqlite(db), `${db}.objects`))

async function inPostgres(pool = ''): Promise<Beside> {
  const server = await s3()
  const bucket = `moved-${++count}`
  server.buckets.set(bucket, new Bucket(REGION))
  const credentials = { accessKeyId: KEY, secretAccessKey: SECRET }
  const blobs = await openS3({ bucket, endpoint: server.url, region: REGION, credentials })
  return kept(beside(await openPostgres((await database()) + pool), blobs))
}

const FILES = { 'a.md': 'the harbour', 'b.md': 'the ferry', 'empty.md': '' }

async function filled(one: Beside): Promise<Beside> {
  await given(one.store.runs, ID('a'), FILES)
  await given(one.store.of('alice').runs, ID('b'), { 'c.md': 'of alice' })
  await one.store.runs.putDerived('text', 'what it says', hashOf('the ferry'))
  return one
}

async function isFilled({ store, blobs }: Beside): Promise<void> {
  for (const text of Object.values(FILES)) expect(await textIn(store.runs, text)).toBe(text)
  expect(await textIn(store.of('alice').runs, 'of alice')).toBe('of alice')
  expect(await store.runs.findDerived('text')).toBe('what it says')
  expect(await store.bytes.listInDatabase('', 10)).toEqual([])
  expect(await keysIn(blobs)).toHaveLength(4)
}

/** The lines of a file, and a checksum that holds. */
function signed(lines: readonly string[]): string {
  const body = `${lines.join('\n')}\n`
  const sha256 = createHash('sha256').update(body).digest('hex')
  return `${body}${JSON.stringify({ end: true, rows: lines.length - 1, sha256 })}\n`
}

function moves(name: string, to: () => Promise<Beside>): void {
  it(`with their bytes, from a file and a directory to ${name} and back, and no place is told`, async () => {
    const [first, second, third] = [await filled(await inFile()), await to(), await inFile()]
    const [there, back] = [newPath('.jsonl'), newPath('.jsonl.gz')]
    expect(await exportStore(first.store, there)).not.toHaveProperty('lost')
    await importStore(second.store, { path: there })
    await isFilled(second)
    await exportStore(second.store, back)
    await importStore(third.store, { path: back })
    await isFilled(third)
    expect(readFileSync(there, 'utf8')).not.toContain('uploads/')
    const again = newPath('.jsonl')
    await exportStore(third.store, again)
    expect(readFileSync(again, 'utf8')).toBe(readFileSync(there, 'utf8'))
  })
}

describe('uploads of a store that is moved by a file', () => {
  moves('another file', inFile)

  it('take the place of others, whose objects go', async () => {
    const [first, second] = [await filled(await inFile()), await inFile()]
    await given(second.store.runs, ID('z'), { 'z.md': 'gone', 'y.md': 'the ferry' })
    const path = newPath('.jsonl')
    await exportStore(first.store, path)
    await importStore(second.store, { path, replace: true })
    await isFilled(second)
    await expect(textIn(second.store.runs, 'gone')).rejects.toMatchObject({ code: 'not-found' })
  })

  it.each([
    ['is cut off behind them', (lines: string[]) => `${lines.slice(0, -2).join('\n')}\n`],
    [
      'has rows that do not fit together',
      (lines: string[]) =>
        signed(lines.slice(0, -2).map((line) => line.replace(/^(\["research_files",\d+,)"a+"/, '$1"none"'))),
    ],
  ])('leave nothing behind where the file %s', async (_, harm) => {
    const [first, second] = [await filled(await inFile()), await inFile()]
    const path = newPath('.jsonl')
    await exportStore(first.store, path)
    writeFileSync(path, harm(readFileSync(path, 'utf8').split('\n')))
    await expect(importStore(second.store, { path })).rejects.toMatchObject({ code: 'invalid-input' })
    expect(await keysIn(second.blobs)).toEqual([])
    expect(await second.store.rows.isEmpty()).toBe(true)
  })

  it.each([
    ['leave nothing behind where what gives them', 'invalid-input', 0],
    ['are kept for the sweep where it is not certain that nothing was written, since it', 'unavailable', 4],
  ] as const)('%s ends with %s', async (_, code, objects) => {
    const [first, second] = [await filled(await inFile()), await inFile()]
    const groups: Rows[] = []
    await first.store.rows.read(async (group) => void groups.push(group))
    const ending = async function* () {
      yield* groups
      throw new ContextError(code, 'It ends here.')
    }
    await expect(
      second.store.rows.write(ending(), { counted: await first.store.rows.readCounters(), replace: false }),
    ).rejects.toMatchObject({ code })
    expect(await keysIn(second.blobs)).toHaveLength(objects)
  })

  it('are told as lost where they are, and can be added again', async () => {
    const [first, second] = [await filled(await inFile()), await inFile()]
    const path = newPath('.jsonl')
    await first.blobs.remove((await keysIn(first.blobs)).find((key) => key.includes(hashOf('the ferry'))) ?? '')
    const told = await exportStore(first.store, path)
    expect(told).toMatchObject({ lost: 1 })
    expect(exportOperation.text(told)).toContain(
      ', without the bytes of 1 upload, which were not found: see "ambit doctor"\n',
    )
    await importStore(second.store, { path })
    await expect(textIn(second.store.runs, 'the ferry')).rejects.toMatchObject({ code: 'conflict' })
    await given(second.store.runs, ID('c'), { 'again.md': 'the ferry' })
    await isFilled(second)
  })

  it('are in no object that a file names, unless it is called by their hash', async () => {
    const [mine, theirs] = [await filled(await inFile()), await inFile()]
    const [path, [key = '']] = [newPath('.jsonl'), await keysIn(mine.blobs)]
    await exportStore(mine.store, path)
    const lines = readFileSync(path, 'utf8').split('\n').slice(0, -2)
    const named = lines.map((line) => line.replace(/^(\["research_bytes","[^"]*"),"[^"]*",null\]/, `$1,"","${key}"]`))
    const outside = named.map((line) => line.replaceAll(key, '../../etc/passwd'))
    for (const each of [named, outside]) {
      writeFileSync(path, signed(each))
      await importStore(theirs.store, { path, replace: true })
      for (const text of ['the harbour', 'the ferry', 'of alice']) {
        const code = each === named && key.includes(hashOf(text)) ? 'not-found' : 'conflict'
        await expect(textIn(theirs.store.runs, text)).rejects.toMatchObject({ code })
      }
      const kept = (await theirs.store.bytes.listInObjects('', 10)).map((one) => one.key)
      expect(kept).toEqual(each === named ? [key] : [])
    }
    await isFilled(mine)
  })

  it('stay where they are when rows are taken over as they are, by a store in the place of the old one', async () => {
    const db = newPath('.db')
    const old = openSqlite(db)
    await filled(beside(old, `${db}.objects`))
    const groups: Rows[] = []
    await old.rows.read(async (rows) => void groups.push(rows))
    await old.close()
    const next = kept(beside(openSqlite(newPath('.db')), `${db}.objects`))
    await next.store.rows.write(each(groups), { counted: {}, replace: false })
    await isFilled(next)
    await next.store.runs.remove(ID('a'))
    expect(await keysIn(next.blobs)).toHaveLength(1)
  })

  withPostgres('and PostgreSQL', () => {
    moves('PostgreSQL and S3', inPostgres)
    moves('PostgreSQL by one connection', () => inPostgres('?pool=1'))
  })
})

async function* each(groups: readonly Rows[]) {
  yield* groups
}

describe('a database that is made anew', () => {
  it('has the uploads that lie beside it, and those that are in it', async () => {
    const path = newPath('.db')
    const raw = openSqlite(path)
    await given(raw.runs, ID('a'), { 'in.md': 'the ferry' })
    await given(beside(raw, `${path}.objects`).store.runs, ID('a'), { 'out.md': 'the harbour' })
    await raw.close()
    const engine = openWith({ file: undefined, unknown: [], home: false, db: path })
    try {
      expect(await engine.rebuild(SILENT)).toMatchObject({ lost: [], problems: [], research: 1 })
      const { runs } = (await engine.library()).port
      for (const text of ['the harbour', 'the ferry']) expect(await textIn(runs, text)).toBe(text)
      const { checks } = await engine.doctor(SILENT)
      expect(checks.find(({ name }) => name === 'uploads')).toMatchObject({ status: 'ok' })
      await runs.remove(ID('a'))
    } finally {
      await engine.close()
    }
    expect(await keysIn(privateDirectory(`${path}.objects`))).toEqual([])
  })
})

describe('a database of before there were objects', () => {
  it('has its uploads as before, and "migrate" moves them out', async () => {
    const path = newPath('.db')
    const db = new Database(path)
    db.exec(readFileSync(new URL('../sqlite/snapshots/steps-13.sql', import.meta.url), 'utf8'))
    db.prepare(
      `INSERT INTO research_sessions (id, question, settings, created_at, updated_at) VALUES (?, 'What?', '{}', '', '')`,
    ).run(ID('a'))
    for (const text of ['the harbour', 'the ferry']) {
      const file = `INSERT INTO research_files (session, id, name, alias, size, type, sha256, revision, added_at)
        VALUES (?, ?, ?, ?, 9, '', ?, 1, '')`
      db.prepare(file).run(ID('a'), text, text, text, hashOf(text))
      db.prepare('INSERT INTO research_bytes (sha256, data) VALUES (?, ?)').run(hashOf(text), bytesOf(text))
    }
    db.close()
    const engine = openWith({ file: undefined, unknown: [], home: false, db: path })
    try {
      const { runs } = (await engine.library()).port
      expect(await textIn(runs, 'the ferry')).toBe('the ferry')
      expect(await engine.migrate()).toMatchObject({ name: path, moved: 2 })
      const moved = (await engine.library()).port
      for (const text of ['the harbour', 'the ferry']) expect(await textIn(moved.runs, text)).toBe(text)
      expect(await moved.bytes.listInDatabase('', 10)).toEqual([])
      expect(await engine.migrate()).toMatchObject({ moved: 0 })
    } finally {
      await engine.close()
    }
    rmSync(`${path}.objects`, { recursive: true })
  })

  it('of which a file was made is taken in, and its uploads are moved out', async () => {
    const old = openSqlite(':memory:')
    await given(old.runs, ID('a'), FILES)
    const path = newPath('.jsonl')
    await exportStore(old, path)
    await old.close()
    const lines = readFileSync(path, 'utf8').split('\n').slice(0, -2)
    const header = JSON.parse(lines[0] ?? '')
    expect(header.tables.research_bytes).toEqual(Object.keys(TABLES.research_bytes?.columns ?? {}))
    header.tables.research_bytes = ['sha256', 'data']
    const older = lines.slice(1).map((line) => line.replace(/^(\["research_bytes",.*),null\]$/, '$1]'))
    writeFileSync(path, signed([JSON.stringify(header), ...older]))
    const one = await inFile()
    await importStore(one.store, { path })
    for (const text of Object.values(FILES)) expect(await textIn(one.store.runs, text)).toBe(text)
    expect(await keysIn(one.blobs)).toHaveLength(3)
  })
})
