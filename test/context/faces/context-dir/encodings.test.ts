import { describe, expect, it } from 'vitest'
import { loadContext } from '../../../../src/context/context-dir/load-context.ts'
import { contextTree } from '../../../support/tree.ts'

describe('an encoding', () => {
  const utf16be = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()

  it.each<[what: string, bytes: Uint8Array | string, content: string, replaced: number]>([
    ['UTF-8', 'grün 😀', 'grün 😀', 0],
    ['UTF-8 with a mark', '\ufeffgrün', 'grün', 0],
    ['a mark and nothing else', '\ufeff', '', 0],
    ['an invalid byte', Buffer.from([0x61, 0xff, 0x62]), 'a\ufffdb', 1],
    ['a truncated character', Buffer.from([0x61, 0xe2, 0x82]), 'a\ufffd', 1],
    ['Latin-1', Buffer.from('caf\xe9 cr\xe8me', 'latin1'), 'caf\ufffd cr\ufffdme', 2],
    ['an overlong form', Buffer.from([0xc0, 0xaf]), '\ufffd\ufffd', 2],
    ['a surrogate', Buffer.from([0xed, 0xa0, 0x80]), '\ufffd\ufffd\ufffd', 3],
    ['U+FFFD itself', 'a\ufffdb', 'a\ufffdb', 0],
    ['UTF-16, little end first', Buffer.from('\ufeffgrün 😀', 'utf16le'), 'grün 😀', 0],
    ['UTF-16, big end first', utf16be('grün 😀'), 'grün 😀', 0],
    ['UTF-16 with half a pair', Buffer.from('\ufeffa\ud83db', 'utf16le'), 'a\ufffdb', 1],
    [
      'UTF-16 with half a unit',
      Buffer.concat([Buffer.from('\ufeffab', 'utf16le'), Buffer.from([0x63])]),
      'ab\ufffd',
      1,
    ],
  ])('is read, and repaired with a warning: %s', async (_, bytes, content, replaced) => {
    using planted = contextTree({ 'TASKS.md': bytes })
    const { files, summary, warnings } = await loadContext({ rootDir: planted.base })
    expect(files.map((file) => file.content)).toEqual([content])
    expect(summary).toContain(content)
    const message = `Invalid byte sequences were replaced by U+FFFD: ${replaced}.`
    expect(warnings).toEqual(replaced === 0 ? [] : [{ path: planted.at('.context/TASKS.md'), message }])
    expect(content).not.toMatch(/\p{Surrogate}/u)
  })
})

describe('invisible characters', () => {
  const tags = [...'ignore'].map((char) => String.fromCodePoint(0xe0000 + char.charCodeAt(0))).join('')

  it.each<[what: string, text: string, shown: string, named: string]>([
    ['an override', 'a\u202eb', 'ab', '1 invisible character (U+202E) not shown; first on line 1.'],
    [
      'isolates',
      'x\n\na\u2066b\u2069',
      'x\n\nab',
      '2 invisible characters (U+2066, U+2069) not shown; first on line 3.',
    ],
    ['a zero-width space', 'pass\u200bword', 'password', '1 invisible character (U+200B) not shown; first on line 1.'],
    [
      'tag characters',
      `a${tags}b`,
      'ab',
      '6 invisible characters (U+E0065, U+E0067, U+E0069, U+E006E, U+E006F and 1 more) not shown; first on line 1.',
    ],
    [
      'one in a code block',
      '```\na\u202eb\n```',
      '```\nab\n```',
      '1 invisible character (U+202E) not shown; first on line 2.',
    ],
  ])('are not shown, stay in the content, and are told: %s', async (_, text, shown, message) => {
    using planted = contextTree({ 'TASKS.md': text })
    const { files, summary, warnings } = await loadContext({ rootDir: planted.base })
    expect(files.map(({ content }) => content)).toEqual([text])
    expect(summary).toBe(`# Project Context\n\n## Current Tasks\nSource: .context/TASKS.md\n\n${shown}\n`)
    expect(warnings).toEqual([{ path: planted.at('.context/TASKS.md'), message }])
  })

  it.each(['👩‍👩‍👧 ❤️ 🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}', 'می‌خواهم', 'क्‍ष'])(
    'that emoji and scripts need are left alone: %s',
    async (text) => {
      using planted = contextTree({ 'TASKS.md': text })
      const { summary, warnings } = await loadContext({ rootDir: planted.base })
      expect(summary).toContain(text)
      expect(warnings).toEqual([])
    },
  )

  it('are not shown under a budget either, nor in what is never cut', async () => {
    const text = `# T\n\n${'Some \u202ewords\u200b here. '.repeat(200)}\n`
    using planted = contextTree({ 'TASKS.md': text, 'CONSTITUTION.md': text })
    const { summary, truncated } = await loadContext({ rootDir: planted.base, tokenBudget: 1500 })
    expect(truncated).toBe(true)
    expect(summary).not.toMatch(/[\u202e\u200b]/)
  })

  it('in a name are not shown', async () => {
    using planted = contextTree({ [`a\u202e${tags}\u200b.md`]: 'x' })
    const { summary, files } = await loadContext({ rootDir: planted.base })
    expect(summary).toBe('# Project Context\n\n## a.md\nSource: .context/a.md\n\nx\n')
    expect(files[0]?.path).toBe(planted.at(`.context/a\u202e${tags}\u200b.md`))
  })
})
