/** The table of `README.md` says of each row what shows it: none is forgotten, and none is there twice. */

import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'

/** How many rows each part has. */
const ROWS: Readonly<Record<string, number>> = {
  A: 35,
  B: 15,
  C: 14,
  D: 25,
  E: 16,
  F: 15,
  G: 22,
  H: 12,
  I: 15,
  J: 20,
  K: 12,
  L: 9,
  M: 9,
  N: 12,
  O: 6,
  P: 8,
}

const HERE = import.meta.dirname
const TESTS = dirname(HERE)

/** The cells of each row of a table, but for heads. */
function rowsOf(table: string): string[][] {
  const lines = table.split('\n').filter((line) => /^\| [A-Z]\d/.test(line))
  return lines.map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))
}

/** `A3, A4` and `B10 to B13` are what they name. */
function idsOf(cell: string): string[] {
  return cell.split(', ').flatMap((part) => {
    const [, letter = '', from = 0, to = from] = /^([A-Z])(\d+)(?: to \1(\d+))?$/.exec(part) ?? []
    if (letter === '') return [part]
    return Array.from({ length: Number(to) - Number(from) + 1 }, (_, at) => `${letter}${Number(from) + at}`)
  })
}

/** What is wrong with the rows of a table, a line each. */
function problemsOf(table: string, known = ROWS): string[] {
  const ids = Object.entries(known).flatMap(([part, count]) => idsOf(`${part}1 to ${part}${count}`))
  const given = rowsOf(table).flatMap(([, cell = '']) => idsOf(cell))
  return [
    ...ids.filter((id) => !given.includes(id)).map((id) => `${id} is missing`),
    ...given.filter((id) => !ids.includes(id)).map((id) => `${id} is none`),
    ...ids.filter((id) => given.indexOf(id) !== given.lastIndexOf(id)).map((id) => `${id} is there twice`),
    ...rowsOf(table)
      .filter(([, , what = '', where = '']) => what === '' || where === '')
      .map(([, id]) => `${id} says nothing`),
  ]
}

/** Files of tests that are named, and are not there. A name alone is of the directory named before, or of this one. */
function missingIn(table: string): string[] {
  return rowsOf(table).flatMap(([, , what = '', where = '']) => {
    let before = HERE
    return [...`${what} ${where}`.matchAll(/`([\w/.-]+\.test\.ts)`/g)].flatMap(([, name = '']) => {
      const found = [join(TESTS, name), join(before, name), join(HERE, name)].find((path) => existsSync(path))
      if (found === undefined) return [name]
      before = dirname(found)
      return []
    })
  })
}

const README = readFileSync(join(HERE, 'README.md'), 'utf8')

describe('the reliability rows', () => {
  it('are all there, each once, and say what shows them', () => {
    expect(problemsOf(README)).toEqual([])
  })

  it('name tests that are there', () => {
    expect(missingIn(README)).toEqual([])
  })

  it.each([
    ['| A1 | so | x |\n| A3, B1 | so | x |', ['A2 is missing']],
    ['| A1 to A3, B1 | so | x |\n| A2 | so | x |', ['A2 is there twice']],
    ['| A1 to A4, B1 | so | x |', ['A4 is none']],
    ['| A1 to A3 | so | x |\n| B1 | so | |', ['B1 says nothing']],
    ['| A1 to A3, B1 | so | x |\n| – | more | x |', []],
  ])('would not be taken as %j', (table, problems) => {
    expect(problemsOf(table, { A: 3, B: 1 })).toEqual(problems)
  })

  it('would not be taken with a test that is not there', () => {
    expect(missingIn('| A1 | so | `rooms.test.ts`, `none.test.ts`; `rows.test.ts` |')).toEqual(['none.test.ts'])
  })
})
