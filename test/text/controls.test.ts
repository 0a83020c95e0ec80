import { describe, expect, it } from 'vitest'
import { oneLine, stripControls } from '../../src/text/controls.ts'
import { fc, forAll } from '../support/property.ts'
import { anyText, PATHOLOGICAL } from './texts.ts'

/** Everything a terminal could act on. */
const ACTIVE = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/

describe('stripControls', () => {
  it.each([
    ['plain text', 'a\tb\nc é漢😀', 'a\tb\nc é漢😀'],
    ['CRLF and CR', 'a\r\nb\rc', 'a\nb\nc'],
    ['C0 controls', 'a\0b\u0007c\bd\u000be\u000cf', 'abcdef'],
    ['DEL and C1 controls', 'a\u007fb\u0085c\u009f', 'abc'],
    ['colours', 'a \u001b[1;31mred\u001b[0m b', 'a red b'],
    ['cursor moves', '\u001b[2J\u001b[Ha\u001b[10;5Hb\u001b[?25l', 'ab'],
    ['a C1 control sequence', '\u009b31mred', 'red'],
    ['a title up to BEL', '\u001b]0;evil\u0007a', 'a'],
    ['a title up to ST', '\u001b]0;evil\u001b\\a', 'a'],
    ['a title up to C1 ST', '\u009d0;evil\u009ca', 'a'],
    ['a link', '\u001b]8;;http://evil\u001b\\text\u001b]8;;\u001b\\', 'text'],
    ['a clipboard write over lines', '\u001b]52;c;aGVs\nbG8=\u0007a', 'a'],
    ['a title that is not ended, with its line', 'a\u001b]0;evil\nb', 'a\nb'],
    ['a title that another sequence ends', 'a\u001b]0;evil\u001b[31mb', 'ab'],
    [
      'device control, application and privacy strings',
      '\u001bPevil\u001b\\a\u001b_evil\u001b\\b\u001b^evil\u001b\\c\u001bXevil\u001b\\d',
      'abcd',
    ],
    ['character sets and single escapes', '\u001b(Ba\u001bcb\u001b7c\u001b=d', 'abcd'],
    ['a lone escape', 'a\u001b', 'a'],
    ['an escape before a line end', 'a\u001b\nb', 'a\nb'],
    ['a sequence that is not ended', 'a\u001b[31', 'a'],
    ['bidi controls', 'a\u202eb\u2066c\u200fd', 'abcd'],
    ['an escape in an escape', '\u001b\u001b[31[31ma', '31ma'],
  ])('handles %s', (_, text, expected) => {
    expect(stripControls(text)).toBe(expected)
  })

  it('leaves nothing that a terminal acts on, and is done at once', () => {
    const noise = fc.string({ unit: fc.constantFrom(...'\u001b\u009b\u009d\u0090\u0007\u009c[]PX^_\\;0m\n\r\tab?(') })
    forAll(1000, fc.oneof(noise, anyText), (text) => {
      const safe = stripControls(text)
      expect(safe).not.toMatch(ACTIVE)
      expect(stripControls(safe)).toBe(safe)
    })
  })

  it.each<readonly [string, string]>([
    ...PATHOLOGICAL,
    ['escapes', '\u001b'.repeat(1_000_000)],
    ['strings that are not ended', '\u001b]'.repeat(500_000)],
    ['C1 strings that are not ended', '\u009d'.repeat(1_000_000)],
    ['sequences that are not ended', '\u001b[1;'.repeat(250_000)],
    ['a sequence of a million spaces', `\u001b[${' '.repeat(1_000_000)}`],
  ])('survives %s', (_, text) => {
    expect(stripControls(text)).not.toMatch(ACTIVE)
  })
})

describe('oneLine', () => {
  it.each([
    ['AGENTS.md', 'AGENTS.md'],
    ['a b/é漢😀', 'a b/é漢😀'],
    ['a\nb\r\nc\td', 'a\\nb\\r\\nc\\td'],
    ['\u001b[31mred', '\\u{1b}[31mred'],
    ['a\0b\u007fc\u009bd', 'a\\u{0}b\\u{7f}c\\u{9b}d'],
    ['a\u2028b\u2029c', 'a\\u{2028}b\\u{2029}c'],
    ['a\u202eb\u061cc', 'a\\u{202e}b\\u{61c}c'],
  ])('shows %j as %s', (text, line) => {
    expect(oneLine(text)).toBe(line)
  })

  it('gives one line without controls', () =>
    forAll(anyText, (text) => {
      expect(oneLine(text)).not.toMatch(ACTIVE)
      expect(oneLine(text)).not.toMatch(/[\n\t\u2028\u2029]/)
    }))
})
