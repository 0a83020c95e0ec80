import MarkdownIt from 'markdown-it'
import { describe, expect, it } from 'vitest'
import { lineAt, lineStarts } from '../../src/text/lines.ts'
import { fc, forAll } from '../support/property.ts'
import { anyText } from './texts.ts'

describe('lineStarts', () => {
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
