import { existsSync } from 'node:fs'
import { relative } from 'node:path'
import { describe, expect, it } from 'vitest'
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

  it('is told to need a place, where there is none', async () => {
    await expect(openWith(CONFIG).library()).rejects.toMatchObject({
      code: 'unavailable',
      hint: expect.stringContaining('--db'),
    })
  })

  it('is refused in words, where the place is none', async () => {
    using place = tree({ file: 'x' })
    await expect(open({ db: place.at('file/a.db') })).rejects.toMatchObject({ code: 'unavailable' })
    await expect(open({ db: place.base })).rejects.toMatchObject({ code: 'unavailable' })
  })
})
