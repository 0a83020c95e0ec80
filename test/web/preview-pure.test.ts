/** What previews work out without a browser. */

import { zstdCompressSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeBytes } from '../../web/src/api/decode.ts'
import { hexLines } from '../../web/src/pages/preview/data/hex.ts'
import { type HtmlNode, parseHtml } from '../../web/src/pages/preview/data/html-tree.ts'
import { unpackLz4 } from '../../web/src/pages/preview/data/lz4.ts'
import { readNotebook } from '../../web/src/pages/preview/data/notebook.ts'
import { readCsv } from '../../web/src/pages/preview/data/read-csv.ts'
import { readTree } from '../../web/src/pages/preview/data/read-tree.ts'
import { TableData } from '../../web/src/pages/preview/data/table-data.ts'
import { readSummary } from '../../web/src/pages/preview/summary.ts'
import { SOON } from '../support/soon.ts'

const item = (name: string, text: string): HtmlNode => ({ name, children: [text] })

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

  it('is what was written, whatever that is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        fc.pre(!text.includes('\0') && !text.startsWith('\ufeff') && text.isWellFormed())
        expect(decodeBytes(Buffer.from(text))?.text).toBe(text)
      }),
    )
  })
})

describe('a table', () => {
  const table = (text: string) => new TableData(readCsv(text, {}))

  it('sorts numbers as numbers, words as words, with empty cells last', () => {
    const data = table('n,w\n10,b\n,a\n9,\n-1,c\n')
    const order = (column: number, isDown: boolean) => {
      data.sort({ column, isDown })
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

  it('keeps every row, in any order', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.integer().map(String), fc.constantFrom('', 'a', 'Z')), { maxLength: 40 }),
        (cells) => {
          const data = table(`x,y\n${cells.map((cell, at) => `${cell},${at}`).join('\n')}\n`)
          data.sort({ column: 0, isDown: true })
          const numbers = data.rows(0, cells.length).map(({ number }) => number)
          expect(numbers.toSorted((a, b) => a - b)).toEqual(cells.map((_, at) => at + 1))
        },
      ),
    )
  })

  it('names its ragged rows', () => {
    const { ragged, width } = table('a,b\n1\n1,2\n1,2,3\n').head
    expect([ragged, width]).toEqual([{ count: 2, first: [1, 3] }, 3])
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

  it('of a stranger is read whatever it holds', () => {
    fc.assert(
      fc.property(fc.array(fc.object()), (cells) => {
        expect(readNotebook({ cells })?.cells).toHaveLength(cells.length)
      }),
    )
  })

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

describe('HTML of a stranger', () => {
  const nodes = (html: string) => parseHtml(html).nodes

  it.each<readonly [string, readonly HtmlNode[]]>([
    ['a <b>bold</b> word', ['a ', { name: 'b', children: ['bold'] }, ' word']],
    ['<ul><li>a<li>b</ul>', [{ name: 'ul', children: [item('li', 'a'), item('li', 'b')] }]],
    ['<ul>a</ul>', [{ name: 'ul', children: [item('li', 'a')] }]],
    ['<font color=red>a</font><blink>b', ['a', 'b']],
    ['a<script>pwned()</SCRIPT>b<style>c</style>', ['a', 'b']],
    ['<script>never ended', []],
    ['<svg><text>a</text></svg>b', ['b']],
    ['<!-- a --><!doctype html><?php b ?>c', ['c']],
    ['1 < 2 &amp; 3 &#62; &#x1F600; &nothing; &#0;', ['1 ', '<', ' 2 & 3 > 😀 &nothing; \ufffd']],
    ['<p>a<p>b', [item('p', 'a'), item('p', 'b')]],
    ['</b></table>a', ['a']],
    ['<h1 onclick="pwned()" id=x>a</h1>', [item('h1', 'a')]],
    ['<a href="javascript:pwned()">a</a>', [{ name: 'a', children: ['a'], href: 'javascript:pwned()' }]],
    ['<img src="https://evil.invalid/x" alt=A><img src=x onerror=pwned()>', ['A']],
    ['<img src="data:image/svg+xml;base64,aGk=">', []],
    [
      '<img src="data:image/png;base64,aGk=">',
      [{ name: 'img', children: [], image: { url: 'data:image/png;base64,aGk=', alt: '' } }],
    ],
    ['<a __proto__=x constructor=y>a', [item('a', 'a')]],
  ])('%s', (html, expected) => {
    expect(nodes(html)).toEqual(expected)
  })

  it('has cells in rows, and rows in tables, whatever it says', () => {
    const [table] = nodes('<table>words<tr><td colspan=9999>a<th rowspan=-3>b<tr>c</table>')
    const cell = (name: string, columns: number, text: string) => ({
      name,
      children: [text],
      span: { columns, rows: 1 },
    })
    expect(table).toEqual({
      name: 'table',
      children: [
        { name: 'tr', children: [{ name: 'td', children: ['words'] }] },
        { name: 'tr', children: [cell('td', 200, 'a'), cell('th', 1, 'b')] },
        { name: 'tr', children: [{ name: 'td', children: ['c'] }] },
      ],
    })
  })

  it('holds none but the elements that lay out words, whatever it is', () => {
    const piece = fc.oneof(
      fc.constantFrom('<', '>', '</', '"', "'", '=', '<!--', '-->', '&#x', ';', '<svg>', '</svg>', '<td>', '</table>'),
      fc.constantFrom(
        '<script>',
        '<a href=',
        '<img src=',
        ' onclick=x',
        '<ul>',
        '<li>',
        '<p>',
        '<table>',
        '<tr>',
        'text',
      ),
      fc.string(),
    )
    const elements = (all: readonly HtmlNode[]): string[] =>
      all.flatMap((node) => (typeof node === 'string' ? [] : [node.name, ...elements(node.children)]))
    const known =
      /^(a|b|blockquote|br|caption|code|del|div|em|h[1-6]|hr|i|img|ins|kbd|li|mark|ol|p|pre|s|small|strong|su[bp]|table|tbody|t[dhr]|tfoot|thead|u|ul)$/
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        for (const name of elements(nodes(pieces.join('')))) expect(name).toMatch(known)
      }),
    )
  })

  it('is read in linear time, and no deeper or further than can be shown', () => {
    const depthOf = (all: readonly HtmlNode[]): number =>
      all.reduce((most, node) => Math.max(most, typeof node === 'string' ? 0 : 1 + depthOf(node.children)), 0)
    for (const part of ['<b>', '<td>', '<a b="', "<p a='", '<!--', '</p>', '<script>', '<', '&', '<li><ul>', '<p ']) {
      const began = performance.now()
      const { nodes: all } = parseHtml(part.repeat(500_000 / part.length))
      expect(depthOf(all)).toBeLessThan(130)
      expect(performance.now() - began).toBeLessThan(SOON)
    }
    expect(parseHtml('<i>a</i>'.repeat(30_000)).isWhole).toBe(false)
    expect(parseHtml('<i>a</i>').isWhole).toBe(true)
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
  it('as hex have their place and their letters', () => {
    expect(hexLines(Buffer.from('0123456789abcdef\n'))).toBe(
      '00000000  30 31 32 33 34 35 36 37  38 39 61 62 63 64 65 66  0123456789abcdef\n' +
        `00000010  ${'0a'.padEnd(48)}  ·`,
    )
  })

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
