import { describe, expect, it } from 'vitest'
import { checkedStream, isCheckable } from '../../../src/quilt/hashes.ts'
import { readRecord } from '../../../src/quilt/records.ts'
import { memoryObjects } from '../../support/memory-objects.ts'
import { entryLine, failure } from './fixtures.ts'

const ONE = '7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed'

function entryOf(fields: object, key = 'a') {
  const entry = readRecord(entryLine(key, { size: 3, hash: { type: 'SHA256', value: ONE }, ...fields }), 2)
  if (entry.kind !== 'entry') throw new Error('It is not an entry.')
  return entry
}

async function given(fields: object, text = 'one', key = 'a') {
  const registry = memoryObjects({ a: text }, { chunk: 2 })
  return Buffer.concat(await Array.fromAsync(checkedStream(entryOf(fields, key), { registry }))).toString()
}

describe('the bytes of an entry', () => {
  it('are given when they are as the manifest says', async () => expect(await given({})).toBe('one'))

  it.each([
    ['a hash of an unknown type', { hash: { type: 'MD5', value: 'x' } }, 'ono'],
    ['no hash', { hash: null }, 'ono'],
    ['no hash and no size', { hash: null, size: null }, 'others'],
  ])('are given as they are where the manifest says %s', async (_, fields, text) => {
    expect([await given(fields, text), isCheckable(entryOf(fields))]).toEqual([text, false])
  })

  it.each([
    ['of another hash', 'ono', 'its hash is'],
    ['too few', 'on', 'it has 2 bytes, not 3'],
    ['too many', 'one!', 'it has more than 3 bytes'],
  ])('are refused when they are %s', async (_, text, message) => {
    expect(await failure(given({}, text))).toMatchObject({
      code: 'untrusted',
      message: expect.stringContaining(message),
    })
    expect(isCheckable(entryOf({}))).toBe(true)
  })

  it('are of no key that leads out of the package', async () => {
    expect(await failure(given({ physical_keys: ['a'] }, 'one', '../a'))).toMatchObject({ code: 'invalid-input' })
  })
})
