import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readAsset } from '../../src/files/home.ts'
import {
  compoundsWith,
  firstLetters,
  nearestWord,
  nearTerms,
  partsOfCompound,
  possibleParts,
  slipsOf,
} from '../../src/retrieval/guesses.ts'
import { fusePassages, fuseScores, WordMeaning } from '../../src/retrieval/meaning.ts'
import { NearestPassages } from '../../src/retrieval/nearest-passages.ts'
import { centreOf, nearestByBits, packVector, sought } from '../../src/retrieval/packed-vectors.ts'
import { PassageIndex, readQuestion, type WantedTerm } from '../../src/retrieval/passages.ts'
import { Bytes, decodePostings, encodePostings } from '../../src/retrieval/postings.ts'
import { parseQuery, stemsOfPrefix } from '../../src/retrieval/query.ts'
import { type RankedTerm, rank } from '../../src/retrieval/rank.ts'
import { exactTextsIn, indexedNames, ownNameFinder, Rereader } from '../../src/retrieval/reread.ts'
import { postingsIn, SegmentBuilder } from '../../src/retrieval/segment.ts'
import { holdsPhrase, passageAround, snippetsOf } from '../../src/retrieval/snippets.ts'
import { mayHold, piecesOfWords, placesOf, termsOfPiece } from '../../src/retrieval/substrings.ts'
import { foldWord, mainTerms, scanTerms, termsAmong } from '../../src/retrieval/terms.ts'
import { splitTextUnits } from '../../src/retrieval/units.ts'

/* What queries mean, how texts are divided, and each score with its digits. */

const FIXTURES = join(import.meta.dirname, 'fixtures')

function filesIn(name: string): (readonly [path: string, text: string])[] {
  const parts = readFileSync(join(FIXTURES, name), 'utf8').split(/^=== (.+)\n/m)
  return parts.flatMap((path, at) => (at % 2 === 1 ? [[path, parts[at + 1] ?? ''] as const] : []))
}

const TEXTS = filesIn('texts.txt')
const QUERIES = readFileSync(join(FIXTURES, 'queries.txt'), 'utf8').replaceAll('\\u0301', '\u0301').split('\n')

const digits = (score: number) => score.toFixed(4)
const record = (shown: readonly string[], name: string) =>
  expect(`${shown.join('\n')}\n`).toMatchFileSnapshot(`snapshots/retrieval/${name}.txt`)

it('queries mean this', async () => {
  const shown: string[] = []
  const long = Array.from({ length: 70 }, (_, at) => `word${String.fromCharCode(97 + (at % 26))}${at}`).join(' ')
  const many = Array.from(
    { length: 20 },
    (_, at) => `"phrase ${at}" path:p${at} contains:c${at} -contains:d${at} -w${at}`,
  ).join(' ')
  for (const text of [...QUERIES, `${long} worda0 title:zeta pre*`, many]) {
    const { text: _, terms, plain, ...others } = parseQuery(text)
    const set = Object.entries(others).filter(([, list]) => list.length > 0)
    shown.push(`# ${text.slice(0, 90)}`, `plain ${plain.slice(0, 200)}`, JSON.stringify(Object.fromEntries(set)))
    for (const { term, word, weight, kind, ...flags } of terms) {
      const own = Object.entries(flags).flatMap(([name, value]) => (value ? [name] : []))
      shown.push(`  ${term} (${word}) ${kind} ${digits(weight)} ${own}`)
    }
    for (const { text: name, terms: needed, isCommon } of exactTextsIn({ text, plain }))
      shown.push(`  exact ${name.slice(0, 60)} [${needed.slice(0, 9)}] ${isCommon}`)
    const { language, words } = readQuestion(text)
    shown.push(`  ${language}: ${words.slice(0, 40).map(({ term, isAcross }) => `${term}${isAcross ? '~' : ''}`)}`)
  }
  await record(shown, 'queries')
})

