import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { diffOf } from '../../../src/quilt/packages/diff.ts'
import { fc, forAllAsync } from '../../support/property.ts'
import { entryLine, failure, HEADER, manifestOf } from './fixtures.ts'

const manifest = (...lines: readonly string[]) => manifestOf([HEADER, ...lines], 50)

const changed = (path: string, before: string, after: string) => ({ change: 'changed', path, before, after })

describe('the difference of two revisions', () => {
  it('is what was added, removed and changed, in the order of the tree', async () => {
    const before = manifest(entryLine('a/b'), entryLine('a/c'), entryLine('a.txt'), entryLine('same'))
    const after = manifest(
      entryLine('a/b', { size: 2, hash: { type: 'SHA256', value: '01' } }),
      entryLine('a-new'),
      entryLine('a.txt', { meta: { user_meta: { x: 1 } } }),
      entryLine('same', { physical_keys: ['s3://other/place'] }),
    )
    const diff = await diffOf(before, after)
    expect(diff).toMatchObject({ added: 1, removed: 1, changed: 2, unchanged: 1, header: [] })
    const [one, two] = ['00', '01'].map((value, at) => ({ size: at + 1, hash: { type: 'SHA256', value } }))
    expect(diff.changes).toEqual([
      { change: 'changed', logicalKey: 'a/b', differences: ['size', 'hash'], before: one, after: two },
      { change: 'removed', logicalKey: 'a/c', before: one },
      { change: 'added', logicalKey: 'a-new', after: one },
      expect.objectContaining({ change: 'changed', logicalKey: 'a.txt', differences: ['meta'] }),
    ])
  })

  it.each([
    ['the order of keys', { user_meta: { a: 1, b: 2 } }, { user_meta: { b: 2, a: 1 } }, 0],
    ['no metadata and an empty one', null, {}, 0],
    ['an empty user part', {}, { user_meta: {} }, 1],
  ])('is none by %s, or one', async (_, before, after, changed) => {
    const diff = await diffOf(manifest(entryLine('a', { meta: before })), manifest(entryLine('a', { meta: after })))
    expect(diff.changed).toBe(changed)
  })

  it('tells numbers apart that hash apart', async () => {
    const line = (number: string) => entryLine('a', { meta: { user_meta: 'N' } }).replace('"N"', number)
    expect(await diffOf(manifest(line('1')), manifest(line('1.0')))).toMatchObject({ changed: 1 })
    expect(await diffOf(manifest(line('1.0')), manifest(line('1.00')))).toMatchObject({ changed: 0 })
  })

  it('is none by the kind of a hash, where both are known to be of the same bytes', async () => {
    const value = createHash('sha256').update('x').digest('hex')
    const chunked = createHash('sha256').update(Buffer.from(value, 'hex')).digest('base64')
    const before = manifest(entryLine('a', { hash: { type: 'SHA256', value } }))
    const chunkedOf = (other: object) =>
      manifest(entryLine('a', { hash: { type: 'sha2-256-chunked', value: chunked }, ...other }))
    expect(await diffOf(before, chunkedOf({}))).toMatchObject({ changed: 0, unchanged: 1 })
    expect((await diffOf(before, chunkedOf({ size: 2 }))).changes).toMatchObject([{ differences: ['size', 'hash'] }])
  })

  it('is told of the header', async () => {
    const before = manifestOf(['{"version": "v0", "message": "one", "user_meta": {"a": 1}, "workflow": {"id": "x"}}'])
    const after = manifestOf(['{"version": "v0", "message": "two", "user_meta": {}, "workflow": {"id": "x"}}'])
    const message = { before: 'one', after: 'two' }
    expect(await diffOf(before, after)).toMatchObject({ message, header: ['userMeta'] })
  })

  it.each<[string, string, readonly object[]]>([
    ['{"a": 1, "b": [1, 2]}', '{"b": [1, 2], "a": 1}', []],
    [
      '{"a": 1, "b": 2}',
      '{"b": 3, "c": {"d": 4}}',
      [
        { change: 'removed', path: '/a', before: '1' },
        changed('/b', '2', '3'),
        { change: 'added', path: '/c', after: '{"d":4}' },
      ],
    ],
    ['{"a": {"x/y": {"z": 1.0}}}', '{"a": {"x/y": {"z": 1}}}', [changed('/a/x~1y/z', '1.0', '1')]],
    ['{"a": [1]}', '{"a": [2]}', [changed('/a', '[1]', '[2]')]],
    ['null', '{"a": 1}', [changed('', 'null', '{"a":1}')]],
  ])('is told of metadata value by value: %s and %s', async (one, other, changes) => {
    const of = (meta: string) => manifestOf([`{"version": "v0", "user_meta": ${meta}}`])
    expect((await diffOf(of(one), of(other))).metadata).toEqual(changes)
    expect((await diffOf(of(one), of(other), { limit: 1 })).metadata).toEqual(changes.slice(0, 1))
  })

  it('is cut to a number of changes, and counts all', async () => {
    const lines = Array.from({ length: 30 }, (_, index) => entryLine(`k${index + 10}`))
    const diff = await diffOf(manifest(), manifest(...lines), { limit: 4 })
    expect([diff.added, diff.changes.map(({ logicalKey }) => logicalKey)]).toEqual([30, ['k10', 'k11', 'k12', 'k13']])
  })

  it('does not depend on the order of lines, in either', async () => {
    const keys = fc
      .uniqueArray(fc.stringMatching(/^[ab./-]{1,4}$/), { maxLength: 8 })
      .map((found) => found.filter((key) => !found.some((other) => other.startsWith(`${key}/`))))
    await forAllAsync(keys, keys, async (left, right) => {
      const lines = (all: readonly string[]) => all.map((key) => entryLine(key))
      const diff = await diffOf(manifest(...lines(left)), manifest(...lines(right)))
      const only = (from: readonly string[], other: readonly string[]) => from.filter((key) => !other.includes(key))
      expect(keysOf(diff.changes, 'added')).toEqual(only(right, left).sort())
      expect(keysOf(diff.changes, 'removed')).toEqual(only(left, right).sort())
      expect(diff.unchanged).toBe(left.length - only(left, right).length)
    })
  })

  it('names the manifest that cannot be read', async () => {
    const { code, message } = await failure(diffOf(manifest(), manifestOf(`${HEADER}\n{`)))
    expect([code, message]).toEqual(['invalid-input', expect.stringContaining('Line 2')])
  })
})

function keysOf(changes: readonly { change: string; logicalKey: string }[], change: string): string[] {
  return changes.flatMap((one) => (one.change === change ? [one.logicalKey] : [])).sort()
}
