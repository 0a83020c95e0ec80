import { describe, expect, it } from 'vitest'
import { copiesAmong, type ReadText } from '../../src/research/web/page-dates.ts'

const pageOf = (
  url: string,
  text: string,
  { day, canonical }: { day?: string; canonical?: string } = {},
): ReadText => ({
  urls: [url],
  text,
  dates: day === undefined ? [] : [{ what: 'published', day, where: 'JSON-LD' }],
  ...(canonical !== undefined && { canonical }),
})

describe('pages that say the same', () => {
  const text = Array.from(
    { length: 40 },
    (_, at) => `Sentence ${at} tells of boat ${at * 7} and harbour ${at * 3}.`,
  ).join(' ')
  it('are one source: the first of them', () => {
    const pages = [
      pageOf('a', text),
      pageOf('b', `${text} Copied by somebody.`),
      pageOf('c', 'The raft carries nobody at all, says the master.'),
    ]
    expect([...copiesAmong(pages)]).toEqual([['b', 'a']])
  })

  it.each([
    ['the one that the others name as their address', [pageOf('a', text, { canonical: 'b' }), pageOf('b', text)], 'b'],
    [
      'that one, though a copy says that it is older',
      [pageOf('a', text, { canonical: 'b', day: '2020-01-01' }), pageOf('b', text, { day: '2024-01-01' })],
      'b',
    ],
    ['the older one', [pageOf('a', text, { day: '2024-05-03' }), pageOf('b', text, { day: '2024-05-01' })], 'b'],
    ['the one that has a day', [pageOf('a', text), pageOf('b', text, { day: '2024-05-01' })], 'b'],
    ['the first, where they name an unread page', [pageOf('a', text, { canonical: 'z' }), pageOf('b', text)], 'a'],
    [
      'the first, where each names the other',
      [pageOf('a', text, { canonical: 'b' }), pageOf('b', text, { canonical: 'a' })],
      'a',
    ],
  ])('have as their original %s', (_, pages, original) => {
    const copy = original === 'a' ? 'b' : 'a'
    expect([...copiesAmong(pages)]).toEqual([[copy, original]])
  })

  it('have as their original what was read before, whose passages are used already', () => {
    const before = [pageOf('a', text, { canonical: 'b', day: '2024-05-03' })]
    expect([...copiesAmong([pageOf('b', text, { day: '2020-01-01' })], before)]).toEqual([['b', 'a']])
  })

  it('are told apart where a good part differs, or nothing could be read', () => {
    const other = text.replaceAll('boat', 'crane').slice(0, text.length / 2) + text.slice(text.length / 2)
    expect(copiesAmong([pageOf('a', text), pageOf('b', other)]).size).toBe(0)
    expect(copiesAmong([pageOf('a', ''), pageOf('b', '')]).size).toBe(0)
  })
})
