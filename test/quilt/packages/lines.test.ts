import { describe, expect, it } from 'vitest'
import { BOUNDS } from '../../../src/core/bounds.ts'
import { readLines } from '../../../src/quilt/packages/manifest.ts'
import { fc, forAllAsync } from '../../support/property.ts'
import { failure } from './fixtures.ts'

async function* inPieces(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  for (let [at, piece] = [0, 0]; at < bytes.length; piece++) {
    const size = sizes[piece % sizes.length] ?? 1
    // Who gives the bytes may write over them afterwards.
    const part = Uint8Array.from(bytes.subarray(at, at + size))
    yield part
    part.fill(0x78)
    at += size
  }
}

async function read(text: string | Uint8Array, sizes: readonly number[] = [1 << 16]) {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text
  const lines: string[] = []
  let isOpen = false
  for await (const batch of readLines(inPieces(bytes, sizes))) {
    expect(batch.first).toBe(lines.length + 1)
    lines.push(...batch.texts)
    isOpen = batch.isOpen
  }
  return { lines, isOpen }
}

describe('lines', () => {
  it.each([
    ['', [], false],
    ['\n', [''], false],
    ['a\nb\n', ['a', 'b'], false],
    ['a\nb', ['a', 'b'], true],
    ['a\n\nb\r\n', ['a', '', 'b\r'], false],
    ['\ufeffa\n', ['\ufeffa'], false],
  ])('of %j are %j', async (text, lines, isOpen) => {
    expect(await read(text)).toEqual({ lines, isOpen })
  })

  it('are the same however their bytes come', async () => {
    const texts = fc.array(fc.string({ unit: fc.constantFrom('a', 'é', 'Ж', '😀', '\u2028', '\r') }), { minLength: 1 })
    const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 })
    await forAllAsync(texts, sizes, async (lines, pieces) => {
      const { lines: found } = await read(lines.map((line) => `${line}\n`).join(''), pieces)
      expect(found).toEqual(lines)
    })
  })

  it('may be many, each cut by the pieces they come in', async () => {
    const lines = Array.from({ length: 300 }, (_, index) => String(index).repeat(3000))
    expect((await read(lines.join('\n'), [10_000])).lines).toEqual(lines)
  })

  it.each([
    ['that ends', `${'a'.repeat(BOUNDS.manifestLine + 1)}\ny\n`],
    ['of characters of two bytes', `${'é'.repeat(BOUNDS.manifestLine / 2)}a\n`],
    ['that never ends', 'a'.repeat(3 * BOUNDS.manifestLine)],
  ])('may not be longer: one %s is named', async (_, long) => {
    for (const sizes of [[1 << 16], [1 << 23], [777_777]]) {
      const { code, message } = await failure(read(`x\n${long}`, sizes))
      expect([code, message]).toEqual(['invalid-input', 'Line 2 is longer than 1,000,000 bytes.'])
    }
  })

  it.each([
    ['a stray byte', [0x61, 0x0a, 0xff, 0x0a, 0x62, 0x0a], 2],
    ['half a character at the end of a line', [0x61, 0x0a, 0x62, 0x0a, 0xc3, 0x0a, 0x62, 0x0a], 3],
    ['half a character at the very end', [0x61, 0x0a, 0xe2, 0x82], 2],
    ['a surrogate', [0xed, 0xa0, 0x80, 0x0a], 1],
    ['an overlong slash', [0x0a, 0xc0, 0xaf], 2],
  ])('name the one that is not UTF-8: %s', async (_, bytes, line) => {
    for (const sizes of [[100], [1]]) {
      const { code, message } = await failure(read(Uint8Array.from(bytes), sizes))
      expect([code, message]).toEqual(['invalid-input', `Line ${line} is not UTF-8.`])
    }
  })

  it('leave what they are read from closed when nobody reads on', async () => {
    let isOpen = true
    const source = async function* () {
      try {
        for (;;) yield Buffer.from('a\n')
      } finally {
        isOpen = false
      }
    }
    for await (const _ of readLines(source())) break
    expect(isOpen).toBe(false)
  })
})
