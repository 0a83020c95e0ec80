import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import type { WebResult, WebSearch, WebSearchOptions } from '../../src/internet/web-search.ts'
import { type Served, served } from './served.ts'

/** How a provider answers, as recorded. */
export interface Provider {
  readonly name: string
  open(options: WebSearchOptions & { baseUrl: string }): WebSearch
  /** An answer that holds these results. */
  answer(results: readonly Found[]): object
  /** Answers in which nothing is found, by what they are called. */
  readonly nothing: Readonly<Record<string, object>>
  /** What a request for a query must be like. */
  request(query: string, limit: number): object
}

export interface Found {
  readonly url?: unknown
  readonly title?: unknown
  readonly snippet?: unknown
  readonly date?: unknown
}

const KEY = 'sesame-key'
const PAGE = { url: 'https://a.example/x', title: 'A page', snippet: 'What it says.', date: '2026-11-20' }

type Answer = (response: ServerResponse, index: number) => void

function json(value: unknown): Answer {
  return (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

/** What every provider does, whatever it is asked and answered. */
export function describeProvider(provider: Provider): void {
  const { name, open } = provider
  const normal = json(provider.answer([PAGE]))

  async function searched(answer: Answer, options: WebSearchOptions = {}, { query = 'tides', limit = 5 } = {}) {
    await using server = await served((_, response, index) => answer(response, index))
    const search = open({ baseUrl: server.url, key: KEY, retryDelayMs: 1, ...options })
    const found = await search
      .search(query, { limit, signal: AbortSignal.timeout(20_000) })
      .catch((error: Error) => error)
    return { found, asked: server.asked }
  }

  /** After the first answers a normal one. */
  const then =
    (...answers: readonly Answer[]): Answer =>
    (response, index) =>
      (answers[index] ?? normal)(response, index)

  const status =
    (code: number, headers = {}): Answer =>
    (response) =>
      response.writeHead(code, headers).end('{"detail":"no"}')

  describe(`the search of ${name}`, () => {
    it('gives what was found, with its day', async () => {
      expect((await searched(normal)).found).toEqual([PAGE])
    })

    it('is asked as it wants to be', async () => {
      const { asked } = await searched(normal, {}, { query: 'high\n tides?', limit: 3 })
      expect(asked.map(requestOf)).toMatchObject([provider.request('high tides?', 3)])
    })

    it('cuts a long query between words', async () => {
      const { asked } = await searched(normal, {}, { query: 'tides and moons '.repeat(100) })
      const sent = JSON.stringify(asked.map(requestOf)).match(/(?:tides and moons\s*)+(?:tides and|tides)?/)?.[0] ?? ''
      expect(sent.length).toBeGreaterThan(350)
      expect(sent.length).toBeLessThanOrEqual(400)
    })

    it.each(Object.entries(provider.nothing))('finds nothing: %s', async (_, answer) => {
      expect((await searched(json(answer))).found).toEqual([])
    })

    it('gives each page once, in its order, and no more than are wanted', async () => {
      const pages = ['a', 'b', 'a', 'c', 'd'].map((page) => ({ ...PAGE, url: `https://${page}.example/` }))
      const { found } = await searched(json(provider.answer(pages)), {}, { limit: 3 })
      expect(found).toMatchObject(['a', 'b', 'c'].map((name) => ({ url: `https://${name}.example/` })))
    })

    it('leaves out what is not a page', async () => {
      const words = ['ftp://a.example/', 'javascript:alert(1)', '/x', '', null, 7, 'https://me:sesame@a.example/']
      const urlOf = (length: number) => 'https://a.example/'.padEnd(length, 'x')
      const pages = [...words, urlOf(2049), urlOf(2048), PAGE.url].map((url) => ({ ...PAGE, url }))
      const { found } = await searched(json(provider.answer(pages)), {}, { limit: 20 })
      expect(found).toEqual(pages.slice(-2))
    })

    it('does without what is missing, and takes tags and control characters out', async () => {
      const bare = { url: 'https://a.example/x' }
      const marked = {
        url: 'https://b.example/',
        title: 'A &amp; <b>B</b>\n\u001b[31m',
        snippet: '<strong>x</strong> &#39;y&#x27; &lt;z',
        date: '3 days ago',
      }
      const long = { url: 'https://c.example/', title: 'x'.repeat(300), snippet: '&#1114112;' }
      const longer = { url: 'https://d.example/', title: 'x'.repeat(301), snippet: '&#x10ffff;' }
      expect((await searched(json(provider.answer([bare, marked, long, longer])))).found).toEqual([
        { url: 'https://a.example/x', title: 'a.example', snippet: '' },
        { url: 'https://b.example/', title: 'A & B', snippet: "x 'y' <z" },
        long,
        { ...longer, title: `${'x'.repeat(299)}…`, snippet: '\u{10ffff}' },
      ])
    })

    it('reads a date as a day, and leaves out what is none', async () => {
      const days = '2026-11-20T10:00:00Z|2026-11-20|Nov 20, 2026|20 Nov 2026|Fri, 20 Nov 2026 23:30:00 GMT'.split('|')
      const dates = [...days, '2026-13-45', '45 Nov 2026', 'yesterday', 7]
      const pages = dates.map((date, at) => ({ ...PAGE, url: `https://${at}.example/`, date }))
      const { found } = await searched(json(provider.answer(pages)), {}, { limit: 20 })
      const read = (found as readonly WebResult[]).map(({ date }) => date)
      expect(read).toEqual(dates.map((date) => (days.includes(String(date)) ? '2026-11-20' : undefined)))
    })

    it.each([
      ['429 that says nothing', then(status(429)), 2],
      ['429 that says how long', then(status(429, { 'retry-after': '0' })), 2],
      ['429 that says when', then(status(429, { 'retry-after': new Date(0).toUTCString() })), 2],
      ['500 twice', then(status(500), status(503)), 3],
      ['408', then(status(408)), 2],
      ['a connection that breaks', then((response) => response.destroy()), 2],
      [
        'a body that is cut off',
        then((response) => response.writeHead(200, { 'content-length': 99 }).write('{"re', () => response.destroy())),
        2,
      ],
      ['JSON that is cut off', then((response) => response.end('{"results":[{')), 2],
    ])('is asked again after %s', async (_, answer, times) => {
      const { found, asked } = await searched(answer)
      expect(found).toEqual([PAGE])
      expect(asked).toHaveLength(times)
    })

    it('waits as long as the service asks', async () => {
      const started = performance.now()
      expect((await searched(then(status(429, { 'retry-after': '1' })))).found).toEqual([PAGE])
      expect(performance.now() - started).toBeGreaterThanOrEqual(950)
    })

    it.each<[string, Answer, string, number, RegExp]>([
      ['401', status(401), 'denied', 1, /key/],
      ['402', status(402), 'over-limit', 1, /plan/],
      ['400', status(400), 'invalid-input', 1, /query/],
      ['404', status(404), 'unavailable', 1, /path/],
      ['429 for ever', status(429), 'unavailable', 3, /too many requests/],
      ['429 for an hour', status(429, { 'retry-after': '3600' }), 'unavailable', 1, /too many requests/],
      ['500 for ever', status(500), 'unavailable', 3, /failed \(500\)/],
      ['a redirect', status(302, { location: 'https://b.example/' }), 'unavailable', 1, /302/],
      ['HTML', (response) => response.end('<!doctype html><p>Log in'), 'unavailable', 1, /a page and not with JSON/],
      ['five megabytes', (response) => response.end(`"${'x'.repeat(5_000_000)}"`), 'unavailable', 1, /more than/],
      ['no JSON for ever', (response) => response.end('{'), 'unavailable', 3, /broken/],
    ])('tells of %s', async (_, answer, code, times, message) => {
      const { found, asked } = await searched(answer)
      const error = { name: 'ContextError', code, hint: expect.any(String), message: expect.stringMatching(message) }
      expect(found).toMatchObject(error)
      expect(JSON.stringify([String(found), (found as { hint?: string }).hint])).not.toContain(KEY)
      expect(asked).toHaveLength(times)
    })

    it.each<[string, Answer]>([
      ['nothing', () => {}],
      ['half an answer', (response) => response.writeHead(200).write('{"a"')],
    ])('does not wait for ever where %s comes', async (_, answer) => {
      const { found, asked } = await searched(answer, { timeoutMs: 200 })
      expect(found).toMatchObject({ code: 'unavailable', message: expect.stringContaining('nothing for 0.2 seconds') })
      // A busy machine may not even have sent the request in that time.
      expect(asked.length).toBeLessThanOrEqual(3)
    })

    it('tells of a service that is not there', async () => {
      const search = open({ baseUrl: 'http://127.0.0.1:1', key: KEY, retryDelayMs: 1 })
      const asking = search.search('tides', { limit: 1, signal: AbortSignal.timeout(20_000) })
      await expect(asking).rejects.toMatchObject({ code: 'unavailable' })
    })

    it.each(['before', 'while it waits', 'between two requests'])('is cancelled %s', async (when) => {
      const controller = new AbortController()
      await using server = await served((_, response) => {
        setTimeout(() => controller.abort(), 20)
        if (when === 'between two requests') response.writeHead(429).end()
      })
      if (when === 'before') controller.abort()
      const search = open({ baseUrl: server.url, key: KEY, retryDelayMs: 10_000 })
      const asking = search.search('tides', { limit: 1, signal: controller.signal })
      await expect(asking).rejects.toMatchObject({ code: 'cancelled' })
      expect(server.asked.length).toBe(when === 'before' ? 0 : 1)
    })

    it.each([{}, [], null, { results: null, web: null, organic: null }, { results: [null, 7, 'x', []] }])(
      'finds nothing in %j',
      async (answer) => {
        expect((await searched(json(answer))).found).toEqual([])
      },
    )

    const odd = [
      { results: 'x', web: 'x', organic: 'x' },
      { results: {}, web: { results: 7 }, organic: {} },
    ]
    it.each(['x', 7, true, ...odd])('tells of %j, which is not a list of results', async (answer) => {
      const message = expect.stringContaining('not a list of results')
      expect((await searched(json(answer))).found).toMatchObject({ code: 'unavailable', message })
    })

    /** Puts what is hostile in the place of everything in an answer: each of it, or one in so many. */
    const believing = (step: number) => async () => {
      const whole = provider.answer([PAGE, { ...PAGE, url: 'https://b.example/' }])
      const places = placesIn(whole)
      expect(places.length).toBeGreaterThan(8)
      const answers = places.flatMap((place, at) =>
        HOSTILE.filter((_, index) => (at + index) % step === 0).map(
          (value) => [place, exchanged(whole, place, value)] as const,
        ),
      )
      await using server = await served((_, response, index) => response.end(answers[index]?.[1]))
      const search = open({ baseUrl: server.url, key: KEY, retryDelayMs: 1 })
      for (const [place] of answers) {
        const asking = search.search('tides', { limit: 5, signal: AbortSignal.timeout(60_000) })
        const found = await asking.catch((error: Error) => error)
        if (found instanceof Error) expect([place, found.name]).toEqual([place, 'ContextError'])
        else expect([place, found.every(isResult)]).toEqual([place, true])
      }
    }
    it('believes nothing in an answer to be of any kind', believing(5))
    it('believes it of no value in no place', { tags: 'long' }, believing(1))
  })
}

type Path = readonly (string | number)[]

/** Every value of an answer, by the way that leads there. */
function placesIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value)
  return [path, ...keys.flatMap((key) => placesIn(Object(value)[key], [...path, key]))]
}

