import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { SearchRequest } from '../../src/collections/search.ts'
import { searchOperation } from '../../src/operations/search/search.ts'
import { performed } from './performed.ts'
import { type Shelved, shelf } from './search/shelf.ts'

const RETRY = `---
title: Retries
owner: platform
---

# Retries

Requests are sent again.

## After a timeout

Retry after a timeout, three times.

## Never

Errors of the client are final.
`

const SHELVED: Shelved = {
  'api/retry.md': { title: 'Retries', text: RETRY, metadata: { owner: 'platform' } },
  'api/errors.md': { title: 'Errors', text: 'A timeout is an error.\n' },
  'notes:todo.txt': { title: 'todo', text: 'Look at the timeout.\n', format: 'plain' },
}

describe('the answer of a search', () => {
  it('has the names that others rely on', async () => {
    await using books = await shelf(SHELVED)
    await books.contexts.set('/', 'Everything.')
    await books.contexts.set('docs', 'The documents.')
    await books.contexts.set('docs/api', 'What servers call.')
    const { output } = await performed(books.store, searchOperation, { query: 'retry timeouts', limit: 1 })
    expect(output).toEqual({
      query: 'retry timeouts',
      mode: 'lexical',
      degraded: [],
      results: [
        {
          docid: `#${createHash('sha256').update(`api/retry.md\n${RETRY}`).digest('hex').slice(0, 8)}`,
          collection: 'docs',
          path: 'api/retry.md',
          uri: 'ambit://docs/api/retry.md',
          title: 'Retries',
          score: expect.any(Number),
          snippet: '## After a timeout\n\nRetry after a timeout, three times.',
          lines: { start: 10, end: 12 },
          highlights: [
            { start: 11, end: 18 },
            { start: 20, end: 25 },
            { start: 34, end: 41 },
          ],
          headings: ['Retries', 'After a timeout'],
          context: 'Everything.\n\nThe documents.\n\nWhat servers call.',
          contexts: [
            { scope: 'global', prefix: '/', text: 'Everything.' },
            { scope: 'collection', prefix: '/', text: 'The documents.' },
            { scope: 'path', prefix: '/api', text: 'What servers call.' },
          ],
        },
      ],
      total: 3,
      notices: [],
    })
  })

  it.each([
    ['nothing else', {}],
    ['all', { full: true, explain: true, sections: 3, limit: 3, minScore: 0.01, path: ['**'], after: '2020-01-01' }],
    ['a filter', { collections: ['docs'], where: ['owner=platform'] }],
    ['each format', { format: 'xml' }],
  ])('is as its schema says, with %s', async (_, given) => {
    await using books = await shelf(SHELVED)
    const asked = { query: 'retry after "a timeout"', ...given }
    const { output, text } = await performed(books.store, searchOperation, asked)
    expect(output.results.length).toBeGreaterThan(0)
    expect(text).toContain('retry.md')
  })

  it('has no context where nothing was said', async () => {
    await using books = await shelf(SHELVED)
    const { results } = await books.search('timeout')
    for (const result of results) {
      expect(result).not.toHaveProperty('context')
      expect(result.contexts).toEqual([])
    }
  })

  it('says what holds at each place, and nothing of places beside it', async () => {
    await using books = await shelf(SHELVED)
    await books.contexts.set('docs/api/retry.md', 'Only this.')
    await books.contexts.set('docs/ap', 'Not this.')
    const { results } = await books.search('timeout')
    const said = new Map(results.map(({ path, context }) => [path, context]))
    const places = ['api/retry.md', 'api/errors.md', 'todo.txt'].map((path) => said.get(path))
    expect([said.size, ...places]).toEqual([3, 'Only this.', undefined, undefined])
  })

  it('is the same again', async () => {
    await using books = await shelf(SHELVED)
    const request: Omit<SearchRequest, 'query'> = { explain: true, full: true, sections: 2 }
    expect(await books.search('timeout', request)).toEqual(await books.search('timeout', request))
  })

  it('has ten results unless more are asked for', async () => {
    await using books = await shelf(Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`${at}.md`, 'alpha'])))
    expect((await books.search('alpha')).results).toHaveLength(10)
    expect((await books.search('alpha', { limit: 1000 })).results).toHaveLength(30)
    expect((await books.search('alpha')).total).toBe(30)
  })

  it('leaves out what scores less than is asked for', async () => {
    await using books = await shelf(SHELVED)
    const all = await books.search('retry timeout')
    const least = all.results[1]?.score ?? 0
    const some = await books.search('retry timeout', { minScore: least - 0.0001 })
    expect(some.results.map(({ path }) => path)).toEqual(all.results.slice(0, 2).map(({ path }) => path))
    expect((await books.search('retry timeout', { minScore: 1 })).results).toEqual([])
    expect((await books.search('retry timeout', { minScore: 0 })).results).toHaveLength(3)
  })

  it('gives several places of a document, the best first', async () => {
    await using books = await shelf(SHELVED)
    const { results } = await books.search('requests timeout client', { collections: ['docs'], sections: 3 })
    const [first] = results
    const places = [first, ...(first?.sections ?? [])].map((each) => [each?.lines.start, each?.headings.at(-1)])
    expect(new Set(places.map(([, heading]) => heading))).toEqual(new Set(['Retries', 'After a timeout', 'Never']))
    expect(places).toHaveLength(3)
    expect((await books.search('timeout', { collections: ['docs'] })).results[0]).not.toHaveProperty('sections')
  })

  it('gives the whole text when asked, as it is', async () => {
    await using books = await shelf(SHELVED)
    const { results } = await books.search('retry', { full: true })
    expect(results[0]?.text).toBe(RETRY)
    expect((await books.search('retry')).results[0]).not.toHaveProperty('text')
  })

  it('tells headings only of formats that have them', async () => {
    const text = '# Not a heading\n\nalpha'
    await using books = await shelf({ 'a.md': { text, format: 'markdown' }, 'b.sh': { text, format: 'code' } })
    const { results } = await books.search('alpha')
    expect(results.map(({ path, headings }) => `${path} ${headings}`)).toEqual(['a.md Not a heading', 'b.sh '])
  })
})

