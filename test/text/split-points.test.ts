import { describe, expect, it } from 'vitest'
import { type Block, blocksOf, plainBlocksOf } from '../../src/text/blocks.ts'
import { splitPoints } from '../../src/text/split-points.ts'
import { fc, forAll } from '../support/property.ts'
import { anyText, markdownText, PATHOLOGICAL } from './texts.ts'

const bytes = (text: string) => new TextEncoder().encode(text).length

/** The text of a block, cut at its split points. */
function cutUp(text: string, block: Block): string[] {
  const ends = [...splitPoints(text, block), block.end]
  return ends.map((end, index) => text.slice(ends[index - 1] ?? block.start, end))
}

function cutFirst(text: string): string[] {
  const [block] = blocksOf(text)
  return block ? cutUp(text, block) : []
}

describe('the split points of a paragraph', () => {
  it('leave no piece of more than 512 bytes in any prose', () => {
    const prose = fc.array(
      fc.oneof(
        fc.constantFrom('. ', '\n', '\r\n', '。', '`', ' ', 'e.g. ', '"', '😀', '漢字', '\t'),
        fc.string({ unit: 'grapheme', maxLength: 20 }),
        fc.nat(900).map((length) => 'x'.repeat(length)),
        fc.nat(300).map((length) => '漢'.repeat(length)),
        fc.nat(700).map((length) => ' '.repeat(length)),
      ),
    )
    forAll(prose, (parts) => {
      const text = parts.join('')
      for (const block of plainBlocksOf(text)) {
        for (const part of cutUp(text, block)) expect(bytes(part)).toBeLessThanOrEqual(512)
      }
    })
  })
})

describe('the split points of other blocks', () => {
  it.each<[string, string[]]>([
    ['of a list item: at its lines', ['- a. b\n', '  c\n', '  - d\n\n', '  e\n']],
    ['of a list item: not within a fence', ['- a\n', '  ```\n  b\n\n  c\n  ```\n', '  d\n']],
    ['of a list item: not within a first fence', ['- ```\n  b\n  ```\n', '  c\n']],
    ['of a list item: not between fences at once', ['- ```\n  ```\n', '  ```\n  ```\n']],
    ['of a list item: not within the head of a table', ['- a\n\n', '  | b |\n  |---|\n', '  | c |\n']],
    ['of a list item of one line: none', ['- One. Two. Three.\n\n\n']],
    ['of a quote: at its lines', ['> a\n', '> b\n', 'lazy\n\n']],
    ['of a quote: not within a fence', ['> ```\n> b\n> ```\n', '> c']],
    ['of a table: at its rows', ['| a |\n|---|\n', '| 1 |\n', '| 2 |\n\n']],
    ['of a table after blank lines', ['\n\n| a |\n|---|\n', '| 1 |\n', '| 2 |']],
    ['of a table without rows: none', ['| a |\n|---|\n']],
    ['of a table with CRLF', ['| a |\r\n|---|\r\n', '| 1 |\r\n', '| 2 |\r\n']],
    ['of a fence: none', ['```\na. b\n\nc\n```\n']],
    ['of HTML: none', ['<!-- a.\n b.\n-->\n']],
    ['of a heading: none', ['# One. Two.\n']],
    ['of front matter: none', ['---\na: 1\nb: 2\n---\n']],
    ['of a rule: none', ['***\n']],
  ])('%s', (_, parts) => {
    expect(cutFirst(parts.join(''))).toEqual(parts)
  })
})

function expectSeams(text: string): void {
  for (const block of blocksOf(text)) {
    let last = block.start
    for (const seam of splitPoints(text, block)) {
      expect(seam).toBeGreaterThan(last)
      expect(seam).toBeLessThan(block.end)
      expect(text.slice(seam - 1, seam + 1)).not.toMatch(/^\r\n$|^[\ud800-\udbff][\udc00-\udfff]$/)
      expect(block.whole.some(([start, end]) => seam > start && seam < end)).toBe(false)
      last = seam
    }
  }
}

describe('the split points of any block', () => {
  it('are ascending, inside, outside of what must stay whole, and split no character', () =>
    forAll(1500, fc.oneof(markdownText, anyText), expectSeams))

  it.each(PATHOLOGICAL)('are found in %s', (_, text) => {
    const blocks = blocksOf(text)
    for (const block of blocks.slice(0, 1000))
      expect(splitPoints(text, block).every((seam) => seam < block.end)).toBe(true)
  })
})

it('finds the split points of a line that is one list item of a hundred thousand sentences', () => {
  const text = `- ${'A b. '.repeat(200_000)}`
  const [block] = blocksOf(text)
  expect(block && splitPoints(text, block).length).toBeGreaterThan(1900)
})
