import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ContextError } from '../../../src/core/errors.ts'
import { SILENT } from '../../../src/core/flow.ts'
import { type Shelf, shelf } from './shelf.ts'

/** Many documents, some of them large; nothing is written to them. */
async function manyBooks(): Promise<Shelf> {
  const word = (at: number) => `w${at.toString(36)} ${['alpha', 'beta', 'file', '检索', 'été'][at % 5]}`
  const text = (at: number) => Array.from({ length: 200 }, (_, line) => word(at * 7 + line)).join(line(at))
  const line = (at: number) => (at % 2 === 0 ? '\n' : ' ')
  const documents = Array.from({ length: 100 }, (_, at) => [
    `dir${at % 7}/${at}.md`,
    { title: word(at), text: text(at) },
  ])
  const books = await shelf(Object.fromEntries(documents))
  await books.put({ 'a/long.md': 'a '.repeat(100_000), 'a/word.md': 'x'.repeat(200_000), 'a/empty.md': '' })
  return books
}

let books: Shelf
beforeAll(async () => {
  books = await manyBooks()
})
afterAll(() => books[Symbol.asyncDispose]())

const PIECES = ['"', '-', '*', ' ', 'title:', 'path:', '-"', '-title:"', '\0', '\ud83d', '\udc00', '🎉', '👩‍👩‍👧', '❤️']
const WORDS = [...'alpha beta file openFile 检索 检 été a w1 max_x 1.0 C++ the'.split(' '), "';--", '%', '_']

describe('any text', () => {
  it.each(['', ' \n', '-lion', 'path:docs', '-path:docs -"a b"', '?!…', '-'])(
    'says so where it has no word: %s',
    async (query) => {
      await using books = await shelf({ 'docs/a.md': 'zebra' })
      const { results, notices } = await books.search(query)
      expect([results, notices]).toEqual([[], ['The query has no word to search for.']])
    },
  )

  it('says so where it is too long to be read whole', async () => {
    await using books = await shelf({ 'a.md': 'zebra' })
    const noticesFor = async (query: string) => (await books.search(query)).notices
    const cut = expect.stringMatching(/^Only the first 327\d\d characters of the query were searched\.$/)
    expect(await noticesFor(`${' '.repeat(32_763)}zebra`)).toEqual([])
    expect(await noticesFor('zebras, '.repeat(5000))).toEqual([cut])
    expect(await noticesFor(`${' '.repeat(40_000)}zebra`)).toEqual([cut])
    expect(await noticesFor(`path:a ${' '.repeat(40_000)}`)).toEqual([cut, 'The query has no word to search for.'])
  })

  it.each([
    ['a part of a word with a hyphen is not a slip', 'e-mail', { 'a.md': 'The main mall.' }, []],
    ['a word alone may be one', 'mail', { 'a.md': 'The main thing.' }, ['a.md']],
    ['a hyphen may be left out', 'e-mail', { 'a.md': 'Send an email.', 'b.md': 'The main one.' }, ['a.md']],
    [
      'what is written so comes first',
      'e-mail',
      {
        'a.md': '# Mail\n\nSend an email to the team. A mailing list.',
        'b.md': '# Electronic mail\n\nAn e-mail is sent.',
      },
      ['b.md', 'a.md'],
    ],
    ['an emoji alone is looked for', '🎉', { 'a.md': 'A party 🎉.', 'b.md': 'None.' }, ['a.md']],
    ['an emoji is found however it is drawn', '❤️', { 'a.md': 'With ❤.', 'b.md': 'None.' }, ['a.md']],
    ['printed quotes are quotes', '“good start”', { 'a.md': 'A start so good.', 'b.md': 'A good start.' }, ['b.md']],
  ])('is read as it was meant: %s', async (_, query, shelved, paths) => {
    await using books = await shelf(shelved)
    expect(await books.paths(query)).toEqual(paths)
  })

  it('is a query: ten thousand of them are answered, none with an error', { tags: 'long' }, async () => {
    const part = fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...PIECES) },
      { weight: 4, arbitrary: fc.constantFrom(...WORDS) },
      { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 6 }) },
    )
    const query = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(''))
    const queries = fc.sample(query, 10_000)
    for (const text of queries) {
      const { hits, total } = await books.look(text, { limit: 3 }).catch((cause) => {
        throw new Error(`${JSON.stringify(text)} is not a query.`, { cause })
      })
      if (hits.length > 3 || total > 103) throw new Error(`${JSON.stringify(text)} finds more than there is.`)
    }
  })

  it.each([
    ['one word', 'x'.repeat(100_000)],
    ['words', Array.from({ length: 20_000 }, (_, at) => `w${at}`).join(' ')],
    ['misspelt words', Array.from({ length: 10_000 }, (_, at) => `alphax${at}`).join(' ')],
    ['prefixes', 'a* b* c* w* x* '.repeat(7_000)],
    ['exclusions', `alpha ${Array.from({ length: 15_000 }, (_, at) => `-w${at}`).join(' ')}`],
    ['excluded prefixes', `alpha ${Array.from({ length: 15_000 }, (_, at) => `-w${at}*`).join(' ')}`],
    ['phrases', 'a '.concat('"a a" '.repeat(17_000))],
    ['excluded phrases', 'a '.concat('-"a b" '.repeat(15_000))],
    ['a phrase of one word, again and again', `"${'a '.repeat(50_000)}"`],
    ['a phrase that almost stands there', `"${'a '.repeat(49_000)} b"`],
    ['parts of paths', 'a '.concat('path:a '.repeat(14_000))],
    ['other parts of paths', `a ${Array.from({ length: 10_000 }, (_, at) => `-path:p${at}`).join(' ')}`],
    ['a long part of a path', `a path:${'p'.repeat(100_000)}`],
    ['open quotes', '"'.repeat(100_000)],
    ['minuses', '-'.repeat(100_000)],
    ['emoji', '🎉'.repeat(50_000)],
    ['halves of characters', '\ud83d'.repeat(100_000)],
    ['NULs', '\0'.repeat(100_000)],
    ['Chinese', '检索'.repeat(50_000)],
    ['names in capitals and small letters', 'aB'.repeat(50_000)],
    ['underscores', 'a_'.repeat(50_000)],
    ['dots', '1.'.repeat(50_000)],
  ])('is a query: 100 kB of %s', async (_, query) => {
    const { results } = await books.search(query, { limit: 1000, explain: true, sections: 3 })
    for (const { score, snippet } of results) {
      expect(score > 0 && score <= 1).toBe(true)
      expect(snippet.isWellFormed()).toBe(true)
    }
  })

  it('may be stopped', async () => {
    const stopped = { ...SILENT, signal: AbortSignal.abort() }
    await expect(books.look('alpha', {}, stopped)).rejects.toMatchObject({ code: 'cancelled' })
    const stop = new AbortController()
    const looking = books.look('"beta alpha"', { limit: 1000 }, { ...SILENT, signal: stop.signal })
    setImmediate(() => stop.abort())
    await expect(looking).rejects.toThrow(ContextError)
  })
})
