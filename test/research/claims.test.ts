import { describe, expect, it } from 'vitest'
import { checkClaims } from '../../src/research/report/claims.ts'

const PASSAGES: Readonly<Record<string, string>> = {
  'a.md::S1': 'The north crane lifts 40 tonnes at most. It was built by Kowalski in 1987, and is not used in winter.',
  'a.md::S2': 'The ferry carries 120 passengers. A ticket costs 3 euros.',
  'd.md::S1':
    'The bridge was opened on 12 March 1998 by Mayor Weber. It is 340 metres long and cost 12.5 million euros. Revenue fell by 8 percent in the third quarter. Most patients recovered within ten days. Users may delete at most five files per day. The board rejected the proposal.',
  'c.md::S1': "- **Default:** `['module', 'node']` (`serverConditions`)",
  'b-19.md::S1':
    'Tickets are sold from 0 to 1 o’clock at the gate of the pier. Guests wait for at most 20 minutes before the ferry leaves the pier. The pier is the place where tickets of the ferry have no name. The pier cannot be reached without a ticket, which has no name.',
}

const SAME: readonly (readonly [source: string, right: string, wrong: string])[] = [
  [
    'The bridge cost 12.5 million euros to build.',
    'The bridge cost €12.5 million to build',
    'The bridge cost €12.4 million to build',
  ],
  [
    'The bridge cost 12.5 million euros to build.',
    'The bridge cost EUR 12,500,000 to build',
    'The bridge cost EUR 1,250,000 to build',
  ],
  [
    'The bridge cost $3bn to build.',
    'The bridge cost 3 billion dollars to build',
    'The bridge cost 3 million dollars to build',
  ],
  ['The fund grew to 1,250,000 dollars.', 'The fund grew to $1.25m', 'The fund grew to $1.25bn'],
  ['Revenue fell in the third quarter of 2024.', 'Revenue fell in Q3 2024', 'Revenue fell in Q2 2024'],
  ['Sales doubled in H2 2023.', 'Sales doubled in the second half of 2023', 'Sales doubled in the first half of 2023'],
  [
    'The port handled 10k containers.',
    'The port handled ten thousand containers',
    'The port handled two thousand containers',
  ],
  ['The hall seats forty-five people.', 'The hall seats 45 people', 'The hall seats 46 people'],
  [
    'The gate closes at 3 p.m. on Sundays.',
    'The gate closes at 15:00 on Sundays',
    'The gate closes at 16:00 on Sundays',
  ],
  ['Eight per cent of the seats were empty.', '8% of the seats were empty', '9% of the seats were empty'],
  [
    'The pier was opened on 12.03.1998 by the mayor.',
    'The pier was opened on 12 March 1998 by the mayor',
    'The pier was opened on 12 April 1998 by the mayor',
  ],
  [
    'The pier burned on March 3rd, 2021 at night.',
    'The pier burned on 2021-03-03 at night',
    'The pier burned on 2021-03-04 at night',
  ],
  [
    'The pier, which stood for 21 years, burned on March 12th, 2021 at night.',
    'The pier, which stood for 21 years, burned on 12 March 2021 at night',
    'The pier, which stood for 21 years, burned on 21 March 2021 at night',
  ],
  [
    'The pier burned on 3 March, as another had on 2019-02-28.',
    'The pier burned on 3 March 2021',
    'The pier burned on 28 March 2021',
  ],
  [
    'The city has 12,487,000 inhabitants.',
    'The city has about 12 million inhabitants',
    'The city has about 13 million inhabitants',
  ],
  [
    'The city has 12,487,000 inhabitants.',
    'The city has roughly 12.5 million inhabitants',
    'The city has exactly 12.5 million inhabitants',
  ],
  ['The work took three months.', 'The work took 3 months', 'The work took three years'],
  ['Der Umsatz stieg um 8 Prozent.', 'Der Umsatz stieg um 8 %', 'Der Umsatz sank um 8 %'],
  ['The bridge opened in March.', 'The bridge opened in March', 'The bridge opened in May'],
  ['The board has not yet approved it.', 'The board has not approved it', 'The board has approved it'],
  ['The firm no longer sells engines.', 'The firm sells engines no longer', 'The firm sells engines'],
  ['The new plan was opposed by Kiel.', 'The new plan was opposed by Kiel', 'The new plan was supported by Kiel'],
  ['The pier has 14 lamps.', 'The pier has fourteen lamps', 'The pier has about 10 lamps'],
  ['The pier has 250 lamps.', 'The pier has two hundred and fifty lamps', 'The pier has two hundred and sixty lamps'],
  ['The pier has two hundred and fifty lamps.', 'The pier has 250 lamps', 'The pier has two hundred lamps'],
  ['The bridge cost €500,000.', 'The bridge cost half a million euros', 'The bridge cost a million euros'],
  [
    'Der Umsatz lag bei 1.234,50 Euro im Jahr.',
    'Der Umsatz lag bei 1,234.50 Euro im Jahr',
    'Der Umsatz lag bei 1,234.60 Euro im Jahr',
  ],
]

function checked(text: string) {
  return checkClaims(text, (ref) => {
    const passage = PASSAGES[ref]
    return passage === undefined ? undefined : { text: passage, context: `${ref.split('::', 1)[0]}\nThe harbour` }
  })
}

