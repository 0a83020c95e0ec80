import { describe, expect, it } from 'vitest'
import { plainRow, splitRecords } from '../../src/text/tables.ts'

const CASES: readonly (readonly [what: string, text: string, cells: readonly (readonly string[])[]])[] = [
  [
    'commas',
    'a,b\n1,2',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'semicolons, though a cell has a comma and a blank',
    'a;b, c\n1;2',
    [
      ['a', 'b, c'],
      ['1', '2'],
    ],
  ],
  ['a byte order mark', '\uFEFFa,b', [['a', 'b']]],
  [
    'line ends of Windows, and one alone',
    'a,b\r\n1,2\r3,4',
    [
      ['a', 'b'],
      ['1', '2'],
      ['3', '4'],
    ],
  ],
  [
    'quoted cells with delimiters, quotes and line ends',
    '"a,b","c""d"\n"e\nf",g',
    [
      ['a,b', 'c"d'],
      ['e\nf', 'g'],
    ],
  ],
  [
    'an unclosed quote',
    '"a,b\nc,d',
    [
      ['"a', 'b'],
      ['c', 'd'],
    ],
  ],
  ['empty lines', '\na\n,\n\nb\n', [['a'], ['b']]],
]

describe('a table in CSV', () => {
  it.each(CASES)('is split: %s', (_, text, cells) => {
    expect(splitRecords(text).map((record) => record.cells)).toEqual(cells)
  })

  it('names the cells of a row by their columns, where there are names', () => {
    expect(plainRow('1,2', 'a,b')).toBe('a: 1; b: 2')
    expect(plainRow('1,2', '')).toBe('1; 2')
  })
})
