import { describe, expect, it } from 'vitest'
import { ContextError } from '../../../src/core/errors.ts'
import { operations } from '../../../src/operations/index.ts'
import { tree } from '../../support/tree.ts'
import { appOf, ask, echo, eventsIn, listening, NOWHERE, operation, post, rootsOf, waiter, write } from './support.ts'

const app = appOf()

describe('an operation', () => {
  it('that reads is asked by GET, its inputs in the query', async () => {
    const { status, json, headers } = await ask(app, '/api/echo?word=a&words=b,c&count=2&loud=true')
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json'])
    expect(json).toEqual({ said: { word: 'a', words: ['b', 'c'], count: 2, loud: true } })
  })

  it('that reads is asked by POST, too, where the inputs are long', async () => {
    const word = 'x'.repeat(100_000)
    const { json } = await ask(app, '/api/echo', post({ word }))
    expect(json.said.word).toHaveLength(100_000)
  })

  it('that writes is asked by POST alone', async () => {
    const { status, headers } = await ask(app, '/api/things.write?word=a')
    expect([status, headers.get('allow')]).toEqual([405, 'POST'])
    expect((await ask(app, '/api/things.write', post({ word: 'a' }))).json.said.word).toBe('a')
  })

  it('has its defaults where nothing is given', async () => {
    expect((await ask(app, '/api/echo')).json.said).toEqual({ count: 1, loud: false })
    expect(
      (await ask(app, '/api/echo', { method: 'POST', headers: { 'content-type': 'application/json' } })).status,
    ).toBe(200)
  })

  it('that is not there is not found', async () => {
    expect((await ask(app, '/api/nothing')).json).toMatchObject({ status: 404, code: 'not-found' })
    expect((await ask(app, '/api/toString')).status).toBe(404)
  })

  it('loads the context of a place', async () => {
    using planted = tree({ '.git/': '', 'AGENTS.md': '# Here\n' })
    const { json } = await ask(appOf({ roots: rootsOf(planted.base) }), '/api/load?budget=500')
    expect(json).toMatchObject({ place: planted.base, budget: 500 })
    expect(json.text).toContain('# Here')
  })

  it.each([
    ['count=x', 'count is "x", and must be a number.'],
    ['count=1&count=2', 'count is given 2 times, and takes one value.'],
    ['count=-1', 'count must be at least 0.'],
    ['count=1.5', 'count must be a whole number.'],
    ['loud=yes', 'loud is "yes", and must be true or false.'],
    ['wrod=a', 'There is no input called wrod.'],
    ['__proto__=a', 'There is no input called __proto__.'],
    ['constructor=a', 'There is no input called constructor.'],
  ])('refuses ?%s', async (query, detail) => {
    expect((await ask(app, `/api/echo?${query}`)).json).toMatchObject({ status: 400, code: 'invalid-input', detail })
  })

  it.each([
    [{ wrod: 'a' }, 'There is no input called wrod.'],
    ['{"__proto__": 1}', 'There is no input called __proto__.'],
    [[], 'The input must be an object.'],
    ['null', 'The input must be an object.'],
    ['{', 'The body is not JSON in UTF-8.'],
  ])('refuses the body %j', async (body, detail) => {
    expect((await ask(app, '/api/echo', post(body))).json).toMatchObject({ status: 400, code: 'invalid-input', detail })
  })
})

it.each([
  ['/api/search?query=a&format=xml', {}],
  ['/api/search', post({ query: 'a', format: 'xml' })],
])('an input that only changes how an answer is printed is none of the API: %s', async (path, init) => {
  const { json } = await ask(app, path, init)
  expect(json).toMatchObject({ status: 400, detail: 'There is no input called format.' })
  expect(json.hint).toMatch(/^Inputs: query, collections, .*\.$/)
})

it.each([
  ['search?query=a&minScore=5', 'minScore must be at most 1.'],
  ['search?query=a&limit=1001', 'limit must be at most 1000.'],
  ['search?query=a&after=zz', 'after is "zz", and must be written like 2026-05-31 or 2026-05-31T12:00:00Z.'],
  ['search?query=a&where=zz', 'where is "zz", and must be written like status=draft.'],
  ['get?path=a/b&lines=zz', 'lines is "zz", and must be written like 10-20 or 10- or 10 or 10:5.'],
  ['get', 'path is missing.'],
])('a value that no schema takes is a problem: %s', async (path, detail) => {
  const { status, json, headers } = await ask(app, `/api/${path}`)
  expect([status, headers.get('content-type')]).toEqual([400, 'application/problem+json'])
  expect(json).toMatchObject({ code: 'invalid-input', detail, hint: 'The schema of the inputs says what each may be.' })
})

