import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { chunkSize, hasherOf, haveSameBytes } from '../../../src/quilt/hashes.ts'
import type { EntryHash } from '../../../src/quilt/records.ts'
import { fc, forAll } from '../../support/property.ts'

const MIB = 1 << 20
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()

function hashOf(type: string, bytes: Uint8Array, piece = bytes.length): string | undefined {
  const hasher = hasherOf(type, bytes.length)
  for (let at = 0; at < bytes.length; at += piece) hasher?.update(bytes.subarray(at, at + piece))
  return hasher?.digest()
}

/** Bit by bit, as the polynomial is defined. */
function plainCrc64(bytes: Uint8Array): bigint {
  let sum = 2n ** 64n - 1n
  for (const byte of bytes) {
    sum ^= BigInt(byte)
    for (let bit = 0; bit < 8; bit++) sum = sum & 1n ? (sum >> 1n) ^ 0x9a6c9329ac4bc9b5n : sum >> 1n
  }
  return sum ^ (2n ** 64n - 1n)
}

describe('hashes of entries', () => {
  it.each([
    ['SHA256', '', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['SHA256', 'abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    // No chunk: the hash of nothing. One chunk: hashed twice.
    ['sha2-256-chunked', '', '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='],
    ['sha2-256-chunked', 'abc', sha256(sha256(Buffer.from('abc'))).toString('base64')],
    ['CRC64NVME', '', 'AAAAAAAAAAA='],
    ['CRC64NVME', '123456789', 'rosUhgp5mIg='],
    ['sha256', 'abc', undefined],
    ['MD5', 'abc', undefined],
    ['__proto__', 'abc', undefined],
  ])('of the type %s: of %j', (type, text, expected) => {
    expect(hashOf(type, Buffer.from(text))).toBe(expected)
  })

  // The values that another implementation of the format holds itself to.
  it.each([
    ['0123456789abcdef', 1, 'Xb1PbjJeWof4zD7zuHc9PI7sLiz/Ykj4gphlaZEt3xA='],
    ['12345678', MIB, '7V3rZ3Q/AmAYax2wsQBZbc7N1EMIxlxRyMiMthGRdwg='],
    ['1234567890abcdefgh', MIB, 'T+rt/HKRJOiAkEGXKvc+DhCwRcrZiDrFkjKonDT1zgs='],
  ])('in chunks are known: of %s, %i times', (text, times, expected) => {
    expect(hashOf('sha2-256-chunked', Buffer.from(text.repeat(times)), 1_000_003)).toBe(expected)
  })

  it.each([8 * MIB - 1, 8 * MIB, 8 * MIB + 1, 20 * MIB])('in chunks are over those of 8 MiB: %i bytes', (size) => {
    const bytes = Buffer.alloc(size, 'chunk')
    const digests: Buffer[] = []
    for (let at = 0; at < size; at += 8 * MIB) digests.push(sha256(bytes.subarray(at, at + 8 * MIB)))
    const expected = sha256(Buffer.concat(digests)).toString('base64')
    for (const piece of [bytes.length, 3_000_001]) expect(hashOf('sha2-256-chunked', bytes, piece)).toBe(expected)
  })

  it.each([
    [0, 8],
    [1, 8],
    [10_000 * 8 * MIB, 8],
    [10_000 * 8 * MIB + 1, 16],
    [20_000 * 8 * MIB, 16],
    [20_000 * 8 * MIB + 1, 32],
    [5 * 1024 * 1024 * MIB, 1024],
  ])('in chunks of an object of %i bytes are over chunks of %i MiB', (size, chunk) => {
    expect(chunkSize(size)).toBe(chunk * MIB)
  })

  it('are the same however the bytes come', () => {
    const types = fc.constantFrom('SHA256', 'sha2-256-chunked', 'CRC64NVME')
    const [content, pieces] = [fc.uint8Array({ minLength: 1, maxLength: 100 }), fc.integer({ min: 1, max: 20 })]
    forAll(types, content, pieces, (type, bytes, piece) => {
      expect(hashOf(type, bytes, piece)).toBe(hashOf(type, bytes))
    })
  })

  it('by CRC are what its polynomial says', () => {
    forAll(fc.uint8Array({ maxLength: 50 }), (bytes) => {
      const sum = Buffer.from(hashOf('CRC64NVME', bytes) ?? '', 'base64')
      expect(sum.readBigUInt64BE()).toBe(plainCrc64(bytes))
    })
  })
})

describe('hashes of two types', () => {
  const both = (bytes: Uint8Array) =>
    ['SHA256', 'sha2-256-chunked'].map((type) => ({ type, value: hashOf(type, bytes) ?? '' })) as [EntryHash, EntryHash]

  it.each([
    [0, true],
    [3, true],
    [8 * MIB, true],
    // Two chunks: it cannot be told.
    [8 * MIB + 1, false],
  ])('of %s bytes: the same is known as the same: %s', (size, isKnown) => {
    const [plain, chunked] = both(Buffer.alloc(size, 'a'))
    expect([haveSameBytes(plain, chunked, size), haveSameBytes(chunked, plain, size)]).toEqual([isKnown, isKnown])
    expect(haveSameBytes(plain, chunked, null)).toBe(false)
  })

  it('of others are others, and so is what has no hash', () => {
    const [plain, chunked] = both(Buffer.from('one'))
    const [other, otherChunked] = both(Buffer.from('two'))
    for (const [a, b] of [
      [plain, otherChunked],
      [other, chunked],
      [plain, null],
      [plain, { type: 'CRC64NVME', value: 'AAAAAAAAAAA=' }],
      [{ type: 'SHA256', value: 'zz' }, chunked],
    ] as const)
      expect(haveSameBytes(a, b, 3)).toBe(false)
    expect(haveSameBytes(null, null, 3)).toBe(true)
  })
})
