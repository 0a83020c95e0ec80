import { describe, expect, it } from 'vitest'
import type { Message } from '../../src/models/language.ts'
import { verifyAnswer } from '../../src/research/answer-check.ts'
import { frameText } from '../../src/text/frames.ts'

const TEXT =
  '# Harbour\n\n## Boats\n\nThe ferry carries 120 passengers.\n\n## Cranes\n\nThe north crane lifts 40 tonnes & more.\n'

const sources = (lines: string) => frameText({ tag: 'sources', attributes: {}, text: lines })
const toolResult = (text: string): Message => ({
  role: 'tool',
  results: [{ id: '1', tool: 'read', isError: false, text }],
})

function documentResult(number: number, text: string): Message {
  const attributes = { uri: `ambit://docs/${number}.md`, lines: '1-1' }
  return toolResult(`${sources(`[${number}] ${attributes.uri}`)}${frameText({ tag: 'document', attributes, text })}`)
}

const MESSAGES: readonly Message[] = [
  {
    role: 'context',
    text: `${frameText({ tag: 'place', attributes: {}, text: '/srv' })}${sources('[1] file:///srv/AGENTS.md')}${frameText({ tag: 'context', attributes: { filename: '/srv/AGENTS.md' }, text: 'Boats are numbered.' })}`,
  },
  { role: 'user', text: 'What of boats?' },
  toolResult(
    `${sources('[2] ambit://docs/harbour.md')}${frameText({ tag: 'document', attributes: { uri: 'ambit://docs/harbour.md', lines: '11-19' }, text: TEXT })}`,
  ),
]

const check = (
  answer: string,
  judge?: Parameters<typeof verifyAnswer>[1],
  isRenumbered = true,
  messages: readonly Message[] = MESSAGES,
) =>
  verifyAnswer(
    {
      question: 'What of boats?',
      today: '2026-11-28',
      answer,
      messages,
      isQuoted: false,
      isRenumbered,
    },
    judge,
  )

const judge: NonNullable<Parameters<typeof verifyAnswer>[1]> = async ({ claims, passages }) => {
  expect(passages[0]?.text).toContain('The north crane lifts 40 tonnes & more.')
  const value = claims.map(({ id, claim }) => ({
    id,
    verdict: /strong/.test(claim) ? ('unsupported' as const) : ('supported' as const),
    why: '',
  }))
  return { value, spent: { calls: 1, input: 10, output: 5 }, by: 'stub' }
}

