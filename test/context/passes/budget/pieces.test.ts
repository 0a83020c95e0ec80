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
