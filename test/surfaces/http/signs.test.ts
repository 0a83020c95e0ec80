import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ContextError } from '../../../src/core/errors.ts'
import { type CreatedToken, createEngine } from '../../../src/engine/engine.ts'
import { openWith } from '../../../src/open.ts'
import type { AnsweredRequest } from '../../../src/surfaces/http/http-parts.ts'
import { Log } from '../../../src/surfaces/http/log.ts'
import { Metrics } from '../../../src/surfaces/http/probes.ts'
import { appOf, ask, echo, fail, listening, post, raw, TOKEN } from './support.ts'

const engine = openWith({ file: undefined, unknown: [], home: false, db: ':memory:' })
let alice: CreatedToken
beforeAll(async () => {
  alice = await (await engine.tokens()).create({ name: 'alice' })
})
afterAll(() => engine.close())

const OPEN = { headers: { authorization: '' } }

describe('/readyz', () => {
  const broken = createEngine(
    { file: undefined, unknown: [], home: false },
    {
      store: async () => {
        throw new ContextError('unavailable', 'postgres://user:canary@db is not there.')
      },
    },
  )

  it('says so while the store answers', async () => {
    expect((await ask(appOf({ engine }), '/readyz', OPEN)).json).toEqual({ status: 'ready' })
  })

  it('is 503 without a store, and says not why; the process lives', async () => {
    const app = appOf({ engine: broken })
    const { status, body } = await ask(app, '/readyz', OPEN)
    expect(status).toBe(503)
    expect(body).not.toContain('canary')
    expect((await ask(app, '/healthz', OPEN)).status).toBe(200)
  })

  it('has it told why, once, and once more when the store answers again', async () => {
    let isThere = true
    const store = async (): Promise<never> => {
      throw new ContextError('unavailable', 'It is gone.')
    }
    const library = () => (isThere ? engine.library() : store())
    const told: unknown[] = []
    const app = appOf({ engine: { ...engine, library }, onDatabaseState: (problem) => told.push(problem) })
    const asked = async () => (await ask(app, '/readyz', OPEN)).status
    expect([await asked(), told]).toEqual([200, []])
    isThere = false
    for (let times = 0; times < 3; times++) expect(await asked()).toBe(503)
    expect(told).toMatchObject([{ message: 'It is gone.' }])
    isThere = true
    for (let times = 0; times < 3; times++) expect(await asked()).toBe(200)
    expect(told).toMatchObject([{ message: 'It is gone.' }, undefined])
  })

  it('is 503 while the server ends', async () => {
    const app = appOf({ engine, closing: AbortSignal.abort() })
    expect((await ask(app, '/readyz', OPEN)).status).toBe(503)
    expect((await ask(app, '/healthz', OPEN)).status).toBe(200)
    expect((await ask(appOf({ engine, isRunningJobs: () => false }), '/readyz', OPEN)).status).toBe(503)
  })

  it('lets the owner in without a store, and others not', async () => {
    const app = appOf({ engine: broken, operations: [echo] })
    expect((await ask(app, '/api/echo')).status).toBe(200)
    expect((await ask(app, '/api/echo', { headers: { authorization: `Bearer ${alice.token}` } })).status).toBe(503)
  })
})

/** The samples of a text, by name and labels. @throws Error for what Prometheus could not read. */
function samples(text: string): Map<string, number> {
  const found = new Map<string, number>()
  for (const line of text.trimEnd().split('\n')) {
    if (/^# (HELP [a-z_\d]+ .+|TYPE [a-z_\d]+ (counter|gauge|histogram))$/.test(line)) continue
    const [, name, value] =
      /^([a-z_\d]+(?:\{[a-z]+="(?:[^"\\\n]|\\.)*"(?:,[a-z]+="(?:[^"\\\n]|\\.)*")*\})?) (\S+)$/.exec(line) ?? []
    if (name === undefined || !Number.isFinite(Number(value)) || found.has(name)) throw new Error(line)
    found.set(name, Number(value))
  }
  return found
}

