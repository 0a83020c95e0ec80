import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWith } from '../../../src/open.ts'
import { EVENT_LIMITS } from '../../../src/surfaces/http/events/event-stream.ts'
import { SessionRoutes } from '../../../src/surfaces/http/sessions/routes.ts'
import { appOf, ask, BEARER, eventsIn, HOST, listening, post, raw, TOKEN } from './support.ts'

const engine = openWith({ file: undefined, unknown: [], home: false, db: ':memory:' })
const debugEngine = openWith({ file: undefined, unknown: [], home: false, db: ':memory:', uiDebug: true })
const app = appOf({ engine })
afterAll(async () => {
  await engine.close()
  await debugEngine.close()
})

const FERRY = '# Ferry\n\nThe last boat in winter leaves at 19:40.\nA single ticket costs 4.50 euros.\n'
const QUESTION = 'When does the last boat leave in winter, and how much is a single ticket?'

const made = async (body: object = {}, on = app) => {
  const { json } = await ask(on, '/api/sessions', post({ question: QUESTION, ...body }))
  return String(json.session_id)
}

function form(name: string, bytes: string | Uint8Array<ArrayBuffer>, field = 'file') {
  const data = new FormData()
  data.append(field, new File([bytes], name))
  return { method: 'POST', body: data }
}

const upload = (id: string, name: string, bytes: string | Uint8Array<ArrayBuffer>, on = app) =>
  ask(on, `/api/sessions/${id}/files`, form(name, bytes))

/** All events up to the last one. */
const events = async (id: string, headers: Record<string, string> = {}, on = app) => {
  const { status, body } = await ask(on, `/api/sessions/${id}/events`, { headers })
  return { status, events: eventsIn(body) }
}

