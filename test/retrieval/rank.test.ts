import { describe, expect, it } from 'vitest'
import { hasBit } from '../../src/core/bits.ts'
import { type RankedTerm, rank } from '../../src/retrieval/rank.ts'
import type { SegmentView } from '../../src/retrieval/ranking/scorer.ts'
import { postingsIn, SegmentBuilder } from '../../src/retrieval/segment.ts'
import { fc, forAll } from '../support/property.ts'

/** Words of two letters, which no stemming changes. */
const WORDS = ['aa', 'bb', 'cc', 'dd', 'ee'] as const

interface Doc {
  readonly body: readonly string[]
  readonly title: readonly string[]
  readonly isDead?: boolean
  readonly isAllowed?: boolean
}

interface Sought {
  /** One, or several that count as one. */
  readonly words: readonly string[]
  readonly weight: number
  readonly role: RankedTerm['role']
  readonly inTitle: boolean
}

const sought = (word: string, more: Partial<Sought> = {}): Sought => ({
  words: [word],
  weight: 1,
  role: 'may',
  inTitle: false,
  ...more,
})

interface Built {
  readonly view: SegmentView
  readonly terms: ReadonlyMap<string, Uint8Array>
}

function bits(docs: readonly Doc[], isOn: (doc: Doc) => boolean): Uint8Array {
  const all = new Uint8Array((docs.length + 7) >> 3)
  for (const [at, doc] of docs.entries()) if (isOn(doc)) all[at >> 3] = (all[at >> 3] ?? 0) | (1 << (at & 7))
  return all
}

function built(docs: readonly Doc[]): Built {
  const builder = new SegmentBuilder()
  for (const { body, title } of docs) builder.add({ body: body.join(' '), title: title.join(' '), path: '' })
  const segment = builder.finish()
  const { bodyLengths, titleLengths } = segment
  const living = docs.filter(({ isDead }) => !isDead)
  const total = (field: 'body' | 'title') => living.reduce((sum, doc) => sum + doc[field].length, 0)
  const view = {
    docs: docs.length,
    bodyLengths,
    titleLengths,
    live: { docs: living.length, body: total('body'), title: total('title') },
    ...(living.length < docs.length && { dead: bits(docs, ({ isDead = false }) => isDead) }),
    ...(docs.some(({ isAllowed = true }) => !isAllowed) && {
      allowed: bits(docs, ({ isAllowed = true }) => isAllowed),
    }),
  }
  return { view, terms: new Map(postingsIn(segment)) }
}

/** Ranks documents that lie in segments. */
function ranking(segments: readonly (readonly Doc[])[], wanted: readonly Sought[], most = 1000) {
  const all = segments.map(built)
  const lists = wanted.map(({ words, ...rest }) => ({
    ...rest,
    postings: all.map(({ terms }) => words.flatMap((word) => terms.get(word) ?? [])),
  }))
  return rank(
    all.map(({ view }) => view),
    lists,
    most,
  )
}

/** The scores by document, in the order of the segments; 0 for no hit. */
function scores(segments: readonly (readonly Doc[])[], { ranked }: ReturnType<typeof rank>): number[] {
  const found = new Map(ranked.map(({ segment, doc, score }) => [`${segment} ${doc}`, score]))
  return segments.flatMap((docs, segment) => docs.map((_, doc) => found.get(`${segment} ${doc}`) ?? 0))
}

/** The weights that were measured to be the best; the ranking has the same. */
const K1 = 1.2
const FIELDS = [
  { name: 'body', b: 0.75, weight: 1 },
  { name: 'title', b: 0.75, weight: 0.9 },
] as const
const COVERAGE = 0.2

