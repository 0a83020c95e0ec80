import { symlinkSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type Library, libraryOver } from '../../src/collections/library.ts'
import { openSqlite } from '../../src/stores/sqlite/sqlite.ts'
import { type Tree, tree } from '../support/tree.ts'

const SHAPE = {
  'project/src/user-controller.ts': '',
  'project/src/users.ts': '',
  'project/docs/a.md': '',
  'project/README.md': '',
  'project/node_modules/users/index.js': '',
  'project/.git/config': '',
}

async function withFolders(test: (library: Library, files: Tree) => Promise<void>) {
  using files = tree(SHAPE)
  const store = openSqlite(':memory:')
  try {
    await test(libraryOver(store), files)
  } finally {
    await store.close()
  }
}

describe('a directory on disk', () => {
  it('is listed with its directories, which of them are collections, and its files', () =>
    withFolders(async ({ collections, folder }, files) => {
      const place = files.at('project')
      await collections.add({ name: 'docs', root: files.at('project/docs') })
      expect(await folder({ place, limit: 10 })).toEqual({
        path: place,
        parent: files.base,
        directories: [
          { name: 'docs', path: files.at('project/docs'), collection: 'docs' },
          { name: 'src', path: files.at('project/src') },
        ],
        files: ['README.md'],
        isPartial: false,
      })
    }))

  it('says when there is more than the limit', () =>
    withFolders(async ({ folder }, files) => {
      const { directories, isPartial } = await folder({ place: files.at('project'), limit: 1 })
      expect([directories.map(({ name }) => name), isPartial]).toEqual([['docs'], true])
    }))

  it('gives files at any depth by letters of their paths, and none of packages', () =>
    withFolders(async ({ folder }, files) => {
      const { files: found } = await folder({ place: files.at('project'), match: 'usrctl', limit: 10 })
      expect(found).toEqual(['src/user-controller.ts'])
    }))

  it.each(['/', '/etc', '/proc/self'])('is not one of the operating system: %s', (place) =>
    withFolders(async ({ folder }, files) => {
      await expect(folder({ place, limit: 10 })).rejects.toMatchObject({ code: 'denied' })
      symlinkSync(place, files.at('project/link'))
      await expect(folder({ place: files.at('project/link'), limit: 10 })).rejects.toMatchObject({ code: 'denied' })
    }),
  )

  it('that does not exist is an error', () =>
    withFolders(async ({ folder }, files) => {
      await expect(folder({ place: files.at('none'), limit: 10 })).rejects.toMatchObject({ code: 'not-found' })
    }))
})
