import { describe, expect, it } from 'vitest'
import { utf8Length } from '../../src/core/tokens.ts'
import { passageAround, snippetsOf } from '../../src/retrieval/snippets.ts'
import { stemOf } from '../../src/retrieval/terms.ts'
import { lineStarts } from '../../src/text/lines.ts'
import { fc, forAll } from '../support/property.ts'

const MOST = 1600

/** The passage around the best snippet for a word. */
function passage(text: string, word = 'needle'): string {
  const starts = lineStarts(text)
  const [snippet] = snippetsOf(text, new Map([[stemOf(word), 1]]), { starts })
  return snippet ? passageAround(text, snippet) : ''
}

const lines = (count: number, line = 'A line of hay.') =>
  Array.from({ length: count }, (_, at) => `${line} ${at}\n`).join('')

describe('a passage', () => {
  it('is all of a short text', () => {
    expect(passage('# Title\n\nOne needle.\n\nEnd.\n')).toBe('# Title\n\nOne needle.\n\nEnd.')
    expect(passage('')).toBe('')
  })

  it('is whole lines before and after, more of them after', () => {
    const text = `${lines(200)}The needle.\n\n${lines(200)}`
    const found = passage(text)
    expect(utf8Length(found)).toBeGreaterThan(MOST - 100)
    expect(found.split('\n').every((line) => /^(A line of hay\. \d+|The needle\.)?$/.test(line))).toBe(true)
    const [before = '', after = ''] = found.split('The needle.')
    expect(before.length).toBeGreaterThan(MOST / 5)
    expect(after.length).toBeGreaterThan(before.length)
  })

  it.each([
    ['the beginning', `The needle.\n${lines(200)}`],
    ['the end', `${lines(200)}The needle.\n`],
  ])('takes from one side what the other lacks, at %s', (_, text) => {
    const found = passage(text)
    expect(found).toContain('The needle.')
    expect(utf8Length(found)).toBeGreaterThan(MOST - 100)
  })

  it('is whole words where a line is too long', () => {
    const found = passage(`${'straw '.repeat(2000)}needle ${'grass '.repeat(2000)}`)
    expect(found).toContain('needle')
    expect(found.split(/\s/).every((word) => ['straw', 'needle', 'grass'].includes(word))).toBe(true)
    expect(utf8Length(found)).toBeGreaterThan(MOST - 100)
  })

  it('keeps much of a long line that follows a short one', () => {
    const found = passage(`${'straw '.repeat(2000)}\nThe needle.\n${'grass '.repeat(2000)}`)
    expect(utf8Length(found)).toBeGreaterThan(MOST - 100)
    expect(found).toMatch(/^straw .*straw\s+The needle\.\ngrass .*grass$/s)
  })

  it('is as long in bytes, whatever is written', () => {
    const found = passage(`${'干草'.repeat(3000)} needle ${'草🌾'.repeat(3000)}`)
    expect(utf8Length(found)).toBeGreaterThan(MOST - 100)
    expect(found.isWellFormed()).toBe(true)
  })

  it('is a part of the text that holds the snippet, and never too long', () => {
    const piece = fc.constantFrom(
      ...'hay needle 🌾 草 ---\n'.split(' '),
      ' ',
      '\n',
      '\n\n',
      '\r\n',
      '# ',
      'x'.repeat(700),
    )
    forAll(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const text = pieces.join('')
      const starts = lineStarts(text)
      const [snippet] = snippetsOf(text, new Map([[stemOf('needle'), 1]]), { starts })
      if (!snippet) throw new Error('no snippet')
      const found = passageAround(text, snippet)
      expect(text).toContain(found)
      expect(found).toContain(text.slice(snippet.span.start, snippet.span.end).trim())
      expect(found.isWellFormed()).toBe(true)
      expect(utf8Length(found)).toBeLessThanOrEqual(MOST)
    })
  })
})
