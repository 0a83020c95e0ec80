import MarkdownIt from 'markdown-it'
import { describe, expect, it } from 'vitest'
import { escapeInline, unescapeMarkdown, withoutSpans } from '../../src/text/code.ts'
import { fc, forAll } from '../support/property.ts'

describe('code in a line', () => {
  it('is what Markdown takes for it', () => {
    const parser = new MarkdownIt('zero').enable(['backticks', 'escape'])
    const sign = fc.constantFrom('`', '``', '\\', 'a', 'b', ' ')
    forAll(2000, fc.array(sign, { maxLength: 14 }), (signs) => {
      const line = `x${signs.join('')}x`
      const [inline] = parser.parseInline(line, {})
      const codes = inline?.children?.filter(({ type }) => type === 'code_inline').length ?? 0
      expect(withoutSpans(line).match(/\0+/g)?.length ?? 0).toBe(codes)
    })
  })
})

it('what is escaped is shown as it was, whatever it is', () => {
  const parser = new MarkdownIt()
  const text = fc.string({ unit: fc.constantFrom(...'a[]()!\\`<>&#;x1: ".'), maxLength: 40 })
  forAll(2000, text, (given) => {
    const [inline] = parser.parseInline(`x${escapeInline(given)}x`, {})
    expect(inline?.children?.map(({ type }) => type).filter((type) => !/^text/.test(type))).toEqual([])
    expect(inline?.children?.map(({ content }) => content).join('')).toBe(`x${given}x`)
    expect(unescapeMarkdown(escapeInline(given))).toBe(given)
  })
})
