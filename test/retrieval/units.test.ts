import { describe, expect, it } from 'vitest'
import { splitTextUnits } from '../../src/retrieval/units.ts'
import { fc, forAll } from '../support/property.ts'

const told = (text: string) =>
  splitTextUnits(text).map(({ kind, text, trail, lead }) => [kind, text, trail.join('/'), lead] as const)

/** `kind|text|trail|lead` of each. */
const units = (...given: readonly string[]) => given.map((unit) => unit.split('|'))

describe('the units of a text', () => {
  it.each([
    ['a paragraph under its headings', '# A\n\n## B\n\nOne\ntwo.\n', [['paragraph', 'One\ntwo.', 'A/B', '']]],
    ['a heading that is underlined', 'A\n=\n\nB\n-\n\nOne.', [['paragraph', 'One.', 'A/B', '']]],
    [
      'list items with the sentence that leads to them',
      'First. It needs:\n\n- one\n- two\n  more\n\nAfter.',
      units(
        'paragraph|First. It needs:||',
        'item|- one||It needs:',
        'item|- two\n  more||It needs:',
        'paragraph|After.||',
      ),
    ],
    [
      'an item in an item',
      '- outer\n  - inner\n- next',
      units('item|- outer||', 'item|- inner||- outer', 'item|- next||'),
    ],
    [
      'rows of a table with its header',
      '| a | b |\n| - | - |\n| 1 | 2 |\n| 3 | 4 |\n',
      ['| 1 | 2 |', '| 3 | 4 |'].map((row) => ['row', row, '', '| a | b |']),
    ],
    ['code, empty lines', '```sh\n# no heading\n\nrun\n```\n', [['code', '```sh\n# no heading\n\nrun\n```', '', '']]],
    ['no front matter without a line after it', '---\na: b\n...', []],
    ['no front matter, comments, rules nor anchors', '---\na: b\n---\n<!-- c\n\nd -->\n\n***\n\n<a id="x"></a>\n', []],
  ])('are %s', (_, text, expected) => expect(told(text)).toEqual(expected))

  it('stand where they say, in order, and apart', () => {
    const piece = fc.constantFrom(
      ...'# A\n@one two. @\n@\n\n@- item@> @| a | b |\n@|-|-|\n@```\n@  @===\n@x'.split('@'),
    )
    forAll(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const text = pieces.join('')
      let end = 0
      for (const unit of splitTextUnits(text)) {
        expect(unit.start).toBeGreaterThanOrEqual(end)
        expect(text.slice(unit.start, unit.end)).toBe(unit.text)
        expect(text.slice(0, unit.start).split('\n').length).toBe(unit.line)
        end = unit.end
      }
    })
  })
})