describe('a statement of a report', () => {
  it.each([
    ['“The north crane lifts 40 tonnes at most.” [a.md::S1]', 'supported'],
    ['The north crane lifts at most 40 tonnes [a.md::S1].', 'supported'],
    ['The north crane lifts at most forty-five tonnes, 45 [a.md::S1].', 'unsupported'],
    ['The north crane lifts 40 kilograms at most. [a.md::S1]', 'unsupported'],
    ['The north crane was built by Miller in 1987 [a.md::S1].', 'unsupported'],
    ['The north crane was built by Kowalski in 1988 [a.md::S1].', 'unsupported'],
    ['The north crane is used in winter [a.md::S1].', 'unsupported'],
    ['Tickets are sold from 1 to 1 o’clock at the gate of the pier [b-19.md::S1].', 'unsupported'],
    ['Guests wait for at most 19 minutes before the ferry leaves the pier [b-19.md::S1].', 'unsupported'],
    ['The pier is not the place where tickets of the ferry have no name [b-19.md::S1].', 'unsupported'],
    ['The pier can be reached without a ticket, which has no name [b-19.md::S1].', 'unsupported'],
    ['The pier cannot be reached without a ticket, which has no name [b-19.md::S1].', 'supported'],
    ['The north crane is not used in winter [a.md::S1].', 'supported'],
    ['The ferry carries 120 passengers [a.md::S1].', 'unsupported'],
    ['The ferry carries 120 passengers [a.md::S1, a.md::S2].', 'supported'],
    ['The earth is flat [a.md::S1].', 'unsupported'],
    ['The ferry carries 120 passengers.', 'uncited'],
    ['The ferry carries 120 passengers [3].', 'unsupported'],
    ['The bridge was opened on 1998-03-12 by Mayor Weber [d.md::S1].', 'supported'],
    ['The bridge was opened on 1998-04-12 by Mayor Weber [d.md::S1].', 'unsupported'],
    ['The bridge was closed on 12 March 1998 by Mayor Weber [d.md::S1].', 'unsupported'],
    ['It is 340 metres wide and cost 12.5 million euros [d.md::S1].', 'unsupported'],
    ['It is 12 metres long and cost 12.5 million euros [d.md::S1].', 'unsupported'],
    ['It is 340 metres long and cost 12.5 million dollars [d.md::S1].', 'unsupported'],
    ['It is 340 metres long and cost 12.5 billion euros [d.md::S1].', 'unsupported'],
    ['Revenue rose by 8 percent in the third quarter [d.md::S1].', 'unsupported'],
    ['Revenue fell by 8 percent in the second quarter [d.md::S1].', 'unsupported'],
    ['All patients recovered within ten days [d.md::S1].', 'unsupported'],
    ['Most patients recovered within twenty days [d.md::S1].', 'unsupported'],
    ['Users must delete at most five files per day [d.md::S1].', 'unsupported'],
    ['Users may delete at least five files per day [d.md::S1].', 'unsupported'],
    ['The board approved the proposal [d.md::S1].', 'unsupported'],
    ['Revenue fell by 8 percent in the third quarter, and the board rejected the proposal [d.md::S1].', 'supported'],
    ["“**Default:** \\`\\['module', 'node'\\]\\` (\\`serverConditions\\`)” [c.md::S1]", 'supported'],
    ['The ferry carries 120 passengers [z.md::S99].', 'unsupported'],
  ])('is judged by what it cites: %s %s', (text, verdict) => {
    const { claims, text: marked } = checked(`## Answer\n\n${text}`)
    expect(claims.map((claim) => claim.verdict)).toEqual([verdict])
    expect(marked.includes('*(')).toBe(verdict !== 'supported')
  })

  it.each(SAME)('is borne out in another notation, and only of the same number: %s %s', (source, right, wrong) => {
    const verdictOf = (claim: string) =>
      checkClaims(`${claim} [n.md::S1].`, () => ({ text: source, context: 'Fires of 2021' })).claims[0]?.verdict
    expect([verdictOf(right), verdictOf(wrong)]).toEqual(['supported', 'unsupported'])
  })

  it('is told with the number as it is written', () => {
    const said = checkClaims('The bridge cost €12.4 million [n.md::S1].', () => ({
      text: 'The bridge cost 12.5 million euros.',
      context: '',
    }))
    expect(said.claims[0]?.why).toBe('Its source does not hold 12.4.')
  })

  it('is a sentence each, with the citations that stand in it or behind it', () => {
    const text = 'The ferry carries 120 passengers. [a.md::S2] A ticket costs 3 euros [a.md::S2]. The sea is calm.'
    expect(checked(text).claims.map(({ citations, verdict }) => [citations, verdict])).toEqual([
      [['a.md::S2'], 'supported'],
      [['a.md::S2'], 'supported'],
      [[], 'uncited'],
    ])
  })

  it.each(['## Answer', 'Not found: who wrote the opera?', 'What comes nearest:', '```\nThe sea is calm.\n```', '---'])(
    'is not: %s',
    (text) => {
      expect(checked(text)).toEqual({ claims: [], text, unknown: [] })
    },
  )

  it('is found again where the report says it is, also behind marks', () => {
    const { claims, text } = checked('The sea is calm [9]. The sky is blue. A ticket costs 3 euros [a.md::S2].')
    const told = claims.map(({ start, end }) => text.slice(start, end))
    expect(told[2]).toBe('A ticket costs 3 euros [a.md::S2].')
    expect(told[0]).toContain('The sea is calm')
    expect(text.match(/\*\(/g)).toHaveLength(2)
  })

  it('is not a source where it was never read, and is told so', () => {
    expect(checked('It is so [z.md::S9]. It was so [https://example.org/a].').unknown).toEqual([
      'z.md::S9',
      'https://example.org/a',
    ])
  })
})
