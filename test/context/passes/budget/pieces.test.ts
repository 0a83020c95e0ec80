import { describe, expect, it } from 'vitest'
import { type Piece, piecesOf, shownText } from '../../../../src/context/passes/budget/pieces.ts'
import { bytes4 } from '../../../../src/core/tokens.ts'
import { blocksOf } from '../../../../src/text/blocks.ts'
import { fragment } from '../../../core/fragments.ts'
import { fc, forAll } from '../../../support/property.ts'
import { documents, withoutMarks } from './documents.ts'

function inPieces(text: string, syntax: 'markdown' | 'plain' = 'markdown') {
  return piecesOf(fragment('a', text, { syntax }), { order: 'written', count: bytes4 })
}

/** What is shown of a text when only the pieces that hold one of the words are. */
function shown(text: string, ...words: readonly string[]): string {
  const { pieces } = inPieces(text)
  const holds = ({ start, end }: Piece) => words.some((word) => text.slice(start, end).includes(word))
  return shownText(text, pieces, new Set(pieces.filter(holds)))
}

describe('the pieces of a text', () => {
  it('tile it, know their tokens and headings, and are of some importance, but for headings', () =>
    forAll(200, documents, (given) => {
      for (const { fragment: one, order } of given) {
        const { pieces, importance } = piecesOf(one, { order, count: bytes4 })
        let at = 0
        for (const { start, end, tokens, heading } of pieces) {
          expect([start, end > start, tokens]).toEqual([at, true, bytes4(one.text.slice(start, end))])
          if (heading) expect([heading.kind, heading.end <= start]).toEqual(['heading', true])
          at = end
        }
        expect(at).toBe(one.text.length)
        const ranges = (of: readonly Piece[]) => of.map(({ start, end }) => [start, end])
        const bodies = pieces.filter(({ kind }) => kind !== 'heading')
        expect(ranges(importance.toSorted((x, y) => x.start - y.start))).toEqual(ranges(bodies))
      }
    }))

  it('are the paragraphs of a plain text, where Markdown means nothing', () => {
    const text = '# a\n- b\n\n```\nc\n\nd\n'
    expect(inPieces(text, 'plain').pieces.map(({ start, end, kind }) => [text.slice(start, end), kind])).toEqual([
      ['# a\n- b\n\n', 'text'],
      ['```\nc\n\n', 'text'],
      ['d\n', 'text'],
    ])
    expect(inPieces('', 'plain').pieces).toEqual([])
    expect(inPieces('').pieces).toEqual([])
  })

  it.each([
    ['a fence', `\`\`\`\n${'A sentence. Another one.\n'.repeat(100)}\`\`\`\n`],
    ['a comment', `<!-- ${'A sentence. '.repeat(100)}\n-->\n`],
    ['front matter', `---\n${'a: A sentence. Another one.\n'.repeat(100)}---\n`],
    ['a short paragraph', 'A sentence. '.repeat(20)],
  ])('are one for %s', (_, text) => {
    expect(inPieces(text).pieces).toHaveLength(1)
  })

  it.each([
    `\`\`\`odd. ${'word '.repeat(300)}\` end. Prose.`,
    `- item\n  \`\`\`\`odd. ${'word '.repeat(300)}\` end. Prose.`,
    `> \`\`\`odd. ${'word '.repeat(300)}\` end. Prose.`,
    `1. \`\`\`${'word '.repeat(300)}\`\`\` end. Prose.`,
  ])('never make a fence of what is none (case %#)', (text) => {
    const { pieces } = inPieces(text)
    expect(pieces.length).toBeGreaterThan(1)
    pieces.forEach((_, index) => {
      const marked = new Set(pieces.slice(0, index + 1))
      expect(blocksOf(`${shownText(text, pieces, marked)}\n\n# after\n`).at(-1)?.title).toBe('after')
    })
  })
})

