import { describe, expect, it } from 'vitest'
import { readWordVectors } from '../../src/files/home.ts'
import { NearestPassages } from '../../src/retrieval/nearest-passages.ts'
import { readQuestion } from '../../src/retrieval/passages/question.ts'
import { bestFirst, PassageIndex } from '../../src/retrieval/passages.ts'
import { splitTextUnits } from '../../src/retrieval/units.ts'
import { fc, forAll } from '../support/property.ts'

const WORDS = 'harbour pilot crane vessel berth cargo signal anchor'.split(' ')

function best(text: string, question: string): string | undefined {
  const index = new PassageIndex(splitTextUnits(text))
  return bestFirst(index.rank(question))[0]?.unit.text
}

describe('questions', () => {
  it('are told by their telling words, and by all words where none tells', () => {
    expect(readQuestion('What is the depth of the berth?').words.map(({ word }) => word)).toEqual(['depth', 'berth'])
    expect(readQuestion('Who is it?').words.map(({ word }) => word)).toEqual(['Who', 'is', 'it'])
  })
})

describe('questions in other languages', () => {
  it.each([
    ['Welche Schiffe liegen im Hafen?', 'other', 'Schiffe,liegen,Hafen'],
    ['Wann erscheint das Buch The Sea?', 'other', 'erscheint,Buch,Sea'],
    ['谁的船在港口？', 'ideographic', '船在,在港,港口'],
    ['เรืออยู่ที่ไหน', 'southEastAsian', 'เรื,รือ,ออ,อยู่'],
  ])('are read without the words that ask: %s', (question, language, words) => {
    const read = readQuestion(question)
    expect([read.language, read.words.map(({ word }) => word).join()]).toEqual([language, words])
  })

  it.each([
    ['Wo liegen die Frachtschiffen?', 'Das Frachtschiff liegt am Kai.'],
    ['Где у причала краны?', 'У причала стоит новый кран с людьми.'],
    ['what is الالتزام', 'الالتزامات كثيرة'],
  ])('find forms of their words: %s', (question, text) => {
    expect(best(`Der Lotse kommt.\n\nКорабль ушёл.\n\nDer Rest bleibt.\n\n${text}`, question)).toBe(text)
  })

  it('tell characters of two words from those of one, but not in a row of single ones, which is a name', () => {
    const across = (question: string) => readQuestion(question).words.filter(({ isAcrossWords }) => isAcrossWords)
    expect(across('起重机移动货物').map(({ word }) => word)).toEqual(['机移', '动货'])
    expect(readQuestion('黑豹').words.some(({ isAcrossWords }) => isAcrossWords)).toBe(false)
  })
})

describe('passages', () => {
  it.each([
    ['the words of the question', 'A crane.\n\nThe pilot boards.', 'When does the pilot board?', 'The pilot boards.'],
    ['a heading', '# Pilots\n\nThey board.\n\n# Cranes\n\nThey lift.', 'When do pilots come?', 'They board.'],
    ['the head of a table', '| berth | depth |\n|-|-|\n| A | 9 m |\n\nA is fine.', 'What depth has A?', '| A | 9 m |'],
    ['a beginning', 'Authentication is by key.\n\nAll else is open.', 'What of auth?', 'Authentication is by key.'],
    [
      'a word that the question lengthens',
      'Auth is by key.\n\nAll else is open.',
      'What of authxy?',
      'Auth is by key.',
    ],
    ['an ending', 'Die Schiffe liegen still.\n\nDie Kräne ruhen.', 'Wo ist das Schiff?', 'Die Schiffe liegen still.'],
    [
      'the beginnings that most passages have',
      `${[...'abcdefghijklmnopq'].map((letter) => `Pilot${letter}k.`).join('\n\n')}\n\nPilotzk pilotzk.\n\nOf pilotzk.`,
      'What of pilot?',
      'Pilotzk pilotzk.',
    ],
  ])('are found by %s', (_, text, question, expected) => expect(best(text, question)).toBe(expected))

  it('never rank lower for one matching word more, of two of equal length', () => {
    const list = (words: readonly string[]) => fc.subarray([...words], { minLength: 2 })
    forAll(list(WORDS), fc.nat(), (asked, pick) => {
      const held = asked.slice(0, -1)
      const last = asked.at(-1) ?? ''
      const filler = Array.from({ length: 3 + (pick % 3) }, (_, at) => `filler${at}`)
      const index = new PassageIndex(
        splitTextUnits([[...held, 'other', ...filler].join(' '), [...held, last, ...filler].join(' ')].join('\n\n')),
      )
      const [without, having] = index.rank(asked.join(' '))
      expect(having?.score).toBeGreaterThanOrEqual(without?.score ?? Number.POSITIVE_INFINITY)
      expect(having?.coverage).toBeCloseTo(1)
    })
  })
})

