import { describe, expect, it } from 'vitest'
import { type BlockOrder, importanceOf } from '../../../../src/context/passes/budget/block-order.ts'
import { blocksOf } from '../../../../src/text/blocks.ts'

/** The blocks that are no headings, the most important first, each by the last word of its first line. */
function ordered(text: string, order: BlockOrder): string {
  const blocks = blocksOf(text)
  return importanceOf({ text, blocks, order })
    .map((index) => text.slice(blocks[index]?.start).split('\n')[0]?.trim().split(' ').at(-1))
    .join(' ')
}

it('blocks as written come in the order of the text, without headings', () => {
  expect(ordered('---\na: 1\n---\n\n# h\n\none\n\n- two\n- three\n\n## i\n\n> four\n', 'written')).toBe(
    '--- one two three four',
  )
})

describe('open before done', () => {
  const tasks = '# Tasks|- [x] done1|- [ ] open1|- [X] done2|- [!] blocked1|- [-] blocked2|- plain|prose'.split('|')

  it('holds for what is blocked or no task too', () => {
    expect(ordered(tasks.join('\n\n'), 'open-first')).toBe('open1 blocked1 blocked2 plain prose done1 done2')
    expect(ordered('- [ ] stuck #blocked\n- [x] done\n- [ ] open\n', 'open-first')).toBe('#blocked open done')
  })

  it('holds across sections', () => {
    const text = '## Completed\n\n- [x] a\n- [x] b\n\n## Next\n\n- [ ] c\n- [x] d\n\n## Later\n\n- [ ] e\n'
    expect(ordered(text, 'open-first')).toBe('c e a b d')
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
    ['dates far above', '# 2026-01-01\n\n## x\n\n### y\n\na\n\n# 2026-02-01\n\n## x\n\n### y\n\nb\n', 'b a'],
    ['dated items', '# Learnings\n\n- 2026-01-01 a\n- **2026-02-01**: b\n- [2025-12-01] c\n', 'b a c'],
    ['dated items, all undated last', '- a\n- 2026-01-01 b\n- c\n- 2026-02-01 d\n', 'd b c a'],
    ['field', '## x\n\n**Date**: 2026-01-01\n\na\n\n## y\n\n**Date:** 2026-02-01\n\nb\n', '2026-02-01 b 2026-01-01 a'],
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
})
