import { expect, it } from 'vitest'
import { alignRows } from '../../src/text/columns.ts'

it('rows that are aligned have their cells under each other, and no space at their ends', () => {
  expect(
    alignRows(
      [
        ['a', '1', 'x'],
        ['日本', '1000', ''],
        ['abc', '10'],
      ],
      [1],
    ),
  ).toBe('a        1  x\n日本  1000\nabc     10\n')
  expect(alignRows([])).toBe('')
})