describe('an answer', () => {
  it('has its sources numbered from 1, each with the line and the heading of what it is cited for', async () => {
    const { text, citations, claims } = await check('The ferry carries 120 passengers [2]. Boats have numbers [1].')
    expect(text).toBe('The ferry carries 120 passengers [1]. Boats have numbers [2].')
    expect(citations).toEqual([
      { number: 1, place: 'ambit://docs/harbour.md', line: 15, heading: 'Boats' },
      { number: 2, place: 'file:///srv/AGENTS.md', line: 1 },
    ])
    expect(claims.map(({ verdict }) => verdict)).toEqual(['supported', 'unchecked'])
  })

  it.each([
    [
      'most statements that cite it',
      'Boats pay in May [1]. Ferries pay ten crowns [1]. At night ferries pay twenty crowns [1].',
      5,
    ],
    ['the cell that cites it', '| Boats and May and pay in the month [2] | Ferries pay crowns [1] |', 5],
    ['the item of a list', 'A crane pays nothing [1].', 10],
    ['its only statement', 'Boats pay in May [1].', 1],
  ])('has the line of a source that supports %s', async (_, answer, line) => {
    const text =
      'Boats pay in the month of May.\n\n## Prices\n\nFerries pay ten crowns, at night twenty.\n\n## Free\n\n- Rafts\n- A crane pays nothing.\n'
    const { citations } = await check(answer, undefined, false, [documentResult(1, text), documentResult(2, 'Boats.')])
    expect(citations.find(({ number }) => number === 1)?.line).toBe(line)
  })

  it('has each section that a source is cited for, once', async () => {
    const text = '# Fees\n\n## Boats\n\nBoats pay in May.\n\nA mast is free.\n\n## Ferries\n\nFerries pay ten crowns.\n'
    const answer = 'Ferries pay ten crowns [1]. Boats pay in May [1]. A mast is free [1]. Nobody swims [1].'
    const { citations } = await check(answer, undefined, false, [documentResult(1, text)])
    const sections = [
      { line: 5, heading: 'Boats' },
      { line: 11, heading: 'Ferries' },
    ]
    expect(citations).toMatchObject([{ sections }])
  })

  it('keeps its numbers where it was shown already', async () => {
    const { citations } = await check('The ferry carries 120 passengers [2].', undefined, false)
    expect(citations).toMatchObject([{ number: 2, line: 15 }])
  })

  it.each(['4294967296', '999999999999'])(
    'is checked at once beside a source that has the number %s',
    async (number) => {
      const messages = [...MESSAGES, toolResult(sources(`[${number}] ambit://docs/far.md`))]
      const { citations } = await check('The ferry carries 120 passengers [2].', undefined, true, messages)
      expect(citations).toMatchObject([{ place: 'ambit://docs/harbour.md' }])
    },
  )

  it.each([
    ['a number that stands nowhere', 'The ferry carries 150 passengers [2].', '150'],
    ['words that nobody wrote', 'It says “the ferry never carries anybody” [2].', 'never'],
  ])('is marked by code where it has %s, whatever a judge says', async (_, answer, word) => {
    for (const by of [undefined, judge]) {
      const { text, claims } = await check(answer, by)
      expect(text).toContain('*(not borne out by its source)*')
      expect(claims[0]).toMatchObject({ verdict: 'unsupported', why: expect.stringContaining(word) })
    }
  })

  it('is judged statement by statement; what cites nothing is left as it is', async () => {
    const { text, claims, spent } = await check('Well. The crane is strong [2]. Cranes lift tonnes [2].', judge)
    const said = [{ verdict: 'unsupported', why: 'The passages do not say so.' }, { verdict: 'supported' }]
    expect(claims).toMatchObject(said)
    expect(text).toBe('Well. The crane is strong [1]. *(not borne out by its source)* Cranes lift tonnes [1].')
    expect(spent).toMatchObject({ calls: 1, input: 10 })
  })

  it('may go on from what a statement before it shows to follow from its sources, and its judge sees that', async () => {
    const sums = 'A ferry and a crane make 120 + 40 = 160 [2]. Doubled, that is 160 + 160 = 320 [2].'
    const seen: string[][] = []
    const { claims } = await check(sums, async ({ claims, passages }) => {
      for (const one of claims)
        seen.push(passages.filter(({ id }) => one.passages.includes(id)).map(({ text }) => text))
      const value = claims.map(({ id }) => ({ id, verdict: 'supported' as const, why: '' }))
      return { value, spent: { calls: 1, input: 10, output: 5 }, by: 'stub' }
    })
    expect(claims.map(({ verdict }) => verdict)).toEqual(['supported', 'supported'])
    expect(seen.map((texts) => texts.includes('120 + 40 = 160'))).toEqual([false, true])
    const wrongSum = sums.replace('= 160 [2]', '= 170 [2]')
    const unknownNumber = 'Ten ferries make 555 + 40 = 595 [2]. Doubled, that is 595 + 595 = 1190 [2].'
    for (const text of [wrongSum, unknownNumber])
      expect((await check(text)).claims.map(({ verdict }) => verdict)).toEqual(['unsupported', 'unsupported'])
  })

  it('has a source that it cites judged as a whole, though its words are elsewhere', async () => {
    const text = `Nobody lands from dusk to dawn.\n\n${'Boats at night are green.\n\n'.repeat(400)}`
    expect.assertions(1)
    const reads: typeof judge = async ({ passages }) => {
      expect(passages[0]?.text).toContain('from dusk to dawn')
      return { value: [], spent: { calls: 1, input: 10, output: 5 }, by: 'stub' }
    }
    await check('Boats stay away at night [1].', reads, true, [documentResult(1, text)])
  })

  it('that cites sixty long sources is checked while others are answered', async () => {
    const numbers = Array.from({ length: 60 }, (_, at) => at + 10)
    const messages = numbers.map((number) =>
      documentResult(number, `Berth ${number} is ${number * 7} metres long, and was painted in May. `.repeat(800)),
    )
    const answer = numbers.map((number) => `Berth ${number} has ${number * 7 + 1} metres [${number}].`).join(' ')
    let turns = 0
    const beat = setInterval(() => turns++, 5)
    const { claims } = await check(answer, undefined, true, messages)
    clearInterval(beat)
    expect(claims).toHaveLength(60)
    expect(turns).toBeGreaterThan(3)
  })

  it('is checked against the attached file that it cites', async () => {
    const fileOf = (name: string, text: string) => {
      return { name, mediaType: 'text/plain', data: Buffer.from(text).toString('base64') }
    }
    const files = [fileOf('a.md', 'Boats pay ten crowns.'), fileOf('b.md', 'Rafts pay nothing.')]
    const messages: readonly Message[] = [
      { role: 'context', text: sources('[1] attachment:a.md\n[2] attachment:b.md') },
      { role: 'user', text: 'What do boats pay?', files },
    ]
    const { claims } = await check('Boats pay ten crowns [1].', undefined, false, messages)
    expect(claims).toMatchObject([{ verdict: 'supported' }])
  })

  it('that cites what it was never told is left as it is', async () => {
    expect(await check('So it is [7].')).toMatchObject({ text: 'So it is [7].', citations: [], claims: [] })
  })
})
