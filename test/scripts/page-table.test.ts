import { describe, expect, it } from 'vitest'
import { putRows } from '../../scripts/docs/page-table.ts'

const PAGE = `# Page

## One

Prose.

| name | figure |
| --- | --: |
| a | 1 |
| b | 2 |

More prose.

## Two

| name | part | figure |
| --- | --- | --- |
`

describe('rows that a script writes', () => {
  it('take the place of rows with the same first cell, and come last otherwise', () => {
    const page = putRows(PAGE, '## One', [
      ['b', '3'],
      ['c', '4'],
    ])
    expect(page).toBe(PAGE.replace('| b | 2 |\n', '| b | 3 |\n| c | 4 |\n'))
    expect(putRows(page, '## One', [])).toBe(page)
  })

  it('come into a table without rows, told apart by as many cells as are asked for', () => {
    const rows = [
      ['a', 'x', '1'],
      ['a', 'y', '2'],
    ]
    expect(putRows(PAGE, '## Two', rows, 2)).toBe(`${PAGE}| a | x | 1 |\n| a | y | 2 |\n`)
    expect(putRows(putRows(PAGE, '## Two', rows, 2), '## Two', [['a', 'x', '3']], 2)).toContain(
      '| a | x | 3 |\n| a | y |',
    )
  })

  it('need their heading, and a table below it', () => {
    expect(() => putRows(PAGE, '## Three', [])).toThrow('There is no table below "## Three".')
  })
})
