import { it } from 'vitest'
import { readWordVectors } from '../../src/files/home.ts'
import { satisfiesAll } from '../../src/retrieval/conditions.ts'
import * as guesses from '../../src/retrieval/guesses.ts'
import { fusePassages, fuseScores, WordMeaning } from '../../src/retrieval/meaning.ts'
import { isRepeated, NearestPassages } from '../../src/retrieval/nearest-passages.ts'
import { centreOf, nearestByBits, packVector, prepareQueryVector } from '../../src/retrieval/packed-vectors.ts'
import { PassageIndex, readQuestion, type WantedTerm } from '../../src/retrieval/passages.ts'
import { ByteWriter, decodePostings, encodePostings } from '../../src/retrieval/postings.ts'
import { parseQuery, stemsOfPrefix } from '../../src/retrieval/query.ts'
import { type RankedTerm, rank } from '../../src/retrieval/rank.ts'
import { createOwnNameTest, exactTextsIn, indexedNames, Rereader } from '../../src/retrieval/reread.ts'
import { postingsIn, SegmentBuilder } from '../../src/retrieval/segment.ts'
import { holdsPhrase, passageAround, type SnippetOptions, snippetsOf } from '../../src/retrieval/snippets.ts'
import { candidatePostings, piecesOfWords, positionsOf, termsOfPiece } from '../../src/retrieval/substrings.ts'
import { foldWord, mainTerms, scanTerms, termsAmong } from '../../src/retrieval/terms.ts'
import { splitTextUnits } from '../../src/retrieval/units.ts'
import { digits, filesIn, fixtureText, perform, record } from './recorded.ts'

/* What queries mean, how texts are divided, and each score with its digits. */

const TEXTS = filesIn('texts.txt')
const UNITS = TEXTS.flatMap(([path, text]) => splitTextUnits(text, { title: path }))
const table = readWordVectors

const range = (count: number) => Array.from({ length: count }, (_, at) => at)

function showQuery(text: string): string[] {
  const { text: _, terms, plain, ...others } = parseQuery(text)
  const set = Object.entries(others).filter(([, list]) => list.length > 0)
  const { language, words } = readQuestion(text)
  return [
    `# ${text.slice(0, 90)}`,
    `plain ${plain.slice(0, 200)} ${JSON.stringify(Object.fromEntries(set))}`,
    ...terms.map(({ term, word, weight, kind, ...flags }) => {
      const own = Object.entries(flags).flatMap(([name, value]) => (value ? [name] : []))
      return `  ${term} (${word}) ${kind} ${digits(weight)} ${own}`
    }),
    ...exactTextsIn({ text, plain }).map((exact) => `  exact ${JSON.stringify(exact).slice(0, 200)}`),
    `  ${language}: ${words.slice(0, 40).map(({ term, isAcrossWords }) => `${term}${isAcrossWords ? '~' : ''}`)}`,
  ]
}

it('queries mean this', async () => {
  const many = range(20).map((at) => `"phrase ${at}" path:p${at} contains:c${at} -contains:d${at} -w${at}`)
  const long = range(70).map((at) => `word${String.fromCharCode(97 + (at % 26))}${at}`)
  const queries = fixtureText('queries.txt').replaceAll('\\u0301', '\u0301').split('\n')
  const all = [...queries, `${long.join(' ')} worda0 title:zeta pre*`, many.join(' ')]
  await record(all.flatMap(showQuery), 'retrieval/queries')
})

const KNOWN =
  'configur berth harbour ferri boat crane hafen meister liegeplatz platz waitlist run happi stop hafenmeister bootshafen retri parser корабль craneboat boatplatz'.split(
    ' ',
  )
const STANDING = 'wait list run organ civil pars http randi ride'.split(' ')

