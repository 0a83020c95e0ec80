import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { closeFence } from '../../src/text/fences.ts'
import { parseMarkdown } from '../../src/text/parse.ts'
import { anyText, PATHOLOGICAL } from './texts.ts'

describe('closeFence', () => {
  it('adds at most a line, once', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const closed = closeFence(text)
        expect(closed.startsWith(text)).toBe(true)
        if (closed !== text) expect(closed.slice(text.length)).toMatch(/^\n?[ >\t]*(`{3,}|~{3,})$/)
      }),
      { numRuns: 1000 },
    )
  })

  it('closes any fence at the top level', () => {
    const line = fc.constantFrom('```', '~~~', '````js', ' ```', '    ```', 'text', '', '``` a', '~~~~')
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const closed = closeFence(lines.join('\n'))
        expect(parseMarkdown(closed).warnings).toEqual([])
        expect(closeFence(closed)).toBe(closed)
      }),
      { numRuns: 1000 },
    )
  })

  it.each(PATHOLOGICAL)('survives %s', (_, text) => {
    expect(closeFence(text).startsWith(text)).toBe(true)
  })
})
