import { deflateRawSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { InvalidZip, readZip, storedZip, ZipTooLarge } from '../../../src/ingest/extract/zip.ts'
import { type ZipEntry, zip } from './zip.ts'

const MIB = 1024 * 1024
const all = () => true

function texts(archive: Uint8Array, most = MIB): Record<string, string> {
  const entries = [...readZip(archive, all, most)]
  return Object.fromEntries(entries.map(([name, content]) => [name, Buffer.from(content).toString()]))
}

describe('a zip archive', () => {
  it('gives its entries, compressed and stored', () => {
    const archive = zip([
      { name: 'a.txt', content: 'one' },
      { name: 'b/ü.txt', content: 'two', stored: true },
      { name: 'empty', content: '' },
    ])
    expect(texts(archive)).toEqual({ 'a.txt': 'one', 'b/ü.txt': 'two', empty: '' })
  })

  it('gives what is wanted, and does not look at the rest', () => {
    const archive = zip([
      { name: 'a', content: 'x' },
      { name: 'bomb', content: Buffer.alloc(8 * MIB) },
      { name: 'broken', content: '', packed: Buffer.from('broken') },
    ])
    expect([...readZip(archive, (name) => name === 'a', 1).keys()]).toEqual(['a'])
  })

  it('has the last of two entries with one name', () => {
    expect(texts(zip(['one', 'two'].map((content) => ({ name: 'a', content }))))).toEqual({ a: 'two' })
  })

  it.each([999, 1000, 1001])('is read up to a limit for all entries together, stored and not: %i', (most) => {
    const entries = [
      { name: 'a', content: 'x'.repeat(500) },
      { name: 'b', content: 'x'.repeat(500), stored: true },
    ]
    for (const order of [entries, entries.toReversed()]) {
      if (most < 1000) expect(() => texts(zip(order), most)).toThrow(ZipTooLarge)
      else expect(Object.keys(texts(zip(order), most))).toHaveLength(2)
    }
  })

  const large = { content: Buffer.alloc(64 * MIB), packed: deflateRawSync(Buffer.alloc(64 * MIB)) }

  it.each([
    ['the truth', undefined],
    ['nothing', 0],
    ['little', 10],
    ['4 GiB', 0xffffffff],
  ])('that is a bomb is refused, when it declares %s', (_, declared) => {
    const bomb = { name: 'a', ...large, ...(declared !== undefined && { declared }) }
    expect(() => texts(zip([bomb]))).toThrow(ZipTooLarge)
  })

  it('whose entries lie over each other is counted for each', () => {
    const content = 'x'.repeat(MIB / 4)
    const names = Array.from({ length: 8 }, (_, index) => `a${index}`)
    const archive = zip([{ name: 'a0', content }, ...names.slice(1).map((name) => ({ name, content, at: 0 }))])
    expect(Object.keys(texts(archive, 2 * MIB))).toHaveLength(8)
    expect(() => texts(archive, 2 * MIB - 1)).toThrow(ZipTooLarge)
  })

  it('with a million entries is refused', () => {
    const archive = zip([{ name: 'a', content: '' }])
    const [start, end] = [archive.indexOf('PK\x01\x02'), archive.indexOf('PK\x05\x06')]
    const entry = archive.subarray(start, end)
    const many = Array.from({ length: 1_000_000 }, () => entry)
    const bytes = Buffer.concat([archive.subarray(0, start), ...many, archive.subarray(end)])
    expect(() => readZip(bytes, () => false, MIB)).toThrow(ZipTooLarge)
  })

  it.each<[string, ZipEntry]>([
    ['encrypted', { name: 'a', content: 'x', flags: 1 }],
    ['compressed in another way', { name: 'a', content: 'x', method: 12 }],
    ['no deflated data', { name: 'a', content: 'x', packed: Buffer.from('\xff\xff\xff', 'latin1') }],
    ['cut off', { name: 'a', content: 'x'.repeat(1000), packed: Buffer.from([0x4b]) }],
    ['somewhere else', { name: 'a', content: 'x', at: 7 }],
    ['past the end', { name: 'a', content: 'x', at: 0xfffffff0 }],
  ])('is refused when an entry is %s', (_, entry) => {
    expect(() => texts(zip([entry]))).toThrow(InvalidZip)
  })

  it('is refused, or read, but breaks nothing, wherever it is cut off', () => {
    const archive = zip([
      { name: 'a', content: 'some text' },
      { name: 'b', content: 'more text', stored: true },
    ])
    for (let length = 0; length < archive.length; length++) {
      expect(() => texts(archive.subarray(0, length))).toThrow(InvalidZip)
    }
  })

  it('that is written is read back', () => {
    const contents = new Map(['a', 'ü/b.xml', ''].map((name, size) => [name, Buffer.alloc(size * 1000, 'x')]))
    expect(new Map(readZip(storedZip(contents), all, MIB))).toEqual(contents)
  })
})
