import { describe, expect, it } from 'vitest'
import { retryAfterMs } from '../../src/internet/responses.ts'
import { SEARCH_PROVIDERS, type SearchProvider, webSearch } from '../../src/internet/search-provider.ts'
import type { SearchScope } from '../../src/internet/web-search.ts'
import { describeProvider, type Provider } from './search.contract.ts'
import { served } from './served.ts'

const key = 'sesame-key'

const ROWS: Readonly<Record<SearchProvider, Omit<Provider, 'name' | 'open'>>> = {
  searxng: {
    answer: (results) => ({
      query: 'tides',
      results: results.map(({ url, title, snippet, date = null }) => ({
        url,
        title,
        content: snippet,
        publishedDate: date,
        engine: 'x',
        engines: ['x'],
        score: 1,
      })),
      answers: [],
      unresponsive_engines: [['y', 'timeout']],
    }),
    nothing: { 'no results, and no engine was silent': { query: 'tides', results: [], unresponsive_engines: [] } },
    request: (q) => ({ method: 'GET', path: '/search', query: { q, format: 'json' } }),
  },
  tavily: {
    answer: (results) => ({
      query: 'tides',
      answer: null,
      images: [],
      results: results.map(({ url, title, snippet, date }) => ({
        url,
        title,
        content: snippet,
        published_date: date,
        score: 0.9,
        raw_content: null,
      })),
      response_time: 1,
    }),
    nothing: { 'no results': { query: 'tides', results: [] } },
    request: (query, max_results) => ({
      method: 'POST',
      path: '/search',
      headers: { authorization: `Bearer ${key}` },
      body: { query, max_results },
    }),
  },
  brave: {
    answer: (results) => ({
      query: { original: 'tides', more_results_available: false },
      web: {
        results: results.map(({ url, title, snippet, date }) => ({
          url,
          title,
          description: snippet,
          page_age: date,
          profile: {},
        })),
      },
    }),
    nothing: { 'without web': { query: { original: 'tides' } }, 'no results': { web: { results: [] } } },
    request: (q, count) => ({
      method: 'GET',
      path: '/web/search',
      headers: { 'x-subscription-token': key },
      query: { q, count: `${count}` },
    }),
  },
  exa: {
    answer: (results) => ({
      requestId: 'r',
      results: results.map(({ url, title, snippet, date }) => ({
        id: url,
        url,
        title,
        highlights: snippet === undefined ? [] : [snippet],
        publishedDate: date,
        author: null,
      })),
    }),
    nothing: { 'no results': { requestId: 'r', results: [] } },
    request: (query, numResults) => ({
      method: 'POST',
      path: '/search',
      headers: { 'x-api-key': key },
      body: { query, numResults },
    }),
  },
  serper: {
    answer: (results) => ({
      searchParameters: { q: 'tides' },
      organic: results.map(({ url: link, ...hit }, at) => ({ link, ...hit, position: at + 1 })),
      credits: 1,
    }),
    nothing: { 'organic is null': { organic: null, credits: 1 }, 'organic is absent': { credits: 1 } },
    request: (q, num) => ({ method: 'POST', path: '/search', headers: { 'x-api-key': key }, body: { q, num } }),
  },
}

/** A provider of the registry without a row fails here. */
for (const name of SEARCH_PROVIDERS)
  describeProvider({ name, open: (options) => webSearch(name, options), ...ROWS[name] })

async function problemOf(provider: string, status: number, answer: string) {
  await using server = await served((_, response) => response.writeHead(status).end(answer))
  const search = webSearch(provider, { baseUrl: server.url, key, retryDelayMs: 1 })
  return await search.search('tides', { limit: 1, signal: AbortSignal.timeout(9000) }).catch((error: unknown) => error)
}

describe('a search service', () => {
  it('SearXNG without JSON says which setting is missing', async () => {
    const hint = expect.stringMatching(/"json".*search\.formats/)
    expect(await problemOf('searxng', 403, '<h1>Forbidden</h1>')).toMatchObject({ code: 'denied', hint })
  })

  it('SearXNG whose engines are silent has not found nothing', async () => {
    const answer = JSON.stringify({
      results: [],
      unresponsive_engines: [
        ['google', 'timeout'],
        ['bing', 'CAPTCHA'],
      ],
    })
    const message = expect.stringMatching(/google \(timeout\), bing \(CAPTCHA\)/)
    expect(await problemOf('searxng', 200, answer)).toMatchObject({ code: 'unavailable', message })
  })

  it('another that answers 403 refuses the key', async () => {
    expect(await problemOf('brave', 403, '{}')).toMatchObject({ code: 'denied', hint: expect.stringContaining('KEY') })
  })

  it.each([432, 433])('Tavily that answers %i has a plan that is used up', async (status) => {
    expect(await problemOf('tavily', status, '{}')).toMatchObject({ code: 'over-limit' })
  })

  it.each(['http://127.0.0.1:1/base', 'http://127.0.0.1:1/base/', 'http://127.0.0.1:1/base?x#y'])(
    'is asked below %s',
    async (base) => {
      await using server = await served((_, response) => response.end('{"results":[]}'))
      const baseUrl = base.replace(':1', `:${server.port}`)
      await webSearch('searxng', { baseUrl }).search('x', { limit: 1, signal: AbortSignal.timeout(9000) })
      expect(server.asked.map(({ path }) => path)).toEqual(['/base/search?q=x&format=json'])
    },
  )

  it.each([
    ['searxng', {}, 'AMBIT_SEARCH_URL'],
    ['tavily', {}, 'AMBIT_SEARCH_KEY'],
    ['brave', { key: '' }, 'AMBIT_SEARCH_KEY'],
    ['google', { key }, 'searxng, tavily'],
    ['constructor', { key }, 'searxng, tavily'],
  ])('%s with %j is refused', (provider, options, hint) => {
    expect(() => webSearch(provider, options)).toThrow(
      expect.objectContaining({ code: 'invalid-input', hint: expect.stringContaining(hint) }),
    )
  })
})