describe('a document that is found by its meaning', () => {
  const filler = 'The office keeps papers in folders for a year. '
  const about = 'Removing documents erases them.'
  it.each([
    ['at the end of a long line', `${filler.repeat(12)}${about}`],
    [
      'in a long line with a word of the query',
      `My nail file is blue. ${filler.repeat(12)}${about} ${filler.repeat(30)}`,
    ],
    ['on the last of many lines', `My nail file is blue.\n${`${filler}\n`.repeat(12)}${about}\n`],
    ['behind front matter', `---\ntitle: Notes\nkind: rule\n---\n\n${`${filler}\n`.repeat(12)}${about}`],
  ])('is shown by its nearest sentence: %s', async (_, text) => {
    await using books = await shelf({ 'a.md': { title: 'Notes', text } })
    const { results } = await books.search('how do I delete a file', { minScore: 0 })
    expect(results[0]?.snippet).toContain(about)
  })
})

describe('the explanation of a hit', () => {
  it.each([
    ['words of the text', 'client xylophone', ['client'], ['xylophone']],
    ['words of the title', 'title:retries', ['retries'], []],
    ['words of the path', 'api', ['api'], []],
    ['words of the front matter', 'platform', ['platform'], []],
    ['words by their stems, as typed', 'Retrying CLIENTS', ['Retrying', 'CLIENTS'], []],
    ['words that other documents hold', 'final look', ['final'], ['look']],
    ['words taken for others', 'cleint', ['cleint'], []],
    ['prefixes', 'cli* look*', ['cli*'], ['look*']],
    ['words of phrases', '"requests are sent"', ['requests', 'sent'], []],
    ['stop words not at all', 'the client of it', ['client'], []],
  ])('tells %s', async (_, query, matchedTerms, missingTerms) => {
    await using books = await shelf(SHELVED)
    const { results } = await books.search(query, { explain: true, collections: ['docs'] })
    const [found] = results.filter(({ path }) => path === 'api/retry.md')
    expect(found?.explain).toMatchObject({ matchedTerms, missingTerms })
  })

  it('tells how the title is like the query', async () => {
    await using books = await shelf({ 'a.md': { title: 'Retry after timeouts', text: 'x' } })
    const explain = async (query: string) => (await books.search(query, { explain: true })).results[0]?.explain
    expect(await explain('retry after timeout')).toMatchObject({ exactTitle: true, titlePairs: 1 })
    expect(await explain('timeout retry')).toMatchObject({ exactTitle: false, titlePairs: 0 })
    expect(await explain('retry timeout errors')).toMatchObject({ exactTitle: false, titlePairs: 0.5 })
  })

  it('is there only when asked for', async () => {
    await using books = await shelf(SHELVED)
    expect((await books.search('retry')).results[0]).not.toHaveProperty('explain')
  })
})

