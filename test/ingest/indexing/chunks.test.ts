import { describe, expect, it } from 'vitest'
import { chunksOf } from '../../../src/ingest/indexing/chunks.ts'
import { fc, forAll } from '../../support/property.ts'

const MARKDOWN = { isMarkdown: true }
const MOST = 1600

/** A paragraph of about so many bytes. */
const prose = (bytes: number, word = 'word') => `${word} `.repeat(Math.ceil(bytes / (word.length + 1))).trim()

describe('chunks of a text', () => {
  it('begin at headings, and say under which they stand', () => {
    const text = `# Guide\n\n${prose(600)}\n\n## Install\n\n${prose(600)}\n\n### Linux\n\n${prose(600)}\n\n## Use\n\n${prose(600)}\n`
    expect(chunksOf(text, MARKDOWN).map(({ headings, lines }) => [headings.join(' > '), lines.start])).toEqual([
      ['Guide', 1],
      ['Guide > Install', 5],
      ['Guide > Install > Linux', 9],
      ['Guide > Use', 13],
    ])
  })

  it('keep short sections together', () => {
    const text = '# A\n\nOne.\n\n## B\n\nTwo.\n\n## C\n\nThree.\n'
    expect(chunksOf(text, MARKDOWN)).toMatchObject([{ lines: { start: 1, end: 11 }, headings: ['A'] }])
  })

  it('leave front matter out', () => {
    expect(chunksOf('---\ntitle: T\n---\n\nText.\n', MARKDOWN)).toEqual([
      { text: 'Text.', lines: { start: 5, end: 5 }, headings: [] },
    ])
  })

  it.each([
    ['code', `\`\`\`ts\n${'const a = 1\n\n'.repeat(60)}\`\`\``],
    ['a table', `| a | b |\n| --- | --- |\n${'| one | two |\n'.repeat(60).trim()}`],
  ])('do not part %s that is no longer than a chunk', (_, block) => {
    const text = `${prose(1000)}\n\n${block}\n\n${prose(1000)}\n`
    expect(chunksOf(text, MARKDOWN).filter((chunk) => chunk.text.includes(block))).toHaveLength(1)
  })

  it.each([
    ['a very long line', 'x'.repeat(10_000)],
    ['a very long line of characters of four bytes', '\u{1f600}'.repeat(3000)],
    ['very long code', `\`\`\`\n${'const a = 1\n'.repeat(1000)}\`\`\`\n`],
    ['many short lines', 'a\n'.repeat(5000)],
  ])('are none too long, of %s', (_, text) => {
    const chunks = chunksOf(text, MARKDOWN)
    expect(chunks.length).toBeGreaterThan(3)
    for (const chunk of chunks) {
      expect(Buffer.byteLength(chunk.text)).toBeLessThanOrEqual(MOST)
      expect(chunk.text.isWellFormed()).toBe(true)
    }
  })

  it.each([
    ['nothing', ''],
    ['white space', ' \n\n\t\n'],
    ['front matter alone', '---\na: b\n---\n'],
  ])('are none of %s', (_, text) => expect(chunksOf(text, MARKDOWN)).toEqual([]))

  it('follow one another, hold all that is written, and stand in the lines that they name', () => {
    const line = fc.constantFrom(
      '# A',
      '## B',
      'text',
      '',
      '',
      '```',
      '- item',
      '| a | b |',
      '> q',
      '  code',
      '\u{1f600} é',
      prose(700),
    )
    const end = fc.constantFrom('\n', '\r\n')
    forAll(400, fc.array(line, { maxLength: 40 }), end, fc.boolean(), (lines, newline, isMarkdown) => {
      const text = lines.join(newline)
      const all = text.split(/\r\n?|\n/)
      let from = 0
      for (const chunk of chunksOf(text, { isMarkdown })) {
        const at = text.indexOf(chunk.text, from)
        expect(at).toBeGreaterThanOrEqual(from)
        expect(text.slice(from, at).trim()).toBe('')
        from = at + chunk.text.length
        const { start, end: last } = chunk.lines
        const own = chunk.text.split(/\r\n?|\n/)
        expect(last - start + 1).toBe(own.length)
        for (const [index, one] of own.entries()) expect(all[start - 1 + index]).toContain(one)
      }
      expect(text.slice(from).trim()).toBe('')
    })
  })
})
