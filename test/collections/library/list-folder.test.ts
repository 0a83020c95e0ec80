import { symlinkSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { libraryOver } from '../../../src/collections/library.ts'
import { openServedRoots, runInBounds } from '../../../src/files/roots.ts'
import { openSqlite } from '../../../src/stores/sqlite/sqlite.ts'
import { tree } from '../../support/tree.ts'

const FILES = {
  'docs/guide.md': '# Guide\n',
  'docs/deep/user-controller.ts': '',
  'node_modules/user-controller/index.js': '',
  '.git/HEAD': '',
  'outside -> /etc': '',
  'README.md': '',
}

describe('a folder', () => {
  it('tells its directories, its files and which are collections', async () => {
    using files = tree(FILES)
    const library = libraryOver(openSqlite(':memory:'))
    await library.collections.add({ name: 'manual', root: files.at('docs'), substrings: false })
    expect(await library.folder({ place: files.base, limit: 10 })).toEqual({
      path: files.base,
      parent: expect.any(String),
      directories: [{ name: 'docs', path: files.at('docs'), collection: 'manual' }],
      files: ['README.md'],
      isPartial: false,
    })
  })

  it('finds files at any depth by letters, but not those of dependencies', async () => {
    using files = tree(FILES)
    const { files: found } = await libraryOver(openSqlite(':memory:')).folder({
      place: files.base,
      match: 'usrctl',
      limit: 10,
    })
    expect(found).toEqual(['docs/deep/user-controller.ts'])
  })

  it.each([
    [2, ['a', 'b'], true],
    [3, ['a', 'b', 'c'], false],
  ])('says whether it gives all: at most %i', async (limit, names, isCut) => {
    using files = tree({ 'a/x': '', 'b/x': '', 'c/x': '', x: '', y: '', z: '' })
    const { directories, isPartial } = await libraryOver(openSqlite(':memory:')).folder({ place: files.base, limit })
    expect([directories.map(({ name }) => name), isPartial]).toEqual([names, isCut])
  })

  it('leads nowhere out of the directories that are served', async () => {
    using files = tree(FILES)
    const library = libraryOver(openSqlite(':memory:'))
    const roots = openServedRoots([files.at('docs')])
    const top = await runInBounds(roots.real, () => library.folder({ place: files.at('docs'), limit: 10 }))
    expect(top.parent).toBeNull()
    await expect(runInBounds(roots.real, () => library.folder({ place: files.base, limit: 10 }))).rejects.toMatchObject(
      {
        code: 'denied',
      },
    )
    const below = await runInBounds(roots.real, () => library.folder({ place: files.at('docs/deep'), limit: 10 }))
    expect(below.parent).toBe(files.at('docs'))
  })

  it.each(['/', '/etc', '/proc/self'])('is not one of the operating system, nor by a link: %s', async (place) => {
    using files = tree({ 'docs/a.md': '' })
    symlinkSync(place, files.at('link'))
    for (const one of [place, files.at('link')]) {
      const looking = libraryOver(openSqlite(':memory:')).folder({ place: one, limit: 10 })
      await expect(looking).rejects.toMatchObject({ code: 'denied' })
    }
  })

  it.each([
    ['that is not there', 'none', 'not-found'],
    ['that is a file', 'README.md', 'invalid-input'],
  ])('%s is an error', async (_, path, code) => {
    using files = tree(FILES)
    const library = libraryOver(openSqlite(':memory:'))
    await expect(library.folder({ place: files.at(path), limit: 10 })).rejects.toMatchObject({ code })
  })
})
