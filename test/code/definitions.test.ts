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

  it('are a function whole up to 160 lines, and parts of a longer one', () => {
    const body = (lines: number) => `function long() {\n${'  work()\n'.repeat(lines - 2)}}\n`
    const sizes = (lines: number) => parseCode('a.ts', body(lines)).units.map(({ start, end }) => end - start)
    expect(sizes(160)).toEqual([160])
    expect(sizes(300)).toEqual([120, 180 - 60, 60])
  })

  it.each([
    [59, 60],
    [50, 51],
    [43, 44],
    [41, 60],
  ])('are parts of lines without definitions: a blank line %i ends the first at %i', (blank, end) => {
    const lines = Array.from({ length: 130 }, (_, at) => (at === blank ? '' : 'work()'))
    const starts = parseCode('a.ts', lines.join('\n')).units.map(({ start }) => start)
    expect(starts.slice(0, 2)).toEqual([0, end])
  })

  it('have the name of what they are in', () => {
    const { units } = parseCode('a.ts', 'class A {\n  b() {\n    return 1\n  }\n}\n')
    expect(units.map(({ names, parent }) => [names, parent])).toEqual([
      [['A'], undefined],
      [['b'], 'A'],
    ])
  })
})
