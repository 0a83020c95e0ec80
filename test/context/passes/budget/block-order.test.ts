import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type BlockOrder, importanceOf } from '../../../../src/context/passes/budget/block-order.ts'
import { blocksOf } from '../../../../src/text/blocks.ts'
import { SOON } from '../../../support/soon.ts'

/** The blocks that are no headings, the most important first, each by the last word of its first line. */
function ordered(text: string, order: BlockOrder, task?: string): string {
  const blocks = blocksOf(text)
  return importanceOf({ text, blocks, order, task: task ?? '' })
    .map((index) => text.slice(blocks[index]?.start).split('\n')[0]?.trim().split(' ').at(-1))
    .join(' ')
}

describe('blocks as written', () => {
  it('come in the order of the text, without headings', () => {
    expect(ordered('---\na: 1\n---\n\n# h\n\none\n\n- two\n- three\n\n## i\n\n> four\n', 'written')).toBe(
      '--- one two three four',
    )
  })

  it.each([
    [undefined, 'one two three four'],
    ['', 'one two three four'],
    ['parser', 'two four one three'],
    ['The PARSER and the lexer', 'four two one three'],
    ['is an it', 'one two three four'],
  ])('come forward when they hold words of the task %j, more of them first', (task, expected) => {
    const text = 'talk of nothing one\n\nthe parser two\n\nnothing three\n\nparser, Lexer four\n'
    expect(ordered(text, 'written', task)).toBe(expected)
  })

  it('hold the words of the headings above them, however far, and their own before those', () => {
    const text =
      '# Parser\n\n## Notes\n\none\n\n### Lexer\n\ntwo\n\n# Other\n\nthree lexer\n\n## Lexer\n\nparser four\n'
    expect(ordered(text, 'written', 'parser')).toBe('four one two lexer')
    expect(ordered(text, 'written', 'lexer')).toBe('lexer two four one')
    expect(ordered(text, 'written', 'lexer parser')).toBe('four two one lexer')
  })
})

describe('open before done', () => {
  const tasks = [
    '# Tasks',
    '- [x] done1',
    '- [ ] open1',
    '- [X] done2',
    '- [!] blocked1',
    '- [-] blocked2',
    '- plain',
    'prose',
  ]

  it('holds for what is blocked or no task too', () => {
    expect(ordered(tasks.join('\n\n'), 'open-first')).toBe('open1 blocked1 blocked2 plain prose done1 done2')
    expect(ordered('- [ ] stuck #blocked\n- [x] done\n- [ ] open\n', 'open-first')).toBe('#blocked open done')
  })

  it('holds across sections', () => {
    const text = '## Completed\n\n- [x] a\n- [x] b\n\n## Next\n\n- [ ] c\n- [x] d\n\n## Later\n\n- [ ] e\n'
    expect(ordered(text, 'open-first')).toBe('c e a b d')
  })

  it('holds whatever the task: its words move tasks within their group', () => {
    const text = '- [x] parser a\n- [ ] b\n- [ ] parser c\n- [x] d\n- [x] lexer parser e\n- [!] lexer parser f\n'
    expect(ordered(text, 'open-first', 'lexer parser')).toBe('f c b e a d')
  })

  it('is not asked for in other files', () => {
    expect(ordered('- [x] a\n- [ ] b\n', 'written')).toBe('a b')
  })
})