it('words have these terms, and those that are not known these guesses', async () => {
  const texts = [
    'parseHTTPRequest2 fooBar_baz C++ v3.2.1 e-mail',
    'Größe ŒUVRE الكتاب والبيت naïve a',
    '渡轮 ท่าเรือ 港 한국어',
    `${'x'.repeat(70)} ${'é'.repeat(70)}`,
    'running ponies generalizations 007 3.14',
    'C# and F# now, C++ and G++x',
  ]
  const shown: string[] = []
  for (const text of texts) {
    const found: string[] = []
    const add = (kind: string) => (term: string, start: number, end: number) =>
      found.push(`${kind} ${term} ${start}-${end}`)
    scanTerms(text, { main: add('main'), extra: add('extra'), part: add('part'), tail: add('tail') })
    shown.push(`# ${text.slice(0, 60)}`, ...found, `${mainTerms(text)}`, foldWord(text))
  }
  const known = [
    'configur',
    'berth',
    'harbour',
    'ferri',
    'boat',
    'crane',
    'hafen',
    'meister',
    'liegeplatz',
    'platz',
    'waitlist',
    'run',
    'happi',
    'stop',
    'hafenmeister',
    'bootshafen',
    'retri',
    'parser',
  ]
  for (const word of [
    'confgiuration',
    'bearths',
    'habrour',
    'fery',
    'boot',
    'craens',
    'runing',
    'happyness',
    'stoped',
    'hafenmeister',
    'liegeplätze',
    'hafensmeister',
    'meisterboot',
    'ab',
    'a1b2',
    'retyr',
    'prasers',
    'waitinglist',
    'hafen',
    'haben',
    'configurationss',
  ]) {
    const near = [0, 1, 2].map((most) =>
      nearTerms(word, known, most).map(({ term, word: form, edits }) => `${term}=${form}:${edits}`),
    )
    shown.push(`# ${word} ${slipsOf(word)}: ${near.join(' | ')}`)
    shown.push(
      `parts ${partsOfCompound(word, (term) => known.includes(term))} of ${possibleParts(word).length}; compounds ${compoundsWith(word, known)}; letters ${firstLetters(word).length}`,
    )
    shown.push(
      `prefix ${stemsOfPrefix(word)}; near ${nearestWord(word, 'berth', ['Berths ox berthing', 'berthed berth'])}`,
    )
  }
  for (const first of ['zebra', 'ωmega', 'яblo', 'את', 'ي', 'ह', '1', ''])
    shown.push(`${first}: ${firstLetters(first).join('')}`)
  for (const piece of [
    'waiting list',
    'ing li',
    'a-b',
    'Zation x',
    'parse(Http',
    '\u0130stan',
    '🚢ab',
    'ab',
    'ed by ran',
    'xyz',
  ]) {
    const words = piecesOfWords(piece).map(
      ({ term, mayStandIn }) =>
        `${term ?? '?'}: ${['wait', 'list', 'run', 'organ', 'civil', 'pars', 'http', 'randi', 'ride'].filter(mayStandIn)}`,
    )
    shown.push(
      `# piece ${piece}`,
      `${termsOfPiece(piece).map((term) => term.slice(1))}`,
      ...words,
      `${placesOf(piece, 'waiting list, waiting list zation x ab', 1)}`,
    )
  }
  shown.push(
    [...termsAmong(['The waiting lists', 'parseFile'], new Set(['list', 'file', 'absent', 'parsefil']))].join(),
    `${holdsPhrase('The waiting lists', ['wait', 'list'])} ${holdsPhrase('a', [])}`,
  )
  await record(shown, 'words')
})

const wanted = (entries: Readonly<Record<string, number>>): WantedTerm[] =>
  Object.entries(entries).map(([word, idf]) => {
    const isPrefix = word.endsWith('*')
    const form = word.replace('*', '')
    return { forms: form.split('/'), weight: 1, idf, cover: 1, ...(isPrefix && { isPrefix }) }
  })

const QUESTIONS = [
  'How long is the waiting list of the harbour office?',
  'Which cranes and berths are there?',
  'how do I delete a file',
  'Wie viele Liegeplätze vergibt der Hafenmeister?',
  '渡轮的速度是多少',
  'once_flag',
  'version v3.2.1',
  'delayed vessels',
  'boat',
  'the',
  'berthings inner',
]

