import { appendFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { systemOpener } from '../../src/files/confine.ts'
import { openRoot, rootAt } from '../../src/files/disk.ts'
import { readText } from '../../src/files/text-file.ts'
import { fc, forAll } from '../support/property.ts'
import { type Shape, tree } from '../support/tree.ts'

describe('a text file', () => {
  it('comes with its path, identity, version and text', async () => {
    using planted = tree({ 'a.md': 'text', 'b.md -> a.md': '', 'c.md': 'text' })
    const root = openRoot(planted.base)
    await setTimeout(150)
    const [a, b, c] = ['a.md', 'b.md', 'c.md'].map((name) => readText(root, name))
    expect(a).toEqual({
      ok: true,
      path: planted.at('a.md'),
      realPath: planted.at('a.md'),
      identity: expect.stringMatching(/^\d+:\d+$/),
      version: expect.objectContaining({ size: 4 }),
      settled: true,
      content: 'text',
      text: 'text',
      warnings: [],
    })
    expect(b).toEqual({ ...a, path: planted.at('b.md') })
    expect(c?.ok && a?.ok && c.identity !== a.identity).toBe(true)
  })

  it.each<[what: string, content: string | Uint8Array, read: string, shown: string, warnings: string[]]>([
    ['nothing', '', '', '', []],
    ['CRLF', 'a\r\nb', 'a\r\nb', 'a\r\nb', []],
    ['a byte order mark', '\ufeffa', 'a', 'a', []],
    ['UTF-16', Buffer.from('\ufeffä', 'utf16le'), 'ä', 'ä', []],
    ['a byte', Buffer.from([0x61, 0xff]), 'a\ufffd', 'a\ufffd', ['Invalid byte sequences were replaced by U+FFFD: 1.']],
    ['one unseen', 'a\n\u202eb', 'a\n\u202eb', 'a\nb', ['1 invisible character (U+202E) not shown; first on line 2.']],
    [
      'five kinds of them',
      '\u202a\u202b\u202c\u202d\u202e',
      '\u202a\u202b\u202c\u202d\u202e',
      '',
      ['5 invisible characters (U+202A, U+202B, U+202C, U+202D, U+202E) not shown; first on line 1.'],
    ],
    [
      'more kinds of them',
      '\u200b\u202a\u202b\u202c\u202d\u202e\u2060',
      '\u200b\u202a\u202b\u202c\u202d\u202e\u2060',
      '',
      ['7 invisible characters (U+200B, U+202A, U+202B, U+202C, U+202D, and 2 more) not shown; first on line 1.'],
    ],
    [
      'both',
      Buffer.concat([Buffer.from('a\u202eb'), Buffer.from([0xff])]),
      'a\u202eb\ufffd',
      'ab\ufffd',
      [
        'Invalid byte sequences were replaced by U+FFFD: 1.',
        '1 invisible character (U+202E) not shown; first on line 1.',
      ],
    ],
  ])('is read whole, and shown without what could deceive: %s', (_, content, read, shown, warnings) => {
    using planted = tree({ 'a.md': content })
    expect(readText(openRoot(planted.base), 'a.md')).toMatchObject({ ok: true, content: read, text: shown, warnings })
  })

  it.each<[what: string, shape: Shape, why: string]>([
    ['is absent', {}, 'missing'],
    ['is a directory', { 'p/a.md/': '' }, 'unreadable'],
    ['leads outside', { 'p/a.md -> ../out.md': '' }, 'denied'],
    ['holds a NUL', { 'p/a.md': 'a\0' }, 'binary'],
    ['holds a NUL in UTF-16', { 'p/a.md': Buffer.from('\ufeffa\0', 'utf16le') }, 'binary'],
  ])('is refused when it %s', (_, shape, why) => {
    using planted = tree({ 'p/': '', 'out.md': 'secret', ...shape })
    expect(readText(openRoot(planted.at('p')), 'a.md')).toEqual({
      ok: false,
      why,
      detail: expect.stringMatching(/\.$/),
      ...(why === 'unreadable' && { isOtherKind: true }),
    })
  })

  it('that never rests is told from one that does', () => {
    using planted = tree({ 'a.md': 'a' })
    const root = openRoot(planted.base)
    const moving = rootAt(root, (place) => {
      const opened = systemOpener()(place)
      appendFileSync(planted.at('a.md'), 'a')
      return opened
    })
    const warnings = ['The file kept changing while it was read; what is shown may be a mixture.']
    expect(readText(moving, 'a.md')).toMatchObject({ ok: true, settled: false, warnings })
    expect(readText(root, 'a.md')).toMatchObject({ ok: true, content: 'aaa', warnings: [] })
  })

  it('keeps its text when others are read after it, whatever their sizes', () => {
    using planted = tree({})
    const root = openRoot(planted.base)
    const sizes = fc.array(fc.integer({ min: 0, max: 200_000 }), { minLength: 2, maxLength: 6 })
    forAll(30, sizes, (all) => {
      const texts = all.map((size, index) => String(index).repeat(size))
      planted.plant(Object.fromEntries(texts.map((text, index) => [`${index}.md`, text])))
      const read = texts.map((_, index) => readText(root, `${index}.md`))
      expect(read.map((file) => file.ok && file.content)).toEqual(texts)
      expect(read.map((file) => file.ok && file.text)).toEqual(texts)
    })
  })

  it('of any bytes is a text without NUL, or binary', () => {
    using planted = tree({})
    const root = openRoot(planted.base)
    forAll(500, fc.uint8Array({ maxLength: 500 }), (bytes) => {
      planted.plant({ 'a.md': bytes })
      const read = readText(root, 'a.md')
      if (!read.ok) expect(read.why).toBe('binary')
      else {
        expect(read.content).not.toMatch(/[\0\p{Surrogate}]/u)
        expect(read.text.length).toBeLessThanOrEqual(read.content.length)
      }
    })
  })
})