const words = {
  scan(text: string) {
    const found: string[] = []
    const add = (kind: string) => (term: string, start: number, end: number) =>
      found.push(`${kind} ${term} ${start}-${end}`)
    scanTerms(text, { main: add('main'), extra: add('extra'), part: add('part'), tail: add('tail') })
    return [...found, mainTerms(text), foldWord(text)]
  },
  guess: (word: string) => ({
    slips: guesses.maxEditsOf(word),
    near: [0, 1, 2].map((most) => guesses.nearTerms(word, KNOWN, most)),
    parts: guesses.partsOfCompound(word, (term) => KNOWN.includes(term)),
    possible: guesses.possibleParts(word).length,
    compounds: guesses.termsContaining(word, KNOWN),
    prefix: stemsOfPrefix(word),
    nearest: guesses.nearestWord(word, 'berth', ['Berths ox berthing', 'berthed berth']),
  }),
  letters: (first: string) => guesses.lettersOfAlphabet(first).join(''),
  piece: (piece: string) => ({
    terms: termsOfPiece(piece),
    words: piecesOfWords(piece).map(({ term, mayBeIn }) => [term, STANDING.filter(mayBeIn)]),
    places: positionsOf(piece, 'waiting list, waiting list zation x ab', 1),
  }),
  grades: (query: string, text: string) =>
    exactTextsIn(parseQuery(query)).map((exact) => [exact.text, exact.grade(text, text.toLowerCase())]),
  snippets: (text: string, idfs: Idfs, options?: SnippetOptions) =>
    snippetsOf(text, new Map(Object.entries(idfs)), options),
  reread(text: string, query: string, idfs: Idfs) {
    const { passage, run, shown } = new Rereader(query, wanted(idfs)).read(text)
    return [passage, run, shown?.start, shown?.end]
  },
  units: splitTextUnits,
  among: (texts: readonly string[], ...wanted: readonly string[]) => [...termsAmong(texts, new Set(wanted))],
  holds: holdsPhrase,
  satisfies: (query: string, document: { title: string; path: string }, text: string) =>
    satisfiesAll(parseQuery(query), document, text),
  around: (text: string, times: number, start: number, end: number) => {
    const passage = passageAround(text.repeat(times), { span: { start, end } })
    return [passage.length, passage.slice(0, 20), passage.slice(-20)]
  },
  names: (line: string, times: number, heading: string) =>
    indexedNames({ title: '', metadata: {} }, line.repeat(times) + heading),
  repeated: isRepeated,
}

it('words have these terms, and those that are not known these guesses', async () => {
  await record(await perform('words', { words }), 'retrieval/words')
})

it('texts have these units and passages, and their scores', async () => {
  const shown = TEXTS.flatMap(([path, text]) => {
    const options = { title: path, isCsv: path.endsWith('.csv'), isPrinted: path.startsWith('printed') }
    return splitTextUnits(text, options).map((unit) => JSON.stringify({ ...unit, text: unit.text.slice(0, 70) }))
  })
  const long = splitTextUnits(`${'a line of prose\n'.repeat(300)}\n${'x'.repeat(401)}# a\n- ${'y '.repeat(300)}\n`)
  shown.push(...long.map(({ kind, start, end, lead }) => `long ${kind} ${start}-${end} ${lead.length}`))
  const index = new PassageIndex(UNITS)
  const [bare, near] = [new NearestPassages(UNITS), new NearestPassages(UNITS, table)]
  const line = (ranked: readonly { at: number; score: number; coverage: number }[]) =>
    ranked
      .filter(({ score }) => score > 0)
      .map(({ at, score, coverage }) => `${at}: ${digits(score)} ${digits(coverage)}`)
  const meaning = new WordMeaning(table())
  const targets = {
    passages: {
      ask: (question: string) => ({
        terms: index
          .resolve(readQuestion(question))
          .map((term) => [term.forms, term.weight, digits(term.idf), term.cover]),
        rank: line(index.rank(question)),
        bare: line(bare.nearest(question)),
        near: line(near.rank(question)),
        best: line(near.nearest(question)),
        missing: near.missing(question),
      }),
    },
    meaning: {
      ask: (question: string) =>
        TEXTS.map(([path, text]) => {
          const asked = meaning.askAbout(question, (word) => (word === 'file' ? 3 : undefined))
          const compared = { hash: path, title: path, text }
          const nearestTo = (start: number) =>
            asked?.nearest({ ...compared, hash: `${path}!`, text: text.repeat(3) }, { start, end: start + 50 }) ?? []
          return [...(asked?.passages(compared) ?? []), ...[900, 100, 1900, 867].flatMap(nearestTo)].map(
            ({ cosine, start, end }) => `${digits(cosine)} ${start}-${end}`,
          )
        }),
    },
  }
  await record([...shown, ...(await perform('questions', targets))], 'retrieval/passages')
})

