import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { MarkdownView } from '../../../src/surfaces/cli/markdown-view.ts'
import { styleOf } from '../../../src/surfaces/cli/table.ts'
import { fc, forAll } from '../../support/property.ts'

const STYLE = styleOf({ isTerminal: true, plain: false, columns: 40 })

function shown(text: string, pieces: readonly string[] = [text]): string {
  const view = new MarkdownView(STYLE)
  return pieces.map((piece) => view.add(piece)).join('') + view.end()
}

describe('Markdown on a terminal', () => {
  it.each([
    ['## Title **x**\nText', '\u001b[1mTitle x\u001b[22m\nText'],
    ['a **bold** word', 'a \u001b[1mbold\u001b[22m word'],
    ['run `npm test` now', 'run \u001b[36mnpm test\u001b[39m now'],
    ['2 * 3 * 4', '2 * 3 * 4'],
    ['- one\n  - two\n', '• one\n  • two\n'],
    ['1. one\n', '1. one\n'],
    ['> said', '> said'],
    ['**never closed\nnext', '\u001b[1mnever closed\u001b[22m\nnext'],
    ['an *italic* word, *two words*', 'an \u001b[3mitalic\u001b[23m word, \u001b[3mtwo words\u001b[23m'],
    ['*.ts and src/*.js, a*b', '*.ts and src/*.js, a*b'],
    ['| a | b |\n', '| a | b |\n'],
    ['| a | b |', '| a | b |'],
    [
      '| a | **b** |\n| --- | --: |\n| long | 1 |\n| 日本 | 22 |\nText',
      '\u001b[1ma\u001b[22m      \u001b[1mb\u001b[22m\nlong   1\n日本  22\nText',
    ],
    ['plain', 'plain'],
    ['#hash', '#hash'],
    ['-5 degrees', '-5 degrees'],
    ['', ''],
  ])('%j', (text, expected) => {
    expect(shown(text)).toBe(expected)
  })

  it('leaves code as it is, however long its lines are', () => {
    const line = 'const a = **not bold** + `x` // and this line is longer than forty columns'
    const plain = stripVTControlCharacters(shown(`\`\`\`ts\n${line}\n# no heading\n\`\`\`\nafter`))
    expect(plain).toBe(`\`\`\`ts\n${line}\n# no heading\n\`\`\`\nafter`)
  })

  it('wraps at words, and no style counts as columns', () => {
    const lines = shown(`${'**word** '.repeat(20)}`).split('\n')
    for (const line of lines) expect(stripVTControlCharacters(line).length).toBeLessThanOrEqual(40)
    expect(stripVTControlCharacters(lines.join(' ')).match(/word/g)).toHaveLength(20)
  })

  it.each([
    ['- one item that is longer than forty columns are', '• one item that is longer than forty\n  columns are'],
    ['10. one item that is longer than forty columns', '10. one item that is longer than forty\n    columns'],
    ['> a quotation that is longer than forty columns', '> a quotation that is longer than forty\n> columns'],
  ])('wraps %j under its text', (text, expected) => {
    expect(shown(text)).toBe(expected)
  })

  it('keeps a table within the columns of the terminal, and one that does not fit as it is written', () => {
    const wide = `| name | what it is |\n|---|---|\n| one | ${'word '.repeat(20)}|\n`
    for (const line of shown(wide).split('\n')) expect(stripVTControlCharacters(line).length).toBeLessThanOrEqual(40)
    const row = `| ${'cell of some words | '.repeat(6)}`.trim()
    const many = `${row}\n|${'---|'.repeat(6)}\n${row}\n`
    expect(shown(many).replace(/\s+/g, ' ')).toBe(many.replace(/\s+/g, ' '))
    const uneven = '| a | b |\n|---|---|\n| x | y | z |\n'
    expect(shown(uneven)).toBe(uneven)
  })

  it('is the same however it comes in pieces, ends every style, and loses no letter', () => {
    const text = fc
      .array(fc.constantFrom(...'**¦*¦`¦# ¦- ¦> ¦\n¦ab¦ ¦```\n¦| x |¦\n| ab | x |\n|---|---|\n'.split('¦')))
      .map((parts) => parts.join(''))
    forAll(text, fc.integer({ min: 1, max: 5 }), (given, size) => {
      const pieces = given.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
      const whole = shown(given)
      expect(shown(given, pieces)).toBe(whole)
      const count = (code: string) => whole.split(code).length - 1
      expect(count('\u001b[1m')).toBe(count('\u001b[22m') - count('\u001b[2m'))
      expect(stripVTControlCharacters(whole).match(/ab/g)?.length).toBe(given.match(/ab/g)?.length)
    })
  })
})
