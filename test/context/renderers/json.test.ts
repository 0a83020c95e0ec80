import { describe, expect, it } from 'vitest'
import { json } from '../../../src/context/renderers/renderers.ts'
import { fragment, left, selectionOf } from '../../core/fragments.ts'

describe('json', () => {
  it('is nothing for an empty selection', () => {
    expect(json()(selectionOf([], [left('x')]))).toBe('')
  })

  it('is the kept fragments, two spaces deep, with a line end', () => {
    expect(json()(selectionOf([fragment('a', 'x "y"\n')]))).toBe(`[
  {
    "origin": {
      "uri": "file:///a"
    },
    "kind": "context-file",
    "title": "a",
    "text": "x \\"y\\"\\n",
    "syntax": "markdown"
  }
]
`)
  })

  it.each(['</script>', '\0\x1b\u2028', '\ud83d', '😀'])('gives back %j', (text) => {
    const kept = [fragment('a', text), fragment('b', text, { pinned: true })]
    const printed = json()(selectionOf(kept))
    expect(JSON.parse(printed)).toEqual(kept)
    expect(printed).not.toMatch(/\p{Surrogate}/u)
  })
})
