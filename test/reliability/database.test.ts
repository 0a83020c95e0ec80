/**
 * Servers of their own processes, and a PostgreSQL that is not there, goes and comes back.
 *
 * @module-tag long
 */

import { afterAll, beforeAll, expect, it } from 'vitest'
import { FILES, logProblems, QUESTION, undisturbed, until } from '../stores/jobs/runs.ts'
import { Team } from '../stores/jobs/team.ts'
import { OwnPostgres } from '../support/own-postgres.ts'
import { asked, untilHeldUp, withPostgres } from '../support/postgres.ts'
import { tree } from '../support/tree.ts'
import { type Served, served } from './served.ts'

const TOKEN = 'correct-horse-battery-staple-of-the-tests'
const OWNER = { authorization: `Bearer ${TOKEN}` }
const JSON_BODY = { 'content-type': 'application/json' }

const at = tree({ 'here/a.md': '# Ferry\n' })
let postgres: OwnPostgres
afterAll(async () => {
  await postgres?.[Symbol.asyncDispose]()
  at[Symbol.dispose]()
})

const serving = (database: string | Record<string, string>, ...argv: string[]) => {
  const env = typeof database === 'string' ? { AMBIT_DATABASE_URL: database } : database
  return served(at.at('here'), { argv, env: { ...env, AMBIT_TOKEN: TOKEN, AMBIT_HEARTBEAT: '4' } })
}

const statusOf = async ({ url }: Served, path: string, init: RequestInit = {}) =>
  (await fetch(`${url}${path}`, { ...init, headers: { ...OWNER, ...init.headers } })).status

/** What needs the database, by who asks: the owner, somebody with a token, a browser. */
const ASKED: readonly (readonly [string, string, RequestInit])[] = [
  ['a list', '/api/collections.list', {}],
  ['a search', '/api/search?query=ferry', {}],
  ['a write', '/api/contexts.add', { method: 'POST', body: '{"path":"docs","text":"Ferries"}', headers: JSON_BODY }],
  ['conversations', '/api/conversations.list', {}],
  ['sessions', '/api/sessions', {}],
  ['a session', '/api/sessions', { method: 'POST', body: '{"question":"What?"}', headers: JSON_BODY }],
  ['somebody with a token', '/api/me', { headers: { authorization: `Bearer ambit_${'a'.repeat(43)}` } }],
]

/** How each of them is refused; undefined for what is not a refusal. */
async function refusalsOf({ url }: Served): Promise<unknown[]> {
  const refusals = ASKED.map(async ([what, path, init]) => {
    const answer = await fetch(`${url}${path}`, { ...init, headers: { ...OWNER, ...init.headers } })
    return { what, status: answer.status, after: answer.headers.get('retry-after'), told: await answer.json() }
  })
  return Promise.all(refusals)
}

const REFUSED = ASKED.map(([what]) => ({
  what,
  status: 503,
  after: '1',
  told: expect.objectContaining({
    code: 'unavailable',
    detail: expect.stringMatching(/cannot be reached|was lost|takes no connections/),
    hint: expect.any(String),
  }),
}))

/** The page that a browser is shown which had come in. */
async function pageOf({ url, port }: Served) {
  const headers = { accept: 'text/html', cookie: `ambit-session-${port}=${'a'.repeat(43)}` }
  const answer = await fetch(url, { headers })
  return { status: answer.status, after: answer.headers.get('retry-after'), text: await answer.text() }
}

/** While the database is down: killed before, started again after. */
async function without<Result>(work: () => Promise<Result>): Promise<Result> {
  postgres.kill()
  try {
    return await work()
  } finally {
    await postgres.startAgain()
  }
}

/** It lives, and says that it is not ready. */
async function expectDown(server: Served): Promise<void> {
  await expect.poll(() => statusOf(server, '/readyz')).toBe(503)
  expect(await statusOf(server, '/healthz')).toBe(200)
}

/** The lines that it logged. */
function logOf(server: Served): unknown[] {
  const lines = server.written().split('\n')
  return lines.filter((line) => line.startsWith('{"time"')).map((line) => JSON.parse(line))
}

/** It has taken nothing for a bug, and no promise was left alone: either would be said, and the second would end it. */
function expectWell({ child, written }: Served): void {
  expect(child.exitCode).toBeNull()
  expect(written()).not.toMatch(/"internal"|Unhandled|Error:/)
}