it('texts have these units and passages, and their scores', async () => {
  const shown: string[] = []
  for (const [path, text] of TEXTS) {
    const options = { title: path, isCsv: path.endsWith('.csv'), isPrinted: path.startsWith('printed') }
    for (const { kind, text: own, start, end, line, trail, lead } of splitTextUnits(text, options))
      shown.push(
        `${path} ${kind} ${line} ${start}-${end} [${trail.join(' > ')}] (${lead}) ${JSON.stringify(own.slice(0, 70))}`,
      )
  }
  const long = splitTextUnits(`${'a line of prose\n'.repeat(300)}\n${'x'.repeat(401)}# a\n- ${'y '.repeat(300)}\n`)
  shown.push(...long.map(({ kind, start, end, lead }) => `long ${kind} ${start}-${end} ${lead.length}`))
  const units = TEXTS.flatMap(([path, text]) => splitTextUnits(text, { title: path }))
  const [index, bare, near] = [
    new PassageIndex(units),
    new NearestPassages(units),
    new NearestPassages(units, () => readAsset('word-vectors.bin')),
  ]
  for (const question of QUESTIONS) {
    const read = readQuestion(question)
    const terms = index
      .resolve(read)
      .map(({ forms, weight, idf, cover }) => `${forms.join('/')} ${[weight, idf, cover].map(digits)}`)
    shown.push(`# ${question}`, ...terms)
    const line = ({ at, score, coverage }: { at: number; score: number; coverage: number }) =>
      `${at}: ${digits(score)} ${digits(coverage)}`
    shown.push(
      `rank ${index
        .rank(question)
        .filter(({ score }) => score > 0)
        .map(line)}`,
    )
    shown.push(
      `bare ${bare.nearest(question).map(line)}`,
      `near ${near.rank(question).slice(0, 9).map(line)}`,
      `best ${near.nearest(question).map(line)}`,
    )
    shown.push(`missing ${near.missing(question)}`)
  }
  await record(shown, 'passages')
})

it('texts are shown by these snippets, and read again with these scores', async () => {
  const shown: string[] = []
  const asked: Readonly<Record<string, Readonly<Record<string, number>>>> = {
    'the waiting list of the harbour office is long': { wait: 2, list: 2.5, harbour: 1.5, offic: 3, long: 1 },
    'pilot boat': { pilot: 2, boat: 1 },
    'a link to the waiting list of the harbour office': { link: 2, wait: 1, list: 1, harbour: 1, offic: 1 },
    'crane* berth*': { 'crane*': 2, 'berth/ship*': 1 },
    nothing: { nothing: 3 },
    'when the waiting lists are full now': { wait: 1, list: 1, full: 2 },
    'A vessel that is delayed loses its': { vessel: 1, delai: 2, lose: 3 },
  }
  for (const [path, text] of TEXTS) {
    for (const [query, idfs] of Object.entries(asked)) {
      const terms = new Map(Object.entries(idfs).map(([word, idf]) => [word.replace(/[*/].*/, ''), idf]))
      for (const options of [
        { most: 3 },
        { near: { start: 200, end: 420 } },
        { near: { start: 200, end: 420 }, most: 2 },
        { pieces: ['LIST', 'title'], most: 2 },
      ]) {
        shown.push(`# ${path} ${query} ${JSON.stringify(options)}`)
        for (const { text: own, span, start, end, highlights } of snippetsOf(text, terms, options))
          shown.push(
            `${start}-${end} ${span.start}-${span.end} ${highlights.map((one) => `${one.start}-${one.end}`)} ${JSON.stringify(own.slice(0, 40))}`,
          )
      }
      const reader = new Rereader(query, wanted(idfs))
      const { passage, run, shown: block } = reader.read(text)
      shown.push(
        `reread ${digits(passage)} ${digits(run)} ${block?.start}-${block?.end} of ${digits(reader.highest)}, held ${digits(reader.held(text))}`,
      )
    }
    shown.push(`names ${indexedNames({ title: path, metadata: { aliases: '["a","b"]', alias: '[broken' } }, text)}`)
    const named = ['guide', 'Set up it', 'handbook a', 'anchor', 'setup', 'once_flag', 'guide md', 'Guide']
    const document = { title: 'Guide', path: `docs/${path}`, metadata: { alias: 'handbook a' } }
    shown.push(`named ${named.filter((name) => ownNameFinder(name)(document, text))}`)
    for (const { text: name, grade } of exactTextsIn(
      parseQuery('once_flag E_404 E_40 --no-cache Array.prototype prototype.at v3.2 Pilot-boat && `waiting list`'),
    ))
      shown.push(`grade ${name} ${grade(text, text.toLowerCase())}`)
  }
  const lines = Array.from({ length: 60 }, (_, at) => `${at} ${'word '.repeat(12)}${at === 30 ? 'needle' : ''}`).join(
    '\n',
  )
  for (const text of [lines, `${'ä'.repeat(500)} needle ${'🚢'.repeat(500)}`, lines.replaceAll('\n', ' ')]) {
    const [one] = snippetsOf(text, new Map([['needl', 1]]))
    if (!one) continue
    const passage = passageAround(text, one)
    shown.push(
      `passage ${one.text.length} ${one.span.start} ${passage.length} ${JSON.stringify([passage.slice(0, 20), passage.slice(-20)])}`,
    )
  }
  await record(shown, 'snippets')
})

