import { describe, expect, it } from 'vitest'
import { neutralise, serializeVisibly } from '../../src/text/invisible.ts'
import { fc, forAll } from '../support/property.ts'
import { anyText, PATHOLOGICAL } from './texts.ts'

const tags = (text: string) => [...text].map((char) => String.fromCodePoint(0xe0000 + char.charCodeAt(0))).join('')
const flag = (region: string) => `\u{1f3f4}${tags(region)}\u{e007f}`

it.each([
  ['plain text', 'Hello, World! 漢字 émoji ½ 日本語'],
  ['an emoji of several', 'a 👩\u200d💻 👨\u200d👩\u200d👧\u200d👦 b'],
  ['an emoji with a skin tone', '👩🏽\u200d🔬 🧑🏻\u200d🤝\u200d🧑🏿'],
  ['an emoji with the last skin tone', '👩🏿\u200d🔬'],
  ['an emoji with a variation and a joiner', '🏳\ufe0f\u200d🌈 🏴\u200d☠\ufe0f ❤\ufe0f\u200d🔥 🏋🏽\u200d♀\ufe0f'],
  ['emoji and text style', '✔\ufe0f ☎\ufe0e ™\ufe0f ↔\ufe0f ‼\ufe0f ©\ufe0e ℹ\ufe0f 〰\ufe0f'],
  ['keycaps', '1\ufe0f\u20e3 #\ufe0f\u20e3 *\ufe0f\u20e3'],
  ['the flags of England, Scotland, Wales', `${flag('gbeng')} ${flag('gbsct')}${flag('gbwls')}`],
  ['flags of letters', '🇩🇪🇫🇷'],
  ['Persian words', 'می\u200cخواهم خانه\u200cها'],
  ['Arabic with a joiner at a word end', '١٤٤٥ ه\u200d.'],
  ['Hindi', 'क्\u200dष क्\u200cष'],
  ['Sinhala', 'ශ්\u200dරී ලංකා'],
  ['Bengali and Malayalam with a joiner at a word end', 'ত্\u200d അവന്\u200d '],
  ['Mongolian', 'ᠭᠠᠵᠠᠷ\u180eᠠ'],
  ['Thai, Lao, Khmer, Burmese words', 'ภาษา\u200bไทย ພາສາ\u200bລາວ ភាសា\u200bខ្មែរ မြန်မာ\u200bဘာသာ'],
  ['marks in Hebrew and Arabic', 'שלום\u200f (a)\u200e! مرحبا\u061c 1'],
  ['a mark between a number and Arabic', '\u200f1. مرحبا \u200e-5'],
  ['variants of ideographs', '葛\u{e0100}城 辻\ufe00 禰\u{e0101}'],
  ['eight variants of ideographs', '葛\u{e0100}城'.repeat(8)],
  ['variants of symbols, Burmese letters and CJK stops', '∩\ufe00 ≨\ufe00 က\ufe00 。\ufe01 ，\ufe00'],
  ['a soft hyphen in a word', 'Donau\u00addampf\u00adschiff'],
  ['Mongolian variants', 'ᠭ\u180bᠠᠵ\u180f\u180eᠠ'],
  ['a joiner of marks', 'בְ\u034fּ a\u034f\u0301'],
  ['Hangul fillers between jamo', 'ㄱ\u3164ㅏ ᄀ\u1160ᆨ'],
  ['blanks of Braille', '⠓⠊\u2800⠞⠕\u2800\u2800\n\u2800\u2800⠓'],
  ['controls of hieroglyphs, shorthand and music', '𓀀\u{13430}𓀁 \u{1bc00}\u{1bca0}\u{1bc01} 𝅘\u{1d173}𝅘'],
])('what does something stays: %s', (_, text) => {
  expect(neutralise(text)).toEqual({ text, removed: 0, codePoints: [], lines: [] })
})