withPostgres('a server whose database', () => {
  beforeAll(async () => {
    postgres = await OwnPostgres.start()
  })

  it.each(['all', 'api'])(
    'E3: is not there when it starts (%s) says so and what to do, and serves when it is there',
    async (role) => {
      const url = await postgres.database()
      const told = { event: 'unavailable', where: 'the database', hint: expect.stringContaining('server runs') }
      await using server = await without(async () => {
        const started = await serving(url, '--role', role)
        await expectDown(started)
        expect(await refusalsOf(started)).toEqual(REFUSED)
        expect(logOf(started)).toContainEqual(expect.objectContaining(told))
        const ofJobs = expect.objectContaining({ ...told, where: 'the queue of jobs' })
        await expect.poll(() => logOf(started)).toContainEqual(ofJobs)
        return started
      })
      await expect.poll(() => statusOf(server, '/readyz')).toBe(200)
      expect(await statusOf(server, '/api/collections.list')).toBe(200)
      const again = { event: 'there again', where: 'the queue of jobs' }
      await expect.poll(() => logOf(server)).toContainEqual(expect.objectContaining(again))
      expectWell(server)
      expect((await server.ended('SIGTERM')).code).toBe(0)
    },
  )

  it('E3: is not there when it starts signs out people of other rules as soon as it is there', async () => {
    const url = await postgres.database()
    await using first = await serving(url)
    await expect.poll(() => statusOf(first, '/readyz')).toBe(200)
    const added = `INSERT INTO ambit.sign_ins (sha256, name, scopes, basis, expires_at) VALUES ('a', 'ada', '[]', 'other', '2999')`
    await asked(url, (client) => client.query(added))
    await first.ended('SIGTERM')
    const issuer = 'http://localhost:1'
    const provider = { AMBIT_OIDC_ISSUER: issuer, AMBIT_OIDC_CLIENT_ID: 'ambit', AMBIT_OIDC_ALLOW: 'sub:ada' }
    await using server = await without(async () => {
      const started = await serving({ ...provider, AMBIT_DATABASE_URL: url })
      await expectDown(started)
      return started
    })
    const selected = "SELECT expires_at < '2999' AS ended FROM ambit.sign_ins"
    const rows = () => asked(url, async (client) => (await client.query(selected)).rows)
    await expect.poll(rows, { timeout: 20_000 }).toEqual([{ ended: true }])
    expectWell(server)
  })

  it('E3: is not there when it starts, and is a worker, is ready when it takes jobs', async () => {
    const url = await postgres.database()
    await using server = await without(async () => {
      const started = await serving(url, '--role', 'worker')
      await expectDown(started)
      return started
    })
    await expect.poll(() => statusOf(server, '/readyz')).toBe(200)
    expectWell(server)
  })

  it('E3: is not there, and is told to end, ends', async () => {
    const url = await postgres.database()
    await without(async () => {
      await using server = await serving(url)
      await expectDown(server)
      expect((await server.ended('SIGTERM')).code).toBe(0)
    })
  })

  it('E3: goes away while it serves refuses what needs it, says when to ask again, and serves again by itself', async () => {
    await using server = await serving(await postgres.database())
    await expect.poll(() => statusOf(server, '/readyz')).toBe(200)
    for (let times = 0; times < 2; times++) {
      // So that there are connections to lose.
      await Promise.all(ASKED.map(([, path, init]) => statusOf(server, path, init)))
      await without(async () => {
        await expectDown(server)
        // Connections end one after the other.
        await expect.poll(() => refusalsOf(server)).toEqual(REFUSED)
        expect(await pageOf(server)).toMatchObject({ status: 503, after: '1', text: expect.stringContaining('<h1>') })
        // What needs no database is done.
        expect(await statusOf(server, '/api/load')).toBe(200)
        expect(await statusOf(server, '/metrics')).toBe(200)
      })
      await expect.poll(() => statusOf(server, '/readyz')).toBe(200)
      const statuses = ASKED.map(([, path, init]) => statusOf(server, path, init))
      expect((await Promise.all(statuses)).filter((status) => status >= 500)).toEqual([])
    }
    expectWell(server)
    expect((await server.ended('SIGTERM')).code).toBe(0)
  })

  it('E4: has no connection free refuses who waited for one, says when to ask again, and answers when one is', async () => {
    const database = await postgres.database()
    await using server = await serving(`${database}?pool=1`)
    await expect.poll(() => statusOf(server, '/readyz')).toBe(200)
    const held = await asked(database, async (client) => {
      await client.query('BEGIN; LOCK TABLE ambit.collections IN ACCESS EXCLUSIVE MODE')
      const listed = statusOf(server, '/api/collections.list')
      await untilHeldUp(client)
      const [refusals, ready] = await Promise.all([refusalsOf(server), statusOf(server, '/readyz')])
      const told = { code: 'unavailable', detail: expect.stringContaining('came free'), hint: expect.any(String) }
      expect(refusals).toEqual(REFUSED.map((one) => ({ ...one, told: expect.objectContaining(told) })))
      expect([ready, await statusOf(server, '/healthz')]).toEqual([503, 200])
      await client.query('ROLLBACK')
      return listed
    })
    expect(held).toBe(200)
    await expect.poll(() => statusOf(server, '/readyz')).toBe(200)
    const statuses = ASKED.map(([, path, init]) => statusOf(server, path, init))
    expect((await Promise.all(statuses)).filter((status) => status >= 500)).toEqual([])
    expectWell(server)
  })

  it('E3: goes away while research runs goes on when it is back, and whoever follows hears of each event once', async () => {
    const [url, expected] = [await postgres.database(), await undisturbed()]
    await using team = await Team.of(1, 1, { cwd: at.at('here'), database: url, jobs: 2 })
    const servers = [...team.apis, ...team.workers]
    const id = await team.session({ question: QUESTION }, FILES)
    const { heard, done } = team.follow(id)
    await team.post(`/api/sessions/${id}/start`)
    for (const events of [3, 9]) {
      await until(() => heard.ids.length >= events)
      await without(() => Promise.all(servers.map(expectDown)))
    }
    await done
    expect(heard.types.at(-1)).toBe('run_completed')
    expect(heard.ids).toEqual(heard.ids.map((_, index) => index + 1))
    expect((await team.ask(`/api/sessions/${id}/report?format=json`)).markdown).toBe(expected)
    expect(await logProblems(url, id)).toEqual([])
    for (const server of servers) expectWell(server)
  }, 600_000)
})
