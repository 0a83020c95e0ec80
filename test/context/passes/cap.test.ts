import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cap } from '../../../src/context/passes/cap.ts'
import type { Fragment } from '../../../src/core/flow.ts'
import { fragment, left, plainly, selectionOf, stepOf } from '../../core/fragments.ts'

const isHome = ({ title }: Fragment) => title.startsWith('~')

/** What the cap keeps of texts by name, the most important first. */
async function apply(maxBytes: number, texts: Readonly<Record<string, string>>) {
  const fragments = Object.entries(texts).map(([name, text]) => fragment(name, text))
  return cap(maxBytes, isHome)(selectionOf(fragments, [left('x')]), stepOf(plainly))
}

const texts = { nested: 'nnnn', middle: 'mmmm', root: 'rrrr' }

describe('cap', () => {
  it.each([
    [13, { nested: 'nnnn', middle: 'mmmm', root: 'rrrr' }],
    [12, { nested: 'nnnn', middle: 'mmmm', root: 'rrrr' }],
    [11, { nested: 'nnn', middle: 'mmmm', root: 'rrrr' }],
    [9, { nested: 'n', middle: 'mmmm', root: 'rrrr' }],
    [8, { middle: 'mmmm', root: 'rrrr' }],
    [7, { middle: 'mmm', root: 'rrrr' }],
    [3, { root: 'rrr' }],
    [0, {}],
  ])('of %i bytes counts from the least important: %j', async (maxBytes, expected) => {
    const { kept, left: gone } = await apply(maxBytes, texts)
    expect(Object.fromEntries(kept.map(({ title, text }) => [title, text]))).toEqual(expected)
    expect(kept.map(({ title }) => title)).toEqual(Object.keys(expected))
    expect(kept.length + gone.length).toBe(4)
    for (const { text, cut } of kept) {
      expect(cut).toEqual(text.length === 4 ? undefined : { to: 'part', why: 'over-limit' })
    }
  })

  it('leaves what it does not reach, and says how much all may take', async () => {
    const { left: gone } = await apply(3, texts)
    expect(gone.map(({ title }) => title)).toEqual(['x', 'middle', 'nested'])
    expect(gone[1]).toMatchObject({ why: 'over-limit', detail: 'All files together may take 3 bytes.' })
  })

  it('keeps what is exempt, without counting it', async () => {
    const { kept } = await apply(5, { nested: 'nnnn', root: 'rrrr', '~home': 'h'.repeat(100) })
    expect(kept.map(({ text }) => text.length)).toEqual([1, 4, 100])
  })

  it('never cuts inside a character, and leaves what not even one character of fits', async () => {
    const { kept } = await apply(6, { nested: '😀😀' })
    expect(kept.map(({ text }) => text)).toEqual(['😀'])
    const none = await apply(3, { nested: '😀😀' })
    expect([none.kept, none.left.map(({ title }) => title)]).toEqual([[], ['x', 'nested']])
  })

  it('keeps empty texts, whatever the cap', async () => {
    expect((await apply(0, { nested: '', root: 'r' })).kept.map(({ title }) => title)).toEqual(['nested'])
  })

  it('never keeps more bytes than it says, loses nothing, and keeps the order', async () => {
    const property = fc.asyncProperty(
      fc.array(fc.string({ unit: 'grapheme', maxLength: 6 }), { maxLength: 6 }),
      fc.nat(40),
      async (contents, maxBytes) => {
        const given = Object.fromEntries(contents.map((text, index) => [`f${index}`, text]))
        const { kept, left: gone } = await apply(maxBytes, given)
        expect(Buffer.byteLength(kept.map(({ text }) => text).join(''))).toBeLessThanOrEqual(maxBytes)
        expect(kept.map(({ title }) => title)).toEqual(kept.map(({ title }) => title).toSorted())
        expect([...kept, ...gone].map(({ title }) => title).toSorted()).toEqual([...Object.keys(given), 'x'])
        for (const { title, text } of kept) expect(given[title]?.startsWith(text)).toBe(true)
      },
    )
    await fc.assert(property)
  })
})