describe('a session', () => {
  it('is made, given files that nobody reads, started, followed to its end, and reported', async () => {
    const id = await made()
    const added = await upload(id, 'ferry.md', FERRY)
    expect([added.status, added.json.status, added.json.alias]).toEqual([201, 'uploaded', 'ferry.md'])
    const before = await ask(app, `/api/sessions/${id}`)
    expect([before.json.status, before.json.seq, before.json.nodes]).toEqual(['created', 0, []])
    expect((await ask(app, `/api/sessions/${id}/start`, post({}))).status).toBe(202)
    const told = await events(id)
    expect(told.events.map(({ id: seq }) => Number(seq))).toEqual(told.events.map((_, at) => at + 1))
    expect(told.events.at(-1)?.event).toBe('run_completed')
    expect(told.events.every(({ data }) => typeof data.narration === 'string' && data.session_id === id)).toBe(true)
    const { json } = await ask(app, `/api/sessions/${id}`)
    expect(json.context_processing).toEqual({ status: 'ready', files_total: 1, files_ready: 1, files_error: 0 })
    expect(json.nodes[0].slice).toMatchObject({ mode: 'root', selected_items_count: 1 })
    const report = await ask(app, `/api/sessions/${id}/report`)
    expect(report.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    expect(report.body).toContain('> The last boat in winter leaves at 19:40.')
    expect(report.body).toMatch(/^\[1\] ferry\.md:3/m)
    const whole = await ask(app, `/api/sessions/${id}/report?format=json`)
    const [source] = whole.json.sources
    const text = await ask(app, `/api/sessions/${id}/files/${json.files[0].id}/text`)
    expect(text.json.text.slice(source.offsets.start, source.offsets.end)).toBe(source.text)
    const html = await ask(app, `/api/sessions/${id}/report?format=html`)
    expect(html.headers.get('content-security-policy')).toContain('sandbox')
    expect((await ask(app, '/api/sessions')).json.sessions[0]).toMatchObject({ session_id: id, status: 'completed' })
  })

  it('goes on by the operation, too', async () => {
    const id = await made({ extractive: true })
    await upload(id, 'ferry.md', FERRY)
    expect((await ask(app, '/api/research.resume', post({ session: id }))).json.status).not.toBe('created')
    await expect.poll(async () => (await ask(app, `/api/sessions/${id}`)).json.status).toBe('completed')
  })

  it('shows what a node was given only where that is asked for', async () => {
    const others = appOf({ engine: debugEngine })
    for (const [on, isShown] of [
      [app, false],
      [others, true],
    ] as const) {
      const id = await made({}, on)
      await upload(id, 'ferry.md', FERRY, on)
      await ask(on, `/api/sessions/${id}/start`, post({}))
      const told = await events(id, {}, on)
      const { body, json } = await ask(on, `/api/sessions/${id}`)
      expect(json.ui_debug).toBe(isShown)
      expect(body.includes('"selected_items":')).toBe(isShown)
      expect(json.nodes[0].slice.selection_reason).not.toBe('')
      expect(JSON.stringify(told.events)).not.toContain('"selected_items":')
    }
  })

  it('waits with its plan for a person, and routes to the questions that were put', async () => {
    const id = await made({ plan: true })
    await upload(id, 'ferry.md', FERRY)
    await ask(app, `/api/sessions/${id}/start`, post({}))
    await expect.poll(async () => (await ask(app, `/api/sessions/${id}`)).json.status).toBe('planned')
    const children = [{ question: 'How much is a ticket?', pinned: true }]
    await ask(app, `/api/sessions/${id}/plan`, post({ children }))
    const planned = await ask(app, `/api/sessions/${id}/plan`, post({ add: ['When is the last boat?'] }))
    expect(planned.json.nodes.slice(1).map((node: { question: string }) => node.question)).toEqual([
      'How much is a ticket?',
      'When is the last boat?',
    ])
    await ask(app, `/api/sessions/${id}/resume`, post({}))
    await events(id)
    const { json } = await ask(app, `/api/sessions/${id}`)
    expect(json.status).toBe('completed')
    expect(json.nodes.map((node: { id: string; slice: { mode: string } }) => [node.id, node.slice.mode])).toEqual([
      ['1', 'root'],
      ['1.1', 'routed'],
      ['1.2', 'routed'],
    ])
    expect(json.nodes[1].pinned).toBe(true)
  })

  it('begins a session that follows it with its files and findings', async () => {
    const id = await made()
    await upload(id, 'ferry.md', FERRY)
    await ask(app, `/api/sessions/${id}/start`, post({}))
    await events(id)
    const next = await made({ follows: id, question: 'Does the last boat leave before 20:00 in winter?' })
    expect((await ask(app, `/api/sessions/${next}`)).json.files.map((file: { alias: string }) => file.alias)).toEqual([
      'ferry.md',
    ])
    await ask(app, `/api/sessions/${next}/start`, post({}))
    await events(next)
    expect((await ask(app, `/api/sessions/${next}`)).json.nodes[0].evidence).toContain('earlier')
    expect((await ask(app, `/api/sessions/${id}/start`, post({}))).status).toBe(409)
  })

  it('is forgotten with its files', async () => {
    const id = await made()
    await upload(id, 'ferry.md', FERRY)
    expect((await ask(app, `/api/sessions/${id}`, { method: 'DELETE' })).status).toBe(204)
    expect((await ask(app, `/api/sessions/${id}`)).status).toBe(404)
  })

  it('that is stopped before it began has a report that says what is missing', async () => {
    const id = await made()
    const { json } = await ask(app, `/api/sessions/${id}/stop`, post({}))
    expect([json.status, json.report.grade, json.report.is_partial]).toEqual(['stopped', 'none', true])
    expect((await ask(app, `/api/sessions/${id}/stop`, post({}))).status).toBe(409)
  })
})

describe('events', () => {
  let id = ''
  beforeAll(async () => {
    id = await made()
    await upload(id, 'ferry.md', FERRY)
    await ask(app, `/api/sessions/${id}/start`, post({}))
    await events(id)
  })

  it('go on behind the last that arrived, without a gap or a repeat', async () => {
    const all = (await events(id)).events
    for (const after of [1, 5, all.length - 1]) {
      expect((await events(id, { 'last-event-id': String(after) })).events).toEqual(all.slice(after))
    }
    expect((await events(id, { 'last-event-id': String(all.length) })).status).toBe(204)
  })

  it.each(['x', '-1', '1.5', '99999', '1e3'])('refuse %j as the last that arrived', async (last) => {
    expect((await events(id, { 'last-event-id': last })).status).toBe(400)
  })

  it('are no stream for a HEAD, which nobody would read: however many there are, a client is served', async () => {
    const own = appOf({ engine })
    const path = `/api/sessions/${id}/events`
    for (let at = 0; at < 1001; at++)
      await own.fetch(new Request(`http://${HOST}${path}`, { method: 'HEAD', headers: BEARER }))
    expect((await ask(own, path, { method: 'HEAD' })).status).toBe(405)
    expect((await events(id, {}, own)).status).toBe(200)
  })

  it('that are too many to be told again are a gap that is told, and the session as it is', async () => {
    const routes = new SessionRoutes({
      engine,
      limits: EVENT_LIMITS,
      maxBodyBytes: 1000,
      takeStreamSlot: () => () => {},
      takeBodySlot: () => () => {},
      closing: undefined,
      maxMissed: 5,
    })
    const at = async (last: number) => {
      const request = new Request(`http://${HOST}/api/sessions/${id}/events`, {
        headers: { 'last-event-id': `${last}` },
      })
      return eventsIn(await (await routes.answer({ request, drop: () => {} })).text())
    }
    const all = (await events(id)).events
    const [gap, snapshot, ...more] = await at(3)
    expect(gap).toMatchObject({ event: 'gap', data: { from: 4, to: all.length, events: all.length - 3 } })
    expect(snapshot).toMatchObject({
      event: 'snapshot',
      id: `${all.length}`,
      data: { session_id: id, status: 'completed' },
    })
    expect(more).toEqual([])
    expect(await at(all.length - 5)).toEqual(all.slice(-5))
  })

  it('are told as they happen, to any number of clients', async () => {
    const session = await made({ plan: true })
    await upload(session, 'ferry.md', FERRY)
    const clients = [1, 2, 3].map(() => events(session))
    await ask(app, `/api/sessions/${session}/start`, post({}))
    await expect.poll(async () => (await ask(app, `/api/sessions/${session}`)).json.status).toBe('planned')
    await ask(app, `/api/sessions/${session}/resume`, post({}))
    const [first, ...others] = await Promise.all(clients)
    expect(first?.events.map(({ id: seq }) => Number(seq))).toEqual(first?.events.map((_, index) => index + 1))
    expect(others).toEqual([first, first])
  })
})

describe('an upload', () => {
  const boundary = 'x'
  const head = { 'content-type': `multipart/form-data; boundary=${boundary}` }
  const part = (name: string, text: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="a.md"\r\n\r\n${text}\r\n`

  it.each<[string, string, Record<string, string>]>([
    ['without a boundary', part('file', 'a'), { 'content-type': 'multipart/form-data' }],
    ['of another type', 'a', { 'content-type': 'text/plain' }],
    ['with another boundary than it says', part('file', 'a'), { 'content-type': 'multipart/form-data; boundary=y' }],
    ['of an empty body', '', head],
    ['that is cut off', part('file', 'a').slice(0, 40), head],
    ['of another field', `${part('other', 'a')}--x--\r\n`, head],
    ['of two files', `${part('file', 'a')}${part('file', 'b')}--x--\r\n`, head],
    ['of very many parts', `${part('file', 'a').repeat(5000)}--x--\r\n`, head],
    [
      'of very many parts by the first of two boundaries',
      `${part('file', 'a')}${part('b', 'a').repeat(5000)}--x--\r\n--y\r\n\r\n--y--\r\n`,
      { 'content-type': 'multipart/form-data; boundary=x; boundary=y' },
    ],
    [
      'with a header of a megabyte',
      `--x\r\nContent-Disposition: form-data; name="${'a'.repeat(1_000_000)}"\r\n\r\na\r\n--x--\r\n`,
      head,
    ],
  ])('%s is refused, and says why', async (_, body, headers) => {
    const id = await made()
    const answer = await ask(app, `/api/sessions/${id}/files`, { method: 'POST', body, headers })
    expect([answer.status, answer.json.code]).toEqual([400, 'invalid-input'])
    expect((await ask(app, `/api/sessions/${id}`)).json.files).toEqual([])
  })

  it('of more than may be is refused while it comes, whatever length it says it has', async () => {
    await using server = await listening({ engine })
    const id = await made()
    const line = `POST /api/sessions/${id}/files HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: multipart/form-data; boundary=x\r\n`
    expect(await raw(server.port, `${line}Content-Length: 209715200\r\n\r\n`)).toMatch(/^HTTP\/1\.1 413 /)
    const bytes = Buffer.alloc(27 * 1024 * 1024, 'a')
    const chunk = Buffer.concat([
      Buffer.from(`${line}Transfer-Encoding: chunked\r\n\r\n${bytes.length.toString(16)}\r\n`),
      bytes,
    ])
    expect(await raw(server.port, chunk, 10_000)).toMatch(/^HTTP\/1\.1 413 /)
    expect((await ask(app, `/api/sessions/${id}`)).json.files).toEqual([])
  })

  it.each([
    ['../../etc/passwd', 'passwd'],
    ['C:\\temp\\plan.md', 'plan.md'],
    ['a\u202efdp.exe', 'afdp.exe'],
    ['..', 'file'],
    ['x::S1.md', 'x:S1.md'],
    [`${'a'.repeat(4000)}.md`, 'a'.repeat(200)],
  ])('named %j is called %j, and is not a path', async (name, alias) => {
    expect((await upload(await made(), name, 'a')).json.alias).toBe(alias)
  })

  it('is named by 128 random bits; one that was named by 64 is had as ever', async () => {
    const id = await made()
    await upload(id, 'ferry.md', FERRY)
    const { runs } = (await engine.library()).port
    const [known] = await runs.files(id)
    expect(known?.id).toMatch(/^[0-9a-f]{32}$/)
    const older = { id: '1f2e3d4c5b6a7980', name: 'old.md', size: 3, type: '', sha256: 'c'.repeat(64) }
    await runs.addFile(id, older, new TextEncoder().encode('Old'))
    const { json } = await ask(app, `/api/sessions/${id}`)
    expect(json.files.map((file: { id: string }) => file.id)).toEqual([known?.id, older.id])
    expect((await ask(app, `/api/sessions/${id}/files/${older.id}`, { method: 'DELETE' })).status).toBeLessThan(300)
    expect((await ask(app, `/api/sessions/${id}`)).json.files).toHaveLength(1)
    const again = await ask(app, `/api/sessions/${id}/files/${older.id}`, { method: 'DELETE' })
    expect(again.json).toMatchObject({ status: 404, code: 'not-found', hint: expect.stringMatching(/\w/) })
  })

  it('of the same name and other bytes is cited by another name; of the same bytes it is kept once', async () => {
    const id = await made()
    for (const text of ['one', 'two', 'one']) await upload(id, 'report.pdf', text)
    const { json } = await ask(app, `/api/sessions/${id}`)
    expect(json.files.map(({ alias }: { alias: string }) => alias)).toEqual(['report.pdf', 'report (2).pdf'])
  })
})

it('sessions of another session’s beginning are not mixed up', async () => {
  const id = await made()
  expect((await ask(app, `/api/sessions/${id.slice(0, 12)}`)).json.session_id).toBe(id)
  expect(BEARER.host).toBe(HOST)
})
