import { describe, expect, it } from 'vitest'
import { type Block, blocksOf, plainBlocksOf } from '../../src/text/blocks.ts'
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

  it('gives an item no status for a checkbox in its heading', () => {
    expect(blocksOf('- # [x] a')[0]?.status).toBeUndefined()
  })

  it('keeps HTML in an item whole', () => {
    const text = '- a\n\n  <div>\n  b\n\n  c\n'
    expect(blocksOf(text).flatMap(({ whole }) => whole.map(([start, end]) => text.slice(start, end)))).toEqual([
      '  <div>\n  b\n',
    ])
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
  it('tiles any text', () => forAll(anyText, (text) => expectTiles(text, plainBlocksOf(text))))

  it.each(PATHOLOGICAL)('survives %s', (_, text) => {
    expectTiles(text, plainBlocksOf(text))
  })
})
