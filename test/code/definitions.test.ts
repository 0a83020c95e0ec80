import { describe, expect, it } from 'vitest'
import { parseCode } from '../../src/code/definitions.ts'
import { fc, forAll } from '../support/property.ts'

describe('the units of a file', () => {
  const line = fc.constantFrom(
    ...'|  |}|{|end|def a|class A {|  f() {|  }|x = 1|# Title|/* c|*/|"""|@a'.split('|'),
    ...['func b() {', '    return', 'struct a;', '// c', 'fn c() {', 'public void d() {', '  const e = () => {', '});'],
  )
  const paths = fc.constantFrom(...'a.ts a.py a.c a.rb a.rs a.java a.cs a.md a.json a.sql a.lua'.split(' '))

  it('tile it: every line is in exactly one of them, in order', () => {
    const texts = fc.array(line, { maxLength: 400 }).map((lines) => lines.join('\n'))
    forAll(paths, texts, (path, text) => {
      const { lines, units } = parseCode(path, text)
      const covered = units.flatMap(({ start, end }) => Array.from({ length: end - start }, (_, at) => start + at))
      expect(covered).toEqual(lines.map((_, at) => at))
    })
  })
})
