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
