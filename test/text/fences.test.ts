import { describe, expect, it } from 'vitest'
import { closeFence } from '../../src/text/fences.ts'
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
