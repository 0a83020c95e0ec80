import { describe, expect, it } from 'vitest'
import { CLAIM_SETS, type LabelledClaim, readLabelled, verdictsBy } from '../../bench/research/claims.ts'
import { CitationNumbers, numberCitations, renumber } from '../../src/research/report/citations.ts'
import { checkClaims, claimKey, type JudgedClaim } from '../../src/research/report/claims.ts'
import { findUnsupportedNumber } from '../../src/research/report/numbers.ts'
import { fc, forAll } from '../support/property.ts'

const PASSAGES: Readonly<Record<string, string>> = {
  'a.md::S1': 'The north crane lifts 40 tonnes at most. It was built by Kowalski in 1987, and is not used in winter.',
  'a.md::S2': 'The ferry carries 120 passengers. A ticket costs 3 euros.',
  'a.md::S3': 'Children of nine and fourteen pay half.',
  'a.md::S4': 'A year costs 508,200. The next one costs 72,600 more.',
  'calculation:1/1': '11 * 52800 = 580800\nof It costs 52,800.',
  'calculation:1/2': 'sum\n647900\n\nBy SELECT sum(fee) FROM fees',
  'c.md::S1': "- **Default:** `['module', 'node']` (`serverConditions`)",
  'c.md::S2': 'The harbour is the subject of a book (ISBN-9780306406157).',
  'd.md::S1': 'The works begin on 2026-12-01.',
  'https://example.org/a': 'The tide is high at noon, and low at 18:40.',
}

