import { describe, expect, it } from 'vitest'
import { sectionsOf } from '../../src/text/fences.ts'
import { fc, forAll } from '../support/property.ts'

describe('the sections of a text', () => {
  it.each([
    ['', ['']],
    ['no heading\n', ['no heading\n']],
    ['# A\n\na\n## B\nb\n', ['# A\n\na\n', '## B\nb\n']],
    ['before\r\n# A\r\na', ['before\r\n', '# A\r\na']],
    ['# A\n```\n# not\n```\n# B', ['# A\n```\n# not\n```\n', '# B']],
    ['#not\n    # code\n', ['#not\n    # code\n']],
  ])('of %j', (text, sections) => {
    expect(sectionsOf(text)).toEqual(sections)
  })

  it('are the text, joined', () => {
    const line = fc.constantFrom('# A', '## B', 'text', '```', '~~~', '', '> # q', '- # x')
    const end = fc.constantFrom('\n', '\r\n', '\r')
    forAll(fc.array(fc.tuple(line, end)), (lines) => {
      const text = lines.flat().join('')
      expect(sectionsOf(text).join('')).toBe(text)
    })
  })
})
