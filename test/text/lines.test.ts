import MarkdownIt from 'markdown-it'
import { describe, expect, it } from 'vitest'
import { lineAt, lineStarts, trimLines } from '../../src/text/lines.ts'
import { fc, forAll } from '../support/property.ts'
import { anyText } from './texts.ts'

describe('lineStarts', () => {
  it.each([
    ['an empty text', '', [0]],
    ['one line', 'abc', [0]],
    ['LF', 'a\nb', [0, 2]],
    ['CRLF', 'a\r\nb', [0, 3]],
    ['CR', 'a\rb', [0, 2]],
    ['all of them', 'a\nb\r\nc\rd', [0, 2, 5, 7]],
    ['LF after CRLF', 'a\r\n\nb', [0, 3, 4]],
    ['an empty last line', 'a\n', [0, 2]],
    ['U+2028, U+2029, U+0085 and form feed, which end no line', 'a\u2028b\u2029c\u0085d\fe', [0]],
  ])('knows %s', (_, text, starts) => {
    expect(lineStarts(text)).toEqual(starts)
  })

  it('numbers lines as markdown-it does', () => {
    const parser = new MarkdownIt({ html: true })
    forAll(anyText, (text) => {
      const starts = lineStarts(text)
      for (const { map } of parser.parse(text, {})) {
        expect((map?.[1] ?? 0) <= starts.length).toBe(true)
      }
      expect(starts.length).toBe(text.replace(/\r\n?/g, '\n').split('\n').length)
    })
    const [, second] = parser.parse('a\r\n\rb\u2028c\r\n\n# d', {}).filter(({ type }) => type.endsWith('_open'))
    expect(lineStarts('a\r\n\rb\u2028c\r\n\n# d')[second?.map?.[0] ?? 0]).toBe(4)
  })
})

it('lineAt finds the line of every offset', () =>
  forAll(anyText, fc.nat(), (text, at) => {
    const starts = lineStarts(text)
    const offset = at % (text.length + 1)
    const line = lineAt(starts, offset)
    expect(starts[line]! <= offset && offset < (starts[line + 1] ?? text.length + 1)).toBe(true)
  }))

it.each([
  [' a ', 'a'],
  [' a \n  b\t\n c', 'a b c'],
  ['', ''],
])('trimLines makes %j one line', (text, line) => {
  expect(trimLines(text, ' ')).toBe(line)
})
