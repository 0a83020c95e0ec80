import { existsSync } from 'node:fs'
import { relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { SILENT } from '../src/core/flow.ts'
import type { Config } from '../src/engine/config.ts'
import type { Engine } from '../src/engine/engine.ts'
import { open, openWith } from '../src/open.ts'
import { tree } from './support/tree.ts'

const CONFIG = { file: undefined, unknown: [], home: false } as const

describe('what is opened', () => {
  it('keeps what it is told in the database that is named, from one time to the next', async () => {
    using place = tree({ 'docs/a.md': '# Lion' })
    const db = relative(process.cwd(), place.at('a/b.db'))
    const first = await open({ db })
    await first.store.collections.add({ name: 'docs', root: place.at('docs') })
    await first.store.collections.index()
    await first.close()
    const second = await open({ db: place.at('a/b.db') })
    expect((await second.store.search({ query: 'lion' })).results).toMatchObject([{ uri: 'ambit://docs/a.md' }])
    await second.close()
    const engine = openWith({ ...CONFIG, db })
    expect(await engine.roots()).toMatchObject([{ name: 'docs' }])
    await engine.close()
  })

  it('keeps nothing of what is in memory', async () => {
    const [one, other] = [await open({ db: ':memory:' }), await open({ db: ':memory:' })]
    using place = tree({})
    await one.store.collections.add({ name: 'docs', root: place.base })
    expect(await other.store.collections.list()).toEqual([])
    await Promise.all([one.close(), other.close()])
  })

  it('makes no database before something needs it', async () => {
    using place = tree({})
    const engine = openWith({ ...CONFIG, db: place.at('a.db') })
    expect(existsSync(place.at('a.db'))).toBe(false)
    const [one, other] = await Promise.all([engine.library(), engine.library()])
    expect(one).toBe(other)
    expect(existsSync(place.at('a.db'))).toBe(true)
    await engine.close()
    expect(existsSync(place.at('a.db-wal'))).toBe(false)
    await engine.close()
  })

  const POSTGRES = { database: { url: 'postgres://127.0.0.1:1/none' } }
  it.each<[string, Partial<Config>, (engine: Engine) => Promise<unknown>, object | false]>([
    ['a library without a place', {}, (one) => one.library(), { code: 'unavailable', hint: /--db/ }],
    ['a migration without a place', {}, (one) => one.migrate(), { code: 'unavailable', hint: /--db/ }],
    ['a model without a place', {}, (one) => one.getModel('a/b', SILENT), { hint: /XDG_DATA_HOME/ }],
    ['a rebuild of a server', POSTGRES, (one) => one.rebuild(SILENT), { code: 'invalid-input', message: /PostgreSQL/ }],
    ['a library of no server', POSTGRES, (one) => one.library(), { message: /127\.0\.0\.1:1\/none cannot be reached/ }],
    ['a repair of no server', POSTGRES, (one) => one.mend(), { message: /none cannot be reached/ }],
    ['a migration of no server', POSTGRES, (one) => one.migrate(), { message: /none cannot be reached/ }],
    ['whether a server is whole', POSTGRES, (one) => one.isWhole(), false],
    ['whether nothing is whole', { db: '/none/a.db' }, (one) => one.isWhole(), false],
    [
      'a password in an open file',
      { database: { ...POSTGRES.database, openFile: 'c' } },
      (one) => one.library(),
      { code: 'denied' },
    ],
  ])('is refused or answered in words: %s', async (_, config, ask, expected) => {
    const asked = ask(openWith({ ...CONFIG, ...config }))
    if (expected === false) expect(await asked).toBe(false)
    else {
      const matched = Object.entries(expected).map(([name, one]) => [name, expect.stringMatching(one)])
      await expect(asked).rejects.toMatchObject(Object.fromEntries(matched))
    }
  })

  it('is refused in words, where the place is none', async () => {
    using place = tree({ file: 'x' })
    await expect(open({ db: place.at('file/a.db') })).rejects.toMatchObject({ code: 'unavailable' })
    await expect(open({ db: place.base })).rejects.toMatchObject({ code: 'unavailable' })
  })
})