describe('/metrics', () => {
  it('counts requests by route, method and status, and nothing that somebody wrote', async () => {
    const app = appOf({ engine, operations: [echo, fail] })
    for (const word of ['canary-a', 'canary-b']) await ask(app, `/api/echo?word=${word}`)
    await ask(app, '/api/fail', post({ word: 'not-found' }))
    await ask(app, '/canary-c')
    await ask(app, '/api/canary-d')
    await ask(app, '/api/sessions/canary-e/files/canary-f')
    await ask(app, '/files/canary-g/canary-h')
    const answer = await ask(app, '/metrics')
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(answer.body).not.toContain('canary')
    const found = samples(answer.body)
    const count = (route: string, method = 'GET', status = 404) =>
      found.get(`ambit_http_requests_total{method="${method}",route="${route}",status="${status}"}`)
    expect(count('/api/echo', 'GET', 200)).toBe(2)
    expect(count('/api/fail', 'POST')).toBe(1)
    expect(count('other')).toBe(2)
    expect(count('/api/sessions/:id/files/:id')).toBeUndefined()
    expect(count('/api/sessions/:id/files/:id', 'GET', 405)).toBe(1)
    expect(count('/files/:path')).toBe(1)
    expect(found.get('ambit_http_request_duration_seconds_count{route="/api/echo"}')).toBe(2)
    expect(found.get('ambit_http_request_duration_seconds_bucket{route="/api/echo",le="+Inf"}')).toBe(2)
    expect(found.get('ambit_http_requests_running')).toBe(1)
    expect(found.get('process_resident_memory_bytes')).toBeGreaterThan(1_000_000)
  })

  it('tells of no delay where nothing was delayed since the last reading', async () => {
    const app = appOf({ engine })
    const delays: (number | undefined)[] = []
    while (delays.length < 10)
      delays.push(samples((await ask(app, '/metrics')).body).get('nodejs_eventloop_delay_seconds'))
    expect(delays).toContain(0)
  })

  it('says how many jobs wait, of each kind', async () => {
    const own = openWith({ file: undefined, unknown: [], home: false, db: ':memory:' }, 'all')
    const { runs } = (await own.library()).port.of('canary')
    for (const id of ['a', 'b', 'c']) {
      await runs.add({ id, question: 'What?', settings: '{}' })
      await runs.update(id, { wanted: id === 'c' ? 'pause' : 'run' })
    }
    const { body } = await ask(appOf({ engine: own }), '/metrics')
    expect(body).toContain('\n# TYPE ambit_jobs_waiting gauge\n')
    expect(body).not.toContain('canary')
    const found = samples(body)
    const kinds = ['research', 'index'].map((kind) => found.get(`ambit_jobs_waiting{kind="${kind}"}`))
    expect(kinds).toEqual([2, 0])
    await own.close()
  })

  it.each([
    ['refuses', () => Promise.reject(new ContextError('unavailable', 'It is gone.'))],
    ['does not answer', () => new Promise<never>(() => {})],
  ])('leaves out how many jobs wait, and says the rest, while the queue %s', async (_, jobs) => {
    const { status, body } = await ask(appOf({ engine: { ...engine, jobs } }), '/metrics')
    expect(status).toBe(200)
    expect(body).toContain('# TYPE ambit_jobs_waiting gauge\n#')
    expect(samples(body).get('ambit_research_running')).toBe(0)
  })

  it('asks the queue once, however many ask it', async () => {
    let asked = 0
    const jobs = () => {
      asked++
      return engine.jobs()
    }
    const app = appOf({ engine: { ...engine, jobs } })
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(app, '/metrics')))
    expect(asked).toBe(1)
    for (const { body } of answers) expect(samples(body).get('ambit_jobs_waiting{kind="index"}')).toBe(0)
  })

  it('has as many series as there are routes, however many addresses are tried', async () => {
    const app = appOf({ engine, operations: [echo] })
    for (let at = 0; at < 50; at++) await ask(app, `/api/x${at}`, { method: at % 2 === 0 ? 'GET' : `M${at}` })
    const { body } = await ask(app, '/metrics')
    expect([...samples(body).keys()].filter((name) => name.startsWith('ambit_http_requests_total'))).toHaveLength(2)
  })

  it('takes the scope admin, or a program of this machine where the server says so', async () => {
    const headers = { authorization: '' }
    const read = { authorization: `Bearer ${alice.token}` }
    expect((await ask(appOf({ engine }), '/metrics', { headers: read })).status).toBe(403)
    expect((await ask(appOf({ engine }), '/metrics', { headers })).status).toBe(401)
    // Without a socket nobody knows whence it comes.
    expect((await ask(appOf({ engine, openMetrics: true }), '/metrics', { headers })).status).toBe(401)
    await using open = await listening({ engine, openMetrics: true })
    expect((await fetch(`${open.url}/metrics`)).status).toBe(200)
    expect((await fetch(`${open.url}/api/ls`)).status).toBe(401)
    await using shut = await listening({ engine })
    expect((await fetch(`${shut.url}/metrics`)).status).toBe(401)
  })

  it.each([
    ['X-Forwarded-For: 203.0.113.7', 'HOST'],
    ['X-Real-IP: 203.0.113.7', 'HOST'],
    ['Forwarded: for=203.0.113.7', 'HOST'],
    ['Via: 1.1 proxy', 'HOST'],
    ['Accept: */*', 'ambit.example'],
  ])('is not open to whom a proxy of this machine asks for: %s, as %s', async (header, name) => {
    await using open = await listening({ engine, openMetrics: true, hosts: ['ambit.example'] })
    const host = name.replace('HOST', `127.0.0.1:${open.port}`)
    const answer = (...headers: string[]) =>
      raw(open.port, `${['GET /metrics HTTP/1.1', 'Connection: close', ...headers].join('\r\n')}\r\n\r\n`)
    expect(await answer(`Host: ${host}`, header)).toMatch(/^HTTP\/1\.1 401 /)
    expect(await answer(`Host: localhost:${open.port}`, 'Accept: */*')).toMatch(/^HTTP\/1\.1 200 /)
  })

  it('adds durations up to buckets that hold all below them', async () => {
    const metrics = new Metrics({ ambit_a: { help: 'A.', read: () => 3 } })
    for (const ms of [1, 7, 7000, 60_000]) metrics.count({ method: 'GET', route: '/a', status: 200, ms })
    const found = samples(await metrics.text())
    const bucket = (le: string) => found.get(`ambit_http_request_duration_seconds_bucket{route="/a",le="${le}"}`)
    expect(['0.005', '0.01', '5', '10', '30', '+Inf'].map(bucket)).toEqual([1, 2, 2, 3, 3, 4])
    expect(found.get('ambit_http_request_duration_seconds_sum{route="/a"}')).toBeCloseTo(67.008)
    expect(found.get('ambit_a')).toBe(3)
  })
})

