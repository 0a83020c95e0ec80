import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ContextError, NoSpace } from '../../../src/core/errors.ts'
import { SILENT } from '../../../src/core/flow.ts'
import { privateDirectory } from '../../../src/files/disk/private-directory.ts'
import { type Objects, readTextAt } from '../../../src/files/objects.ts'
import { openSqlite } from '../../../src/stores/sqlite/sqlite.ts'
import type { Store } from '../../../src/stores/store.ts'
import { moveUploadsOut, sweepOrphans, Uploads, uploadsFinding } from '../../../src/stores/uploads/beside.ts'
import { createUploads } from '../../../src/stores/uploads.ts'
import { endedAfterEach, own } from '../../support/own.ts'
import { fc, forAllAsync } from '../../support/property.ts'
import { through } from '../../support/through.ts'
import { tree } from '../../support/tree.ts'
import { aged, type Beside, beside, bytesOf, fileOf, given, hashOf, ID, keysIn, textIn } from './beside.ts'

const at = own(tree({}, 'ambit-uploads-'))
const keep = endedAfterEach()

let count = 0

interface On extends Beside {
  readonly db: string
  /** The directory of the objects. */
  readonly objects: string
  /** The store without what is beside it. */
  readonly raw: Store
}

function fresh(db = at.at(`${++count}.db`), place: string | Objects = `${db}.objects`): On {
  const raw = keep(openSqlite(db))
  return { db, objects: `${db}.objects`, raw, ...beside(raw, place) }
}

/** Objects in which something goes wrong, by what is asked of them. */
function failing(blobs: Objects, failure: (what: string) => Error | undefined): Objects {
  return through(blobs, (name, call) => {
    const error = failure(name)
    return error ? Promise.reject(error) : call()
  })
}

/** Objects between which and the database something else happens once, when one was put. */
function interrupted(blobs: Objects, between: () => Promise<unknown>): Objects {
  let isOver = false
  return through(blobs, (name, call) => {
    if (name !== 'put' || isOver) return call()
    isOver = true
    return Promise.resolve(call()).finally(between)
  })
}

