import { describe, expect, it } from 'vitest'
import { cutElements, elementsOf, fitElements, unescapeText } from '../../src/text/elements.ts'
import { frameText } from '../../src/text/frames.ts'
import { fc, forAll } from '../support/property.ts'

const told = (shown: number, all: number) => `${shown} of ${all}`

describe('the elements of a framed text', () => {
  it('are given with their attributes, as they were before they were escaped', () => {
    const text = frameText({ tag: 'hit', attributes: { uri: 'a "b" <c>\n&', lines: '1-2' }, text: 'x < y' })
    expect(elementsOf(`before ${text} after`)).toEqual([
      { tag: 'hit', attributes: { uri: 'a "b" <c>\n&', lines: '1-2' }, body: 'x &lt; y', whole: text },
    ])
  })

  it('are as many as were framed, whatever the texts hold', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('</hit>', '<hit>\n', '\n</hit>\n', '&lt;', ']]>', '\r'),
    )
    const any = fc.array(piece, { maxLength: 6 }).map((parts) => parts.join(''))
    forAll(fc.array(any, { maxLength: 5 }), (texts) => {
      const whole = texts.map((text) => frameText({ tag: 'hit', attributes: { title: text }, text })).join('')
      expect(
        elementsOf(whole)
          .map((one) => one.whole)
          .join(''),
      ).toBe(whole)
      expect(elementsOf(whole)).toHaveLength(texts.length)
    })
  })

  it('hold the text that was framed', () =>
    forAll(fc.stringMatching(/^[ -~]*$/), (text) => {
      const [element] = elementsOf(frameText({ tag: 'a', attributes: {}, text }))
      expect(unescapeText(element?.body ?? '')).toBe(text)
    }))
})

describe('a framed text that is cut', () => {
  it('stays as it is when it fits', () => {
    const text = frameText({ tag: 'a', attributes: {}, text: 'one' })
    expect(cutElements(text, Buffer.byteLength(text), told)).toBe(text)
    expect(cutElements(text, Buffer.byteLength(text) - 1, told)).toBe('<a>\non\n</a>\n<notice>\n12 of 13\n</notice>\n')
  })

  it('keeps the elements before the one that has no room, whole and in order', () => {
    const [one, two, three] = ['first', 'second', 'third'].map((text) => frameText({ tag: 'a', attributes: {}, text }))
    const text = `${one}${two}${three}`
    expect(cutElements(text, Buffer.byteLength(`${one}${two}`), told)).toBe(
      `${one}${two}<notice>\n${Buffer.byteLength(`${one}${two}`)} of ${Buffer.byteLength(text)}\n</notice>\n`,
    )
  })

  it('is of whole frames, no longer than it may be, and says so', () => {
    const contents = fc.array(fc.constantFrom('<', '&', 'é', '👩', 'a b\n', '</hit>'), { maxLength: 40 })
    forAll(fc.array(contents, { minLength: 1, maxLength: 4 }), fc.nat(300), (texts, most) => {
      const context = { path: '/a', text: 'What <it> is for.' }
      const whole = texts
        .map((text) => frameText({ tag: 'hit', attributes: { a: '>' }, context, text: text.join('') }))
        .join('')
      fc.pre(Buffer.byteLength(whole) > most)
      const cut = cutElements(whole, most, told)
      const elements = elementsOf(cut)
      expect(elements.map((one) => one.whole).join('')).toBe(cut)
      expect(elements.at(-1)?.tag).toBe('notice')
      const shown = cut.slice(0, cut.lastIndexOf('<notice>'))
      expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(most)
      expect(shown.isWellFormed()).toBe(true)
      // No entity and no tag is parted.
      expect(shown.match(/&(?!amp;|lt;|gt;|quot;|#\d+;)/)).toBeNull()
      for (const { body } of elements.slice(0, -1)) {
        expect(body.match(/<path-context/g)?.length).toBe(body.match(/<\/path-context>/g)?.length)
      }
    })
  })
})

describe('a framed text that is cut with what is said of it', () => {
  const text = ['first', 'second', 'third'].map((one) => frameText({ tag: 'a', attributes: {}, text: one })).join('')
  const all = Buffer.byteLength(text)

  it('stays as it is when it fits', () => {
    expect(fitElements(text, all, told)).toBe(text)
    expect(fitElements(text, all + 1, told)).toBe(text)
  })

  it('is never longer than it may be, and nothing where not even that has room', () => {
    for (let most = 0; most < all; most++) {
      const cut = fitElements(text, most, told)
      expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(most)
      expect(cut === '' || cut.endsWith(` of ${all}\n</notice>\n`)).toBe(true)
    }
    expect(fitElements(text, all - 1, told)).not.toBe('')
  })
})
