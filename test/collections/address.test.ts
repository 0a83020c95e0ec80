import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readAddress } from '../../src/collections/library/address.ts'
import { uriOf } from '../../src/text/collection-uri.ts'
import { shelf } from './search/shelf.ts'

const SHELVED = { 'a.md': 'x', 'notes:b.md': 'x' }

describe('an address', () => {
  it.each([
    ['docs', 'docs', ''],
    ['docs/api/a.md', 'docs', 'api/a.md'],
    ['docs//api/./a.md', 'docs', 'api/a.md'],
    ['docs/api/', 'docs', 'api'],
    ['ambit://docs/api/a.md', 'docs', 'api/a.md'],
    ['ambit://docs', 'docs', ''],
    ['ambit://docs/a%20b%2Fc.md', 'docs', 'a b/c.md'],
    ['ambit://docs/a b.md', 'docs', 'a b.md'],
    ['ambit://docs/100%.md', 'docs', '100%.md'],
    ['docs/a%20b.md', 'docs', 'a%20b.md'],
    ['docs/#1?.md', 'docs', '#1?.md'],
    ['docs/e\u0301te\u0301.md', 'docs', 'e\u0301te\u0301.md'],
    ['docs/été.md', 'docs', 'été.md'],
    ['docs/notes/b.md', 'docs', 'notes/b.md'],
  ])('is read from %s', async (text, collection, path) => {
    await using books = await shelf(SHELVED)
    expect(await readAddress(text, books.store)).toEqual({ collection, path })
  })

  it.each([
    ['everything', '/', 'invalid-input'],
    ['a way out of the collection', 'docs/../notes/b.md', 'invalid-input'],
    ['an escaped way out', 'ambit://docs/%2e%2e/b.md', 'invalid-input'],
    ['a path on disk in no collection', '/nowhere/a.md', 'not-found'],
  ])('is none for %s', async (_, text, code) => {
    await using books = await shelf(SHELVED)
    await expect(readAddress(text, books.store)).rejects.toMatchObject({ code, hint: expect.any(String) })
  })
})

describe('a uri', () => {
  it.each([
    ['a plain path', 'api/a.md', 'ambit://docs/api/a.md'],
    ['the collection itself', '', 'ambit://docs'],
    ['a space', 'a b.md', 'ambit://docs/a%20b.md'],
    ['signs of a uri', 'a#b?c&d%20.md', 'ambit://docs/a%23b%3Fc%26d%2520.md'],
    ['line ends', 'a\nb\r.md', 'ambit://docs/a%0Ab%0D.md'],
    ['Chinese', '搜索.md', 'ambit://docs/%E6%90%9C%E7%B4%A2.md'],
  ])('escapes %s', (_, path, uri) => {
    expect(uriOf({ collection: 'docs', path })).toBe(uri)
  })

  it('leads back to its document, whatever that is called', async () => {
    await using books = await shelf(SHELVED)
    const name = fc
      .string({
        unit: fc.oneof(
          fc.constantFrom(...'%/#?& .\\"\n搜é+:*[]'),
          fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
        ),
        minLength: 1,
        maxLength: 20,
      })
      .filter((path) => path.isWellFormed() && !/[\x00-\x1f\x7f-\x9f\\]/.test(path))
      .filter((path) => path.split('/').every((part) => part !== '' && part !== '.' && part !== '..'))
    await fc.assert(
      fc.asyncProperty(name, async (path) => {
        const uri = uriOf({ collection: 'docs', path })
        expect(uri).toMatch(/^[\x21-\x7e]+$/)
        expect(await readAddress(uri, books.store)).toEqual({ collection: 'docs', path })
      }),
    )
  })

  it('is made of any text', () => {
    expect(uriOf({ collection: 'docs', path: 'a\ud83d.md' })).toBe('ambit://docs/a%EF%BF%BD.md')
  })
})