describe('the bytes of uploads', () => {
  it('are in objects, once, and not in the database', async () => {
    const { store, raw, blobs, uploads } = fresh()
    const secret = `the harbour ${'x'.repeat(5000)}`
    await given(store.runs, ID('a'), { 'a.md': secret, 'b.md': secret, 'c.md': 'other' })
    await given(store.of('alice').runs, ID('b'), { 'd.md': secret })
    const keys = await keysIn(blobs)
    expect(keys).toHaveLength(2)
    for (const key of keys) expect(key.startsWith(await uploads.prefix())).toBe(true)
    const [first = ''] = keys.filter((key) => key.includes(hashOf(secret)))
    expect((await readTextAt(blobs, first, {}))?.text).toBe(secret)
    expect(await raw.bytes.listInDatabase('', 10)).toEqual([])
    expect(await textIn(store.runs, secret)).toBe(secret)
    await raw.close()
    expect(readFileSync(raw.name).includes(secret)).toBe(false)
  })

  it('go with the last session that has them, and not before', async () => {
    const { store, blobs } = fresh()
    await given(store.runs, ID('a'), { 'a.md': 'shared', 'b.md': 'own' })
    await given(store.of('alice').runs, ID('b'), { 'c.md': 'shared' })
    await store.runs.remove(ID('a'))
    expect((await keysIn(blobs)).map((key) => key.includes(hashOf('shared')))).toEqual([true])
    expect(await textIn(store.of('alice').runs, 'shared')).toBe('shared')
    await store.of('alice').runs.remove(ID('b'))
    expect(await keysIn(blobs)).toEqual([])
  })

  it('go with a file that is taken away before anything was done with it', async () => {
    const { store, blobs } = fresh()
    const [file] = await given(store.runs, ID('a'), { 'a.md': 'text' })
    await store.runs.removeFile(ID('a'), file?.id ?? '')
    expect(await keysIn(blobs)).toEqual([])
    await given(store.runs, ID('a'), { 'a.md': 'text' })
    expect(await textIn(store.runs, 'text')).toBe('text')
  })

  it('of a session that there is none of are not written', async () => {
    const { store, blobs } = fresh()
    const adding = store.runs.addFile(ID('z'), fileOf('a', 'a'), bytesOf('a'))
    await expect(adding).rejects.toMatchObject({ code: 'not-found' })
    expect(await keysIn(blobs)).toEqual([])
  })

  it('are what they were after any order of adding and taking away, and nothing is left over', async () => {
    const step = fc.oneof(
      fc.record({ what: fc.constant('add'), session: fc.nat(2), name: fc.nat(3), text: fc.nat(3) }),
      fc.record({ what: fc.constant('take'), session: fc.nat(2), name: fc.nat(3), text: fc.nat(3) }),
      fc.record({ what: fc.constant('forget'), session: fc.nat(2), name: fc.nat(3), text: fc.nat(3) }),
    )
    await forAllAsync(12, fc.array(step, { maxLength: 15 }), async (steps) => {
      const { store, blobs, raw } = fresh()
      for (const { what, session, name, text } of steps) {
        const id = ID(String(session))
        if (what === 'add') await given(store.runs, id, { [`${name}.md`]: `text ${text}` })
        else if (what === 'forget') await store.runs.remove(id)
        else {
          const [file] = (await store.runs.get(id)) ? await store.runs.files(id) : []
          if (file) await store.runs.removeFile(id, file.id)
        }
      }
      const hashes = new Set<string>()
      for (const { id } of await store.runs.list(10)) {
        for (const { sha256 } of await store.runs.files(id)) hashes.add(sha256)
      }
      for (const hash of hashes) await store.runs.bytes(hash)
      expect((await keysIn(blobs)).map((key) => key.split('/')[3]?.split('.')[0])).toEqual([...hashes].toSorted())
      await raw.close()
    })
  })

  it('of many that add the same at once are kept once, and whole', async () => {
    const one = fresh()
    const other = fresh(one.db)
    for (const id of ['a', 'b', 'c', 'd']) await one.store.runs.add({ id: ID(id), question: 'What?', settings: '{}' })
    const adding = ['a', 'b', 'c', 'd'].map((id, index) =>
      given((index % 2 ? one : other).store.runs, ID(id), { 'a.md': 'same', [`${id}.md`]: id }),
    )
    await Promise.all(adding)
    expect(await keysIn(one.blobs)).toHaveLength(5)
    for (const { store } of [one, other]) expect(await textIn(store.runs, 'same')).toBe('same')
  })

  it('that another one takes away between the object and the row are there nevertheless', async () => {
    const one = fresh()
    await given(one.store.runs, ID('b'), { 'b.md': 'same' })
    const blobs = interrupted(privateDirectory(one.objects), () => one.store.runs.remove(ID('b')))
    const other = fresh(one.db, blobs)
    await given(other.store.runs, ID('a'), { 'a.md': 'same' })
    for (const { store } of [one, other]) expect(await textIn(store.runs, 'same')).toBe('same')
    expect(await keysIn(one.blobs)).toHaveLength(1)
  })

  it('of a session that is removed between the object and the row are not kept', async () => {
    const one = fresh()
    await one.store.runs.add({ id: ID('a'), question: 'What?', settings: '{}' })
    const blobs = interrupted(privateDirectory(one.objects), () => one.store.runs.remove(ID('a')))
    const { store } = fresh(one.db, blobs)
    const adding = store.runs.addFile(ID('a'), fileOf('a.md', 'text'), bytesOf('text'))
    await expect(adding).rejects.toMatchObject({ code: 'not-found' })
    expect(await keysIn(one.blobs)).toEqual([])
  })

  it('of many that add and forget the same at once are never missing', async () => {
    const both = [fresh()]
    both.push(fresh(both[0]?.db))
    await Promise.all(
      both.map(async ({ store }, who) => {
        for (let round = 0; round < 25; round++) {
          const id = ID(String(who))
          await given(store.runs, id, { 'a.md': 'same' })
          expect(await textIn(store.runs, 'same')).toBe('same')
          await store.runs.remove(id)
        }
      }),
    )
    expect(await keysIn(both[0]?.blobs ?? privateDirectory('none'))).toEqual([])
  })
})

