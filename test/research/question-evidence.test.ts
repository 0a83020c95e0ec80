import { describe, expect, it } from 'vitest'
import { CitationNumbers, numberCitations } from '../../src/research/report/citations.ts'
import { checkClaims } from '../../src/research/report/claims.ts'
import { checkQuotes } from '../../src/research/report/quotes.ts'
import { type ReadFile, ReportSources } from '../../src/research/report/sources.ts'
import { FileEvidence } from '../../src/research/run/file-evidence.ts'
import { assessQuestion } from '../../src/research/run/question-evidence.ts'
import { spansOf } from '../../src/research/run/spans.ts'
import { splitSentences, splitTextUnits } from '../../src/retrieval/units.ts'

function readFile(alias: string, text: string): ReadFile {
  const isCsv = alias.endsWith('.csv')
  return { alias, title: alias, text, isCsv, spans: spansOf({ text, syntax: isCsv ? 'plain' : 'markdown', isCsv }) }
}

function assess(question: string, alias: string, text: string) {
  const [part] = assessQuestion(question, { files: new FileEvidence([readFile(alias, text)]), passages: [] })
  return { answered: part?.answered, findings: part?.findings.map((finding) => finding.text) }
}

const AIRLINES = `Airline,Incidents,Fatalities,Seats
Aer Lingus,2,0,320
Air France,14,790,3004
Alitalia,7,50,698
`

const FRANCE = 'Airline: Air France; Incidents: 14; Fatalities: 790; Seats: 3004'

describe('a row of a table', () => {
  it.each([
    [
      'answers where its column and its line are named, though other words are not held',
      'How many seats did Alitalia offer in summer?',
      'part',
    ],
    ['does not answer how many of what no column holds', 'How many planes has Air France?', 'no'],
    ['answers another question that names its line as well', 'Which planes has Air France?', 'part'],
  ])('%s', (_, question, answered) => {
    expect(assess(question, 'airlines.csv', AIRLINES)).toMatchObject({ answered })
  })

  it('is told without those of other lines, where the question names its line', () => {
    const question = 'What are the incidents, the fatalities and the seats of Air France?'
    expect(assess(question, 'airlines.csv', AIRLINES)).toEqual({ answered: 'yes', findings: [FRANCE] })
  })
})

const CODES = `The 429 status code indicates that a user has sent too many requests.

Responses with the 429 status code are never stored by a cache.

The 428 status code indicates that a request must be conditional.
`

describe('a passage that is the whole answer', () => {
  it('stands without those that fit much less', () => {
    const findings = ['The 429 status code indicates that a user has sent too many requests.']
    expect(assess('What does the 429 status code indicate?', 'codes.md', CODES)).toEqual({ answered: 'yes', findings })
  })

  it('has them beside it where it may be a part of the answer', () => {
    const found = assess('What does the 429 status code indicate to a proxy?', 'codes.md', CODES)
    expect(found).toMatchObject({ answered: 'part', findings: { length: 3 } })
  })

  it('has beside it what another file says of the same, which may be otherwise', () => {
    const files = ['offer.md', 'minutes.md'].map((alias, at) =>
      readFile(
        alias,
        `The pump costs ${18400 - 500 * at} euros${', as the treasurer told the board of the club'.repeat(at)}.\n`,
      ),
    )
    const [part] = assessQuestion('What does the pump cost?', { files: new FileEvidence(files), passages: [] })
    expect(part?.findings.map(({ ref }) => ref)).toEqual(['offer.md::S1', 'minutes.md::S1'])
  })
})

it('a sentence is told once, with the one that leans on it', () => {
  const text = 'The boiler has a long guarantee. It can be installed in June, because the workshop is free then.\n'
  const { findings } = assess('When can the boiler with a guarantee be installed?', 'boiler.md', text)
  expect(findings).toEqual([text.trim()])
})

const COOKIES = 'A cookie is sent with each request to its domain.\n'
const KEKSE = 'Ein Cookie wird mit jeder Anfrage an die Domäne gesendet.\n'

