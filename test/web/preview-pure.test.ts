/** What previews work out without a browser. */

import { zstdCompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { decodeBytes } from '../../web/src/api/decode.ts'
import { readNotebook } from '../../web/src/pages/preview/data/notebook.ts'
import { unpackLz4 } from '../../web/src/pages/preview/data/read-arrow.ts'
import { readCsv } from '../../web/src/pages/preview/data/read-csv.ts'
import { readTree } from '../../web/src/pages/preview/data/read-tree.ts'
import { TableData } from '../../web/src/pages/preview/data/table-data.ts'
import { readSummary } from '../../web/src/pages/preview/summary.ts'
import { fc, forAll } from '../support/property.ts'

const utf16 = (text: string) => Buffer.from(text, 'utf16le')

describe('bytes as text', () => {
  it.each([
    ['UTF-8', Buffer.from('Grüße 上下文'), 'Grüße 上下文'],
    ['UTF-8', Buffer.from('\ufeffmarked'), 'marked'],
    ['UTF-16 LE', utf16('\ufeffGrüße'), 'Grüße'],
    ['UTF-16 BE', utf16('\ufeffGrüße').swap16(), 'Grüße'],
    ['UTF-16 LE', utf16('no mark, two bytes'), 'no mark, two bytes'],
    ['UTF-16 BE', utf16('no mark, two bytes').swap16(), 'no mark, two bytes'],
    ['Latin-1', Buffer.from('Größe: 3 £', 'latin1'), 'Größe: 3 £'],
    ['UTF-8', Buffer.from(''), ''],
  ])('%s', (encoding, bytes, text) => {
    expect(decodeBytes(bytes)).toEqual({ text, encoding })
  })

  it.each([
    ['a zero', Buffer.from([65, 0, 66])],
    ['what a program packed', zstdCompressSync(Buffer.alloc(500, 'abcdefg'))],
    ['control characters', Buffer.from([1, 2, 3, 255, 254, 200])],
  ])('is none where there is %s', (_, bytes) => {
    expect(decodeBytes(bytes)).toBeUndefined()
  })

  it('may be cut within a character', () => {
    const bytes = Buffer.from('Grüße').subarray(0, 3)
    expect(decodeBytes(bytes, true)).toEqual({ text: 'Gr', encoding: 'UTF-8' })
    expect(decodeBytes(bytes)?.encoding).toBe('Latin-1')
  })

  it('is what was written, whatever that is', () =>
    forAll(fc.string({ unit: 'grapheme' }), (text) => {
      fc.pre(!text.includes('\0') && !text.startsWith('\ufeff') && text.isWellFormed())
      expect(decodeBytes(Buffer.from(text))?.text).toBe(text)
    }))
})

describe('a table', () => {
  const table = (text: string) => new TableData(readCsv(text, {}))

  it('sorts numbers as numbers, words as words, with empty cells last', () => {
    const data = table('n,w\n10,b\n,a\n9,\n-1,c\n')
    const order = (column: number, descends: boolean) => {
      data.sort({ column, descends })
      return data.rows(0, 10).map(({ number }) => number)
    }
    expect([order(0, false), order(0, true), order(1, false)]).toEqual([
      [4, 3, 1, 2],
      [1, 3, 4, 2],
      [2, 1, 4, 3],
    ])
    data.sort(undefined)
    expect(data.rows(0, 10).map(({ number }) => number)).toEqual([1, 2, 3, 4])
  })

  it('keeps every row, in any order', () =>
    forAll(fc.array(fc.oneof(fc.integer().map(String), fc.constantFrom('', 'a', 'Z')), { maxLength: 40 }), (cells) => {
      const data = table(`x,y\n${cells.map((cell, at) => `${cell},${at}`).join('\n')}\n`)
      data.sort({ column: 0, descends: true })
      const numbers = data.rows(0, cells.length).map(({ number }) => number)
      expect(numbers.toSorted((a, b) => a - b)).toEqual(cells.map((_, at) => at + 1))
    }))

  it('names its ragged rows', () => {
    const { ragged, columnCount } = table('a,b\n1\n1,2\n1,2,3\n').head
    expect([ragged, columnCount]).toEqual([{ count: 2, first: [1, 3] }, 3])
  })

  it('leaves the last row out where the text is cut', () => {
    expect(new TableData(readCsv('a,b\n1,2\n3,"4', { isCut: true })).head.rows).toBe(1)
  })
})

describe('a tree', () => {
  it.each([
    ['json', '{"a": 12345678901234567890}', { a: 12345678901234567890n }],
    ['json', '{"a": 1.5, "b": 1e400}', { a: 1.5, b: Number.POSITIVE_INFINITY }],
    ['lines', '{"a": 1}\n\n[2]\n', [{ a: 1 }, [2]]],
    ['yaml', 'a: 1\n---\nb: 2\n', [{ a: 1 }, { b: 2 }]],
    ['toml', 'a = 1\n[b]\nc = 2024-01-02T03:04:05Z\n', { a: 1, b: { c: '2024-01-02T03:04:05.000Z' } }],
  ] as const)('of %s: %s', async (format, text, value) => {
    expect(await readTree(text, format)).toEqual(value)
  })

  it.each([
    ['lines', '{"a": 1}\n{', /^Line 2: /],
    ['yaml', 'a: [', /Flow sequence/],
    ['toml', 'a = ', /Invalid TOML/],
  ] as const)('of %s that is wrong says where: %s', async (format, text, message) => {
    await expect(readTree(text, format)).rejects.toThrow(message)
  })
})

describe('a notebook', () => {
  it.each([[undefined], [null], ['text'], [[]], [{}], [{ cells: 3 }], [{ cells: {} }]])('is not %j', (value) => {
    expect(readNotebook(value)).toBeUndefined()
  })

  it('of a stranger is read whatever it holds', () =>
    forAll(fc.array(fc.object()), (cells) => {
      expect(readNotebook({ cells })?.cells).toHaveLength(cells.length)
    }))

  it('has no address but of images', () => {
    const cell = (data: object) => ({ cell_type: 'code', outputs: [{ output_type: 'display_data', data }] })
    const outputs = readNotebook({
      cells: [
        cell({ 'image/png': '"><script>' }),
        cell({ 'image/png': 'aGk=\n' }),
        cell({ 'image/svg+xml': '<svg onload="a"/>' }),
        cell({ 'application/vnd.plotly+json': {} }),
      ],
    })?.cells.flatMap((each) => each.outputs)
    expect(outputs).toEqual([
      { type: 'left', text: 'This output is image/png, which is not shown.' },
      { type: 'image', url: 'data:image/png;base64,aGk=' },
      { type: 'image', url: 'data:image/svg+xml;utf8,%3Csvg%20onload%3D%22a%22%2F%3E' },
      { type: 'left', text: 'This output is application/vnd.plotly+json, which is not shown.' },
    ])
  })
})

describe('quilt_summarize.json', () => {
  it.each([
    [
      '["a.md", ["b.csv", {"path": "./c.csv", "title": "C"}]]',
      [[{ path: 'a.md' }], [{ path: 'b.csv' }, { path: 'c.csv', title: 'C' }]],
    ],
    ['["../a", "/etc/passwd", 3, null, {"path": 4}]', [[{ path: 'etc/passwd' }]]],
  ])('%s', (text, rows) => {
    expect(readSummary(text)).toEqual({ rows, left: 0 })
  })

  it('lists no more than can be shown, and says how many are left', () => {
    const summary = readSummary(JSON.stringify(Array.from({ length: 100 }, (_, at) => `f${at}`)))
    expect([summary?.rows.length, summary?.left]).toEqual([24, 76])
  })

  it.each(['', '{}', 'null', '[', '"a"'])('is not %j', (text) => {
    expect(readSummary(text)).toBeUndefined()
  })
})

describe('bytes', () => {
  const frame = (...blocks: readonly number[][]) =>
    Uint8Array.from([
      ...[0x04, 0x22, 0x4d, 0x18, 0x40, 0x40, 0],
      ...blocks.flatMap((block) => [block.length, 0, 0, 0, ...block]),
      ...[0, 0, 0, 0],
    ])

  it('packed by LZ4 are unpacked, also where a block repeats what another held', () => {
    // Three letters, then nine that began three before; then four that began twelve before, and one letter.
    const packed = frame([0x35, 97, 98, 99, 3, 0], [0x00, 12, 0, 0x10, 33])
    expect(Buffer.from(unpackLz4(packed)).toString()).toBe('abcabcabcabcabca!')
  })

  it.each([
    ['no frame', Uint8Array.from([1, 2, 3, 4, 5, 6, 7, 8])],
    ['what repeats nothing', frame([0x10, 97, 9, 0])],
    ['an end that is missing', frame([0x10, 97]).subarray(0, 12)],
  ])('of %s are refused', (_, bytes) => {
    expect(() => unpackLz4(bytes)).toThrow()
  })
})
