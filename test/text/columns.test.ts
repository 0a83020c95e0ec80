import { expect, it } from 'vitest'
import { alignRows, displayWidth } from '../../src/text/columns.ts'

it.each([
  ['', 0],
  ['abc', 3],
  ['日本', 4],
  ['a😀', 3],
  ['é', 1],
])('the columns of a text are counted as a terminal shows them: %j', (text, columns) =>
  expect(displayWidth(text)).toBe(columns),
)

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
