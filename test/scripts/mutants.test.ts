import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { HAND_MADE } from '../../scripts/mutation/by-hand.ts'
import { mutantsOf } from '../../scripts/mutation/mutants.ts'
import { ROOT } from '../source-files.ts'

const changes = (source: string) => mutantsOf(source).map(({ after }) => after.trim())

it.each([
  ['  if (a === b) return', ['if (a !== b) return', 'if (!(a === b)) return']],
  ['  return size < most', ['return size <= most']],
  ['  return size >= most', ['return size > most']],
  ['  return a && !b', ['return a || !b', 'return a && b']],
  ['  const found = a ?? b', ['const found = a && b']],
  ['  const found = a[i] ?? 0', ['const found = a[i] && 0']],
  ['  const found = a[i] ?? -1', ['const found = a[i] && -1']],
  ['  const is = true', ['const is = false']],
  ['  this.#close(socket)', ['']],
  ['  await guard.check(url)', ['']],
  ['const MOST = 10', ['const MOST = 20']],
  ['const LEAST = 9', ['const LEAST = 10']],
])('changes %s', (line, expected) => {
  expect(changes(line)).toEqual(expected)
})

it.each([
  '  // if (a === b)',
  '/** a < b */',
  "import { a } from 'b'",
  "  throw new Error('a === b && 10')",
  'export type A = B',
])('leaves %s alone', (line) => {
  expect(changes(line).filter((after) => after !== '')).toEqual([])
})

it.each([
  '/**\n * a === b\n   c && d\n */',
  'const css = `\n  top: 10;\n  left: 20`',
  'const is = /^[A-Z+/]+ ={0,2}$/',
  'interface A {\n  readonly b: 1 | true\n}\ntype C =\n  | { readonly d: false }\n  | 2',
])('leaves each line of %j alone', (text) => {
  expect(changes(`${text}\nreturn a === b`)).toEqual(['return a !== b'])
})

it.each(HAND_MADE)('finds what it changes once, and the tests that notice: $change', ({ edits, test }) => {
  const found = edits.map(([path, before]) => readFileSync(join(ROOT, path), 'utf8').split(before).length - 1)
  expect(found).toEqual(edits.map(() => 1))
  expect(existsSync(join(ROOT, test))).toBe(true)
})
