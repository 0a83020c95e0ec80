import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { decodePostings } from '../../src/retrieval/postings.ts'
import { postingsIn, SegmentBuilder } from '../../src/retrieval/segment.ts'
import {
  candidatePostings,
  INDEXED,
  piecesOfWords,
  positionsOf,
  termsOfPiece,
  withoutCase,
} from '../../src/retrieval/substrings.ts'
import { termsOf } from '../../src/retrieval/terms.ts'
import { fc, forAll } from '../support/property.ts'

/** The texts as a segment; those that are not to be found by their pieces begin with `!`. */
function segmentOf(texts: readonly string[]): ReadonlyMap<string, Uint8Array> {
  const builder = new SegmentBuilder()
  for (const body of texts) builder.add({ title: 't', path: 'p', body, hasSubstrings: !body.startsWith('!') })
  return new Map(postingsIn(builder.finish()))
}

/** Documents that may hold a piece. */
function candidates(texts: readonly string[], piece: string): number[] {
  const terms = segmentOf(texts)
  const bytes = candidatePostings(
    texts.length,
    terms.get(INDEXED),
    termsOfPiece(piece).map((term) => terms.get(term)),
  )
  const { body, docs } = decodePostings(bytes)
  return [...docs.subarray(0, body)]
}

const TEXTS = ['let a = b->next()', 'Next a->B', 'nothing', '!b->next', 'ab', '\u{1f600}\u{1f601} b']

describe('documents that may hold a piece of text', () => {
  it.each([
    ['those that hold all that it is made of, and those that are not indexed so', 'b->n', [0, 3]],
    ['those that hold it in another case', 'NEXT', [0, 1, 3]],
    ['none but those that are not indexed so', 'elephant', [3]],
    ['all, for a piece of less than three characters', 'ab', [0, 1, 2, 3, 4, 5]],
    ['all, for a piece of halves of characters', '\u{1f600}\u{1f601}', [0, 1, 2, 3, 4, 5]],
    ['those that hold the plain end of one with an emoji', '\u{1f601} b', [0, 1, 2, 3, 4, 5]],
  ])('are %s', (_, piece, expected) => {
    expect(candidates(TEXTS, piece)).toEqual(expected)
  })

  it('are never fewer than hold it', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'b', 'A', '-', '>', ' ', '\n', 'é', '\u{1f600}', 'İ'),
      maxLength: 12,
    })
    forAll(fc.array(text, { minLength: 1, maxLength: 6 }), text, (texts, piece) => {
      const may = new Set(candidates(texts, piece))
      for (const [index, body] of texts.entries()) {
        if (withoutCase(body).includes(withoutCase(piece))) expect(may.has(index)).toBe(true)
      }
    })
  })

  it('leave the words, their counts and the lengths as they are', () => {
    const built = (hasSubstrings: boolean) => {
      const builder = new SegmentBuilder()
      for (const body of TEXTS) builder.add({ title: 't', path: 'p', body, hasSubstrings })
      const segment = builder.finish()
      const { docs, bodyLengths, titleLengths } = segment
      const words = [...postingsIn(segment)].filter(([term]) => !term.startsWith(INDEXED))
      return { docs, bodyLengths, titleLengths, words }
    }
    expect(built(true)).toEqual(built(false))
  })
})

describe('the places of a piece', () => {
  it.each([
    ['each, none within another', 'aa', 'aaaaa', 9, [0, 2]],
    ['the first', 'a', 'aaaa', 2, [0, 1]],
    ['none of an empty piece', '', 'aaaa', 9, []],
    ['in another case', 'A', 'ba', 9, [1]],
  ])('are %s', (_, piece, plain, most, expected) => {
    expect(positionsOf(piece, plain, most)).toEqual(expected)
  })
})

it('words whose stems are another part are among those that may hold a piece', () => {
  const text = readFileSync(new URL('../../docs/DESIGN.md', import.meta.url), 'utf8')
  const words = new Set([
    ...(text.toLowerCase().match(/[a-z]{3,20}/g) ?? []),
    'available',
    'happily',
    'running',
    'relational',
  ])
  for (const word of words) {
    const term = termsOf(word).main
    for (let start = 0; start < word.length; start++) {
      for (let end = start + 3; end <= word.length; end++) {
        const part = word.slice(start, end)
        const pieces = [part, ...(start === 0 ? [` ${part}`] : []), ...(end === word.length ? [`${part} `] : [])]
        for (const one of pieces.flatMap(piecesOfWords))
          expect([part, word, one.mayBeIn(term)]).toEqual([part, word, true])
      }
    }
  }
  expect(piecesOfWords('childnotify')[0]?.mayBeIn('music')).toBe(false)
  expect(piecesOfWords('a (whole) b').map(({ term }) => term)).toEqual(['whole'])
})