describe('the notices of a search', () => {
  it.each([
    ['the words of a phrase', '"three timeout"', 'three timeout', true],
    ['other forms of the words of a phrase', '"requests is sent"', 'requests is sent', true],
    ['another form of a word', '"requesting" sent', 'requesting'],
    [
      'a phrase in a long question',
      `which final errors do clients of the platform retry as "a timeouts"`,
      'a timeouts',
    ],
    ['one of two phrases', '"an error" "three timeout"', 'three timeout', true],
    ['a phrase', '"an error"', undefined],
    ['a phrase in a title', 'title:"errors"', undefined],
    [
      'a phrase over a line end, in a long question',
      'errors client sent retry platform final "Timeout retry"',
      undefined,
    ],
  ])('say what no result contains word for word: found by %s', async (_, query, quote, isLoosened = false) => {
    await using books = await shelf(SHELVED)
    const notices = quote === undefined ? [] : [`No result contains "${quote}" word for word.`]
    const { results, ...answer } = await books.search(query)
    expect(results.length).toBeGreaterThan(0)
    expect(answer).toMatchObject({ degraded: isLoosened ? ['phrase'] : [], notices })
  })

  it('say that phrases are in different documents', async () => {
    await using books = await shelf(SHELVED)
    const notices = ['No document contains all the quoted texts, so their words were searched.']
    expect(await books.search('"an error" "the timeout"')).toMatchObject({ degraded: ['phrase'], notices })
  })

  it('say that all that was found scores less than was asked', async () => {
    await using books = await shelf(SHELVED)
    const { results, notices } = await books.search('timeout harbour crane', { minScore: 0.99 })
    expect(results).toEqual([])
    expect(notices.at(-1)).toMatch(/^All results score less than 0\.99: the best 0\.\d\d\.$/)
  })

  it.each([
    ['a word taken for another', 'timeuot', ['No document contains "timeuot"; also searched: timeout.']],
    ['a word that is nowhere', 'xylophone timeout', ['No document contains "xylophone".']],
    ['a prefix of nothing', 'xylo*', ['No document contains "xylo*".']],
    ['nothing where all is known', 'retry timeout', []],
    ['nothing of the parts of a name', 'retryTimeout', ['No document contains "retryTimeout".']],
    ['nothing of what must not be there', 'retry -xylophone', []],
  ])('tell of %s', async (_, query, notices) => {
    await using books = await shelf(SHELVED)
    expect((await books.search(query)).notices).toEqual(notices)
  })

  it('are short, however long a word is', async () => {
    await using books = await shelf(SHELVED)
    const [notice = ''] = (await books.search('x'.repeat(100_000))).notices
    expect(notice.length).toBeLessThan(300)
  })

  it('name the words that most documents hold', async () => {
    const many = (word: string, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`${word}${at}.q`, `${word} `]))
    const once = ['tesq', 'tesw', 'tesx', 'tesy', 'tesz', 'tess'].map((word) => many(word, 1))
    await using books = await shelf(Object.assign(many('tesb', 9), ...once))
    const told = 'No document contains "tesk"; also searched: tesb, tesy, tesq, tess, tesw.'
    expect((await books.search('tesk')).notices).toEqual([told])
  })
})

describe('a request that cannot be', () => {
  it.each([
    ['a limit of 0', { limit: 0 }],
    ['a limit above 1,000', { limit: 1001 }],
    ['a limit below 0', { limit: -1 }],
    ['half a limit', { limit: 1.5 }],
    ['no number as the limit', { limit: Number.NaN }],
    ['no sections', { sections: 0 }],
    ['a thousand sections', { sections: 1000 }],
    ['a score above 1', { minScore: 1.1 }],
    ['a score below 0', { minScore: -0.1 }],
    ['a score that is not a number', { minScore: Number.NaN }],
    ['a word as the date', { after: 'yesterday' }],
    ['a year as the date', { after: '2026' }],
    ['a month that is none', { after: '2026-13-01' }],
    ['a day that its month does not have', { after: '2026-02-31' }],
    ['a date with more behind it', { after: '2026-05-31 or so' }],
    ['a condition without a value', { where: ['status'] }],
    ['a condition without a key', { where: ['=draft'] }],
    ['two values of one key', { where: ['status=draft', 'status=final'] }],
  ])('is invalid-input: %s', async (_, request) => {
    await using books = await shelf(SHELVED)
    const searching = books.search('retry', request)
    await expect(searching).rejects.toMatchObject({ code: 'invalid-input', hint: expect.any(String) })
  })

  it.each(['2026-05', '2026-05-31', '2028-02-29', '2026-05-31T12:00:00Z', '2026-05-31T12:00:00+02:00'])(
    'is none with the date %s',
    async (after) => {
      await using books = await shelf(SHELVED)
      expect(await books.search('retry', { after })).toMatchObject({ results: [] })
    },
  )
})
