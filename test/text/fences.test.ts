import MarkdownIt from 'markdown-it'
import { describe, expect, it } from 'vitest'
import { closeFence, withoutFences } from '../../src/text/fences.ts'
import { parseMarkdown } from '../../src/text/parse.ts'
import { fc, forAll } from '../support/property.ts'
import { anyText, PATHOLOGICAL } from './texts.ts'

describe('closeFence', () => {
  it('adds at most a line, once', () => {
    forAll(1000, anyText, (text) => {
      const closed = closeFence(text)
      expect(closed.startsWith(text)).toBe(true)
      if (closed !== text) expect(closed.slice(text.length)).toMatch(/^\n?[ >\t]*(`{3,}|~{3,})$/)
    })
  })

  it('closes any fence at the top level', () => {
    const line = fc.constantFrom('```', '~~~', '````js', ' ```', '    ```', 'text', '', '``` a', '~~~~')
    forAll(1000, fc.array(line), (lines) => {
      const closed = closeFence(lines.join('\n'))
      expect(parseMarkdown(closed).warnings).toEqual([])
      expect(closeFence(closed)).toBe(closed)
    })
  })

  it.each(PATHOLOGICAL)('survives %s', (_, text) => {
    expect(closeFence(text).startsWith(text)).toBe(true)
  })
})

describe('withoutFences', () => {
  const linesOfCode = (text: string) => {
    const fences = new MarkdownIt({ html: true }).parse(text, {}).filter(({ type }) => type === 'fence')
    return new Set(fences.flatMap(({ map }) => range(map?.[0] ?? 0, map?.[1] ?? 0)))
  }
  const range = (start: number, end: number) => Array.from({ length: end - start }, (_, at) => start + at)
  /** The text as the parser of Markdown reads it: without its lines of code. */
  const parsed = (text: string) => {
    const isCode = linesOfCode(text)
    return text.split('\n').map((line, at) => (isCode.has(at) ? '' : line))
  }

  it.each([
    ['an item that an empty quote ends', '1. # a\n> \n   ```\n- b'],
    ['a quote with a list that an empty line ends', '> - <!-- a\n\n>   ~~~\n> b\nc'],
    ['a quote in a fence of an item', '- ```\n  > a\n  ```\nb'],
  ])('is without the code of %s', (_, text) => {
    expect(withoutFences(text).split('\n')).toEqual(parsed(text))
  })

  it('is without what the parser of Markdown takes for fenced code', () => {
    const marker = fc.constantFrom('', '', '', '> ', '- ', '  ', '1. ', '   ', '> - ', '>   ')
    // No paragraphs, which go on in the next line whatever its container is.
    const content = fc.constantFrom('```', '~~~', '````js', '# b', '', '~~~~', '<!-- a', '# -->')
    const line = fc.tuple(marker, content).map((parts) => parts.join(''))
    const lines = fc.array(line.filter((one) => !/(?:-|1\.) $/.test(one)))
    forAll(2000, lines, (all) => {
      const trimmed = (some: readonly string[]) => some.map((one) => one.trim())
      const text = all.join('\n')
      expect(trimmed(withoutFences(text).split('\n'))).toEqual(trimmed(parsed(text)))
    })
  })
})