describe('what is shown', () => {
  it.each([
    ['a gap at the start', 'one\n\ntwo\n', ['two'], '[truncated] 1 line\n\ntwo\n'],
    ['a gap at the end', 'one\n\ntwo\n', ['one'], 'one\n\n[truncated] 1 line\n'],
    ['a gap within', 'one\n\ntwo\n\nthree', ['one', 'three'], 'one\n\n[truncated] 1 line\n\nthree\n'],
    [
      'three gaps',
      'one\n\ntwo\n\nthree\n\nfour\nand more\n\nfive\n\nsix',
      ['one', 'three', 'five'],
      'one\n\n[truncated] 1 line\n\nthree\n\n… 2 lines\n\nfive\n\n… 1 line\n',
    ],
    ['a gap of blocks with blank lines between', 'one\n\ntwo\n\n\nthree\n', ['one'], 'one\n\n[truncated] 4 lines\n'],
    ['nothing', 'one\n\ntwo\n', [], '[truncated] 3 lines\n'],
    ['all, as it is', '\n\n one  \n\n\ntwo\n\n\n', ['one', 'two'], '\n\n one  \n\n\ntwo\n\n\n'],
    ['blank lines before a gap', 'one\n\n\n\ntwo\n', ['one'], 'one\n\n[truncated] 1 line\n'],
    ['item gaps', '- a\n- b\n- c\n- d\n- e\n', ['a', 'c', 'e'], '- a\n\n[truncated] 1 line\n\n- c\n… 1 line\n- e\n'],
    ['items, the last one without a line end', '- a\n- b\n- c', ['c'], '[truncated] 2 lines\n\n- c\n'],
    ['an item and a heading', '- a\n- b\n- c\n\n# h\n', ['a', '# h'], '- a\n\n[truncated] 2 lines\n\n# h\n'],
    [
      'a second gap before a heading',
      '- a\n- b\n- c\n# h\n- d\n',
      ['b', '# h'],
      '[truncated] 1 line\n\n- b\n\n… 1 line\n\n# h\n\n… 1 line\n',
    ],
    ['code after', 'one\n\n```\ntwo\n```\n\nthree\n', ['two'], '[truncated] 1 line\n\n```\ntwo\n```\n\n… 1 line\n'],
    ['a fence that is open in the file', 'one\n\n```\ntwo\n', ['two'], '[truncated] 1 line\n\n```\ntwo\n'],
    ['front matter', '---\na: 1\n---\n# h\n\none\n', ['# h'], '[truncated] 3 lines\n\n# h\n\n… 1 line\n'],
    ['CRLF', 'one\r\n\r\ntwo\r\n\r\nthree\r\n', ['one', 'three'], 'one\n\n[truncated] 1 line\n\nthree\n'],
    ['CRLF, all of it', 'one\r\n\r\ntwo\r\n', ['one', 'two'], 'one\r\n\r\ntwo\r\n'],
    ['CRLF within what is shown', '- a\r\n- b\r\n- c\r\n\r\nd\r\n', ['a', 'b'], '- a\r\n- b\n\n[truncated] 3 lines\n'],
    ['lone CR', 'one\r\rtwo\r\rthree', ['two'], '[truncated] 1 line\n\ntwo\n\n… 1 line\n'],
  ])('with %s', (_, text, words, expected) => {
    expect(shown(text, ...words)).toBe(expected)
  })

  it('begins each item on a line of its own, also after one that is cut within a line', () => {
    const text = `- a\n- [x] first ${'word '.repeat(200)}last\n- b\n`
    expect(shown(text, 'first', '- b')).toMatch(
      /^\[truncated\] 1 line\n\n- \[x\] first( word)+\n… \d+ characters\n- b\n$/,
    )
  })

  it('loses no character of what it shows, whatever its line ends', () =>
    forAll(200, documents, fc.infiniteStream(fc.boolean()), (given, marks) => {
      for (const { fragment: one } of given) {
        const { pieces } = inPieces(one.text)
        const marked = pieces.filter(() => marks.next().value)
        const parts = marked.map(({ start, end }) => one.text.slice(start, end))
        const visible = (text: string) => withoutMarks(text).replace(/\s+/g, '')
        expect(visible(shownText(one.text, pieces, new Set(marked)))).toBe(visible(parts.join('')))
      }
    }))
})