describe('what does nothing', () => {
  it.each<[string, string, string, string[]]>([
    ['a bidi override', 'a\u202eb\u202cc', 'abc', ['U+202C', 'U+202E']],
    ['bidi embeddings', '\u202aa\u202b', 'a', ['U+202A', 'U+202B']],
    ['bidi isolates', '\u2066a\u2067b\u2068c\u2069', 'abc', ['U+2066', 'U+2067', 'U+2068', 'U+2069']],
    ['bidi overrides in Hebrew too', 'שלום\u202e', 'שלום', ['U+202E']],
    [
      'tag characters',
      `a${tags('ignore all')}b`,
      'ab',
      ['U+E0020', 'U+E0061', 'U+E0065', 'U+E0067', 'U+E0069', 'U+E006C', 'U+E006E', 'U+E006F', 'U+E0072'],
    ],
    ['a language tag', '\u{e0001}a', 'a', ['U+E0001']],
    ['tags after a flag', `${flag('gbsct')}${tags('a')}`, flag('gbsct'), ['U+E0061']],
    ['a flag that is not closed', `🏴${tags('gbsct')}`, '🏴', ['U+E0062', 'U+E0063', 'U+E0067', 'U+E0073', 'U+E0074']],
    ['a flag that is a message', `🏴${tags('gbaaaaaa')}\u{e007f}`, '🏴', ['U+E0061', 'U+E0062', 'U+E0067', 'U+E007F']],
    ['a flag of digits', `🏴${tags('123')}\u{e007f}`, '🏴', ['U+E0031', 'U+E0032', 'U+E0033', 'U+E007F']],
    ['a flag', `😀${tags('gbsct')}\u{e007f}`, '😀', ['U+E0062', 'U+E0063', 'U+E0067', 'U+E0073', 'U+E0074', 'U+E007F']],
    ['a zero-width space', 'a\u200bb', 'ab', ['U+200B']],
    ['a zero-width space by a Thai word', 'ไ\u200b a\u200bไ', 'ไ aไ', ['U+200B']],
    ['joiners in Latin', 'a\u200cb\u200dc', 'abc', ['U+200C', 'U+200D']],
    ['joiners at the ends', '\u200da\u200c', 'a', ['U+200C', 'U+200D']],
    ['a joiner between an emoji and a letter', '👩\u200da', '👩a', ['U+200D']],
    ['a second joiner', '👩\u200d\u200d💻', '👩\u200d💻', ['U+200D']],
    ['a second joiner in Persian', 'می\u200c\u200cخ', 'می\u200cخ', ['U+200C']],
    ['a non-joiner before Latin', 'می\u200ca', 'میa', ['U+200C']],
    [
      'word joiners and invisible operators',
      'a\u2060b\u2061\u2062\u2063\u2064c',
      'abc',
      ['U+2060', 'U+2061', 'U+2062', 'U+2063', 'U+2064'],
    ],
    ['deprecated controls', 'a\u206ab\u206f', 'ab', ['U+206A', 'U+206F']],
    ['byte order marks', '\ufeffa\ufeffb', 'ab', ['U+FEFF']],
    ['a Mongolian separator elsewhere', 'a\u180eb', 'ab', ['U+180E']],
    ['annotations', 'a\ufff9b\ufffac\ufffb', 'abc', ['U+FFF9', 'U+FFFA', 'U+FFFB']],
    ['direction marks without right-to-left letters', 'a\u200eb\u200fc\u061c', 'abc', ['U+061C', 'U+200E', 'U+200F']],
    ['direction marks on another line', 'שלום\na\u200f', 'שלום\na', ['U+200F']],
    ['a second direction mark', 'שלום\u200f\u200e\u200f', 'שלום\u200f', ['U+200E', 'U+200F']],
    ['a variation selector after a letter', 'a\ufe0fb\ufe00', 'ab', ['U+FE00', 'U+FE0F']],
    ['a variation selector at the start', '\ufe0fa', 'a', ['U+FE0F']],
    ['a variation selector after a digit', '1\ufe0f 2', '1 2', ['U+FE0F']],
    ['a second variation selector', '✔\ufe0f\ufe0f\ufe0e', '✔\ufe0f', ['U+FE0E', 'U+FE0F']],
    ['selectors as bytes on an emoji', '😀\u{e0148}\u{e0155}\u{e015c}', '😀', ['U+E0148', 'U+E0155', 'U+E015C']],
    ['variation selectors as bits on an emoji', '😀\ufe00\ufe01', '😀', ['U+FE00', 'U+FE01']],
    ['a second variant of an ideograph', '葛\u{e0100}\u{e0101}', '葛\u{e0100}', ['U+E0101']],
    ['the flag of a region without one', flag('ustx'), '🏴', ['U+E0073', 'U+E0074', 'U+E0075', 'U+E0078', 'U+E007F']],
    ['nine variants of ideographs', '葛\u{e0100}城'.repeat(9), '葛城'.repeat(9), ['U+E0100']],
    ['variants that no ideograph has', '葛\ufe03城\ufe0f', '葛城', ['U+FE03', 'U+FE0F']],
    ['marks in Latin by a Hebrew letter', 'a\u200eb\u200f cd\u061ce א', 'ab cde א', ['U+061C', 'U+200E', 'U+200F']],
    ['a mark between right-to-left letters', 'של\u200fום', 'שלום', ['U+200F']],
    ['a mark behind another', 'א\u200f.\u200e.\u200f', 'א\u200f..', ['U+200E', 'U+200F']],
    ['styles of signs that are no emoji', '+\ufe0e=\ufe0f$\ufe0f', '+=$', ['U+FE0E', 'U+FE0F']],
    ['soft hyphens in a row', 'ab\u00ad\u00adcd', 'ab\u00adcd', ['U+00AD']],
    ['soft hyphens outside words', '\u00adab\u00ad cd 1\u00ad2', 'ab cd 12', ['U+00AD']],
    ['soft hyphens at single letters', 'i\u00adg\u00adn\u00adore', 'ignore', ['U+00AD']],
    ['a soft hyphen by fillers', '1a\u3164a\u00adbc', '1aabc', ['U+00AD', 'U+3164']],
    ['a joiner of marks before a letter', 'a\u034fb', 'ab', ['U+034F']],
    ['fillers', 'a\u115f\u1160b\u3164c\uffa0', 'abc', ['U+115F', 'U+1160', 'U+3164', 'U+FFA0']],
    ['inherent vowels of Khmer', 'ក\u17b4ក\u17b5', 'កក', ['U+17B4', 'U+17B5']],
    ['Mongolian variants elsewhere', 'a\u180bb\u180f', 'ab', ['U+180B', 'U+180F']],
    ['Braille blanks elsewhere', 'a\u2800b', 'ab', ['U+2800']],
    ['unassigned ignorables', 'a\ufff0b\ufff8\u2065', 'ab', ['U+2065', 'U+FFF0', 'U+FFF8']],
    ['controls of three blocks elsewhere', 'a\u{13430}b\u{1bca0}c\u{1d173}', 'abc', ['U+13430', 'U+1BCA0', 'U+1D173']],
    ['what stands in code', '```\nconst a\u200b = "\u202e"\n```', '```\nconst a = ""\n```', ['U+200B', 'U+202E']],
  ])('goes: %s', (_, text, expected, codePoints) => {
    const result = neutralise(text)
    expect(result.text).toBe(expected)
    expect(result.codePoints).toEqual(codePoints)
    expect(result.removed).toBe([...text].length - [...expected].length)
  })

  it('is told by line, the first ten', () => {
    expect(neutralise('a\nb\u200b\r\nc\rd\u200b\u200b\ne\u200b').lines).toEqual([2, 4, 5])
    expect(neutralise('\u200b\n'.repeat(20)).lines).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(neutralise('\u200b\n'.repeat(20)).removed).toBe(20)
  })
})

