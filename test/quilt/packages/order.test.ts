import { describe, expect, it } from 'vitest'
import { compareBytes } from '../../../src/files/objects.ts'
import { byTree } from '../../../src/quilt/packages/in-order.ts'
import { fc, forAll } from '../../support/property.ts'

const units = fc.constantFrom('a', 'b', '-', '.', '/', '!', '\ud83d', '\ude00', '\ud83e', '\ue000', '\uffff', '😀', 'é')
const texts = fc.string({ unit: units, maxLength: 8 })

/** Point by point, and the shorter first. */
function pointsCompared(a: string, b: string): number {
  const [left, right] = [a, b].map((text) => [...text].map((point) => point.codePointAt(0) ?? 0))
  return listsCompared(left ?? [], right ?? [], (one, other) => one - other)
}

function listsCompared<Item>(a: readonly Item[], b: readonly Item[], compare: (a: Item, b: Item) => number): number {
  for (const [index, one] of a.entries()) {
    const other = b[index]
    if (other === undefined) return 1
    const order = compare(one, other)
    if (order !== 0) return Math.sign(order)
  }
  return Math.sign(a.length - b.length)
}

describe('the order of code points', () => {
  it('is that of the points one by one', () => {
    forAll(5000, texts, texts, (a, b) => {
      expect(Math.sign(compareBytes(a, b))).toBe(pointsCompared(a, b) + 0)
    })
  })
})

describe('the order of a tree', () => {
  it('is that of the segments one by one', () => {
    forAll(5000, texts, texts, (a, b) => {
      expect(Math.sign(byTree(a, b))).toBe(listsCompared(a.split('/'), b.split('/'), pointsCompared) + 0)
    })
  })
})
