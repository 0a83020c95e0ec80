import { describe, expect, it } from 'vitest'
import { copiesAmong } from '../../src/research/web/page-dates.ts'

const pageOf = (name: string, text: string) => ({ url: name.includes(':') ? name : `https://${name}`, text })

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
    expect([...copiesAmong(pages)]).toEqual([['https://b', 'https://a']])
  })

  it('are told apart where a good part differs, or nothing could be read', () => {
    const other = text.replaceAll('boat', 'crane').slice(0, text.length / 2) + text.slice(text.length / 2)
    expect(copiesAmong([pageOf('a', text), pageOf('b', other)]).size).toBe(0)
    expect(copiesAmong([pageOf('a', ''), pageOf('b', '')]).size).toBe(0)
    expect(copiesAmong([pageOf('absence:1/1', text), pageOf('absence:1/2', text)]).size).toBe(0)
  })
})