function checked(text: string, judge?: JudgedClaim['verdict']) {
  const numbers = new CitationNumbers()
  const find = (name: string) => [name, name.replace(/\/?(?:#.*)?$/, '')].find((one) => PASSAGES[one] !== undefined)
  const numbered = numberCitations(text, find, numbers)
  const sourceOf = (ref: string) => {
    const passage = PASSAGES[ref]
    return passage === undefined ? undefined : { text: passage, context: `${ref.split('::', 1)[0]}\nThe harbour` }
  }
  const basis = { numbers, sourceOf, question: 'How many cars do 7 ferries carry?', computed: [] }
  const first = checkClaims(numbered.text, basis).claims
  const judged = judge && new Map(first.map((claim) => [claimKey(claim), { verdict: judge, why: 'Because.' }]))
  return { ...checkClaims(numbered.text, { ...basis, judged }), unknown: numbered.unknown }
}

describe('a statement of a report', () => {
  it.each([
    ['as it stands', '“The north crane lifts 40 tonnes at most.” [a.md::S1]', 'supported'],
    ['without its quotation marks', 'The north crane lifts 40 tonnes at most [a.md::S1].', 'supported'],
    ['in other words', 'The crane in the north can carry up to 40 tonnes [a.md::S1].', 'unchecked'],
    ['as a part of a sentence', 'It is not used in winter [a.md::S1].', 'unchecked'],
    ['with a number that stands nowhere', 'The north crane lifts 45 tonnes [a.md::S1].', 'unsupported'],
    ['with one in words', 'The north crane lifts forty-five tonnes [a.md::S1].', 'unsupported'],
    ['with one that stands elsewhere', 'The ferry carries 120 passengers [a.md::S1].', 'unsupported'],
    ['with the number of another name', 'The north crane lifts 40 tonnes by K9-2024 [a.md::S1].', 'unsupported'],
    ['with the long number of a name', 'The book ISBN-9780306406157 tells of it [c.md::S2].', 'unchecked'],
    ['with another year', 'The north crane was built in 1988 [a.md::S1].', 'unsupported'],
    ['with the number of the question', 'Seven ferries, 7 in all, carry people [a.md::S2].', 'unchecked'],
    ['with a sum of both', 'With 7 more it carries 127 passengers [a.md::S2].', 'unchecked'],
    ['with a product', '7 ferries carry 840 passengers [a.md::S2].', 'unchecked'],
    ['with a wrong product', '7 ferries carry 860 passengers [a.md::S2].', 'unsupported'],
    ['with a sum in brackets', 'Both take 160 of something (40 + 120 = 160) [a.md::S1][a.md::S2].', 'unchecked'],
    ['with brackets in it', 'Both take 320 of something (2 * (40 + 120) = 320) [a.md::S1][a.md::S2].', 'unchecked'],
    ['with a wrong one', 'Both take 170 of something (40 + 120 = 170) [a.md::S1][a.md::S2].', 'unsupported'],
    ['with a calculated day', 'They end on 2027-01-26 (2026-12-01 + 8 weeks = 2027-01-26) [d.md::S1].', 'unchecked'],
    ['with a wrong day', 'They end on 2027-01-27 (2026-12-01 + 8 weeks = 2027-01-27) [d.md::S1].', 'unsupported'],
    ['with a share', 'It is 14.3% (72,600 / 508,200 × 100 = 14.3) more [a.md::S4].', 'unchecked'],
    ['with a share that is no factor', 'It is 14.3% (72,600 / 508,200 = 14.3%) more [a.md::S4].', 'unchecked'],
    ['with a wrong share', 'It is 15.3% (72,600 / 508,200 × 100 = 15.3) more [a.md::S4].', 'unsupported'],
    ['with 100 of nothing', 'It is 100 × 508,200 pounds [a.md::S4].', 'unsupported'],
    ['with one of two numbers in words', 'Whoever is fourteen pays less [a.md::S3].', 'unchecked'],
    ['with two wrong ones in words', 'Those of fourteen and nineteen pay less [a.md::S3].', 'unsupported'],
    ['with a difference', 'It is £67,100 more [calculation:1/1, calculation:1/2].', 'unchecked'],
    ['with a sum', 'It is £1,228,700 in all [calculation:1/1, calculation:1/2].', 'unchecked'],
    ['with a wrong difference', 'It is £67,200 more [calculation:1/1, calculation:1/2].', 'unsupported'],
    ['with a name that begins with digits', 'The crane of 37signals lifts 40 tonnes [a.md::S1].', 'unchecked'],
    ['with a number that a unit follows at once', 'The crane lifts 45km [a.md::S1].', 'unsupported'],
    ['with millions that follow at once', 'The crane lifts 45million tonnes [a.md::S1].', 'unsupported'],
    ['with a bold lead', '- **Ferry.** At most 120 people fit [a.md::S2].', 'unchecked'],
    ['with a quotation that is not there', 'It is “not used in summer” [a.md::S1].', 'unsupported'],
    ['with two sources', 'The ferry carries 120 passengers [a.md::S1, a.md::S2].', 'supported'],
    ['with code', "“**Default:** \\`\\['module', 'node'\\]\\` (\\`serverConditions\\`)” [c.md::S1]", 'supported'],
    ['without a source', 'The ferry carries 120 passengers.', 'uncited'],
    ['with a source that was never read', 'The ferry carries 120 passengers [z.md::S99].', 'unsupported'],
    ['with a number for a source', 'The ferry carries 120 passengers [3].', 'unsupported'],
  ])('is looked at by code: %s', (_, text, verdict) => {
    const { claims, text: marked } = checked(`## Answer\n\n${text}`)
    expect(claims.map((claim) => claim.verdict)).toEqual([verdict])
    expect(marked.includes('*(')).toBe(!['supported', 'unchecked'].includes(verdict))
  })

  it('is what a judge says of it, unless code has refused or found it', () => {
    const text =
      'The crane can carry up to 40 tonnes [a.md::S1]. It lifts 45 tonnes [a.md::S1]. A ticket costs 3 euros [a.md::S2]. It is so.'
    const verdicts = (judge: JudgedClaim['verdict']) => checked(text, judge).claims.map(({ verdict }) => verdict)
    expect(verdicts('supported')).toEqual(['supported', 'unsupported', 'supported', 'supported'])
    expect(verdicts('partly')).toEqual(['partly', 'unsupported', 'supported', 'uncited'])
    expect(verdicts('unsupported')).toEqual(['unsupported', 'unsupported', 'supported', 'uncited'])
  })

  it('is a sentence each, with the citations that stand in it or behind it', () => {
    const text = 'The ferry carries 120 passengers. [a.md::S2] A ticket costs 3 euros [a.md::S2]. The sea is calm.'
    expect(checked(text).claims.map(({ citations, verdict }) => [citations, verdict])).toEqual([
      [['a.md::S2'], 'supported'],
      [['a.md::S2'], 'supported'],
      [[], 'uncited'],
    ])
  })

  it.each([
    ['its item', '- The sea is calm. A ticket costs 3 euros [a.md::S2].\n- It is so [a.md::S1].', ['a.md::S2']],
    ['its paragraph', 'The sea is calm. A ticket\ncosts 3 euros [a.md::S2].\n\nIt is so [a.md::S1].', ['a.md::S2']],
    ['its section', 'The sea is calm.\n\n- It is so [a.md::S1].\n- Or so [a.md::S2].', ['a.md::S1', 'a.md::S2']],
  ])('that cites nothing is compared with what %s cites', (_, text, refs) => {
    expect(checked(text).claims[0]).toMatchObject({ text: 'The sea is calm.', nearbyCitations: refs })
  })

  it('is not borne out by a note of the model itself, though it was computed', () => {
    const numbers = new CitationNumbers()
    numbers.numberOf('a.md::S2')
    const note = 'All of the 5 ferries are full.'
    const basis = { numbers, sourceOf: () => ({ text: 'n\n5', context: '' }), question: '', computed: [note] }
    expect(checkClaims(`${note} [1]`, basis).claims.map(({ verdict }) => verdict)).toEqual(['unchecked'])
  })

  it('may hold the day on which it is asked', () => {
    const numbers = new CitationNumbers()
    numbers.numberOf('a.md::S1')
    const basis = { numbers, sourceOf: () => ({ text: 'It ends in March.', context: '' }), question: '', computed: [] }
    const verdictOn = (today: string) =>
      checkClaims('It is over by 28 November [1].', { ...basis, today }).claims[0]?.verdict
    expect(['2026-11-28', '2026-11-29'].map(verdictOn)).toEqual(['unchecked', 'unsupported'])
  })

  it.each(['**The sea** is calm.', '1.5 boats go.'])(
    'begins with its first sign, which is none of a list: %s',
    (text) => {
      expect(checked(text).claims.map(({ start, text: said }) => [start, said])).toEqual([
        [0, text.replaceAll('**', '')],
      ])
    },
  )

  it('in bold type is one, too, where it ends as a sentence does, or cites', () => {
    const text = '**The sea is calm.**\n\n**The ferry carries 900 passengers [a.md::S2]**'
    expect(checked(text).claims.map(({ verdict }) => verdict)).toEqual(['uncited', 'unsupported'])
  })

  it.each(['## Boats', '**Boats**', '**Boats:**'])('stands under its heading: %s', (heading) => {
    const { claims } = checked(`${heading}\n\nThe sea is calm.`)
    expect(claims.map(({ text, section }) => [text, section.replace(':', '')])).toEqual([['The sea is calm.', 'Boats']])
  })

  it('may be of what a question before it names, which states nothing itself', () => {
    const { claims } = checked('Does it carry 900 cars [a.md::S1]? A ticket costs 3 euros [a.md::S2].')
    expect(claims.map(({ text, before }) => [text, before])).toEqual([
      ['A ticket costs 3 euros.', 'Does it carry 900 cars?'],
    ])
  })

  it.each([
    '## Answer',
    'Is the sea calm?',
    'Not found: who wrote the opera?',
    'What comes nearest:',
    '```\nThe sea is calm.\n```',
    '---',
  ])('is not: %s', (text) => expect(checked(text)).toEqual({ claims: [], text, unknown: [] }))

  it('is found again where the report says it is, also behind marks', () => {
    const { claims, text } = checked('The sea is calm [9]. The sky is blue. A ticket costs 3 euros [a.md::S2].')
    const told = claims.map(({ start, end }) => text.slice(start, end))
    expect(told[2]).toBe('A ticket costs 3 euros [1].')
    expect(told[0]).toContain('The sea is calm')
    expect(text.match(/\*\(/g)).toHaveLength(2)
  })
})

describe('a citation', () => {
  it.each([
    ['of a span', 'It [a.md::S1].', 'It [1].', ['a.md::S1']],
    ['of several', 'It [a.md::S1, a.md::S2].', 'It [1][2].', ['a.md::S1', 'a.md::S2']],
    ['of a page', 'It [https://example.org/a].', 'It [1].', ['https://example.org/a']],
    ['of a page with a slash', 'It [https://example.org/a/].', 'It [1].', ['https://example.org/a']],
    ['of a part of a page', 'It [https://example.org/a#part].', 'It [1].', ['https://example.org/a']],
    ['with a title', 'It ([Tides](https://example.org/a)).', 'It [1].', ['https://example.org/a']],
    ['with a title and a part', 'It [Tides](https://example.org/a#x).', 'It [1].', ['https://example.org/a']],
    ['whose title is a span', 'It [a.md::S1](https://example.org/b).', 'It [1].', ['a.md::S1']],
    ['of a page that was never read', 'It [b](https://b.example).', 'It *(no such source: b.example)*.', []],
    ['that only mentions a page', 'It (https://b.example).', 'It (https://b.example).', []],
    ['in parentheses', 'It (https://example.org/a).', 'It [1].', ['https://example.org/a']],
    ['in angle brackets', 'It <https://example.org/a>.', 'It [1].', ['https://example.org/a']],
    ['of what was never read', 'It [b.md::S1].', 'It *(no such source: b.md::S1)*.', []],
    ['that is none', 'It [sic] is [text](#there) `[a.md::S1]`.', 'It [sic] is [text](#there) `[a.md::S1]`.', []],
  ])('%s is its number', (_, text, numbered, refs) => {
    const numbers = new CitationNumbers()
    const find = (name: string) => [name, name.replace(/\/?(?:#.*)?$/, '')].find((one) => PASSAGES[one] !== undefined)
    const once = numberCitations(text, find, numbers)
    expect([once.text, renumber(once.text, numbers).refs]).toEqual([numbered, refs])
    expect(numberCitations(once.text, find, numbers).text).toBe(once.text)
  })

  it('by number leads to what a model was told under it, and is numbered anew in the order of the text', () => {
    const numbers = new CitationNumbers()
    for (const ref of ['a', 'b', 'c', 'd', 'e']) numbers.numberOf(ref)
    const { text, unknown } = numberCitations('It [4]. So [2, 4]. No [7]. All [^3-5].', () => undefined, numbers)
    expect(unknown).toEqual(['7'])
    expect(renumber(text, numbers)).toEqual({
      text: 'It [1]. So [2][1]. No *(no such source: 7)*. All [3][1][4].',
      refs: ['d', 'b', 'c', 'e'],
    })
  })
})

const basisOf = (text: string) => ({ passages: [{ text }], otherTexts: [], question: '' })

describe('a number of a statement', () => {
  it('of four digits that stands nowhere is found', () => {
    forAll(fc.integer({ min: 220, max: 999 }), (tens) => {
      const number = tens * 10 + 7
      const text = 'The fee is £180. A visit costs £95 per half day, and 30 days pass before it.'
      expect(findUnsupportedNumber(`The fee is £${number}.`, basisOf(text))).toBe(`£${number}`)
    })
    expect(findUnsupportedNumber('It is the form `K9-2024`.', basisOf('It is the form K9-2023.'))).toBe('K9-2024')
  })

  it('that follows from a share and two numbers of the question is exact', () => {
    const basis = { ...basisOf('A seat costs £180, less 15 %.'), question: 'What do 24 seats cost for 5 years?' }
    const of = (number: string) => findUnsupportedNumber(`It is £${number} in all.`, basis)
    expect(['18,360', '25,000'].map(of)).toEqual([undefined, '£25,000'])
  })
})

describe.each(Object.entries(CLAIM_SETS))(
  'of statements over documents, true in a writer’s own words and false in those of the document: %s',
  (_, sets) => {
    const claims = sets.flatMap((name) => readLabelled<LabelledClaim>(name))
    const isTrue = ({ label }: LabelledClaim) => label === 'supported'
    const share = (some: readonly LabelledClaim[], test: (claim: LabelledClaim) => boolean) =>
      some.filter(test).length / some.length

    it('a perfect judge has its way', () => {
      const accepted = (one: LabelledClaim) => verdictsBy('perfect', one).every((verdict) => verdict === 'supported')
      expect(share(claims.filter(isTrue), accepted)).toBeGreaterThanOrEqual(0.97)
      const refused = (one: LabelledClaim) => verdictsBy('perfect', one).every((verdict) => verdict !== 'supported')
      const wrong = claims.filter((one) => !isTrue(one))
      expect(share(wrong, refused)).toBeGreaterThanOrEqual(0.97)
    })

    it('no true one is called false without a judge', () => {
      const doubted = claims.filter(isTrue).filter((one) => {
        return verdictsBy('nobody', one).some((verdict) => !['supported', 'unchecked'].includes(verdict))
      })
      expect(doubted.map(({ id }) => id)).toEqual([])
    })

    it('a judge that agrees with everything does not make a number stand that stands nowhere, nor a quotation', () => {
      for (const claim of claims.filter(isTrue)) {
        const [number, quote] = [
          `${claim.claim} It was 8,731 in all.`,
          `${claim.claim} It is “as good as any other one”.`,
        ]
        const said = (text: string) => verdictsBy('agrees', { ...claim, claim: text }).at(-1)
        expect([said(number), said(quote)]).toEqual(['unsupported', 'unsupported'])
      }
      const invented = claims.filter(({ label, kind }) => label === 'refuted' && kind === 'quotation')
      expect(invented.flatMap((claim) => verdictsBy('agrees', claim))).toEqual(invented.map(() => 'unsupported'))
    })
  },
)