describe('a word that nothing holds', () => {
  it.each([
    [
      'makes an answer unlikely as a name',
      'Is the cookie sent with each request to its domain by Chrome?',
      COOKIES,
      'no',
    ],
    [
      'makes an answer unlikely as a name of several words in one',
      'Is the cookie sent with each request to its domain by sameSite?',
      COOKIES,
      'no',
    ],
    ['is no name in small letters', 'Is the cookie sent with each request to its domain by chrome?', COOKIES, 'part'],
    ['is no name as any noun of German', 'Wird der Cookie im Urlaub gesendet?', KEKSE, 'part'],
    ['is no name as the first word', 'Chrome: is the cookie sent with each request to its domain?', COOKIES, 'part'],
  ])('%s', (_, question, text, answered) => {
    expect(assess(question, 'cookies.md', text)).toMatchObject({ answered })
  })
})

const LIMITS = 'Limit the size of manifest files.\n'

describe('a question why', () => {
  it.each([
    ['is not wholly answered by what says that it is so', LIMITS, 'part'],
    ['is, by what gives a reason', 'Limit the size of manifest files, because kubelet runs out of memory.\n', 'yes'],
  ])('%s', (_, text, answered) => {
    expect(assess('Why limit the size of manifest files?', 'report.md', text)).toMatchObject({ answered })
  })
})

describe('the words of a question', () => {
  const few = 'Does the code of a block run?'
  const many = ['The code runs in a block.', 'A block of code runs.', 'Run code within its block.'].join('\n\n')
  const others = Array.from({ length: 150 }, (_, at) => `Harbour ${at} has ${at * 3} cranes for each of its quays.`)
  it.each([
    ['show an answer where few passages hold them', 'The code runs in a block.', 'yes'],
    ['show none where many passages hold them', many, 'part'],
  ])('%s', (_, text, answered) => {
    expect(assess(few, 'book.md', [text, ...others].join('\n\n'))).toMatchObject({ answered })
  })
})

describe('a statement about a row of CSV', () => {
  it.each([
    ['what the row says', `- ${FRANCE} [airlines.csv::S3]`, 'supported'],
    ['a number across a comma of it', '- Air France had 14790 fatalities [airlines.csv::S3].', 'unsupported'],
    ['a number of another row', '- Air France had 50 fatalities [airlines.csv::S3].', 'unsupported'],
  ])('is held against its cells: %s', (_, body, verdict) => {
    const sources = new ReportSources([readFile('airlines.csv', AIRLINES)], new Map())
    const numbers = new CitationNumbers()
    const { text } = numberCitations(body, sources.find, numbers)
    const { claims } = checkClaims(text, { numbers, sourceOf: sources.claimSource, question: '', computed: [] })
    expect(claims.map((claim) => claim.verdict)).toEqual([verdict])
  })
})

const QUOTED = '> The bridge was closed in spring\n> and opened in autumn. It has\n> four lanes.\n'

describe('a block quote', () => {
  it('has no marks in its sentences', () => {
    const sentences = splitSentences(splitTextUnits(QUOTED)).map(({ text }) => text.replace(/\s+/g, ' '))
    expect(sentences.join(' ').includes('>')).toBe(false)
    expect(sentences).toHaveLength(2)
  })

  it.each([
    ['over its lines', '“closed in spring and opened in autumn” [a.md::S1]', 0],
    ['but not what it does not say', '“closed in spring and opened in winter” [a.md::S1]', 1],
    ['but not a mark that compares', '“5 > 3 lanes” [a.md::S1]', 1],
  ])('is quoted without its marks %s', (_, said, unproven) => {
    expect(checkQuotes(said, () => QUOTED).unproven).toHaveLength(unproven)
  })

  it('keeps a mark that is of the text', () => {
    expect(checkQuotes('“where 5 > 3 lanes” [a.md::S1]', () => 'where 5\n> 3 lanes').unproven).toHaveLength(0)
  })
})

describe('a question for a reason', () => {
  it.each([
    ['Why does the pier work?', 'Set the host to make the pier work.', 'part'],
    ['Why does the pier work?', 'The pier does work because the host is set.', 'yes'],
    [
      '¿Para qué se concede la licencia por paternidad?',
      'La licencia por paternidad se concede por diez días.',
      'part',
    ],
    [
      '¿Para qué se concede la licencia por paternidad?',
      'La licencia por paternidad se concede a fin de promover la familia.',
      'yes',
    ],
    ['Warum wird der Kran im Winter gewartet?', 'Der Kran wird im Winter gewartet, von zwei Leuten.', 'part'],
    ['Warum wird der Kran im Winter gewartet?', 'Der Kran wird im Winter gewartet, weil er dann steht.', 'yes'],
  ])('%s is not answered by what is done alone: %s', (question, text, answered) => {
    expect(assess(question, 'a.md', `${text}\n`).answered).toBe(answered)
  })
})