describe('the log', () => {
  const lines: string[] = []
  const log = new Log({ debug: false, secrets: [TOKEN], write: (line) => lines.push(line) })

  it('says of a request who asked for what route, and nothing that was sent', async () => {
    const heard: AnsweredRequest[] = []
    const app = appOf({ engine, operations: [echo], onRequestEnd: (request) => heard.push(request) })
    await ask(app, '/api/echo?word=canary', { headers: { authorization: `Bearer ${alice.token}` } })
    await ask(app, '/api/echo', post({ word: 'canary' }))
    await ask(app, '/api/echo', OPEN)
    for (const one of heard) log.logRequest(one)
    const told = lines.splice(0).map((line) => JSON.parse(line))
    const about = {
      level: 'info',
      event: 'request',
      route: '/api/echo',
      time: expect.any(String),
      ms: expect.any(Number),
    }
    expect(told).toEqual([
      { ...about, method: 'GET', status: 200, principal: 'alice' },
      { ...about, method: 'POST', status: 200, principal: '' },
      { ...about, method: 'GET', status: 401 },
    ])
    expect(JSON.stringify(told)).not.toMatch(/canary|ambit_/)
  })

  it('says what is missing, why, and what to do about it', () => {
    const cause = new Error('connect ECONNREFUSED 127.0.0.1:1')
    log.logUnavailable(
      new ContextError('unavailable', 'It cannot be opened.', { hint: 'See that it runs.', cause }),
      'jobs',
    )
    log.logUnavailable(new Error('A bug.'), 'jobs')
    expect(lines.splice(0).map((line) => JSON.parse(line))).toMatchObject([
      {
        level: 'error',
        event: 'unavailable',
        where: 'jobs',
        message: 'It cannot be opened. connect ECONNREFUSED 127.0.0.1:1',
        hint: 'See that it runs.',
      },
      { level: 'error', event: 'internal', where: 'jobs', message: 'A bug.' },
    ])
  })

  it.each([
    `Bearer ${TOKEN}`,
    `a ${TOKEN} b`,
    'Authorization: Bearer abcdefghijkl',
    'ambit_0123456789012345678901234567890123456789012',
    'postgres://user:hunter22@db/ambit',
    'https://hunter22@host/',
    'api_key=hunter22&x=1',
    '{"password": "hunter22"}',
    'token: hunter22',
    'sk-hunter22hunter22hunter22',
    'AKIAIOSFODNN7EXAMPLE',
  ])('holds no secret of an error: %s', (message) => {
    log.logBug(new Error(message), 'GET /api/:name')
    const [line = ''] = lines.splice(0)
    expect(line).toContain('[hidden]')
    for (const secret of [TOKEN, 'abcdefghijkl', 'ambit_0', 'hunter22', 'AKIAIO']) expect(line).not.toContain(secret)
  })

  it('is one line, and not endless, whatever is wrong', () => {
    log.logBug(new Error(`a\nb\u001b[31m${'x'.repeat(100_000)}`), 'GET /')
    const [line = ''] = lines.splice(0)
    expect(line.trimEnd()).not.toMatch(/[\n\u001b]/)
    expect(line.length).toBeLessThan(1_000)
  })
})
