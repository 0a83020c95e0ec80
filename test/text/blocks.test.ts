import { describe, expect, it } from 'vitest'
import { type Block, blocksOf, plainBlocksOf } from '../../src/text/blocks.ts'
import { parseBlocks } from '../../src/text/markdown.ts'
import { forAll } from '../support/property.ts'
import { anyText, markdownText, PATHOLOGICAL } from './texts.ts'

function pieces(text: string, blocks: readonly Block[]): string[] {
  return blocks.map(({ start, end }) => text.slice(start, end))
}

/** Where the blocks leave a gap, overlap, are empty, or hold ranges that do; undefined where all is well. */
function brokenAt(text: string, blocks: readonly Block[]): number | undefined {
  let end = 0
  for (const block of blocks) {
    if (block.start !== end || block.end <= block.start) return block.start
    let from = block.start
    for (const [first, last] of block.whole) {
      if (first < from || last <= first || last > block.end) return first
      from = last
    }
    end = block.end
  }
  return end === text.length ? undefined : end
}

function expectTiles(text: string, blocks: readonly Block[]): void {
  expect(brokenAt(text, blocks)).toBeUndefined()
}

describe('blocksOf', () => {
  it('takes a byte order mark for a part of the first block', () => {
    const text = '\uFEFF# A\nb'
    expect(blocksOf(text).map(({ kind }) => kind)).toEqual(['heading', 'paragraph'])
    expect(pieces(text, blocksOf(text))).toEqual(['\uFEFF# A\n', 'b'])
  })

  it.each([
    ['- [ ] a', 'todo'],
    ['* [x] a', 'done'],
    ['1. [X] a', 'done'],
    ['- [-] a', 'blocked'],
    ['- [!] a', 'blocked'],
    ['- [ ]', 'todo'],
    ['- [ ]\n  a', 'todo'],
    ['-   [x]   a', 'done'],
    ['- a', undefined],
    ['- [y] a', undefined],
    ['- [x]a', undefined],
    ['- [x](b)', undefined],
    ['- [] a', undefined],
    ['- a [x] b', undefined],
    ['- # [x] a', undefined],
    ['- - [x] a', undefined],
    ['- `[x] a`', undefined],
  ])('gives the item %j its status', (text, status) => {
    expect(blocksOf(text)[0]?.status).toBe(status)
  })

  it.each<[string, string, string[]]>([
    ['a fence in an item', '- a\n  ```\n  b\n  ```\n  c\n', ['  ```\n  b\n  ```\n']],
    ['a fence that starts an item', '- ```\n  b\n  ```\n', ['- ```\n  b\n  ```\n']],
    ['deep', '- a\n  - b\n    ~~~\n    c\n    ~~~\n  - d\n\n        e\n', ['    ~~~\n    c\n    ~~~\n', '        e\n']],
    ['HTML in an item', '- a\n\n  <div>\n  b\n\n  c\n', ['  <div>\n  b\n']],
    ['the head of a table in an item', '- a\n\n  | b |\n  |---|\n  | c |\n', ['  | b |\n  |---|\n']],
    ['a fence in a quote', 'x\n\n> a\n> ```\n> b\n> ```\n', ['> ```\n> b\n> ```\n']],
    ['CRLF', '- a\r\n  ```\r\n  b\r\n  ```\r\n', ['  ```\r\n  b\r\n  ```\r\n']],
    ['a fence below front matter', '---\na: 1\n---\n- ```\n  b\n', ['- ```\n  b\n']],
    ['nothing in a plain item', '- a\n  b\n  - c\n', []],
  ])('keeps whole %s', (_, text, whole) => {
    expect(blocksOf(text).flatMap((block) => block.whole.map(([start, end]) => text.slice(start, end)))).toEqual(whole)
  })

  it('reads as one paragraph the lines of a list that is nested too deeply', () => {
    const { tokens } = parseBlocks(`${'- '.repeat(200)}a\n${' '.repeat(40)}b\n${' '.repeat(39)}c\n`)
    const lines = tokens.filter(({ type }) => type === 'inline').map(({ content }) => content.split('\n').length)
    expect(lines).toEqual([2, 1])
  })

  it('goes on after lists that are nested too deeply to be read', () => {
    const text = `${'- '.repeat(200)}a\n\n# B\n\n${'> '.repeat(200)}c\n\n# D\n`
    expect(blocksOf(text).map(({ kind }) => kind)).toEqual(['list-item', 'heading', 'quote', 'heading'])
  })

  it('tiles any Markdown', () => forAll(1500, markdownText, (text) => expectTiles(text, blocksOf(text))))

  it('tiles any text', () => forAll(500, anyText, (text) => expectTiles(text, blocksOf(text))))

  it('finds the same blocks whatever the line ends', () =>
    forAll(markdownText, (text) => {
      const lf = text.replace(/\r\n?/g, '\n')
      for (const end of ['\r\n', '\r']) {
        const other = lf.replaceAll('\n', end)
        expect(pieces(other, blocksOf(other)).map((piece) => piece.replaceAll(end, '\n'))).toEqual(
          pieces(lf, blocksOf(lf)),
        )
      }
    }))

  it.each(PATHOLOGICAL)('survives %s', (_, text) => {
    expectTiles(text, blocksOf(text))
  })
})

describe('plainBlocksOf', () => {
  it.each<[string, string, string[]]>([
    ['no text', '', []],
    ['one line', 'a', ['a']],
    ['lines', 'a\nb\n', ['a\nb\n']],
    ['paragraphs', 'a\nb\n\nc\n \t\n\nd', ['a\nb\n\n', 'c\n \t\n\n', 'd']],
    ['an indented paragraph', 'a\n\n  b', ['a\n\n', '  b']],
    ['CRLF', 'a\r\n\r\nb\r\n', ['a\r\n\r\n', 'b\r\n']],
    ['CR', 'a\r\rb', ['a\r\r', 'b']],
    ['blank lines around', '\n\na\n\n', ['\n\na\n\n']],
    ['blank lines only', '\n\n', ['\n\n']],
    ['Markdown, which it is not', '# a\n```\n\n```\n', ['# a\n```\n\n', '```\n']],
  ])('splits %s', (_, text, expected) => {
    const blocks = plainBlocksOf(text)
    expect(pieces(text, blocks)).toEqual(expected)
    expect(blocks.every(({ kind }) => kind === 'paragraph')).toBe(true)
  })

  it('tiles any text', () => forAll(anyText, (text) => expectTiles(text, plainBlocksOf(text))))

  it.each(PATHOLOGICAL)('survives %s', (_, text) => {
    expectTiles(text, plainBlocksOf(text))
  })
})