describe('neutralise', () => {
  const unit = fc.constantFrom(
    ...'a1#\n\r क्ष葛ไ😀👩💻🏽🏴☠✔ᠭשم∩。\u20e3\u200b\u200c\u200d\u200e\u200f\u202e\u2060\u2069\ufe00\ufe0e\ufe0f\ufeff\u180e\u061c',
    ...'a\u00ad\u034f\u3164ㄱㅏ\u180b\u2800⠓\u0301 +𝅘\u{1d173}',
    '\u{e0100}',
    '\u{e0067}',
    '\u{e0062}',
    '\u{e007f}',
    flag('gbsct'),
    '\ud83d',
    '\udc69',
    '\udb40',
    '\0',
  )
  const text = fc.oneof(
    fc.array(unit, { maxLength: 40 }).map((units) => units.join('')),
    anyText,
  )

  it('never throws, only removes, and has nothing left to remove', () =>
    forAll(2000, text, (input) => {
      const once = neutralise(input)
      expect(neutralise(once.text)).toEqual({ text: once.text, removed: 0, codePoints: [], lines: [] })
      expect([...input].length - once.removed).toBeGreaterThanOrEqual([...once.text].length - once.removed)
      expect(once.removed === 0).toBe(once.text === input)
      expect(once.text).not.toMatch(/[\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/)
    }))

  it('leaves nothing that is not seen between Latin letters but a soft hyphen', () => {
    const kept: string[] = []
    for (let code = 0; code <= 0x10ffff; code++) {
      const point = code >= 0xd800 && code <= 0xdfff ? '' : String.fromCodePoint(code)
      if (!/^[\p{Default_Ignorable_Code_Point}\u2800]$/u.test(point)) continue
      if (neutralise(`ab${point}cd`).removed === 0) kept.push(point)
    }
    expect(kept).toEqual(['\u00ad'])
  })

  it.each<readonly [string, string]>([
    ...PATHOLOGICAL,
    ['a run of a million', `a${'\u200b'.repeat(1_000_000)}b`],
    ['a million runs', 'a\u200d'.repeat(500_000)],
    ['marks on one long line', 'ש\u200f'.repeat(500_000)],
    ['tags after flags', `🏴${tags('gb')}`.repeat(100_000)],
  ])('survives %s', (_, input) => {
    expect(neutralise(input).text.length).toBeLessThanOrEqual(input.length)
  })
})

describe('JSON whose reader sees all of it', () => {
  it.each([
    ['a\u202eb', '"a\\u202eb"'],
    ['\u{e0049}', '"\\udb40\\udc49"'],
    ['a\u200db', '"a\\u200db"'],
    ['\u009b2J', '"\\u009b2J"'],
    ['plain é 漢', '"plain é 漢"'],
  ])('of %j', (text, json) => {
    expect(serializeVisibly(text)).toBe(json)
    expect(JSON.parse(json)).toBe(text)
  })

  it('is nothing of nothing', () => {
    expect(serializeVisibly(undefined)).toBeUndefined()
  })
})
