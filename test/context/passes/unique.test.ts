import { describe, expect, it } from 'vitest'
import { unique } from '../../../src/context/passes/limits.ts'
import type { Fragment } from '../../../src/core/flow.ts'
import { fragment, left, namesOf, plainly, selectionOf, stepOf } from '../../core/fragments.ts'

function identified(name: string, id: string): Fragment {
  return fragment(name, name, { origin: { uri: `file:///${name}`, id } })
}

const apply = async (kept: readonly Fragment[]) => unique()(selectionOf(kept, [left('x')]), stepOf(plainly))

describe('unique', () => {
  it('keeps one of two uris with the same id, the more important one', async () => {
    const { kept, left: gone } = await apply([
      identified('a', '1:7'),
      identified('b', '1:8'),
      identified('link', '1:7'),
    ])
    expect(namesOf(kept)).toEqual(['a', 'b'])
    expect(gone).toEqual([
      left('x'),
      {
        origin: { uri: 'file:///link', id: '1:7' },
        title: 'link',
        why: 'duplicate',
        detail: 'The same as a, which is kept.',
      },
    ])
  })

  it('takes the uri for the id where there is none', async () => {
    const { kept, left: gone } = await apply([fragment('a'), identified('b', 'file:///a'), fragment('c')])
    expect([namesOf(kept), namesOf(gone)]).toEqual([
      ['a', 'c'],
      ['x', 'b'],
    ])
  })

  it('does not look at texts and titles, and gives the selection itself when nothing is twice', async () => {
    const selection = selectionOf([fragment('a', 'same'), { ...fragment('b', 'same'), title: 'a' }])
    expect(await unique()(selection, stepOf(plainly))).toBe(selection)
  })
})
