import { describe, expect, it } from 'vitest'
import { readAddress } from '../../src/collections/library/address.ts'
import { uriOf } from '../../src/text/collection-uri.ts'
import { fc, forAllAsync } from '../support/property.ts'
import { shelf } from './search/shelf.ts'

const SHELVED = { 'a.md': 'x', 'notes:b.md': 'x' }

describe('a uri', () => {
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
    await forAllAsync(name, async (path) => {
      const uri = uriOf({ collection: 'docs', path })
      expect(uri).toMatch(/^[\x21-\x7e]+$/)
      expect(await readAddress(uri, books.store)).toEqual({ collection: 'docs', path })
    })
  })

  it('is made of any text', () => {
    expect(uriOf({ collection: 'docs', path: 'a\ud83d.md' })).toBe('ambit://docs/a%EF%BF%BD.md')
  })
})
