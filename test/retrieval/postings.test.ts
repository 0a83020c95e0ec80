import { describe, expect, it } from 'vitest'
import { ByteWriter, decodePostings, encodePostings, type FieldPostings } from '../../src/retrieval/postings.ts'
import { fc, forAll } from '../support/property.ts'

type Posting = readonly [doc: number, count: number]

/** The largest document and count that are written. */
const LAST_DOC = 2 ** 31 - 1
const MOST = 2 ** 32 - 1

const number = (max: number) =>
  fc.oneof(fc.nat({ max: 300 }), fc.nat({ max }), fc.constantFrom(0, 1, 127, 128, 16_383, 16_384, max - 1, max))

const postings = fc
  .uniqueArray(
    fc.tuple(
      number(LAST_DOC),
      number(MOST - 1).map((count) => count + 1),
    ),
    { selector: ([doc]) => doc, maxLength: 50 },
  )
  .map((list) => list.sort(([a], [b]) => a - b))

/** The list as a field with others before and after it, as a builder has them. */
function field(list: readonly Posting[], around = 0): FieldPostings {
  const padding = Array.from({ length: around }, () => 7)
  return {
    docs: [...padding, ...list.map(([doc]) => doc), ...padding],
    counts: [...padding, ...list.map(([, count]) => count), ...padding],
    from: around,
    to: around + list.length,
  }
}

function decoded(bytes: Uint8Array): { body: Posting[]; title: Posting[] } {
  const { body, title, docs, counts } = decodePostings(bytes)
  const all = Array.from({ length: body + title }, (_, at): Posting => [docs[at] ?? -1, counts[at] ?? -1])
  return { body: all.slice(0, body), title: all.slice(body) }
}

const pairs = (...numbers: readonly number[]) =>
  numbers.flatMap((doc, at): Posting[] => (at % 2 === 0 ? [[doc, numbers[at + 1] ?? 0]] : []))

describe('postings', () => {
  it.each([
    ['none', [], []],
    ['one of the body', [[0, 1]], []],
    ['one of the title', [], [[0, 1]]],
    ['one in both', [[5, 3]], [[5, 1]]],
    ['neighbours', pairs(0, 1, 1, 2, 2, 1), [[1, 1]]],
    ['the last document there can be', pairs(0, 1, LAST_DOC, MOST), [[LAST_DOC, 1]]],
    ['counts about what one byte holds', pairs(1, 127, 2, 128, 3, 129), []],
  ] satisfies [string, Posting[], Posting[]][])('of %s are read as they were written', (_, body, title) => {
    expect(decoded(encodePostings(field(body), field(title), new ByteWriter()))).toEqual({ body, title })
  })

  it('are read as they were written', () => {
    forAll(postings, postings, fc.nat({ max: 3 }), (body, title, around) => {
      const bytes = encodePostings(field(body, around), field(title, around), new ByteWriter())
      expect(decoded(bytes)).toEqual({ body, title })
      expect(bytes.length).toBeGreaterThanOrEqual(body.length + title.length)
    })
  })

  it('of rare words take a byte each', () => {
    const body = Array.from({ length: 60 }, (_, doc): Posting => [doc, 1])
    expect(encodePostings(field(body), field([]), new ByteWriter())).toHaveLength(60 + 2)
  })

  it('are written one after the other into the same room', () => {
    forAll(fc.array(postings, { maxLength: 5 }), (lists) => {
      const bytes = new ByteWriter()
      const written = lists.map((list) => encodePostings(field(list), field([]), bytes))
      expect(bytes.length).toBe(0)
      expect(written.map((each) => decoded(each).body)).toEqual(lists)
    })
  })

  it('grow beyond their first room', () => {
    const body = Array.from({ length: 5000 }, (_, at): Posting => [at * 1000, at + 1])
    expect(decoded(encodePostings(field(body), field(body), new ByteWriter()))).toEqual({ body, title: body })
  })

  it('that are damaged end, and give no more than was there', () => {
    forAll(fc.uint8Array({ maxLength: 3, min: 0, max: 20 }), (bytes) => {
      const { docs } = decodePostings(bytes)
      expect(docs).toHaveLength(bytes.length)
    })
  })
})