describe('an object that was lost', () => {
  const LOSSES: readonly (readonly [string, (path: string) => void, string, RegExp])[] = [
    ['is gone', (path) => rmSync(path), 'not-found', /The bytes of the file are gone: there is no object uploads\//],
    ['was changed', (path) => writeFileSync(path, 'texT'), 'conflict', /bytes of the file changed: their SHA-256/],
    ['was cut off', (path) => writeFileSync(path, ''), 'conflict', /bytes of the file changed/],
  ]

  it.each(LOSSES)('and %s is told, whoever reads it', async (_, harm, code, message) => {
    const { store, blobs, objects } = fresh()
    await given(store.runs, ID('a'), { 'a.md': 'text' })
    for (const key of await keysIn(blobs)) harm(`${objects}/${key}`)
    const error = { code, message: expect.stringMatching(message), hint: expect.stringContaining('AMBIT_OBJECTS') }
    await expect(textIn(store.runs, 'text')).rejects.toMatchObject(error)
  })

  it.each(LOSSES)('and %s is whole again when the file is added again', async (_, harm) => {
    const { store, blobs, objects } = fresh()
    await given(store.runs, ID('a'), { 'a.md': 'text' })
    for (const key of await keysIn(blobs)) harm(`${objects}/${key}`)
    await given(store.runs, ID('b'), { 'other.md': 'text' })
    expect(await textIn(store.runs, 'text')).toBe('text')
    expect(await keysIn(blobs)).toHaveLength(1)
  })

  it('is told by "doctor", with the name of its file', async () => {
    const { store, blobs, objects, uploads } = fresh()
    await given(store.runs, ID('a'), { 'a.md': 'text', 'b.md': 'other' })
    expect(await uploadsFinding(uploads, undefined, SILENT)).toEqual({
      status: 'ok',
      message: `file://${objects}: 2 files, 9 B.`,
    })
    await blobs.remove((await keysIn(blobs)).find((key) => key.includes(hashOf('text'))) ?? '')
    expect(await uploadsFinding(uploads, undefined, SILENT)).toMatchObject({
      status: 'failed',
      message: `file://${objects} lacks the bytes of 1 file: "a.md".`,
    })
    await given(store.runs, ID('b'), { 'c.md': 'c', 'd.md': 'd' })
    for (const [lost, end] of [
      [3, '[abcd].md"'],
      [4, '[abcd].md", and 1 more'],
    ] as const) {
      for (const key of await keysIn(blobs)) if ((await keysIn(blobs)).length > 4 - lost) await blobs.remove(key)
      const message = expect.stringMatching(new RegExp(`of ${lost} files: (".\\.md", ){2}"${end}\\.$`))
      expect(await uploadsFinding(uploads, undefined, SILENT)).toMatchObject({ status: 'failed', message })
    }
  })
})

describe('bytes that are read', () => {
  /** Objects before whose first object is read something else happens. */
  function reading(blobs: Objects, before: () => Promise<unknown>): Objects {
    let isOver = false
    return through(blobs, (name, call) => {
      if (name !== 'read' || isOver) return call()
      isOver = true
      return before().then(call)
    })
  }

  async function between(work: (on: On, key: string) => Promise<unknown>): Promise<On> {
    const on = fresh()
    await given(on.store.runs, ID('a'), { 'a.md': 'text' })
    const [key = ''] = await keysIn(on.blobs)
    return fresh(
      on.db,
      reading(privateDirectory(on.objects), () => work(on, key)),
    )
  }

  const moved = async ({ uploads, raw }: On, key: string) =>
    raw.bytes.move(hashOf('text'), await uploads.put(hashOf('text'), bytesOf('text')), { key })

  it('while they are moved are read where they are then', async () => {
    const { store } = await between(async (on, key) => {
      expect(await moved(on, key)).toBe(true)
      await on.blobs.remove(key)
    })
    expect(await textIn(store.runs, 'text')).toBe('text')
  })

  it('while their session is removed are told as gone', async () => {
    const { store } = await between(({ store }) => store.runs.remove(ID('a')))
    await expect(textIn(store.runs, 'text')).rejects.toMatchObject({ code: 'not-found' })
  })

  it('from a place that fails are not read from another, though they are moved meanwhile', async () => {
    const { store } = await between(async (on, key) => {
      await moved(on, key)
      throw refused()
    })
    await expect(textIn(store.runs, 'text')).rejects.toMatchObject({ code: 'unavailable' })
  })
})

describe('a place of uploads that fails', () => {
  it('when it is read is not said of the file', async () => {
    const { objects, db, store } = fresh()
    await given(store.runs, ID('a'), { 'a.md': 'text' })
    const broken = fresh(
      db,
      failing(privateDirectory(objects), (what) => (what === 'read' ? refused() : undefined)),
    )
    await expect(textIn(broken.store.runs, 'text')).rejects.toMatchObject({
      code: 'unavailable',
      message: 'The place where files are kept cannot be read.',
      hint: 'Let it in.',
    })
  })

  it('is not the end of an object whose row may have been written', async () => {
    const { raw, objects, blobs } = fresh()
    const runs = through(raw.runs, async (name, call) => {
      const result = await call()
      if (name === 'addFile') throw new ContextError('unavailable', 'The connection was lost as it was written.')
      return result
    })
    const unsure = beside({ ...raw, runs }, objects).store
    await expect(given(unsure.runs, ID('a'), { 'a.md': 'text' })).rejects.toMatchObject({ code: 'unavailable' })
    expect(await keysIn(blobs)).toHaveLength(1)
    expect(await textIn(fresh(raw.name).store.runs, 'text')).toBe('text')
  })

  it('to say what was done is asked whether it was', async () => {
    const { objects, db } = fresh()
    const blobs = privateDirectory(objects)
    let isWritten = true
    const unsure = through(blobs, (name, call) => {
      const conflict = new ContextError('conflict', 'It is there already.')
      if (name !== 'put') return call()
      return Promise.resolve(isWritten && call()).then(() => Promise.reject(conflict))
    })
    const { store } = fresh(db, unsure)
    await given(store.runs, ID('a'), { 'a.md': 'text' })
    expect(await textIn(store.runs, 'text')).toBe('text')
    isWritten = false
    await expect(given(store.runs, ID('a'), { 'b.md': 'other' })).rejects.toMatchObject({ code: 'unavailable' })
    expect(await store.bytes.find(hashOf('other'))).toBeUndefined()
  })

  it('is asked again after it did not open, or the database did not give its id', async () => {
    const { raw, objects } = fresh()
    let isDown = true
    const open = async () => (isDown ? Promise.reject(refused()) : privateDirectory(objects))
    const closed = new Uploads({ bytes: raw.bytes, open })
    await expect(closed.objects()).rejects.toMatchObject({ code: 'denied' })
    await closed.close()
    const bytes = through(raw.bytes, (name, call) =>
      name === 'id' && isDown ? Promise.reject(new ContextError('unavailable', 'It is down.')) : call(),
    )
    const { store } = beside({ ...raw, bytes }, objects)
    await expect(given(store.runs, ID('a'), { 'a.md': 'text' })).rejects.toMatchObject({ code: 'unavailable' })
    isDown = false
    expect((await closed.objects()).uri).toBe(`file://${objects}`)
    await given(store.runs, ID('a'), { 'a.md': 'text' })
    expect(await textIn(store.runs, 'text')).toBe('text')
  })

  it('when it is written lets no row be, and names no place of the machine', async () => {
    const { objects, db } = fresh()
    const { store } = fresh(
      db,
      failing(privateDirectory(objects), (what) => (what === 'put' ? refused() : undefined)),
    )
    const error = await given(store.runs, ID('a'), { 'a.md': 'text' }).catch((thrown: unknown) => thrown)
    const hint = expect.stringMatching(/^Let it in\. .*"ambit doctor".*AMBIT_OBJECTS/)
    expect(error).toMatchObject({ code: 'unavailable', hint })
    expect(`${error} ${JSON.stringify(error)}`).not.toContain(at.base)
    expect(await store.runs.files(ID('a'))).toEqual([])
    expect(await store.bytes.find(hashOf('text'))).toBeUndefined()
  })

  it.each([
    ['is full', new NoSpace('No space.'), { message: 'The place where files are kept is full.' }],
    ['is left', new ContextError('cancelled', 'Stopped.'), { code: 'cancelled' }],
    ['has a bug', new TypeError('undefined'), { name: 'TypeError' }],
  ])('and %s says so', async (_, failure, expected) => {
    const { objects, db } = fresh()
    const { store } = fresh(
      db,
      failing(privateDirectory(objects), () => failure),
    )
    const adding = given(store.runs, ID('a'), { 'a.md': 'text' })
    await expect(adding).rejects.toMatchObject({ ...expected, constructor: failure.constructor })
  })

  it.skipIf(process.getuid?.() === 0)('since nobody may write there says what can be done', async () => {
    const { objects, store } = fresh()
    mkdirSync(objects, { recursive: true, mode: 0o500 })
    const error = await given(store.runs, ID('a'), { 'a.md': 'text' }).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ hint: expect.stringMatching(/^Check the permissions\. .*AMBIT_OBJECTS/) })
  })

  it('when something is taken away keeps nobody from removing a session, and is tidied when it works again', async () => {
    let isBroken = true
    const { objects, db } = fresh()
    const blobs = privateDirectory(objects)
    const { store, uploads } = fresh(
      db,
      failing(blobs, (what) => (isBroken && what === 'remove' ? refused() : undefined)),
    )
    await given(store.runs, ID('a'), { 'a.md': 'text' })
    expect(await store.runs.remove(ID('a'))).toBe(true)
    expect(await keysIn(blobs)).toHaveLength(1)
    isBroken = false
    expect(await sweepOrphans(uploads)).toBe(1)
    expect(await keysIn(blobs)).toEqual([])
  })

  it.skipIf(process.getuid?.() === 0)('is told by "doctor" where it may not be entered', async () => {
    const { uploads, objects, store } = fresh()
    await given(store.runs, ID('a'), { 'a.md': 'text' })
    chmodSync(objects, 0)
    await expect(uploadsFinding(uploads, undefined, SILENT)).rejects.toMatchObject({ code: 'denied' })
    chmodSync(objects, 0o700)
  })
})

