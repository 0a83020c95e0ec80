import { describe, expect, it } from 'vitest'
import { readInOrder } from '../../../src/quilt/packages/in-order.ts'
import { batchesOf, type Manifest } from '../../../src/quilt/packages/manifest.ts'
import { summarizeManifest } from '../../../src/quilt/packages/top-hash.ts'
import { type ManifestEntry, type ManifestRecord, userMetaOf } from '../../../src/quilt/records.ts'
import { fc, forAllAsync } from '../../support/property.ts'
import { entryLine, failure, HEADER, manifestOf } from './fixtures.ts'

async function recordsOf(manifest: Manifest): Promise<ManifestRecord[]> {
  const found: ManifestRecord[] = []
  for await (const { records } of batchesOf(manifest)) found.push(...records)
  return found
}

async function keysInOrder(manifest: Manifest, options = {}): Promise<string[]> {
  const start = () => {
    const keys: string[] = []
    return { keys, entry: ({ logicalKey }: ManifestEntry) => void keys.push(logicalKey) }
  }
  return (await readInOrder(manifest, start, options)).keys
}

describe('a manifest', () => {
  it('has a header, metadata of directories, and entries', async () => {
    const lines = [
      '{"version": "v0", "message": "first", "user_meta": {"n": 1.0}, "workflow": null, "later": 2}',
      '{"logical_key": "a/", "meta": {"user_meta": {"about": "a"}}}',
      entryLine('a/b', { meta: { user_meta: { x: 1 } } }),
      '{"logical_key":"a/c","physical_keys":["./a/c"],"size":0,"hash":null,"meta":null}',
    ]
    const [header, directory, entry, bare] = await recordsOf(manifestOf(lines))
    expect(header).toMatchObject({ kind: 'header', message: 'first', workflow: null, hashedFields: { later: 2 } })
    expect(JSON.stringify(header)).toContain('"userMeta":{"n":1.0}')
    expect(directory).toEqual({ kind: 'directory', line: 2, logicalKey: 'a', userMeta: { about: 'a' } })
    expect(entry).toMatchObject({ kind: 'entry', line: 3, logicalKey: 'a/b', physicalKey: 's3://bucket/a/b', size: 1 })
    expect(userMetaOf(entry as ManifestEntry)).toEqual({ x: 1 })
    expect(bare).toMatchObject({ line: 4, physicalKey: './a/c', size: 0, hash: null, meta: {} })
  })

  it.each([
    ['nothing', '{"version": "v0"}', null],
    ['null', '{"version": "v0", "user_meta": null}', null],
    ['an empty object', '{"user_meta": {}}', {}],
    ['zero', '{"user_meta": 0}', 0],
    ['false', '{"user_meta": false}', false],
    ['an empty text', '{"user_meta": ""}', ''],
    ['an empty list', '{"user_meta": []}', []],
  ])('may say of itself %s', async (_, line, userMeta) => {
    expect(await summarizeManifest(manifestOf([line]))).toMatchObject({ userMeta, message: null, totalEntries: 0 })
  })

  it('is whole without a line feed at its end', async () => {
    expect(await keysInOrder(manifestOf(`${HEADER}\n${entryLine('a')}`))).toEqual(['a'])
  })

  const good = entryLine('a')
  it.each([
    ['nothing', '', 'is empty'],
    ['no header', `${good}\n`, 'Line 1 is an entry: the manifest has no header'],
    ['a header that is not an object', '[]\n', 'Line 1 is not an object'],
    ['a number for a header', '1.0\n', 'Line 1 is not an object'],
    ['another version', '{"version": "v1"}\n', 'Line 1 is of version "v1"'],
    ['a message that is not text', '{"message": 5}\n', 'Line 1 has a message that is not text'],
    ['a byte order mark', `\ufeff${HEADER}\n`, 'Line 1 is not JSON'],
    ['a cut', `${HEADER}\n${good}\n${good.slice(0, 50)}`, 'Line 3, the last, is cut off'],
    ['a cut header', HEADER.slice(0, 9), 'Line 1, the last, is cut off'],
    ['bad JSON in the middle', `${HEADER}\n{"a": }\n${good}\n`, 'Line 2 is not JSON'],
    ['an empty line', `${HEADER}\n\n${good}\n`, 'Line 2 is empty'],
    ['an empty line at the end', `${HEADER}\n${good}\n\n`, 'Line 3 is empty'],
    ['nan', `${HEADER}\n{"logical_key": nan}\n`, 'Line 2 is not JSON'],
    ['a list', `${HEADER}\n[1]\n`, 'Line 2 is not an object'],
    ['no logical key', `${HEADER}\n{"size": 1}\n`, 'Line 2 has no "logical_key"'],
    ['an empty logical key', `${HEADER}\n${entryLine('')}\n`, 'Line 2 has no "logical_key"'],
    ['a number for a logical key', `${HEADER}\n{"logical_key": 1}\n`, 'Line 2 has no "logical_key"'],
    ['no place', `${HEADER}\n{"logical_key": "a", "size": 1}\n`, 'Line 2 has no "physical_keys", and "a" is not a dir'],
    ['a text', `${HEADER}\n${entryLine('a', { physical_keys: 's3://b/a' })}\n`, 'Line 2 has "physical_keys"'],
    ['a number for a place', `${HEADER}\n${entryLine('a', { physical_keys: [1] })}\n`, 'Line 2 has "physical_keys"'],
    ['a size below zero', `${HEADER}\n${entryLine('a', { size: -1 })}\n`, 'Line 2 has a "size"'],
    ['half a byte', `${HEADER}\n${entryLine('a', { size: 1.5 })}\n`, 'Line 2 has a "size"'],
    ['a text for a size', `${HEADER}\n${entryLine('a', { size: '1' })}\n`, 'Line 2 has a "size"'],
    ['a huge size', `${HEADER}\n${entryLine('a', { size: 2 ** 60 })}\n`, 'Line 2 has a "size"'],
    ['a text for a hash', `${HEADER}\n${entryLine('a', { hash: 'ab' })}\n`, 'Line 2 has a "hash"'],
    ['a hash without type', `${HEADER}\n${entryLine('a', { hash: { value: 'ab' } })}\n`, 'Line 2 has a "hash"'],
    ['a list for metadata', `${HEADER}\n${entryLine('a', { meta: [] })}\n`, 'Line 2 has a "meta"'],
    ['the same key again', `${HEADER}\n${good}\n${good}\n`, 'Line 3 has the logical key "a" of line 2 again'],
    [
      'the same key again, out of order',
      `${HEADER}\n${['b', 'a', 'c', 'b'].map((key) => `${entryLine(key)}\n`).join('')}`,
      'Line 5 has the logical key "b" of line 2 again',
    ],
    ['below', `${HEADER}\n${good}\n${entryLine('a/b')}\n`, 'Line 3 is below "a", which is itself the entry of line 2'],
    [
      'an entry below an entry, out of order',
      `${HEADER}\n${entryLine('a/b')}\n${entryLine('A')}\n${good}\n`,
      'Line 2 is below "a", which is itself the entry of line 4',
    ],
  ])('with %s is refused, and the line is named', async (_, text, message) => {
    for (const chunk of [1 << 16, 7]) {
      const found = await failure(summarizeManifest(manifestOf(text, chunk)))
      expect(found.code).toBe('invalid-input')
      expect(found.message).toContain(message)
      expect(found.message).toContain('s3://bucket/m')
    }
  })

  it('shows no control character of a bad line', async () => {
    const { message, hint } = await failure(summarizeManifest(manifestOf([HEADER, '{"\u001b[31m": x}'])))
    expect(`${message}${hint}`).not.toContain('\u001b')
  })

  it('is shown in the order of its tree, whatever the order of its lines', async () => {
    const sorted = ['a/b/c', 'a/z', 'a!', 'a.b/c', 'b', 'Ж', '\ue000', '😀']
    await forAllAsync(fc.shuffledSubarray(sorted, { minLength: 1 }), async (keys) => {
      const expected = sorted.filter((key) => keys.includes(key))
      expect(await keysInOrder(manifestOf([HEADER, ...keys.map((key) => entryLine(key))]))).toEqual(expected)
    })
  })

  it('is sorted in memory only up to a limit', async () => {
    const lines = [HEADER, entryLine('b'), entryLine('a')]
    const size = lines.join('').length
    expect(await keysInOrder(manifestOf(lines), { maxSorted: size })).toEqual(['a', 'b'])
    const { code } = await failure(keysInOrder(manifestOf(lines), { maxSorted: size - 1 }))
    expect(code).toBe('over-limit')
    expect(await keysInOrder(manifestOf([HEADER, entryLine('a'), entryLine('b')]), { maxSorted: 1 })).toHaveLength(2)
  })

  it('is no longer read once the call is cancelled', async () => {
    const lines = [HEADER, ...Array.from({ length: 1000 }, (_, index) => entryLine(`k${10_000 + index}`))]
    const stop = new AbortController()
    stop.abort()
    const { code } = await failure(summarizeManifest(manifestOf(lines, 100), { signal: stop.signal }))
    expect(code).toBe('cancelled')
  })
})