type Idfs = Readonly<Record<string, number>>

const wanted = (idfs: Idfs): WantedTerm[] =>
  Object.entries(idfs).map(([word, idf]) => {
    const forms = word.replace('*', '').split('/')
    return { forms, weight: 1, idf, cover: 1, ...(word.endsWith('*') && { isPrefix: true }) }
  })

it('texts are shown by these snippets, and read again with these scores', async () => {
  const shown: string[] = []
  for (const [path, text] of TEXTS) {
    const document = { title: 'Guide', path: `docs/${path}`, metadata: { alias: 'handbook a' } }
    const texts = {
      snippets(idfs: Idfs, options: SnippetOptions) {
        const terms = new Map(Object.entries(idfs).map(([word, idf]) => [word.replace(/[*/].*/, ''), idf]))
        return snippetsOf(text, terms, options).map((one) => ({ ...one, text: one.text.slice(0, 40) }))
      },
      reread(query: string, idfs: Idfs) {
        const reader = new Rereader(query, wanted(idfs))
        const { passage, run, shown: block } = reader.read(text)
        const scores = [passage, run, reader.maxScore, reader.sumOfWeights(text)].map(digits)
        return [...scores, block?.start, block?.end]
      },
      names: () => indexedNames({ title: path, metadata: { aliases: '["a","b"]', alias: '[broken' } }, text),
      named: (name: string) => createOwnNameTest(name)(document, text),
      grades: (query: string) => words.grades(query, text),
    }
    shown.push(`# ${path}`, ...(await perform('snippets', { texts })))
  }
  const lines = range(60).map((at) => `${at} ${'word '.repeat(12)}${at === 30 ? 'needle' : ''}`)
  for (const text of [lines.join('\n'), `${'ä'.repeat(500)} needle ${'🚢'.repeat(500)}`, lines.join(' ')]) {
    const [one] = snippetsOf(text, new Map([['needl', 1]]))
    const passage = one && passageAround(text, one)
    shown.push(
      JSON.stringify([one?.text.length, one?.span, passage?.length, passage?.slice(0, 20), passage?.slice(-20)]),
    )
  }
  await record(shown, 'retrieval/snippets')
})

/** Numbers that look like chance. */
function* chance(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    yield state / 2_147_483_648 - 0.5
  }
}

it('vectors have these bits, bytes and angles', async () => {
  const numbers = chance(7)
  const vectors = range(12).map(() => range(37).map(() => numbers.next().value))
  const centre = centreOf(vectors)
  const packed = vectors.map((vector) => packVector(vector, centre))
  const asked = prepareQueryVector(vectors[3] ?? [], centre)
  const shown = packed.map((one) => {
    const { bytes, scale, bits } = one
    return `${scale.toFixed(6)} ${bytes.slice(0, 6)} ${bits} ${digits(asked.cosineTo(one))}`
  })
  const bits = new Uint32Array(packed.flatMap((one) => [...one.bits]))
  const allowed = Uint8Array.of(0b10110111, 0b1)
  for (const most of [1, 3, 12])
    shown.push(
      `${most}: ${nearestByBits({ bits }, asked.bits, most)} or ${nearestByBits({ bits, allowed }, asked.bits, most)}`,
    )
  shown.push(`centre of one ${[...centreOf([[3, 4]])].map(digits)}`)
  // Bytes that lie anywhere in a buffer.
  const apart = new Uint8Array(table().length + 1).subarray(1)
  apart.set(table())
  const meaning = new WordMeaning(apart)
  const asking = meaning.askAbout('how do I delete a file', () => undefined)
  const rows = TEXTS.map(([path, text]) => meaning.read(path, text))
  const scored = rows.map((_, at) => ({ score: at, coverage: at / 9 }))
  for (const one of asking ? fusePassages(asking, scored, rows) : [])
    shown.push(`${[one.lexical, one.cosine, one.fused].map(digits)}`)
  const candidates = [0, -1, 0.5].map((cosine) => ({ lexical: 0, cosine }))
  shown.push(`${fuseScores(candidates, { coverage: 1, meaning: 0.3 }).map(digits)}`)
  await record(shown, 'retrieval/vectors')
})