function refused(): ContextError {
  return new ContextError('denied', `${at.base} is closed.`, { hint: 'Let it in.' })
}

describe('the sweep', () => {
  it('takes what has no row for a day, and nothing else', async () => {
    const { store, blobs, uploads, objects } = fresh()
    const prefix = await uploads.prefix()
    await given(store.runs, ID('a'), { 'a.md': 'kept' })
    const kept = await keysIn(blobs)
    const [old, young, others] = [`${prefix}aa/old.1`, `${prefix}aa/young.1`, `uploads/${'0'.repeat(32)}/aa/old.1`]
    for (const key of [old, young, others]) await blobs.put(key, bytesOf('x'))
    aged(objects, [...kept, old, others], 24 + 1 / 360)
    aged(objects, [young], 23)
    expect(await sweepOrphans(uploads)).toBe(1)
    expect(await keysIn(blobs)).toEqual([...kept, young, others].toSorted())
    expect(await sweepOrphans(uploads)).toBe(0)
    expect(await textIn(store.runs, 'kept')).toBe('kept')
  })

  it('is done by "doctor", which says so, and says what is on this machine alone', async () => {
    const { blobs, uploads, objects, raw } = fresh()
    const key = `${await uploads.prefix()}aa/old.1`
    await blobs.put(key, bytesOf('x'))
    aged(objects, [key], 48)
    const through = createUploads({ root: objects, isLocalOnly: true, open: async () => blobs })
    await through.useStore(raw)
    expect(await through.check(true, async () => {}, SILENT)).toMatchObject({
      status: 'warning',
      message: expect.stringMatching(
        /Removed, because no file uses them: 1 object\. Uploads are kept on this machine alone/,
      ),
      hint: expect.stringContaining('AMBIT_OBJECTS'),
    })
    expect(await keysIn(blobs)).toEqual([])
  })

  it('is nothing to do where uploads are in the database, or there is none yet', async () => {
    const [none, run] = [async () => expect.unreachable(), SILENT]
    const inside = createUploads(undefined)
    expect([await inside.sweep(none), await inside.moveAll(none), inside.warnings]).toEqual([0, 0, []])
    expect(await inside.check(true, none, run)).toEqual({ status: 'ok', message: 'Uploads are kept in the database.' })
    const later = createUploads({ root: '/srv', isLocalOnly: true, open: none })
    expect(await later.moveAll(none)).toBe(0)
    const message = 'There are no uploads yet; they would be in /srv.'
    expect(await later.check(false, none, run)).toEqual({ status: 'ok', message })
  })

  it('ends when it is stopped', async () => {
    const { uploads, store } = fresh()
    await given(store.runs, ID('a'), { 'a.md': 'kept' })
    await expect(sweepOrphans(uploads, AbortSignal.abort())).rejects.toMatchObject({ code: 'cancelled' })
  })
})

