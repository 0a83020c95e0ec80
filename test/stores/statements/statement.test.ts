import { describe, expect, it } from 'vitest'
import { translateText } from '../../../src/stores/postgres/values.ts'
import { translateWords } from '../../../src/stores/statements/statement.ts'

describe('a statement', () => {
  it.each([
    ['SELECT 1', 'SELECT 1'],
    ['a = ? AND b = ?', 'a = $1 AND b = $2'],
    ['a = $2 AND b = $1', 'a = $2 AND b = $1'],
    ['a {anyOf text} OR b {anyOf number}', 'a = ANY($1::text[]) OR b = ANY($2::bigint[])'],
    ['FROM {each number}', 'FROM unnest($1::bigint[]) WITH ORDINALITY AS a (value, key)'],
    ['{least}(a, ?), {position}(b, ?)', 'least(a, $1), strpos(b, $2)'],
    ['{hex d.hash}', "encode(d.hash, 'hex')"],
    ['{forUpdate}, {forUpdate s}, {forShare}', 'FOR UPDATE, FOR UPDATE OF s, FOR SHARE'],
  ])('%s is for PostgreSQL %s', (text, translated) => {
    expect(translateText(text)).toBe(translated)
  })

  it('with a word that no database knows is refused', () => {
    expect(() => translateWords('SELECT {nwo}', { now: () => '1' })).toThrow('{nwo}')
  })
})