describe('Retry-After', () => {
  const now = Date.parse('2026-11-21T10:00:00Z')
  it.each([
    [null, 0],
    ['', 0],
    ['5', 5000],
    ['1.5', 1500],
    ['-1', 0],
    ['soon', 0],
    ['Sat, 21 Nov 2026 10:00:30 GMT', 30_000],
    ['Sat, 21 Nov 2026 09:00:00 GMT', 0],
  ])('%j means %i ms', (text, ms) => expect(retryAfterMs(text, now)).toBe(ms))
})

/** What a service was asked: the parameters of its URL, and its body. */
async function sentTo(provider: string, scope: SearchScope) {
  await using server = await served((_, response) => response.end('{"results":[]}'))
  const search = webSearch(provider, { baseUrl: server.url, key })
  await search.search('tides', { limit: 5, signal: AbortSignal.timeout(9000), ...scope })
  const [{ path = '', body = '' } = {}] = server.asked
  const parameters = Object.fromEntries(new URL(path, server.url).searchParams)
  return { ...parameters, ...(body === '' ? {} : JSON.parse(body)) }
}

const DOMAINS = { allowedDomains: ['a.example', 'b.example'], blockedDomains: ['c.example'] }
const OPERATORS = 'tides (site:a.example OR site:b.example) -site:c.example'
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
const DAYS = { from: '2025-02-01', to: '2025-05-31' }

describe('the scope of a search', () => {
  it.each<[string, SearchScope, object]>([
    ['tavily', DOMAINS, { include_domains: ['a.example', 'b.example'], exclude_domains: ['c.example'] }],
    ['tavily', DAYS, { start_date: '2025-02-01', end_date: '2025-05-31' }],
    ['exa', DOMAINS, { query: 'tides', includeDomains: ['a.example', 'b.example'], excludeDomains: ['c.example'] }],
    ['exa', DAYS, { startPublishedDate: '2025-02-01T00:00:00.000Z', endPublishedDate: '2025-05-31T23:59:59.999Z' }],
    ['brave', DOMAINS, { q: OPERATORS }],
    ['brave', { ...DAYS, language: 'ja' }, { freshness: '2025-02-01to2025-05-31', search_lang: 'jp' }],
    ['brave', { to: '2025-05-31' }, { freshness: '1990-01-01to2025-05-31' }],
    ['serper', DOMAINS, { q: OPERATORS }],
    ['serper', { ...DAYS, language: 'de' }, { tbs: 'cdr:1,cd_min:2/1/2025,cd_max:5/31/2025', hl: 'de' }],
    ['searxng', DOMAINS, { q: OPERATORS }],
    ['searxng', { from: daysAgo(0), language: 'de' }, { time_range: 'day', language: 'de' }],
    ['searxng', { from: daysAgo(20) }, { time_range: 'month' }],
    ['searxng', { from: daysAgo(200) }, { time_range: 'year' }],
    ['brave', { from: '2025-02-01' }, { freshness: `2025-02-01to${daysAgo(0)}` }],
  ])('%s is asked for %j as its API takes it', async (provider, scope, sent) => {
    expect(await sentTo(provider, scope)).toMatchObject(sent)
  })

  it.each(SEARCH_PROVIDERS)('%s is asked for nothing more without one', async (name) => {
    const names = Object.keys(await sentTo(name, {}))
    expect(names.filter((one) => /domain|date|fresh|lang|tbs|hl|range/i.test(one))).toEqual([])
  })

  it.each([
    ['brave', { language: 'tlh' }],
    ['searxng', { from: '2001-01-01' }],
  ])('%s is not asked for what it does not know: %j', async (name, scope) => {
    const sent = await sentTo(name, scope)
    expect(sent).not.toHaveProperty('search_lang')
    expect(sent).not.toHaveProperty('time_range')
  })

  it('leaves room for the query: domains that are too many are left to whoever reads the results', async () => {
    const many = Array.from({ length: 40 }, (_, at) => `domain-${at}.example`)
    const { q } = await sentTo('brave', { allowedDomains: many, blockedDomains: many })
    expect(q).toMatch(/^tides -site:domain-0\.example/)
    expect(q.length).toBeLessThan(210)
  })
})