describe('a hint', () => {
  it.each([
    ['See "ambit ls docs/a b".', 'See GET /api/ls?place=docs%2Fa+b.'],
    ['See "ambit collection list".', 'See GET /api/collections.list.'],
    ['Add: ambit collection add NAME PATH', 'Add: POST /api/collections.add with {"name":"NAME","root":"PATH"}'],
    ['Run "ambit embed --force" to recompute all.', 'Run POST /api/embed with {"force":true} to recompute all.'],
    ['Run "ambit nothing".', 'Run "ambit nothing".'],
  ])('names what the API has in place of a command line: %s', async (hint, told) => {
    const hinting = operation('hinting', () => {
      throw new ContextError('not-found', 'It is not there.', { hint })
    })
    const apart = appOf({ operations: [...operations, hinting] })
    expect((await ask(apart, '/api/hinting')).json.hint).toBe(told)
    const { body } = await ask(apart, '/api/hinting', { headers: { accept: 'text/event-stream' } })
    expect(eventsIn(body).at(-1)?.data.hint).toBe(told)
  })

  it('is there where the method is wrong', async () => {
    expect((await ask(app, '/api/things.write')).json.hint).toBe('Send it by POST.')
    const { json } = await ask(app, '/api/echo', { method: 'DELETE' })
    expect([json.status, json.hint]).toEqual([405, 'GET reads, POST reads and writes. See /openapi.json.'])
  })
})

describe('an error', () => {
  it.each([
    ['not-found', 404],
    ['invalid-input', 400],
    ['conflict', 409],
    ['denied', 403],
    ['untrusted', 403],
    ['unavailable', 503],
    ['over-limit', 413],
    ['cancelled', 499],
  ])('%s has the status %i, its message and its hint', async (code, status) => {
    const { json, headers, status: given } = await ask(app, `/api/fail?word=${code}`)
    expect([given, headers.get('content-type')]).toEqual([status, 'application/problem+json'])
    expect(json).toMatchObject({ type: 'about:blank', status, code, detail: `It is ${code}.`, hint: 'Do otherwise.' })
    expect(json.title).toMatch(/^[A-Z][a-z]/)
  })

  it('that says to come back says when', async () => {
    expect((await ask(app, '/api/fail?word=unavailable')).headers.get('retry-after')).toBe('1')
  })

  it('that is a bug is told to whoever looks after the server, and to nobody else', async () => {
    const heard: string[] = []
    const { json } = await ask(appOf({ log: (error, where) => heard.push(`${where}: ${error}`) }), '/api/fail?word=bug')
    expect(json).toEqual({
      type: 'about:blank',
      title: 'Internal Server Error',
      status: 500,
      detail: 'The server failed.',
      code: 'internal',
      hint: 'This is a bug in Ambit.',
    })
    expect(heard).toEqual([expect.stringContaining('GET /api/fail: TypeError: SELECT')])
  })
})

