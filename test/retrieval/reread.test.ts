import { describe, expect, it } from 'vitest'
import { bestBlocks } from '../../src/retrieval/passages/best-blocks.ts'
import type { WantedTerm } from '../../src/retrieval/passages.ts'
import { Rereader, RunFinder } from '../../src/retrieval/reread.ts'
import { fc, forAll } from '../support/property.ts'

const wanted = (...words: readonly string[]): WantedTerm[] =>
  words.map((word) => ({ forms: [word], weight: 1, idf: 2, cover: 1 }))

describe('the best blocks', () => {
  const TEXT =
    '# Port\n\nThe crane lifts.\n\n## Pilots\n\n- The pilot boards.\n- The crane and the pilot wait.\n\n```\n# no heading\n```\n\nA pilot.\n'

  it('hold most of what is wanted, the best first, with the headings above', () => {
    const blocks = bestBlocks(TEXT, wanted('crane', 'pilot'), 2)
    expect(blocks.map(({ text, trail }) => [text, trail])).toEqual([
      ['- The crane and the pilot wait.', '# Port\n## Pilots'],
      ['The crane lifts.', '# Port'],
    ])
    expect(blocks.every(({ start, end, text }) => TEXT.slice(start, end) === text)).toBe(true)
    expect(bestBlocks(TEXT, wanted('pilot'), 9).at(-1)?.trail).toBe('# Port\n## Pilots')
  })

  it('hold words that begin as is wanted, and no word that only goes on so', () => {
    const begun = (prefix: string) =>
      bestBlocks(TEXT, [{ forms: [prefix], isPrefix: true, weight: 1, idf: 2, cover: 1 }], 9)
    expect(begun('pil').map(({ text }) => text)).toEqual([
      '## Pilots',
      '- The pilot boards.',
      '- The crane and the pilot wait.',
      'A pilot.',
    ])
    expect(begun('ilot')).toEqual([])
    expect(begun('')).toEqual([])
  })
})

describe('the longest run', () => {
  const words = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 25 })
  const all = () => true

  it('is the longest piece of the one list that stands in the other', () => {
    forAll(words, words, (query, text) => {
      const longest = (): number => {
        for (let length = Math.min(query.length, text.length); length > 0; length--) {
          const pieces = new Set(query.map((_, at) => query.slice(at, at + length).join()))
          if (text.some((_, at) => at + length <= text.length && pieces.has(text.slice(at, at + length).join())))
            return length
        }
        return 0
      }
      const run = new RunFinder(query, 1).longest(text, all)
      expect(run ? run.end - run.start : 0).toBe(longest())
    })
  })
})

describe('a document that is read again', () => {
  const LINE = 'a crane that lifts more than twelve tons needs a second pilot at the berth'
  const reader = new Rereader(LINE, wanted('crane', 'lift', 'ton', 'pilot', 'berth'))

  it('has the whole query word for word where it stands so, and shows it there', () => {
    const text = `# Cranes\n\nPilots and cranes, berths and tons.\n\n${LINE.toUpperCase()}.\n`
    const { run, shown } = reader.read(text)
    expect(run).toBeCloseTo(1)
    expect(text.slice(shown?.start, shown?.end)).toBe(`${LINE.toUpperCase()}.`)
  })

  it.each([
    ['the same words in another order', LINE.split(' ').toReversed().join(' ')],
    ['the text of a link', `See [${LINE}](cranes.md).`],
    ['what is said behind a link, of another document', `- [Cranes](cranes.md): ${LINE}`],
  ])('has no run of %s', (_, text) => {
    expect(reader.read(text)).toMatchObject({ run: 0, passage: expect.any(Number) })
    expect(reader.read(text).passage).toBeGreaterThan(0)
  })

  it('has a run that goes on across a link', () => {
    expect(reader.read(LINE.replace('second pilot', '[second pilot](p)')).run).toBeGreaterThan(0.5)
  })

  it('shows prose rather than a row of a table that is as good', () => {
    expect(reader.read('| The crane |\n\nThe crane.\n').shown?.text).toBe('The crane.')
  })

  it('scores the higher the more of the query stands in one passage', () => {
    const together = reader.read('The crane, the pilot and the berth.\n\nMore.').passage
    const apart = reader.read('The crane.\n\nThe pilot.\n\nThe berth.').passage
    expect(together).toBeGreaterThan(apart)
    expect(together).toBeLessThanOrEqual(reader.maxScore)
  })
})
