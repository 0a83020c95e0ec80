import { describe, expect, it } from 'vitest'
import { centreOf, nearestByBits, packVector, prepareQueryVector } from '../../../src/retrieval/packed-vectors.ts'
import { fc, forAll } from '../../support/property.ts'

const number = fc.double({ min: -1, max: 1, noNaN: true })
const vectors = (dimensions: number) =>
  fc.array(fc.array(number, { minLength: dimensions, maxLength: dimensions }), { minLength: 1, maxLength: 60 })

/** Which of these are above zero: packed about nothing, a vector has these bits. */
const bitsOf = (vector: readonly number[]) => prepareQueryVector([...vector.map((one) => one || -1e-9)], []).bits

const cosine = (one: readonly number[], other: readonly number[]) => {
  const dot = (a: readonly number[], b: readonly number[]) =>
    a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0)
  return dot(one, other) / Math.sqrt(dot(one, one) * dot(other, other))
}

describe('a packed vector', () => {
  const some = fc.integer({ min: 8, max: 400 }).chain((size) => {
    const numbers = fc.array(number, { minLength: size, maxLength: size })
    const vector = numbers.filter((all) => all.some((one) => Math.abs(one) > 1e-3))
    const centre = fc.array(vector, { minLength: 1, maxLength: 3 }).map(centreOf)
    return fc.tuple(vector, vector, fc.oneof(centre, fc.constant(new Float32Array(size))))
  })

  it('is at nearly the angle that the vector is at, about any centre', () => {
    forAll(some, ([one, other, centre]) => {
      const found = prepareQueryVector(one, centre).cosineTo(packVector(other, centre))
      expect(Math.abs(found - cosine(one, other))).toBeLessThan(0.02)
      expect(prepareQueryVector(other, centre).cosineTo(packVector(other, centre))).toBeGreaterThan(0.998)
    })
  })

  it('has a bit for each number above the centre, as what is looked for has', () => {
    forAll(some, ([vector, , centre]) => {
      const { bits } = packVector(vector, centre)
      expect(prepareQueryVector(vector, centre).bits).toEqual(bits)
      expect(bits).toHaveLength(Math.ceil(vector.length / 32))
      const length = Math.hypot(...vector)
      for (const [at, value] of vector.entries()) {
        const difference = value / length - (centre[at] ?? 0)
        if (Math.abs(difference) < 1e-12) continue
        expect(((bits[at >> 5] ?? 0) >>> (at & 31)) & 1).toBe(difference > 0 ? 1 : 0)
      }
    })
  })

  it.each([1e-30, 7, 1e30])('is the same for a vector %f times as long', (factor) => {
    const vector = [0.3, -2, 5, 1]
    const centre = [0.1, 0.1, 0.1, 0.1]
    const { bytes, bits } = packVector(vector, centre)
    const longer = vector.map((one) => one * factor)
    expect(packVector(longer, centre)).toMatchObject({ bytes, bits })
  })

  it('has no bit for a zero', () => {
    expect([...packVector([0, 1, -1, 2], []).bits]).toEqual([0b1010])
  })

  it('may lie in the centre itself', () => {
    const at = packVector([0, 1], [0, 1])
    expect(prepareQueryVector([0, 2], [0, 1]).cosineTo(at)).toBe(1)
    expect(prepareQueryVector([3, 0], [0, 1]).cosineTo(at)).toBe(0)
  })

  it.each([
    ['no dimensions', []],
    ['nothing but zeros', [0, 0]],
    ['what is not a number', [1, Number.NaN]],
    ['what has no end', [1, Number.POSITIVE_INFINITY]],
  ])('cannot be made of %s', (_, vector) => {
    for (const make of [packVector, prepareQueryVector]) expect(() => make(vector, [])).toThrow(RangeError)
    expect(() => centreOf([[1, 0], vector])).toThrow(RangeError)
  })
})

describe('a centre', () => {
  it('is the mean of directions, however long the vectors are', () => {
    expect([
      ...centreOf([
        [2, 0],
        [0, 0.5],
        [0, -8],
        [3, 0],
      ]),
    ]).toEqual([0.5, 0])
    expect(centreOf([])).toEqual(new Float32Array())
  })

  it('tells vectors apart by their bits that all lean the same way', () => {
    const numbers = (seed: number) =>
      Array.from({ length: 256 }, (_, at) => (at % 2) * 8 - 4 + Math.sin(seed + at ** 2))
    const made = Array.from({ length: 40 }, (_, at) => numbers(at))
    const centre = centreOf(made.slice(0, 20))
    const kinds = (about: ArrayLike<number>) =>
      new Set(made.slice(20).map((one) => packVector(one, about).bits.join())).size
    expect([kinds([]), kinds(centre)]).toEqual([1, 20])
  })
})

describe('the nearest by bits', () => {
  it('are those that a look at each finds, with those that tie with the last, up to twice as many', () => {
    forAll(
      fc
        .integer({ min: 1, max: 70 })
        .chain((size) => vectors(size))
        .map((all) => all.map((one) => one.map((value) => (Math.abs(value) < 1e-6 ? 0 : value)))),
      fc.integer({ min: 1, max: 70 }),
      fc.array(fc.boolean(), { minLength: 60, maxLength: 60 }),
      fc.boolean(),
      (all, most, isAllowed, isFiltered) => {
        const [wanted = []] = all
        const bits = Uint32Array.from(all.flatMap((vector) => [...bitsOf(vector)]))
        const allowed = new Uint8Array(8)
        for (const [at, yes] of isAllowed.entries())
          if (yes) allowed[at >> 3] = (allowed[at >> 3] ?? 0) | (1 << (at & 7))
        const distance = (vector: readonly number[]) =>
          vector.filter((one, at) => one > 0 !== (wanted[at] ?? 0) > 0).length
        const counted = all.flatMap((vector, at) =>
          isFiltered && !isAllowed[at] ? [] : [{ at, far: distance(vector) }],
        )
        const last = counted.map(({ far }) => far).sort((a, b) => a - b)[Math.min(most, counted.length) - 1] ?? -1
        const nearer = counted.filter(({ far }) => far < last)
        const ties = counted.filter(({ far }) => far === last).slice(0, 2 * most - nearer.length)
        const table = { bits, ...(isFiltered && { allowed }) }
        expect(nearestByBits(table, bitsOf(wanted), most)).toEqual(
          [...nearer, ...ties].map(({ at }) => at).sort((a, b) => a - b),
        )
      },
    )
  })

  it.each([
    [10, 10],
    [20, 20],
    [21, 20],
    [5000, 20],
  ])('of %i that are alike are %i, where 10 are wanted', (count, expected) => {
    const bits = new Uint32Array(count).fill(5)
    expect(nearestByBits({ bits }, Uint32Array.of(5), 10)).toHaveLength(expected)
  })

  it('are none where there are none', () => {
    expect(nearestByBits({ bits: new Uint32Array() }, new Uint32Array(), 5)).toEqual([])
  })
})
