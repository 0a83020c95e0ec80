import { describe, expect, it } from 'vitest'
import { type DirectoryPage, entryAt, listDirectory } from '../../../src/quilt/packages/directory.ts'
import { fc, forAllAsync } from '../../support/property.ts'
import { entryLine, failure, HEADER, manifestOf } from './fixtures.ts'

const KEYS = ['README.md', 'a/b/c.txt', 'a/b/d.txt', 'a/e.txt', 'a-b/f', 'a.txt', 'Ж/g']
const lines = [
  HEADER,
  '{"logical_key": "a/", "meta": {"user_meta": {"about": "a"}}}',
  '{"logical_key": "hollow/", "meta": {}}',
  ...KEYS.map((key, index) => entryLine(key, { size: 10 ** index })),
]
const manifest = manifestOf(lines, 100)

function shown({ children }: DirectoryPage): string[] {
  return children.map((child) =>
    child.kind === 'entry' ? child.name : `${child.name}/ ${child.totalEntries} ${child.totalBytes}`,
  )
}

describe('a directory of a package', () => {
  it('has entries, and directories with what is below them', async () => {
    const page = await listDirectory(manifest, '')
    expect(page).toMatchObject({ path: '', totalEntries: 7, totalBytes: 1_111_111, totalChildren: 5, userMeta: null })
    expect(shown(page)).toEqual(['README.md', 'a/ 3 1110', 'a-b/ 1 10000', 'a.txt', 'Ж/ 1 1000000'])
    expect(page.next).toBeUndefined()
  })

  it.each(['a', 'a/'])('may be written %s', async (path) => {
    const page = await listDirectory(manifest, path)
    expect(page).toMatchObject({ path: 'a', totalEntries: 3, totalBytes: 1110, userMeta: { about: 'a' } })
    expect(shown(page)).toEqual(['b/ 2 110', 'e.txt'])
  })

  it('may be known by its metadata only', async () => {
    expect(await listDirectory(manifest, 'hollow')).toMatchObject({ totalEntries: 0, children: [] })
  })

  it.each([
    ['nope', 'not-found', 'The package has no directory "nope".'],
    ['a.txt', 'not-found', 'The package has no directory "a.txt".'],
    ['a.', 'not-found', 'The package has no directory "a.".'],
    ['../a', 'invalid-input', 'it has the segment ".."'],
    ['a/./b', 'invalid-input', 'it has the segment "."'],
    ['/a', 'invalid-input', 'it has an empty segment'],
    ['a//', 'invalid-input', 'it has an empty segment'],
  ])('is not %s', async (path, code, message) => {
    const found = await failure(listDirectory(manifest, path))
    expect([found.code, found.message]).toEqual([code, expect.stringContaining(message)])
  })

  it('says of an entry that it is one', async () => {
    expect((await failure(listDirectory(manifest, 'a.txt'))).hint).toContain('It is an entry')
  })

  it('is the same page by page, whatever the order of the lines', async () => {
    const texts = fc.shuffledSubarray(lines.slice(3), { minLength: 7 })
    await forAllAsync(texts, fc.integer({ min: 1, max: 6 }), async (shuffled, limit) => {
      const jumbled = manifestOf([HEADER, ...shuffled])
      const found: string[] = []
      for (let after: string | undefined = ''; after !== undefined; ) {
        const page: DirectoryPage = await listDirectory(jumbled, '', { limit, after })
        expect(page.totalChildren).toBe(5)
        found.push(...shown(page))
        after = page.next
      }
      expect(found).toEqual(shown(await listDirectory(manifest, '')))
    })
  })

  it.each(['../x', './x', 'a/../x', '/x', 'a//x'])('is not shown with an entry that leaves it: %s', async (key) => {
    const odd = manifestOf([HEADER, entryLine('README.md'), entryLine(key)])
    const parent = key.startsWith('a/') ? 'a' : ''
    const { code, message } = await failure(listDirectory(odd, parent))
    expect([code, message]).toEqual(['invalid-input', expect.stringContaining(`Line 3: the logical key "${key}"`)])
  })
})

describe('an entry of a package', () => {
  it('is found by its logical key', async () => {
    expect(await entryAt(manifest, 'a/b/d.txt')).toMatchObject({ logicalKey: 'a/b/d.txt', size: 100 })
  })

  it.each([
    ['a/b', 'not-found', '"a/b" is a directory of the package.'],
    ['a/b/x', 'not-found', 'The package has no "a/b/x".'],
    ['A.txt', 'not-found', 'The package has no "A.txt".'],
    ['../a', 'invalid-input', '"../a" is not a path in a package: it has the segment "..".'],
    ['', 'invalid-input', '"" is not a path in a package: it is empty.'],
  ])('is not found by %j', async (key, code, message) => {
    expect(await failure(entryAt(manifest, key))).toMatchObject({ code, message })
  })
})