it('a word that nothing holds counts against an answer more than one that stands elsewhere', () => {
  const question = 'How long may the ferry wait at the pier for tired tourists?'
  const others = Array.from({ length: 60 }, (_, at) => `Boat ${at} is green.`)
  const text = ['The ferry may wait at the pier for ten minutes.', ...others].join('\n\n')
  expect(assess(question, 'a.md', text).answered).toBe('no')
  expect(assess(question, 'a.md', `${text}\n\nMost tired tourists swim.\n`).answered).toBe('part')
})

describe('a sentence that leads to a list', () => {
  const LIST = 'The pier supports these boats:\n\n- ferries\n- tugs\n\nSwimmers keep away.\n'

  it('is told with its items, which stand nowhere else', () => {
    const { findings } = assess('Which boats does the pier support?', 'a.md', LIST)
    expect(findings).toEqual(['The pier supports these boats: - ferries - tugs'])
  })

  it('is told with as many as fit', () => {
    const items = Array.from({ length: 100 }, (_, at) => `- boat number ${at}`)
    const { findings } = assess(
      'Which boats does the pier support?',
      'a.md',
      `The pier supports these boats:\n\n${items.join('\n')}\n`,
    )
    expect(findings?.[0]).toMatch(/^The pier supports these boats: - boat number 0 - .* - boat number \d+$/)
    expect(findings?.[0]?.length).toBeLessThanOrEqual(600)
  })

  it('is a quotation that is proven', () => {
    const file = readFile('a.md', LIST)
    const quote = '“The pier supports these boats: - ferries - tugs” [a.md::S1]'
    expect(checkQuotes(quote, () => file.text)).toMatchObject({ proven: 1, unproven: [] })
  })
})

it('a number to compare with does not count against an answer', () => {
  const text = '# Ferry\n\nThe last boat in winter leaves at 19:40.\nA single ticket costs 4.50 euros.\n'
  expect(assess('Does the last boat leave before 20:00 in winter?', 'a.md', text).answered).toBe('part')
})

describe('a question whose words all stand in a passage', () => {
  it.each([
    ['Who was the warden before Maria Lopez?', 'The warden was Maria Lopez.', 'part'],
    ['Who was the warden before Maria Lopez?', 'Peter Kahn was the warden before Maria Lopez.', 'yes'],
    ['Who owns the ferry Marta?', 'The ferry Marta carries 120 passengers.', 'part'],
    ['Who owns the ferry Marta?', 'The ferry Marta belongs to the Holm family.', 'yes'],
    ['How is the north crane turned off?', 'The north crane is turned on with a key.', 'part'],
    ['How is the north crane turned off?', 'The north crane is turned off with a key.', 'yes'],
    ['Which plant produces batteries?', 'The plant in Kiel does not produce batteries.', 'part'],
    ['Which plant produces batteries?', 'The plant in Kiel produces batteries.', 'yes'],
    ['Which plant produces no batteries?', 'The plant in Kiel does not produce batteries.', 'yes'],
    ['Who approved the Gannet project?', 'The board did not yet approve the Gannet project.', 'part'],
    ['Who is the chief executive of Holm?', 'Ann Lee is a former chief executive of Holm.', 'part'],
    ['Who is the former chief executive of Holm?', 'Ann Lee is a former chief executive of Holm.', 'yes'],
    ['Does the plant in Kiel produce batteries?', 'The plant in Kiel does not produce batteries.', 'yes'],
    ['Where does Holm open an office?', 'Holm plans to open an office in Kiel.', 'part'],
    ['How is the alarm switched on?', 'The alarm is switched off with a key.', 'part'],
    ['How do guests check out of the harbour?', 'Guests check in to the harbour at the gate.', 'part'],
    ['Where was Orion founded?', 'Anna Weber founded Orion in 2012.', 'part'],
    ['Where was Orion founded?', 'Anna Weber founded Orion in Bergen.', 'yes'],
  ])('is not wholly answered where that passage lacks what turns it: %s %s', (question, text, answered) => {
    expect(assess(question, 'a.md', `${text}\n`).answered).toBe(answered)
  })
})