/** BM25 of two fields as a textbook has it, with coverage: document by document, word by word. */
function naive(docs: readonly Doc[], wanted: readonly Sought[]): { scores: number[]; best: number } {
  const living = docs.filter(({ isDead }) => !isDead)
  const count = (doc: Doc, field: 'body' | 'title', words: readonly string[]) =>
    doc[field].filter((word) => words.includes(word)).length
  const average = (field: 'body' | 'title') =>
    living.reduce((sum, doc) => sum + doc[field].length, 0) / living.length || 1
  const idf = (field: 'body' | 'title', words: readonly string[]) => {
    const frequency = living.filter((doc) => count(doc, field, words) > 0).length
    return frequency === 0 ? 0 : Math.log(1 + (living.length - frequency + 0.5) / (frequency + 0.5))
  }
  const looked = wanted.map((one) => {
    const idfs = { body: one.inTitle ? 0 : idf('body', one.words), title: idf('title', one.words) }
    return { ...one, idfs, idf: idfs.body || idfs.title }
  })
  const asked = looked.filter(({ role }) => role !== 'not')
  const share = asked.reduce((sum, one) => sum + one.weight * one.idf, 0)
  const holds = (doc: Doc, { words, inTitle }: Sought) =>
    count(doc, 'title', words) > 0 || (!inTitle && count(doc, 'body', words) > 0)
  const scoreOf = (doc: Doc) => {
    const isOut = looked.some(
      (one) => (one.role === 'must' && !holds(doc, one)) || (one.role === 'not' && holds(doc, one)),
    )
    if (isOut || doc.isDead || doc.isAllowed === false) return 0
    let score = 0
    let covered = 0
    for (const one of asked) {
      for (const { name, b, weight } of FIELDS) {
        const tf = one.inTitle && name === 'body' ? 0 : count(doc, name, one.words)
        const norm = 1 - b + (b * doc[name].length) / average(name)
        score += (weight * one.weight * one.idfs[name] * (K1 + 1) * tf) / (tf + K1 * norm)
      }
      if (holds(doc, one)) covered += (one.weight * one.idf) / share
    }
    return score === 0 ? 0 : score * (1 + COVERAGE * covered ** 2)
  }
  const most = asked.flatMap(({ weight, idfs }) => FIELDS.map((field) => weight * field.weight * idfs[field.name]))
  const best = most.reduce((sum, one) => sum + one * (K1 + 1), 0) * (1 + COVERAGE)
  return { scores: docs.map(scoreOf), best }
}

const words = (maxLength: number) => fc.array(fc.constantFrom(...WORDS), { maxLength })
const doc: fc.Arbitrary<Doc> = fc.record({
  body: words(12),
  title: words(4),
  isDead: fc.integer({ min: 0, max: 2 }).map((one) => one === 0),
  isAllowed: fc.integer({ min: 0, max: 3 }).map((one) => one > 0),
})
const query = fc.array(
  fc.record({
    words: fc.uniqueArray(fc.constantFrom(...WORDS, 'xx'), { minLength: 1, maxLength: 3 }),
    weight: fc.constantFrom(1, 0.7, 1.6931471805599454),
    role: fc.constantFrom('may' as const, 'may' as const, 'may' as const, 'must' as const, 'not' as const),
    inTitle: fc.integer({ min: 0, max: 4 }).map((one) => one === 0),
  }),
  { minLength: 1, maxLength: 5 },
)

/** Cuts a list into parts at random places. */
const split = <Item>(list: readonly Item[], cuts: readonly number[]): Item[][] => {
  const at = [0, ...cuts.map((each) => each % (list.length + 1)).sort((a, b) => a - b), list.length]
  return at.slice(1).map((end, index) => list.slice(at[index], end))
}

