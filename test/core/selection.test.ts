import { describe, expect, it } from 'vitest'
import { leave, mergeSelections, uniqueBy } from '../../src/core/assemble.ts'
import { fragment, left, namesOf, selectionOf } from './fragments.ts'

const [a, b, c] = [fragment('a', 'one'), fragment('b', 'two'), fragment('c', 'one')]

describe('merge', () => {
  it('puts kept, left and warnings one after the other', () => {
    const warning = { path: 'p', message: 'odd' }
    const both = mergeSelections([
      selectionOf([a], [left('x')]),
      { kept: [b, c], left: [left('y')], warnings: [warning] },
    ])
    expect([namesOf(both.kept), namesOf(both.left), both.warnings]).toEqual([['a', 'b', 'c'], ['x', 'y'], [warning]])
    expect(mergeSelections([])).toEqual({ kept: [], left: [], warnings: [] })
  })
})

describe('uniqueBy', () => {
  it('keeps the first, and leaves the others after what was left before', () => {
    const { kept, left: gone } = uniqueBy(selectionOf([a, b, c], [left('x')]), ({ text }) => text)
    expect(kept).toEqual([a, b])
    expect(gone).toEqual([
      left('x'),
      { origin: c.origin, title: 'c', why: 'duplicate', detail: 'The same as a, which is kept.' },
    ])
  })

  it('pins the one it keeps when another of them is pinned', () => {
    const { kept } = uniqueBy(selectionOf([a, b, { ...c, pinned: true }]), ({ text }) => text)
    expect(kept).toEqual([{ ...a, pinned: true }, b])
  })

  it('gives the selection itself when nothing is twice', () => {
    const selection = selectionOf([a, b])
    expect(uniqueBy(selection, ({ text }) => text)).toBe(selection)
  })
})

describe('leave', () => {
  it('leaves what it is given a reason for, and asks with the place in the order', () => {
    const asked: number[] = []
    const { kept, left: gone } = leave(selectionOf([a, b, c], [left('x')]), ({ title }, index) => {
      asked.push(index)
      return title === 'b' ? { why: 'irrelevant', detail: 'Because.' } : undefined
    })
    expect(asked).toEqual([0, 1, 2])
    expect(kept).toEqual([a, c])
    expect(gone).toEqual([left('x'), { origin: b.origin, title: 'b', why: 'irrelevant', detail: 'Because.' }])
  })
})