describe('answers', () => {
  const UNITS = splitTextUnits(
    '# Pilots\n\nThe station has four pilots.\n\nThey board at the outer buoy.\n\n# Food\n\nThe canteen opens at six.',
  )

  it.each([
    ['How many pilots has the station?', 'The station has four pilots.', []],
    ["Why won't pilots board?", 'They board at the outer buoy.', []],
    ['Where do pilots board?', 'They board at the outer buoy.', []],
    ['How many kangaroos live in Austria?', undefined, ['kangaroos', 'live', 'Austria']],
    [
      'Which pilots speak fluent Mongolian dialects?',
      'The station has four pilots.',
      ['speak', 'fluent', 'Mongolian', 'dialects'],
    ],
  ])('are nearest to: %s', (question, first, missing) => {
    const passages = new NearestPassages(UNITS)
    const words = passages.missing(question).map(({ word }) => word)
    expect([passages.nearest(question)[0]?.unit.text, words]).toEqual([first, missing])
  })

  it.each([
    ['a word misspelt', 'Which pilts board?', 'They board at the outer buoy.', ['pilots']],
    ['its only word misspelt', 'kanteen', 'The canteen opens at six.', ['canteen']],
    ['a word that only a heading holds misspelt', 'Which fodo is there?', undefined, ['food']],
    ['an ordinary word that is near to another one', 'Does the boar board?', 'They board at the outer buoy.', []],
  ])('are nearest to a question with %s', (_, question, first, guesses) => {
    const passages = new NearestPassages(UNITS, readWordVectors)
    if (first) expect(passages.nearest(question)[0]?.unit.text).toBe(first)
    expect(passages.missing(question).flatMap((one) => one.guesses)).toEqual(guesses)
  })

  it.each([
    ['The ferry leaves at nine.', true],
    ['The ferry leaves at nine. The canteen sells soup and bread until the kitchen closes.', true],
    ['The canteen sells soup and bread until the kitchen closes. The ferry leaves at nine.', true],
    ['The canteen sells soup and bread until the kitchen closes.', false],
    ['Soup when the boat does depart.', true],
  ])('in other words are found by a sentence of a passage: %s', (text, isNear) => {
    const passages = new NearestPassages(splitTextUnits(text), readWordVectors)
    expect(passages.rank('when does the boat depart')).toHaveLength(isNear ? 1 : 0)
  })

  it('are first where they alone hold a name of it, such as a version', () => {
    const about = 'The pumps are tested and supported with every release of the control program. '.repeat(3)
    const text = `${about}\n\n- pump-2, release 4.1.0\n- pump-3, release 4.2.0\n`
    const passages = new NearestPassages(splitTextUnits(text), readWordVectors)
    const question = 'Which pumps are tested and supported with release 4.2.0?'
    expect(passages.nearest(question)[0]?.unit.text).toContain('4.2.0')
    const many = splitTextUnits(text + [1, 2, 3, 4].map((at) => `- part ${at}, release 4.2.0\n`).join(''))
    const [first] = new NearestPassages(many, readWordVectors).nearest(question)
    expect(first?.unit.text).not.toContain('4.2.0')
  })

  it('are three, and those of other sections where none holds much of a question', () => {
    const sections = Array.from({ length: 12 }, (_, at) => `## Part ${at}\n\nThe pilot of part ${at} boards.\n`)
    const passages = new NearestPassages(splitTextUnits(sections.join('\n')))
    const count = (question: string) => passages.nearest(question).length
    expect([count('Which pilot boards?'), count('Which pilot speaks fluent Mongolian dialects aboard?')]).toEqual([
      3, 11,
    ])
  })
})
