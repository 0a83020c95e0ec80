/** What one guest may have at once, and keep. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWith } from '../../../src/open.ts'
import { appOf, ask, echo, post, TOKEN, waiter } from './support.ts'

const small = openWith({
  file: undefined,
  unknown: [],
  home: false,
  db: ':memory:',
  research: { models: {}, budget: {}, contextInQueries: false, quota: { sessions: 3, bytes: 1000 } },
})
const tokens = new Map<string, string>()
beforeAll(async () => {
  for (const name of ['eve', 'frank', 'grace', 'heidi']) {
    const { token } = await (await small.tokens()).create({ name, scopes: ['read', 'research'] })
    tokens.set(name, token)
  }
})
afterAll(() => small.close())

const by = (name: string) => ({ authorization: `Bearer ${tokens.get(name)}` })

describe('what one guest keeps', () => {
  const sessionOf = async (all: ReturnType<typeof appOf>, headers: object) =>
    ask(all, '/api/sessions', {
      ...post({ question: 'Which lion sleeps?' }),
      headers: { ...post({}).headers, ...headers },
    })
  const upload = (bytes: number) => {
    const body = new FormData()
    body.append('file', new File(['x'.repeat(bytes)], 'a.txt'))
    return { method: 'POST', body }
  }

  it('has a most of sessions, 429, which is nothing to others or to the owner', async () => {
    const all = appOf({ engine: small })
    for (let at = 0; at < 3; at++) expect((await sessionOf(all, by('eve'))).status).toBe(201)
    const { status, json } = await sessionOf(all, by('eve'))
    expect([status, json.code, json.hint]).toEqual([429, 'over-limit', expect.stringContaining('Remove sessions')])
    expect((await sessionOf(all, by('frank'))).status).toBe(201)
    for (let at = 0; at < 4; at++) expect((await sessionOf(all, {})).status).toBe(201)
  })

  it('has a most of bytes over all of its sessions, 507, until some are removed', async () => {
    const all = appOf({ engine: small })
    const ids = [
      (await sessionOf(all, by('frank'))).json.session_id,
      (await sessionOf(all, by('frank'))).json.session_id,
    ]
    const send = (id: string, bytes: number) =>
      ask(all, `/api/sessions/${id}/files`, { ...upload(bytes), headers: by('frank') })
    expect((await send(ids[0], 600)).status).toBe(201)
    const { status, json } = await send(ids[1], 401)
    expect([status, json.code, json.detail]).toEqual([507, 'unavailable', expect.stringContaining('at most 1000')])
    expect((await send(ids[1], 400)).status).toBe(201)
    await ask(all, `/api/sessions/${ids[0]}`, { method: 'DELETE', headers: by('frank') })
    expect((await send(ids[1], 500)).status).toBe(201)
  })

  it('has a most of streams, 429, and the owner is let in', async () => {
    const all = appOf({ engine: small, limits: { streams: 4, streamsEach: 2 } })
    const { session_id: id } = (await sessionOf(all, {})).json
    const { session_id: own } = (await ask(all, '/api/sessions', { headers: by('eve') })).json.sessions[0]
    const open = async (session: string, headers: object) => {
      const response = await all.fetch(
        new Request(`http://127.0.0.1:7377/api/sessions/${session}/events`, {
          headers: { host: '127.0.0.1:7377', authorization: `Bearer ${TOKEN}`, ...headers },
        }),
      )
      return response
    }
    const streams = [await open(own, by('eve')), await open(own, by('eve'))]
    expect((await open(own, by('eve'))).status).toBe(429)
    streams.push(await open(id, {}))
    expect(streams.map(({ status }) => status)).toEqual([200, 200, 200])
    await streams[0]?.body?.cancel()
    streams.push(await open(own, by('eve')))
    expect(streams.at(-1)?.status).toBe(200)
    for (const stream of streams) await stream.body?.cancel().catch(() => {})
  })

  it('counts streams of every kind together', async () => {
    const all = appOf({ engine: small, operations: [echo], limits: { streamsEach: 1 } })
    const { session_id: own } = (await ask(all, '/api/sessions', { headers: by('eve') })).json.sessions[0]
    const open = (path: string, init: RequestInit = {}) => {
      const headers = { host: '127.0.0.1:7377', accept: 'text/event-stream', ...by('eve'), ...init.headers }
      return all.fetch(new Request(`http://127.0.0.1:7377${path}`, { ...init, headers }))
    }
    const held = await open(`/api/sessions/${own}/events`)
    const question = { id: 'question-1', role: 'user', parts: [{ type: 'text', text: 'What?' }] }
    const asking = post({ id: 'talk-0123456789', messages: [question] })
    expect([held.status, (await open('/api/echo')).status]).toEqual([200, 429])
    expect([(await open('/api/chat', asking)).status, (await open('/api/chat/talk-1/stream')).status]).toEqual([
      429, 429,
    ])
    await held.body?.cancel()
    const none = [await open('/api/chat/talk-1/stream'), await open('/api/chat', post({ id: 'talk-1' }))]
    expect(none.map(({ status }) => status)).toEqual([204, 400])
    const answer = await open('/api/chat', asking)
    expect([answer.status, (await open(`/api/sessions/${own}/events`)).status]).toEqual([200, 429])
    expect(await answer.text()).toContain('[DONE]')
    const after = await open('/api/echo')
    expect(after.status).toBe(200)
    await after.text()
  })

  it('has a most of answers', async () => {
    const all = appOf({ engine: small, limits: { answersEach: 1 } })
    const messages = [{ id: 'question-1', role: 'user', parts: [{ type: 'text', text: 'What?' }] }]
    const asked = ['talk-0123456701', 'talk-0123456702'].map((id) => post({ id, messages }, by('eve')))
    const answers = await Promise.all(asked.map((one) => ask(all, '/api/chat', one)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 429])
  })

  it('has a most of large bodies that are read at once', async () => {
    const all = appOf({ engine: small, limits: { bodiesEach: 1 } })
    const { promise: gate, resolve } = Promise.withResolvers<void>()
    const slow = new ReadableStream({ pull: (controller) => gate.then(() => controller.close()) })
    const send = (body: string | ReadableStream) =>
      all.fetch(
        new Request('http://127.0.0.1:7377/api/chat', {
          method: 'POST',
          headers: { host: '127.0.0.1:7377', 'content-type': 'application/json', ...by('eve') },
          body,
          duplex: 'half',
        } as RequestInit),
      )
    const first = send(slow)
    await new Promise((resume) => setTimeout(resume, 50))
    expect((await send('{}')).status).toBe(429)
    resolve()
    expect((await first).status).toBe(400)
    expect((await send('{}')).status).toBe(400)
  })
})

describe('a share', () => {
  it('is 429 for one, who is told when to come again, and leaves room for others', async () => {
    const { wait } = waiter()
    const closing = new AbortController()
    const all = appOf({
      engine: small,
      operations: [wait, echo],
      limits: { runsEach: 1, runs: 3 },
      closing: closing.signal,
    })
    const waiting = [ask(all, '/api/wait', { headers: by('eve') })]
    const over = await ask(all, '/api/echo', { headers: by('eve') })
    expect([over.status, over.json.code, over.headers.get('retry-after')]).toEqual([429, 'over-limit', '1'])
    expect((await ask(all, '/api/echo', { headers: by('frank') })).status).toBe(200)
    waiting.push(ask(all, '/api/wait', { headers: by('frank') }), ask(all, '/api/wait', { headers: by('grace') }))
    const full = await ask(all, '/api/echo', { headers: by('heidi') })
    expect([full.status, full.headers.get('retry-after')]).toEqual([503, '1'])
    closing.abort()
    await Promise.all(waiting)
    expect((await ask(appOf({ engine: small, operations: [echo] }), '/api/echo', { headers: by('eve') })).status).toBe(
      200,
    )
  })

  it.each([
    [{ requestsEach: 1 }, 429, 200],
    [{ requests: 1 }, 503, 503],
  ])('of requests is %j: %i for one, %i for another', async (limits, own, others) => {
    const { wait } = waiter()
    const closing = new AbortController()
    const all = appOf({ engine: small, operations: [wait, echo], limits, closing: closing.signal })
    const waiting = ask(all, '/api/wait', { headers: by('eve') })
    const told = await ask(all, '/openapi.json', { headers: by('eve') })
    expect([told.status, told.headers.has('retry-after')]).toEqual([own, true])
    expect((await ask(all, '/openapi.json', { headers: by('frank') })).status).toBe(others)
    expect((await ask(all, '/healthz', { headers: { authorization: '' } })).status).toBe(200)
    closing.abort()
    await waiting
    expect((await ask(all, '/openapi.json', { headers: by('eve') })).status).toBe(200)
  })
})