describe('the ranking', () => {
  it('scores each document as BM25 over two fields does, times how much it covers', () => {
    forAll(150, fc.array(doc, { maxLength: 20 }), query, fc.array(fc.nat(), { maxLength: 3 }), (docs, wanted, cuts) => {
      const segments = split(docs, cuts)
      const found = ranking(segments, wanted)
      const expected = naive(docs, wanted)
      for (const [at, score] of scores(segments, found).entries()) {
        expect(score).toBeCloseTo(expected.scores[at] ?? -1, 9)
      }
      expect(found.maxScore).toBeCloseTo(expected.best, 9)
      expect(found.total).toBe(expected.scores.filter((score) => score > 0).length)
    })
  })

  it('gives the same scores to the last bit however the documents lie in segments, and whatever was removed', () => {
    forAll(150, fc.array(doc, { maxLength: 20 }), query, fc.array(fc.nat(), { maxLength: 4 }), (docs, wanted, cuts) => {
      const living = docs.filter(({ isDead }) => !isDead)
      const whole = scores([living], ranking([living], wanted))
      const segments = split(docs, cuts)
      const parted = scores(segments, ranking(segments, wanted))
      expect(parted.filter((_, at) => !docs[at]?.isDead)).toEqual(whole)
    })
  })

  it('gives the best, and all that score as high as the last of them', () => {
    forAll(100, fc.array(doc, { maxLength: 20 }), query, fc.integer({ min: 1, max: 25 }), (docs, wanted, most) => {
      const all = ranking([docs], wanted)
        .ranked.map(({ score }) => score)
        .sort((a, b) => b - a)
      const { ranked, total } = ranking(split(docs, [5, 9]), wanted, most)
      const last = all[most - 1] ?? 0
      expect(ranked.map(({ score }) => score).sort((a, b) => b - a)).toEqual(all.filter((score) => score >= last))
      expect(total).toBe(all.length)
    })
  })

  it('gives no document more than the best that there could be, and each hit something', () => {
    forAll(fc.array(doc, { maxLength: 20 }), query, (docs, wanted) => {
      const { ranked, maxScore: best } = ranking([docs], wanted)
      for (const { score } of ranked) {
        expect(score).toBeGreaterThan(0)
        expect(score).toBeLessThanOrEqual(best * (1 + 1e-12))
      }
    })
  })

  it('lets a filter through what it lets through, however low it ranks', () => {
    const many = Array.from({ length: 500 }, (): Doc => ({ body: ['aa', 'aa'], title: ['aa'], isAllowed: false }))
    const docs = [...many, { body: ['aa', ...Array.from({ length: 50 }, () => 'bb')], title: [] }]
    expect(ranking([docs], [sought('aa')], 1)).toMatchObject({ total: 1, ranked: [{ doc: 500 }] })
  })

  it('tells how much each word tells, and in how many documents it stands', () => {
    const docs: Doc[] = [
      { body: ['aa'], title: ['bb'] },
      { body: ['aa'], title: [] },
      { body: ['cc'], title: [] },
    ]
    const { terms: found } = ranking([docs], [sought('aa'), sought('bb'), sought('xx')])
    expect(found.map((one) => one.docs)).toEqual([2, 1, 0])
    expect(found[0]?.idf).toBeCloseTo(Math.log(1 + 1.5 / 2.5), 12)
    expect(found[1]?.idf).toBeGreaterThan(found[0]?.idf ?? 0)
    expect(found[2]?.idf).toBe(0)
  })

  it.each([
    ['no segments', []],
    ['an empty segment', [[]]],
    ['documents without words', [[{ body: [], title: [] }]]],
    ['dead documents alone', [[{ body: ['aa'], title: [], isDead: true }]]],
  ] satisfies [string, Doc[][]][])('finds nothing in %s', (_, segments) => {
    expect(ranking(segments, [sought('aa')])).toMatchObject({ ranked: [], total: 0, maxScore: 0 })
  })

  it('finds nothing where nothing is wanted, or only what must not be there', () => {
    const docs: Doc[] = [{ body: ['aa'], title: [] }]
    expect(ranking([docs], []).total).toBe(0)
    expect(ranking([docs], [sought('bb', { role: 'not' })]).total).toBe(0)
  })

  it('has room for as many words as a query has', () => {
    const docs: Doc[] = [{ body: ['aa'], title: ['aa'] }]
    const many = Array.from({ length: 200 }, () => sought('aa', { role: 'must' }))
    expect(ranking([docs], many).total).toBe(1)
  })
})

describe('a bit', () => {
  it('is set where it is set, and nowhere behind the end', () => {
    const isSet = (at: number) => hasBit(Uint8Array.of(0b1, 0b10), at)
    expect([0, 1, 9, 15, 16, 100].filter(isSet)).toEqual([0, 9])
  })
})
