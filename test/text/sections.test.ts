import { describe, expect, it } from 'vitest'
import { findDefinitions } from '../../src/code/parse/definition-scan.ts'
import { splitTextUnits } from '../../src/retrieval/units.ts'
import { blocksOf } from '../../src/text/blocks.ts'
import { sectionsOf } from '../../src/text/fences.ts'
import { headingsAbove } from '../../src/text/headings.ts'
import { lineStarts } from '../../src/text/lines.ts'
import { fc, forAll } from '../support/property.ts'

describe('the sections of a text', () => {
  it.each([
    ['in a fence that never closes', '# A\n```\n# B\n\nend'],
    ['behind a quote, with which its fence ends', '# A\n> ```\n> b\n\n# B\n\nend'],
    ['behind a list, with which its fence ends', '# A\n- ~~~\n  b\n\n# B\n\nend'],
    ['behind a fence with a shorter one in it', '# A\n````\n```\n# B\n````\n# C\n\nend'],
    ['behind a fence with an indented one in it', '# A\n```md\n      ```\n# B\n```\n# C\n\nend'],
    ['behind a comment with a fence in it', '# A\n<!--\n```\n-->\n# B\n\nend'],
    ['behind a quoted comment with a fence in it', '# A\n> <!--\n> ```\n> -->\n> ```\n\n# B\n\nend'],
    ['behind a fence after a list and a comment', '# A\n- a\n<!-- b\n-->\n  ```\n# x\n```\n# B\n\nend'],
  ])('are those of the parser for all readers, %s', (_, text) => {
    const titles = blocksOf(text).flatMap(({ kind, title = '' }) => (kind === 'heading' ? [title] : []))
    expect(sectionsOf(text).map((section) => section.slice(2).split('\n')[0])).toEqual(titles)
    expect(findDefinitions(text.split('\n'), 'markdown').map(({ name }) => name)).toEqual(titles)
    const starts = lineStarts(text)
    expect(headingsAbove(text, starts, starts.length)).toEqual(titles.slice(-1))
    expect(splitTextUnits(text).at(-1)?.trail).toEqual(titles.slice(-1))
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
