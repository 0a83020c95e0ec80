import { describe, expect, it } from 'vitest'
import { summarizeManifest } from '../../../src/quilt/packages/top-hash.ts'
import { fc, forAllAsync } from '../../support/property.ts'
import { entryLine, HEADER, manifestOf, packageOf } from './fixtures.ts'

async function hashOf(lines: readonly string[]): Promise<string | null> {
  return (await summarizeManifest(manifestOf(lines))).computedHash
}

/** As `json.dumps` of Python writes it, of `s3://b/k`. */
function line(key: string, meta = '{}', hash = '{"type": "SHA256", "value": "00"}'): string {
  return `{"logical_key": ${JSON.stringify(key)}, "physical_keys": ["s3://b/k"], "size": 1, "hash": ${hash}, "meta": ${meta}}`
}

// The begin of each hash was computed by Python: hashlib over json.JSONEncoder(sort_keys=True, separators=(',', ':')).
describe('the top hash', () => {
  it.each([
    ['null', '{"version": "v0", "message": null}', '2a5a67156ca9238c14d12042'],
    ['without a message', '{"version": "v0"}', '7a67ff45a4a4c4814ea89d82'],
    ['empty', '{"version": "v0", "user_meta": {}}', '55003b1e492cf74377b4e036'],
    ['with what nobody knows', '{"version": "v0", "later": [1, {"b": 1, "a": 2}]}', 'd8e6f0e141dfbaf68f098bae'],
    ['with an old top hash, left out', '{"version": "v0", "top_hash": "ab"}', '7a67ff45a4a4c4814ea89d82'],
    [
      'with numbers',
      '{"version": "v0", "user_meta": {"n": [1.0, 1e16, 1E-5, -0.0, -0, 12345678901234567890123, 0.1, 1e400, 100000000000000000000.0, 1.50]}}',
      '13a13a1558c571ab3121f822',
    ],
    [
      'with keys that sort oddly',
      String.raw`{"version": "v0", "user_meta": {"\ue000": 1, "\ud83d\ude00": 2, "10": 3, "9": 4, "__proto__": {"b": 1, "a": 2}, "\u00e9": 5, "": 6}}`,
      '1e61329050d3ac1650b5788d',
    ],
    [
      'with a message that is escaped',
      String.raw`{"version": "v0", "message": "a/b \u007f \u2028 \ud83d\ude00 \ud800 \"\\ \b\t\n\f\r \u0001 Ж"}`,
      '6face97a5e085db27f7906c7',
    ],
    [
      'with equal keys, the last of which counts',
      '{"version": "v0", "user_meta": {"a": 1.0, "a": 2.0}}',
      '7c287f7592a947fb1e4ca1c2',
    ],
  ])('of a header %s is that of Python', async (_, header, expected) => {
    expect((await hashOf([header]))?.slice(0, 24)).toBe(expected)
  })

  it.each([
    [
      'in the order of their tree',
      ['a/z', 'a.b/c', 'b/x', 'b-c', 'b.txt', 'Данные/é', '\ue000', '😀'].map((key) => line(key)),
      '1941fdf2df54dec05ff076b5',
    ],
    ['with null as metadata', [line('a', 'null')], '2f9af647f4312d03cce6f712'],
    [
      'with numbers in their metadata',
      [line('a', '{"user_meta": {"n": 1.0, "Ж": [1e-5]}}')],
      'ca454875a8eaae5ab9829567',
    ],
    [
      'with more in their hash',
      [line('a', '{}', '{"type": "SHA256", "value": "00", "extra": 1.50}')],
      'b68fd9a13960ebbc07e33639',
    ],
    ['but not directories', ['{"logical_key": "d/", "meta": {}}', line('d/a')], 'd091e9693742b88dba193a0c'],
  ])('is over the entries, %s', async (_, lines, expected) => {
    expect((await hashOf([HEADER, ...lines]))?.slice(0, 24)).toBe(expected)
  })

  it('is the same whatever the order of the lines, and of the keys in them', async () => {
    const keys = ['a/b', 'a-b', 'a.b/c', 'b/x/y', 'b/x.z', 'Ж', '\uffff', '😀']
    const lines = keys.map((key) => entryLine(key))
    const expected = await hashOf([HEADER, ...lines])
    await forAllAsync(30, fc.shuffledSubarray(lines, { minLength: lines.length }), async (shuffled) => {
      expect(await hashOf([HEADER, ...shuffled])).toBe(expected)
    })
    const reversed = lines.map((text) => JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(text)).reverse())))
    expect(await hashOf([HEADER, ...reversed])).toBe(expected)
  })

  it('depends on neither where the bytes are nor what is said of directories', async () => {
    const expected = await hashOf([HEADER, entryLine('a')])
    expect(await hashOf([HEADER, entryLine('a', { physical_keys: ['file:///a'] })])).toBe(expected)
    expect(await hashOf([HEADER, '{"logical_key": "a/", "meta": {"user_meta": 1}}', entryLine('a')])).toBe(expected)
  })

  it.each([
    ['size', entryLine('a', { size: 2 })],
    ['hash', entryLine('a', { hash: { type: 'SHA256', value: '01' } })],
    ['type of hash', entryLine('a', { hash: { type: 'sha256', value: '00' } })],
    ['metadata', entryLine('a', { meta: { user_meta: {} } })],
    ['logical key', entryLine('b')],
  ])('changes with the %s of an entry', async (_, changed) => {
    expect(await hashOf([HEADER, changed])).not.toBe(await hashOf([HEADER, entryLine('a')]))
  })

  it.each([
    ['hash', { hash: null }],
    ['size', { size: null }],
  ])('is none where an entry has no %s, and the line is named', async (what, fields) => {
    const summary = await summarizeManifest(
      manifestOf([HEADER, entryLine('a'), entryLine('b', fields), entryLine('c', fields)]),
    )
    expect(summary).toMatchObject({ computedHash: null, problem: `Line 3 has no ${what}.`, totalEntries: 3 })
  })

  it('of a manifest over several blocks is that of its parts', async () => {
    const keys = Array.from({ length: 3000 }, (_, index) => `folder-${index % 7}/file ${index}.txt`)
    const made = packageOf(Object.fromEntries(keys.map((key) => [key, { text: key, meta: { user_meta: { key } } }])))
    const summary = await summarizeManifest(manifestOf(made.manifest, 1000))
    const totalBytes = keys.join('').length
    expect(summary).toMatchObject({ computedHash: made.hash, totalEntries: 3000, totalBytes })
  })
})