describe('an answer', () => {
  it('has a strong ETag, and is not sent again to those who have it', async () => {
    const first = await ask(app, '/api/echo?word=a')
    const tag = first.headers.get('etag') ?? ''
    expect(tag).toMatch(/^"[\w-]{43}"$/)
    for (const known of [tag, `"other", ${tag}`, `W/${tag}`, '*']) {
      const again = await ask(app, '/api/echo?word=a', { headers: { 'if-none-match': known } })
      expect([again.status, again.body, again.headers.get('etag')]).toEqual([304, '', tag])
    }
    expect((await ask(app, '/api/echo?word=b', { headers: { 'if-none-match': tag } })).status).toBe(200)
  })

  it('to a POST has none: nothing says that it would be the same again', async () => {
    for (const path of ['/api/echo', '/api/things.write']) {
      const { status, headers } = await ask(app, path, post({ word: 'a' }, { 'if-none-match': '*' }))
      expect([status, headers.get('etag')]).toEqual([200, null])
    }
  })

  it('has no body for HEAD', async () => {
    const { status, body, headers } = await ask(app, '/api/echo', { method: 'HEAD' })
    expect([status, body]).toEqual([200, ''])
    expect(headers.get('etag')).toBe((await ask(app, '/api/echo')).headers.get('etag'))
  })

  it('that takes too long is not waited for, and the work is stopped', async () => {
    const { seen, wait } = waiter()
    const impatient = appOf({ operations: [wait], limits: { time: 20 } })
    expect((await ask(impatient, '/api/wait')).json).toMatchObject({ status: 503, code: 'unavailable' })
    expect(seen).toEqual({ started: 1, stopped: 1 })
  })

  it('that takes too long is not waited for though the work hears nothing', async () => {
    const deaf = operation('deaf', () => new Promise(() => {}))
    const { json } = await ask(appOf({ operations: [deaf], limits: { time: 20 } }), '/api/deaf')
    expect(json.detail).toBe('The answer took more than 20 ms.')
  })

  it('is not made when the asker goes away', async () => {
    const { seen, wait } = waiter()
    const controller = new AbortController()
    const asked = ask(appOf({ operations: [wait] }), '/api/wait', { signal: controller.signal })
    await expect.poll(() => seen.started).toBe(1)
    controller.abort()
    expect((await asked).status).toBe(499)
    expect(seen.stopped).toBe(1)
  })
})

describe('an asker on a socket', () => {
  it('who goes away ends the work', async () => {
    const { seen, wait } = waiter()
    await using server = await listening({ operations: [wait] })
    const controller = new AbortController()
    const asked = fetch(`${server.url}/api/wait`, { headers: server.headers, signal: controller.signal })
    await expect.poll(() => seen.started).toBe(1)
    controller.abort()
    await expect(asked).rejects.toThrow()
    await expect.poll(() => seen.stopped).toBe(1)
  })

  it('who only wants the head of a stream starts nothing that goes on', async () => {
    const { body, status, headers } = await ask(app, '/api/echo', {
      method: 'HEAD',
      headers: { accept: 'text/event-stream' },
    })
    expect([status, body, headers.get('content-type')]).toEqual([200, '', 'application/json'])
  })
})

describe('the server', () => {
  it('does only so much at once, and says so', async () => {
    const { seen, wait } = waiter()
    const closing = new AbortController()
    const busy = appOf({ operations: [wait, echo], limits: { runs: 2 }, closing: closing.signal })
    const waiting = [ask(busy, '/api/wait'), ask(busy, '/api/wait')]
    await expect.poll(() => seen.started).toBe(2)
    const refused = await ask(busy, '/api/echo')
    const stream = await ask(busy, '/api/echo', { headers: { accept: 'text/event-stream' } })
    expect([refused.status, refused.headers.get('retry-after'), stream.status]).toEqual([503, '1', 503])
    closing.abort()
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([499, 499])
    expect((await ask(appOf({ operations: [echo], limits: { runs: 2 } }), '/api/echo')).status).toBe(200)
  })

  it('has room again when work is done, however it ended', async () => {
    const one = appOf({ limits: { runs: 1 } })
    for (const word of ['a', 'b']) expect((await ask(one, `/api/echo?word=${word}`)).status).toBe(200)
    for (const word of ['bug', 'conflict']) expect((await ask(one, `/api/fail?word=${word}`)).status).not.toBe(503)
    expect((await ask(one, '/api/echo')).status).toBe(200)
  })

  it('says that it is there without a token', async () => {
    const { status, json } = await ask(app, '/healthz', { headers: { authorization: '' } })
    expect([status, json]).toEqual([200, { status: 'ok' }])
  })

  it('has MCP only where it is given, with the operations as it runs them', async () => {
    const seen: string[][] = []
    const mcp: Parameters<typeof appOf>[0] = {
      operations: [echo, write],
      mcp: (operations) => {
        seen.push(operations.map(({ name }) => name))
        return { fetch: async (request) => new Response(request.method) }
      },
    }
    expect((await ask(app, '/mcp', post({}))).status).toBe(404)
    expect((await ask(appOf(mcp), '/mcp', post({}))).body).toBe('POST')
    expect(seen).toEqual([['echo', 'things.write']])
  })

  it('shows nothing of the disk when it has no roots', async () => {
    const { status } = await ask(appOf({ roots: NOWHERE }), '/api/load')
    expect(status).toBe(403)
  })
})
