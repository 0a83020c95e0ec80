import { describe, expect, it } from 'vitest'
import { headingsAbove } from '../../src/text/headings.ts'
import { lineStarts } from '../../src/text/lines.ts'
import { fc, forAll } from '../support/property.ts'

function above(text: string, line: number): string[] {
  return headingsAbove(text, lineStarts(text), line)
}

describe('the headings above a line', () => {
  it.each([
    ['above the line, the outermost first', '# A\n## B\n## C\n### D\n\n\n\n\ne\n# F', ['A', 'C', 'D']],
    ['also behind a comment', '# <!-- x --> A\nb', ['<!-- x --> A']],
    ['not in a comment, whose end may stand in its beginning', '# A\n<!-->\n## B\n<!--\n# C\n-->\nd', ['A', 'B']],
    ['not in a fence, which ends with as many marks', '# A\n- ````\n  # B\n  ```\n  # C\n  ````\n## D\ne', ['A', 'D']],
  ])('are read %s', (_, text, titles) => expect(above(text, 9)).toEqual(titles))

  it.each(['\n', '\r\n', '\r'])('are the same whatever ends the lines: %j', (end) => {
    expect(above(['# A', '', '## B', 'text'].join(end), 4)).toEqual(['A', 'B'])
  })

  it('grow from line to line only by what a line says', () => {
    const line = fc.constantFrom('# A', '## B', '### C', 'text', '', '```', '~~~', '<!--', '-->', '- item')
    forAll(fc.array(line, { minLength: 1, maxLength: 30 }), (lines) => {
      for (let at = 2; at <= lines.length; at++) {
        const [before, after] = [above(lines.join('\n'), at - 1), above(lines.join('\n'), at)]
        if (!lines[at - 1]?.startsWith('#')) expect(after).toEqual(before)
        expect(after.every((title, index) => index === after.length - 1 || before[index] === title)).toBe(true)
      }
    })
  })
})
