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
  it.each<[string, string[]]>([
    ['after sentences', ['One. ', 'Two! ', 'Three? ', 'Four.']],
    ['after their line ends', ['One.\n', 'Two\nand more.\n', 'Three.\n\n']],
    ['after CRLF', ['One.\r\n', 'Two.\r\n']],
    ['after quotes and brackets', ['He said "no." ', '(And left.) ', '**Gone.** ', 'So.']],
    ['after runs of marks', ['What?! ', 'No... ', 'Yes.']],
    ['after sentences in Chinese', ['一句话。', '另一句！', '第三句？', '“引用。”', '完']],
    ['between Latin and Chinese', ['One.', '然后 two. ', '三。', 'Four']],
    ['not within words and numbers', ['See a.b and 3.14 or x.y.z now']],
    ['not after abbreviations', ['Use e.g. this, i.e. that (cf. Dr. Who vs. J. Doe). ', 'Done']],
    ['not in code spans', ['Run `a. b` and ``c. ` d``. ', 'Then `e. f`']],
    ['after backticks that open nothing', ['One `` two. ', 'Three \\`four. ', 'Five` six. ', 'Seven']],
    ['after a backtick alone', ['One ` two. ', 'Three.']],
    ['not at the end', ['One.   \n\n']],
  ])('are %s', (_, parts) => {
    expect(cutFirst(parts.join(''))).toEqual(parts)
  })

  it('cut what is longer than 512 bytes at white space', () => {
    const text = 'lorem ipsum dolor '.repeat(100).trim()
    const parts = cutFirst(text)
    expect(parts.length).toBe(4)
    for (const part of parts.slice(0, -1)) expect(part).toMatch(/\S $/)
    for (const part of parts) expect(bytes(part)).toBeLessThanOrEqual(512)
  })

  it('cut what has no white space between code points', () => {
    for (const unit of ['x', '漢', '😀', 'é', '\u{1f469}\u200d\u{1f4bb}']) {
      const parts = cutFirst(unit.repeat(1000))
      expect(parts.join('')).toBe(unit.repeat(1000))
      for (const part of parts) {
        expect(part.isWellFormed()).toBe(true)
        expect(bytes(part)).toBeLessThanOrEqual(512)
      }
      for (const part of parts.slice(0, -1)) expect(bytes(part)).toBeGreaterThan(500)
    }
  })

  it('cut a long code span too', () => {
    const parts = cutFirst(`Start. \`${'some. code '.repeat(100)}\` end.`)
    expect(parts[0]).toBe('Start. ')
    for (const part of parts) expect(bytes(part)).toBeLessThanOrEqual(512)
  })

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

  it('cut a long line of a list item as prose', () => {
    const parts = cutFirst(`- ${'A sentence here. '.repeat(60)}\n  short. line\n`)
    expect(parts[0]).toBe('- A sentence here. ')
    expect(parts.at(-1)).toBe('  short. line\n')
    expect(parts.length).toBe(61)
  })

  it('leave a long line of code in a list item whole', () => {
    const code = `  \`\`\`\n  ${'x. '.repeat(400)}\n  \`\`\`\n`
    expect(cutFirst(`- a\n${code}`)).toEqual(['- a\n', code])
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
