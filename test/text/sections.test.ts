import { describe, expect, it } from 'vitest'
import { sectionsOf } from '../../src/text/fences.ts'
import { fc, forAll } from '../support/property.ts'

describe('the sections of a text', () => {
  it('are the text, joined', () => {
    const line = fc.constantFrom('# A', '## B', 'text', '```', '~~~', '', '> # q', '- # x')
    const end = fc.constantFrom('\n', '\r\n', '\r')
    forAll(fc.array(fc.tuple(line, end)), (lines) => {
      const text = lines.flat().join('')
      expect(sectionsOf(text).join('')).toBe(text)
    })
  })
})