const BODIES = ['berths berths cranes', 'berths Häfen 🚢', 'a crane of the harbour by the harbour', 'ferry', '']

it('documents have these postings and ranks', async () => {
  const docs = [5, 300, 70_000, 20_000_000, 20_000_001]
  const counts = [1, 127, 128, 20_000, 1]
  const coded = encodePostings({ docs, counts, from: 0, to: 5 }, { docs, counts, from: 1, to: 4 }, new ByteWriter())
  const shown = [
    `${[...coded]}`,
    ...[coded, coded.subarray(0, 4)].map((bytes) => JSON.stringify(decodePostings(bytes))),
  ]
  const builder = new SegmentBuilder()
  const segments = [0, 1].map((at) => {
    for (const [doc, body] of BODIES.entries()) {
      const names = doc === 2 ? ['berths'] : []
      const document = { title: `Title ${doc} ${at}`, path: `docs/${doc}.md`, names, hasSubstrings: doc < 2 }
      builder.add({ ...document, body: `${body} ${at ? 'ferry ferry' : ''}` })
    }
    return builder.finish()
  })
  for (const segment of segments) {
    shown.push(
      `${segment.docs} ${segment.bodyLengths} ${segment.titleLengths} ${segment.terms.length} ${segment.ends.at(-1)}`,
    )
    for (const [term, bytes] of postingsIn(segment))
      if (!term.startsWith('\u0001')) shown.push(`${term} ${JSON.stringify(decodePostings(bytes))}`)
  }
  const found = segments.map((segment) => new Map(postingsIn(segment)))
  const views = segments.map(({ docs: all, bodyLengths, titleLengths }, at) => {
    const isLive = (doc: number) => at === 0 || doc !== 1
    const sum = (lengths: Uint32Array) => lengths.reduce((so, one, doc) => so + (isLive(doc) ? one : 0), 0)
    const live = { docs: all - at, body: sum(bodyLengths), title: sum(titleLengths) }
    return { docs: all, bodyLengths, titleLengths, dead: at === 1 ? Uint8Array.of(0b10) : undefined, live }
  })
  const termOf = ([word, more]: readonly [string, Partial<RankedTerm>?]): RankedTerm => {
    const postings = found.map((terms) => word.split('/').flatMap((one) => terms.get(one) ?? []))
    return { postings, weight: 1, role: 'may', inTitle: false, ...more }
  }
  const groups = [
    { positions: [0, 1], inTitle: false },
    { positions: [0], inTitle: true },
  ]
  const index = {
    rank: (terms: readonly (readonly [string, Partial<RankedTerm>?])[]) =>
      [1, 2, 20].map((limit) => {
        const {
          maxScore: best,
          terms: found,
          documentsByGroup: together,
          ...ranking
        } = rank(views, terms.map(termOf), limit, groups)
        return { ...ranking, best, found, together }
      }),
    hold: (piece: string) =>
      found.map((terms) => {
        const postings = termsOfPiece(piece).map((term) => terms.get(term))
        return decodePostings(candidatePostings(3, terms.get('\u0001'), postings)).docs
      }),
  }
  await record([...shown, ...(await perform('ranks', { index }))], 'retrieval/documents')
})