/** Numbers that look like chance. */
function* chance(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    yield state / 2_147_483_648 - 0.5
  }
}

it('vectors, postings and documents have these numbers', async () => {
  const shown: string[] = []
  const numbers = chance(7)
  const vectors = Array.from({ length: 12 }, () => Array.from({ length: 37 }, () => numbers.next().value))
  const centre = centreOf(vectors)
  const packed = vectors.map((vector) => packVector(vector, centre))
  const asked = sought(vectors[3] ?? [], centre)
  shown.push(
    ...packed.map(
      ({ bytes, scale, bits }, at) =>
        `${at} ${scale.toFixed(6)} ${bytes.slice(0, 6)} ${[...bits]} ${digits(asked.cosineTo(packed[at] ?? { bytes, scale }))}`,
    ),
  )
  const bits = new Uint32Array(packed.flatMap((one) => [...one.bits]))
  for (const most of [1, 3, 12])
    shown.push(
      `${most}: ${nearestByBits({ bits }, asked.bits, most)} or ${nearestByBits({ bits, allowed: Uint8Array.of(0b10110111, 0b1) }, asked.bits, most)}`,
    )
  shown.push(`centre of one ${[...centreOf([[3, 4]])].map(digits)}`)
  const table = readAsset('word-vectors.bin')
  const apart = new Uint8Array(table.length + 1).subarray(1)
  apart.set(table)
  const meaning = new WordMeaning(apart)
  for (const question of QUESTIONS) {
    const tell = meaning.ask(question, (word) => (word === 'file' ? 3 : undefined))
    for (const [path, text] of TEXTS) {
      const compared = { hash: path, title: path, text }
      const places = tell?.passages(compared).map(({ cosine, start, end }) => `${digits(cosine)} ${start}-${end}`)
      const around = tell?.nearest({ ...compared, hash: `${path}!` }, { start: 900, end: 950 })
      shown.push(`${question} ${path}: ${places} | ${around && digits(around.cosine)} ${around?.start}`)
    }
  }
  const asking = meaning.ask('how do I delete a file', () => undefined)
  const rows = TEXTS.map(([path, text]) => meaning.read(path, text))
  if (asking)
    shown.push(
      ...fusePassages(
        asking,
        rows.map((_, at) => ({ score: at, coverage: at / 9 })),
        rows,
      ).map(({ lexical, cosine, fused }) => [lexical, cosine, fused].map(digits).join()),
    )
  shown.push(
    `${fuseScores(
      [
        { lexical: 0, cosine: -1 },
        { lexical: 0, cosine: 0.5 },
      ],
      { coverage: 1, meaning: 0.3 },
    ).map(digits)}`,
  )
  const docs = [5, 300, 70_000, 20_000_000, 20_000_001]
  const counts = [1, 127, 128, 20_000, 1]
  const coded = encodePostings({ docs, counts, from: 0, to: 5 }, { docs, counts, from: 1, to: 4 }, new Bytes())
  shown.push(
    `${[...coded]}`,
    JSON.stringify(decodePostings(coded)),
    JSON.stringify(decodePostings(coded.subarray(0, 4))),
  )
  const builder = new SegmentBuilder()
  const bodies = ['berths berths cranes', 'berths', 'a crane of the harbour by the harbour', 'ferry', '']
  const segments = [0, 1].map((at) => {
    for (const [doc, body] of bodies.entries())
      builder.add({
        title: `Title ${doc} ${at}`,
        path: `docs/${doc}.md`,
        body: `${body} ${at ? 'ferry ferry' : ''}`,
        names: doc === 2 ? ['berths'] : [],
        hasSubstrings: doc < 2,
      })
    return builder.finish()
  })
  for (const segment of segments) {
    shown.push(
      `${segment.docs} ${segment.bodyLengths} ${segment.titleLengths} ${segment.terms.length} ${segment.ends.at(-1)}`,
    )
    for (const [term, bytes] of postingsIn(segment)) {
      const { docs, counts, body, title } = decodePostings(bytes)
      if (!term.startsWith('\u0001')) shown.push(`${term} ${body} ${title} ${docs} x${counts}`)
    }
  }
  const found = segments.map((segment) => new Map(postingsIn(segment)))
  const may = found.map(
    (terms, at) =>
      decodePostings(
        mayHold(
          segments[at]?.docs ?? 0,
          terms.get('\u0001'),
          termsOfPiece('berths').map((term) => terms.get(term)),
        ),
      ).docs,
  )
  shown.push(`may hold ${may.join(' | ')}`)
  const [of = new Map<string, Uint8Array>()] = found
  for (const piece of ['berths berths cranes', 'berths berths crates', 'berths']) {
    const terms = termsOfPiece(piece).map((term) => of.get(term))
    shown.push(`${piece}: ${decodePostings(mayHold(3, of.get('\u0001'), terms)).docs}`)
  }
  const views = segments.map(({ docs, bodyLengths, titleLengths }, at) => {
    const dead = at === 1 ? Uint8Array.of(0b10) : undefined
    const sum = (lengths: Uint32Array) => lengths.reduce((all, one, doc) => all + (at === 1 && doc === 1 ? 0 : one), 0)
    return {
      docs,
      bodyLengths,
      titleLengths,
      dead,
      live: { docs: at === 1 ? docs - 1 : docs, body: sum(bodyLengths), title: sum(titleLengths) },
    }
  })
  const term = (word: string, more: Partial<RankedTerm> = {}): RankedTerm => ({
    postings: found.map((terms) => word.split('/').flatMap((one) => terms.get(one) ?? [])),
    weight: 1,
    role: 'may',
    inTitle: false,
    ...more,
  })
  const lists = [
    [term('berth'), term('crane', { weight: 2 })],
    [term('berth', { role: 'must' }), term('crane', { role: 'not' })],
    [term('berth', { inTitle: true }), term('ferri', { idf: 0.3 })],
    [term('berth/crane/harbour'), term('absent')],
    [term('titl', { role: 'not', inTitle: true }), term('berth')],
  ]
  for (const [at, list] of lists.entries())
    for (const most of [1, 2, 20]) {
      const {
        ranked,
        total,
        best,
        found: stats,
        together,
      } = rank(views, list, most, [
        { at: [0, 1], inTitle: false },
        { at: [0], inTitle: true },
      ])
      const line = ({ segment, doc, score }: { segment: number; doc: number; score: number }) =>
        `${segment}.${doc} ${digits(score)}`
      shown.push(
        `${at} ${most}: ${ranked.map(line)} of ${total}, ${digits(best)}; ${stats.map(({ docs, idf }) => `${docs} ${digits(idf)}`)}; ${together.map((some) => some.map(line)).join(' | ')}`,
      )
    }
  await record(shown, 'numbers')
})
