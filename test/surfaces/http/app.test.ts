import { describe, expect, it } from 'vitest'
import { ContextError } from '../../../src/core/errors.ts'
import { operations } from '../../../src/operations/index.ts'
import { fc, forAllAsync } from '../../support/property.ts'
import { appOf, ask, echo, eventsIn, listening, NOWHERE, operation, post, waiter, write } from './support.ts'

const app = appOf()

describe('an operation', () => {
  it('that reads is asked by POST, too, where the inputs are long', async () => {
    const word = 'x'.repeat(100_000)
    const { json } = await ask(app, '/api/echo', post({ word }))
    expect(json.said.word).toHaveLength(100_000)
  })

  it('that reads is given any words that are put into an address', async () => {
    const [words, loud] = [fc.array(fc.string(), { minLength: 2 }), fc.boolean()]
    await forAllAsync(fc.string(), words, fc.maxSafeNat(), loud, async (word, words, count, loud) => {
      const query = new URLSearchParams({ word, count: `${count}`, loud: `${loud}` })
      for (const each of words) query.append('words', each)
      const { json } = await ask(app, `/api/echo?${query}`)
      const said = words.map((each) => each.toWellFormed())
      expect(json.said).toEqual({ word: word.toWellFormed(), words: said, count, loud })
    })
  })
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
    expect((await ask(appOf({ roots: NOWHERE }), '/api/load')).status).toBe(403)
  })
})
