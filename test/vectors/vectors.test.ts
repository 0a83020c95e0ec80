import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nearestByBits } from '../../src/vectors/nearest.ts'
import { bitsOf, cosine, packed, wordsOf } from '../../src/vectors/packed.ts'

const number = fc.double({ min: -1, max: 1, noNaN: true })
const vectors = (dimensions: number) =>
  fc.array(fc.array(number, { minLength: dimensions, maxLength: dimensions }), { minLength: 1, maxLength: 60 })

describe('a packed vector', () => {
  it('points nearly where the vector does', () => {
    const some = fc
      .array(number, { minLength: 8, maxLength: 400 })
      .filter((all) => all.some((one) => Math.abs(one) > 1e-3))
    fc.assert(fc.property(some, (vector) => cosine(vector, packed(vector).bytes) > 0.999))
  })

  it('has a bit for each number above zero', () => {
    fc.assert(
      fc.property(fc.array(number, { minLength: 1, maxLength: 100 }), (vector) => {
        const bits = bitsOf(vector)
        expect(bits).toHaveLength(wordsOf(vector.length))
        const isSet = (at: number) => (((bits[at >> 5] ?? 0) >>> (at & 31)) & 1) === 1
        expect(vector.map((_, at) => isSet(at))).toEqual(vector.map((one) => one > 0))
      }),
    )
  })

  it.each([
    ['no dimensions', []],
    ['nothing but zeros', [0, 0]],
    ['what is no number', [1, Number.NaN]],
    ['what has no end', [1, Number.POSITIVE_INFINITY]],
  ])('cannot be made of %s', (_, vector) => expect(() => packed(vector)).toThrow(RangeError))
})

describe('the nearest by bits', () => {
  it('are those that a look at each finds, with those that tie with the last, up to twice as many', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 70 }).chain((size) => fc.tuple(vectors(size), fc.constant(size))),
        fc.integer({ min: 1, max: 70 }),
        fc.array(fc.boolean(), { minLength: 60, maxLength: 60 }),
        fc.boolean(),
        ([all, dimensions], most, isAllowed, isFiltered) => {
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
          const table = { dimensions, bits, ...(isFiltered && { allowed }) }
          expect(nearestByBits(table, bitsOf(wanted), most)).toEqual(
            [...nearer, ...ties].map(({ at }) => at).sort((a, b) => a - b),
          )
        },
      ),
    )
  })

  it.each([
    [10, 10],
    [20, 20],
    [21, 20],
    [5000, 20],
  ])('of %i that are alike are %i, where 10 are wanted', (count, expected) => {
    const bits = new Uint32Array(count).fill(5)
    expect(nearestByBits({ dimensions: 32, bits }, Uint32Array.of(5), 10)).toHaveLength(expected)
  })

  it('are none where there are none', () => {
    expect(nearestByBits({ dimensions: 0, bits: new Uint32Array() }, new Uint32Array(), 5)).toEqual([])
  })
})