/** What a service may say for anything, as JSON. */
const HOSTILE: readonly string[] = [
  'null',
  'true',
  '-1e308',
  '""',
  '"\\ud800\\u202e\\u0000"',
  '[]',
  '{}',
  '{"toString":1,"valueOf":1}',
  '{"toString":null,"length":3,"0":{"url":7}}',
  '{"__proto__":{"results":[1]},"constructor":1}',
  '[{"toString":1}]',
  '[[{"toString":1},{"toString":1}]]',
  `${'['.repeat(3000)}${']'.repeat(3000)}`,
  `"${'A'.repeat(100_000)}"`,
]

/** The answer with something else in one place. */
function exchanged(whole: unknown, path: Path, value: string): string {
  const mark = '\u0001here'
  const at = (one: unknown, [key, ...rest]: Path): unknown => {
    if (key === undefined) return mark
    const inner = at(Object(one)[key], rest)
    return Array.isArray(one) ? one.with(Number(key), inner) : { ...Object(one), [key]: inner }
  }
  return JSON.stringify(at(whole, path)).replace(JSON.stringify(mark), () => value)
}

function isResult({ url, title, snippet, date }: WebResult): boolean {
  const isText = [url, title, snippet].every((one) => typeof one === 'string' && one.isWellFormed())
  return isText && title !== '' && /^https?:/.test(url) && (date === undefined || /^\d{4}-\d\d-\d\d$/.test(date))
}

function requestOf({ method, path, headers, body }: Served['asked'][number]) {
  const { pathname, searchParams } = new URL(path, 'http://x')
  const query = Object.fromEntries(searchParams)
  return { method, path: pathname, query, headers, body: body === '' ? undefined : JSON.parse(body) }
}