describe('recent before old', () => {
  it.each([
    ['dated headings', '## 2026-01-02 x\n\na\n\n## [2026-03-01] y\n\nb\n\nc\n\n## z (2025-12-31)\n\nd\n', 'b c a d'],
    ['headings of times', '## 2026-01-02 09:00\n\na\n\n## 2026-01-02T10:30:00Z\n\nb\n\n## 2026-01-02\n\nc\n', 'b a c'],
    ['names with a stamp', '## [2026-01-02-093000] x\n\na\n\n## [2026-01-02-103000] y\n\nb\n', 'b a'],
    ['dates within one', '# Decisions\n\n## 2026-01-01\n\n### Why\n\na\n\n## 2026-02-01\n\n### Why\n\nb\n', 'b a'],
    ['dated items', '# Learnings\n\n- 2026-01-01 a\n- **2026-02-01**: b\n- [2025-12-01] c\n', 'b a c'],
    ['dated items, all undated last', '- a\n- 2026-01-01 b\n- c\n- 2026-02-01 d\n', 'd b c a'],
    [
      'a field',
      '## x\n\n**Date**: 2026-01-01\n\na\n\n## y\n\n**Date:** 2026-02-01\n\nb\n',
      '2026-02-01 b 2026-01-01 a',
    ],
    [
      'a field in a list',
      '## x\n\n- **Status**: accepted\n- **Date**: 2026-01-01\n\n## y\n\n- **date**: 2026-02-01\n',
      '2026-02-01 accepted 2026-01-01',
    ],
    [
      'the first field that has a date',
      '## x\n\n**Date**: 2026-01-01\n\n**Date**: unknown\n\n## y\n\n**Date**: 2025-01-01\n\n**Date**: 2027-01-01\n',
      '2026-01-01 unknown 2025-01-01 2027-01-01',
    ],
    ['undated headings', '## x\n\na\n\nb\n\n## y\n\nc\n\n## z\n\nd\n', 'd c a b'],
    ['undated items', '# Learnings\n\n- a\n- b\n- c\n', 'c b a'],
    ['dated and undated', '## x\n\na\n\n## 2026-01-01\n\nb\n\n## y\n\nc\n\n## 2026-02-01\n\nd\n', 'd b c a'],
    ['the same day: the later one first', '## 2026-01-01 x\n\na\n\n## 2026-01-01 y\n\nb\n', 'b a'],
    ['what stands before the first heading', 'intro\n\n## 2026-01-01\n\na\n', 'a intro'],
    [
      'a date in the title of all of them',
      '# Decisions (as of 2026-06-01)\n\n## x\n\n**Date**: 2026-01-01\n\na\n\n## y\n\n**Date**: 2026-02-01\n\nb\n',
      '2026-02-01 b 2026-01-01 a',
    ],
    ['dated items below such a title', '# Notes of 2026-06-01\n\n## x\n\n- 2026-01-01 a\n- 2026-02-01 b\n', 'b a'],
    ['items with dates in one', '## 2026-01-01 x\n\n- a\n- 2027-01-01 b\n\n## 2026-02-01 y\n\n- c\n- d\n', 'c d a b'],
  ])('holds for %s', (_, text, expected) => {
    expect(ordered(text, 'recent-first')).toBe(expected)
  })

  it.each(['20260-01-01', '12026-01-01', '2026-1-1', '2026/01/01', 'version 1.2026-01', '2026-01-011'])(
    'takes %j for no date',
    (title) => {
      expect(ordered(`## ${title}\n\na\n\n## x\n\nb\n`, 'recent-first')).toBe('b a')
    },
  )

  it('lets the words of a task move blocks within the dated ones, and within the others', () => {
    const text = '## 2026-01-01\n\nparser a\n\n## 2026-02-01\n\nb\n\n## x\n\nparser c\n\n## y\n\nd\n'
    expect(ordered(text, 'recent-first')).toBe('b a d c')
    expect(ordered(text, 'recent-first', 'parser')).toBe('a b c d')
  })
})

describe('the order of importance', () => {
  it('holds each block that is not a heading once, whatever the text', () => {
    const line = fc.constantFrom(
      ...'# a|## 2026-01-01|- [x] b|- 2026-02-01|- c|**Date**: 2026-03-01|d||```|> e|---'.split('|'),
    )
    const orders = fc.constantFrom<BlockOrder>('written', 'open-first', 'recent-first')
    const property = fc.property(fc.array(line, { maxLength: 20 }), orders, (lines, order) => {
      const text = lines.join('\n')
      const blocks = blocksOf(text)
      const indices = importanceOf({ text, blocks, order, task: 'a c' })
      expect(indices.toSorted((a, b) => a - b)).toEqual(
        blocks.flatMap(({ kind }, index) => (kind === 'heading' ? [] : [index])),
      )
    })
    fc.assert(property, { numRuns: 500 })
  })

  it.each([
    ['a heading of a megabyte', `# ${'a'.repeat(1_000_000)}\n\n${'- b\n'.repeat(20_000)}`],
    ['very many items', '- [x] 2026-01-01 a\n'.repeat(30_000)],
  ])('is found in a second for %s', (_, text) => {
    const blocks = blocksOf(text)
    const start = performance.now()
    for (const order of ['open-first', 'recent-first'] as const) {
      importanceOf({ text, blocks, order, task: 'fix the parser' })
    }
    expect(performance.now() - start).toBeLessThan(SOON)
  })
})
