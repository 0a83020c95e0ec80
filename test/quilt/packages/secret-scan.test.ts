import { describe, expect, it } from 'vitest'
import { SecretScan } from '../../../src/quilt/packages/local-files.ts'
import { fc, forAll } from '../../support/property.ts'

const TOKEN = `ghp_${'q9Zr4Tw8Lk2Pv6Xn1Bs5Hd3Gf7Jc0MyRuEaW'}`
const MIB = 1 << 20

function found(bytes: Uint8Array, size = 64 * 1024): string | undefined {
  const scan = new SecretScan()
  for (let at = 0; at < bytes.length; at += size) scan.add(bytes.subarray(at, at + size))
  return scan.end()
}

/** Lines of ten bytes up to a length, then the token, then as many again. */
function around(before: number, encoding: 'utf8' | 'utf16le' = 'utf8'): Buffer {
  const text = `${'some text\n'.repeat(before / 10)}Token: ${TOKEN}\n${'some text\n'.repeat(1000)}`
  return Buffer.from(encoding === 'utf8' ? text : `\uFEFF${text}`, encoding)
}

describe('A secret in a file that comes in parts', () => {
  it.each([0, 10, 500_000, MIB - 36, MIB - 6, MIB + 4, 2 * MIB - 12, 3 * MIB + 2, 5_000_000])(
    'is found behind %s bytes, and its line is told',
    (near) => {
      const before = Math.round(near / 10) * 10
      expect(found(around(before))).toBe(`a token of GitHub, line ${before / 10 + 1}`)
    },
  )

  it('is found in UTF-16, too', () => {
    expect(found(around(3_000_000, 'utf16le'))).toBe('a token of GitHub, line 300001')
  })

  it('is found in one line of any length, wherever parts end', () => {
    const at = fc.integer({ min: 0, max: 2 * MIB + 40_000 })
    forAll(30, at, fc.integer({ min: 1000, max: 300_000 }), (before, size) => {
      const line = Buffer.alloc(before + 100_000, 'a ')
      line.write(` ${TOKEN} `, before)
      expect(found(line, size)).toBe('a token of GitHub, line 1')
    })
  })

  it('is not looked for in what begins as no text does, and none is made up', () => {
    expect(found(Buffer.concat([Buffer.from([0, 1, 2]), around(100)]))).toBeUndefined()
    expect(found(Buffer.from('some text\n'.repeat(300_000)))).toBeUndefined()
    expect(found(Buffer.alloc(0))).toBeUndefined()
  })
})
