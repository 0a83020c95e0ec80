import { describe, expect, it } from 'vitest'
import { json } from '../../../src/context/renderers/renderers.ts'
import { fragment, left, selectionOf } from '../../core/fragments.ts'

describe('json', () => {
  it('is nothing for an empty selection', () => {
    expect(json()(selectionOf([], [left('x')]))).toBe('')
  })

  it.each(['</script>', '\0\x1b\u2028', '\ud83d', '😀'])('gives back %j', (text) => {
    const kept = [fragment('a', text), fragment('b', text, { pinned: true })]
    const printed = json()(selectionOf(kept))
    expect(JSON.parse(printed)).toEqual(kept)
    expect(printed).not.toMatch(/\p{Surrogate}/u)
  })
})