describe('bytes that are in the database', () => {
  it('are read there, stay for others who add them, and are moved out when that is asked for', async () => {
    const { raw, store, blobs, uploads } = fresh()
    await given(raw.runs, ID('a'), { 'a.md': 'old', 'b.md': 'older' })
    await raw.runs.putDerived('text', 'what it says', hashOf('old'))
    expect(await textIn(store.runs, 'old')).toBe('old')
    await given(store.runs, ID('b'), { 'c.md': 'old' })
    expect(await keysIn(blobs)).toEqual([])
    expect(await uploadsFinding(uploads, undefined, SILENT)).toMatchObject({
      message: expect.stringContaining('In the database: 2 files; "ambit migrate" moves'),
    })
    expect(await moveUploadsOut(uploads)).toBe(2)
    expect(await moveUploadsOut(uploads)).toBe(0)
    expect(await raw.bytes.listInDatabase('', 10)).toEqual([])
    expect(await keysIn(blobs)).toHaveLength(2)
    expect([await textIn(store.runs, 'old'), await textIn(store.runs, 'older')]).toEqual(['old', 'older'])
    expect(await store.runs.findDerived('text')).toBe('what it says')
    for (const id of ['a', 'b']) await store.runs.remove(ID(id))
    expect(await keysIn(blobs)).toEqual([])
  })

  it('that are not what they were are left there, and told', async () => {
    const { raw, store, uploads } = fresh()
    await raw.runs.add({ id: ID('a'), question: 'What?', settings: '{}' })
    await raw.runs.addFile(ID('a'), fileOf('a.md', 'text'), bytesOf('other'))
    await given(raw.runs, ID('a'), { 'b.md': 'good' })
    expect(await moveUploadsOut(uploads)).toBe(1)
    await expect(textIn(store.runs, 'text')).rejects.toMatchObject({ code: 'conflict' })
    await given(store.runs, ID('b'), { 'a.md': 'text' })
    expect(await textIn(store.runs, 'text')).toBe('text')
  })

  it('are moved from where a stop left them', async () => {
    const stop = new AbortController()
    let puts = 0
    const { objects, db } = fresh()
    const stopping = failing(privateDirectory(objects), (what) => {
      if (what === 'put' && ++puts === 4) stop.abort()
      return undefined
    })
    const { raw, uploads } = fresh(db, stopping)
    await given(raw.runs, ID('a'), Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`${n}.md`, `text ${n}`])))
    await expect(moveUploadsOut(uploads, stop.signal)).rejects.toMatchObject({ code: 'cancelled' })
    const rest = await raw.bytes.listInDatabase('', 10)
    expect([5, 6]).toContain(rest.length)
    expect(await moveUploadsOut(uploads)).toBe(rest.length)
  })
})

describe('a store without its place', () => {
  it('says where the bytes are, instead of that there are none', async () => {
    const { raw, store } = fresh()
    await given(store.runs, ID('a'), { 'a.md': 'text' })
    await expect(textIn(raw.runs, 'text')).rejects.toMatchObject({
      code: 'unavailable',
      hint: expect.stringContaining('AMBIT_OBJECTS'),
    })
  })
})
