/** @module-tag long */

import { rmSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { openWith, type Role } from '../../../src/open.ts'
import { served } from '../../reliability/served.ts'
import { languageServer } from '../../support/language-server.ts'
import { asked, withPostgres } from '../../support/postgres.ts'
import { FILES, logProblems, QUESTION, undisturbed, until } from './runs.ts'
import type { Team } from './team.ts'
import { teams } from './teams.ts'

const own = teams()
const { at, of: teamOf } = own

const CUT = `
  SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid()`

/** A model that never answers, and what asks for it. */
const hanging = async () => {
  const server = await languageServer('chat', [{ fault: 'hang' }])
  return { server, env: { AMBIT_MODEL: 'openai-compatible/m', AMBIT_MODEL_URL: `${server.url}/v1` } }
}

const running = async (team: Team, worker: { readonly url: string }) => {
  const { text } = await team.ask('/metrics', {}, worker.url)
  return Number(/^ambit_research_running (\d+)$/m.exec(text)?.[1])
}

/** Runs that nobody works on yet, as a process counts them. */
const waiting = async (team: Team, at: { readonly url: string } | undefined) => {
  const { text } = await team.ask('/metrics', {}, at?.url)
  return Number(/^ambit_jobs_waiting\{kind="research"\} (\d+)$/m.exec(text)?.[1])
}

/** That each run has the report that it would have had, and a log without gaps. */
async function expectWhole(team: Team, url: string, { ids, expected }: { ids: readonly string[]; expected: string }) {
  for (const id of ids) {
    expect((await team.ask(`/api/sessions/${id}/report?format=json`)).markdown).toBe(expected)
    expect(await logProblems(url, id)).toEqual([])
  }
}

withPostgres('workers', () => {
  it('an API alone runs nothing: what is started waits, is shown so, and is done by the first worker that comes', async () => {
    const { team } = await teamOf(1, 0)
    await using _ = team
    const id = await team.session({ question: QUESTION }, FILES)
    expect((await team.post(`/api/sessions/${id}/start`)).status).toBe('queued')
    expect((await team.ask('/api/sessions')).sessions[0].status).toBe('queued')
    expect((await team.post(`/api/sessions/${id}/start`)).code).toBe('conflict')
    await expect.poll(() => waiting(team, team.apis[0])).toBe(1)
    const worker = await team.add('worker')
    await team.follow(id).done
    for (const process of [worker, ...team.apis]) await expect.poll(() => waiting(team, process)).toBe(0)
    expect((await team.ask(`/api/sessions/${id}`)).status).toBe('completed')
    for (const path of ['/', '/api/sessions', '/mcp', '/openapi.json', '/login']) {
      expect((await team.ask(path, {}, worker.url)).code).toBe('not-found')
    }
    expect((await team.ask('/readyz', {}, worker.url)).status).toBe('ready')
  }, 600_000)

  it('one that waits can be paused, gone on with, stopped with a report, and forgotten, though nobody works', async () => {
    const { team } = await teamOf(1, 0)
    await using _ = team
    const id = await team.session({ question: QUESTION }, FILES)
    await team.post(`/api/sessions/${id}/start`)
    expect((await team.post(`/api/sessions/${id}/pause`)).status).toBe('created')
    expect((await team.post(`/api/sessions/${id}/resume`)).status).toBe('queued')
    const stopped = await team.post(`/api/sessions/${id}/stop`)
    expect([stopped.status, stopped.report.is_partial]).toEqual(['stopped', true])
    const other = await team.session({ question: QUESTION }, FILES)
    await team.post(`/api/sessions/${other}/start`)
    await team.ask(`/api/sessions/${other}`, { method: 'DELETE' })
    expect((await team.ask(`/api/sessions/${other}`)).code).toBe('not-found')
  }, 600_000)

  it('what a worker runs is paused, gone on with, stopped and forgotten from any API process', async () => {
    const { server, env } = await hanging()
    await using _server = server
    const { team } = await teamOf(2, 1, { env, heartbeat: 60 })
    await using _ = team
    const [one, two] = team.apis.map(({ url }) => url)
    const [worker] = team.workers
    if (!worker) throw new Error('There is no worker.')
    const started = async () => {
      const id = await team.session({ question: QUESTION, extractive: false }, FILES)
      await team.post(`/api/sessions/${id}/start`, {}, one)
      await until(async () => (await running(team, worker)) === 1 && (await team.ask(`/api/sessions/${id}`)).seq > 1)
      return id
    }
    const id = await started()
    expect((await team.post(`/api/sessions/${id}/pause`, {}, two)).status).toBe('paused')
    await until(async () => (await running(team, worker)) === 0)
    await team.post(`/api/sessions/${id}/resume`, {}, two)
    await until(async () => (await running(team, worker)) === 1)
    expect((await team.post(`/api/sessions/${id}/stop`, {}, two)).status).toBe('stopped')
    const other = await started()
    await team.ask(`/api/sessions/${other}`, { method: 'DELETE' }, two)
    expect((await team.ask(`/api/sessions/${other}`)).code).toBe('not-found')
    await until(async () => (await running(team, worker)) === 0)
  }, 600_000)

  it('what is to be stopped is stopped by the next, where whoever ran it does not hear of it any more', async () => {
    const { server, env } = await hanging()
    await using _server = server
    const { team } = await teamOf(1, 1, { env, heartbeat: 4 })
    await using _ = team
    const [dead] = team.workers
    const id = await team.session({ question: QUESTION, extractive: false }, FILES)
    const { heard, done } = team.follow(id)
    await team.post(`/api/sessions/${id}/start`)
    await until(() => heard.types.includes('context_binding_parsing_started'))
    dead?.child.kill('SIGSTOP')
    const stopping = team.post(`/api/sessions/${id}/stop`)
    await team.add('worker')
    expect((await stopping).status).toBe('stopped')
    await done
    expect(heard.types.at(-1)).toBe('run_aborted')
  }, 600_000)

  it('one that is told to end hands over what it runs, and another goes on, though nobody would miss it for minutes', async () => {
    const expected = await undisturbed()
    const { url, team } = await teamOf(1, 1, { heartbeat: 600 })
    await using _ = team
    const ids = [await team.session({ question: QUESTION }, FILES), await team.session({ question: QUESTION }, FILES)]
    const followed = ids.map((id) => team.follow(id))
    const [first] = team.workers
    await team.add('worker')
    for (const id of ids) await team.post(`/api/sessions/${id}/start`)
    await until(() => followed.some(({ heard }) => heard.ids.length > 10))
    await first?.ended('SIGTERM')
    await Promise.all(followed.map(({ done }) => done))
    await expectWhole(team, url, { ids, expected })
  }, 600_000)

  it('E1: all connections are cut again and again, and runs go on as if nothing had been', async () => {
    const expected = await undisturbed()
    const { url, team } = await teamOf(1, 1, { heartbeat: 60 })
    await using _ = team
    const ids = await Promise.all(Array.from({ length: 3 }, () => team.session({ question: QUESTION }, FILES)))
    const followed = ids.map((id) => team.follow(id))
    await Promise.all(ids.map((id) => team.post(`/api/sessions/${id}/start`)))
    const told = () => followed.reduce((sum, { heard }) => sum + heard.ids.length, 0)
    const isOver = () => followed.every(({ heard }) => heard.types.at(-1) === 'run_completed')
    for (let cut = 1; cut <= 8 && !isOver(); cut++) {
      await until(() => told() >= cut * 25 || isOver())
      await asked(url, (client) => client.query(CUT))
    }
    await Promise.all(followed.map(({ done }) => done))
    for (const [index, id] of ids.entries()) {
      expect(followed[index]?.heard.types.at(-1)).toBe('run_completed')
      expect(followed[index]?.heard.types).not.toContain('run_failed')
      await expectWhole(team, url, { ids: [id], expected })
    }
  }, 600_000)

  it('E11: one that was stopped for longer than its lease, and goes on, changes nothing that another has', async () => {
    const expected = await undisturbed()
    const { url, team } = await teamOf(1, 1, { jobs: 4 })
    await using _ = team
    const ids = await Promise.all(Array.from({ length: 4 }, () => team.session({ question: QUESTION }, FILES)))
    const followed = ids.map((id) => team.follow(id))
    await Promise.all(ids.map((id) => team.post(`/api/sessions/${id}/start`)))
    const [first] = team.workers
    if (!first) throw new Error('There is no worker.')
    await until(() => followed.some(({ heard }) => heard.ids.length > 10))
    first.child.kill('SIGSTOP')
    const second = await team.add('worker')
    await until(() => followed.some(({ heard }) => heard.types.includes('run_resumed')))
    first.child.kill('SIGCONT')
    await Promise.all(followed.map(({ done }) => done))
    await expectWhole(team, url, { ids, expected })
    // It has noticed, and works.
    await until(async () => (await running(team, first)) === 0)
    await team.kill(second)
    const id = await team.session({ question: QUESTION }, FILES)
    await team.post(`/api/sessions/${id}/start`)
    await team.follow(id).done
    expect((await team.ask(`/api/sessions/${id}`)).status).toBe('completed')
  }, 600_000)

  it('E12: a run that ends its worker each time is put aside after five recoveries, and says why; others go on', async () => {
    const { server, env } = await hanging()
    await using _server = server
    const { url, team } = await teamOf(1, 1, { env })
    await using _ = team
    const id = await team.session({ question: QUESTION, extractive: false }, FILES)
    const { heard, done } = team.follow(id)
    await team.post(`/api/sessions/${id}/start`)
    for (let deaths = 0; deaths < 6; deaths++) {
      const resumed = () => heard.types.filter((type) => type === 'run_resumed').length === deaths
      await until(() => resumed() && heard.types.includes('context_binding_parsing_started'))
      const [worker] = team.workers
      if (!worker) throw new Error('There is no worker.')
      await Promise.all([team.kill(worker), team.add('worker')])
    }
    await done
    expect(heard.types.at(-1)).toBe('run_quarantined')
    expect(heard.types.filter((type) => type === 'run_resumed')).toHaveLength(5)
    const shown = await team.ask(`/api/sessions/${id}`)
    expect([shown.status, shown.failure.message]).toEqual(['quarantined', expect.stringContaining('5 times')])
    expect((await team.ask('/api/sessions')).sessions[0].status).toBe('quarantined')
    expect((await team.post(`/api/sessions/${id}/resume`)).code).toBe('conflict')
    expect(await logProblems(url, id)).toEqual([])
    const other = await team.session({ question: QUESTION }, FILES)
    await team.post(`/api/sessions/${other}/start`)
    await team.follow(other).done
    expect((await team.ask(`/api/sessions/${other}`)).status).toBe('completed')
  }, 600_000)

  it('index what an API process is asked to, which says what came of it', async () => {
    at.plant({ 'docs/a.md': '# A\n\nA ferry.\n', 'docs/b.md': '# B\n\nA crane.\n', 'lab/': '' })
    const { team } = await teamOf(1, 0)
    await using _ = team
    const add = await team.post('/api/collections.add', { name: 'docs', root: at.at('docs') })
    expect(add.name ?? add.detail).toBe('docs')
    const answer = team.post('/api/index', {})
    const worker = await team.add('worker')
    expect(await answer).toMatchObject({ added: 2, collections: [{ name: 'docs', added: 2 }] })
    expect((await team.post('/api/index', { names: ['docs'] })).unchanged).toBe(2)
    await team.post('/api/collections.add', { name: 'lab', root: at.at('lab') })
    rmSync(at.at('lab'), { recursive: true })
    expect((await team.post('/api/index', { names: ['lab'] })).code).toBe('not-found')
    expect(await team.post('/api/index', { names: ['lab', 'docs', 'lab'] })).toMatchObject({
      unchanged: 2,
      collections: [
        { name: 'docs', unchanged: 2 },
        { name: 'lab', problem: expect.stringContaining(at.at('lab')) },
      ],
    })
    expect((await team.post('/api/index', { names: ['none'] })).code).toBe('not-found')
    expect((await team.post('/api/search', { query: 'crane' })).results).toHaveLength(1)
    expect(await running(team, worker)).toBe(0)
  }, 600_000)

  it('do what somebody began with what there is for them, and nothing of it when their token is revoked', async () => {
    const url = await own.database()
    at.plant({ 'open/a.md': 'A single ticket costs 4.50 euros.\n', 'closed/b.md': 'A single ticket costs 99 euros.\n' })
    const engineOf = (role: Role) =>
      openWith({ file: undefined, unknown: [], home: false, database: { url: `${url}?pool=3` } }, role)
    const [api, worker] = [engineOf('api'), engineOf('worker')]
    const { collections } = await api.library()
    for (const name of ['open', 'closed']) await collections.add({ name, root: at.at(name) })
    await collections.index()
    const may = { name: 'dave', scopes: ['read', 'research'], collections: ['open'] } as const
    const tokens = await api.tokens()
    const { id } = await tokens.create(may)
    const dave = api.as(may)
    const research = await dave.research()
    const request = { question: 'How much is a single ticket?', extractive: true }
    const { session_id } = await research.createAndStart(request)
    await worker.work(2)
    await until(async () => (await research.show(session_id)).status === 'completed')
    const { markdown } = await research.report(session_id)
    expect([markdown.includes('4.50 euros'), markdown.includes('99 euros')]).toEqual([true, false])
    expect((await (await api.research()).list()).sessions).toEqual([])
    await worker.close()
    const waiting = await research.createAndStart(request)
    await tokens.revoke(id)
    const next = engineOf('worker')
    await next.work(2)
    await until(async () => (await research.show(waiting.session_id)).status === 'created')
    expect(await (await api.library()).port.jobs.open()).toEqual([])
    await Promise.all([api, next].map((engine) => engine.close()))
  }, 600_000)

  it('E10: eight workers do a hundred runs, each step of each once', async () => {
    const url = await own.database()
    const engineOf = (role: Role) =>
      openWith({ file: undefined, unknown: [], home: false, database: { url: `${url}?pool=2` } }, role)
    const api = engineOf('api')
    const research = await api.research()
    const workers = Array.from({ length: 8 }, () => engineOf('worker'))
    await Promise.all(workers.map((worker) => worker.work(4)))
    const ids: string[] = []
    for (let run = 0; run < 100; run++) {
      const { session_id } = await research.create({
        question: `What costs ticket ${run}?`,
        extractive: true,
        depth: 1,
      })
      const bytes = new TextEncoder().encode(`Ticket ${run} costs ${run} euros.\n`)
      await research.addFile(session_id, { name: 'a.txt', type: 'text/plain', bytes })
      await research.start(session_id)
      ids.push(session_id)
    }
    await until(async () => (await research.list(100)).sessions.every(({ status }) => status === 'completed'))
    for (const id of ids.filter((_, index) => index % 10 === 0)) expect(await logProblems(url, id)).toEqual([])
    expect(workers.map((worker) => worker.running())).toEqual(workers.map(() => 0))
    await Promise.all([api, ...workers].map((engine) => engine.close()))
  }, 600_000)
})

// biome-ignore lint/suspicious/noExplicitAny: what answers hold is the matter of the tests.
async function answered(url: string, headers: Readonly<Record<string, string>>, body?: object): Promise<any> {
  return (await fetch(url, { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) })).json()
}

describe('a file of SQLite', () => {
  it('serves an API and a worker that are processes of their own', async () => {
    const argv = (role: string) => ['--role', role, '--db', at.at('both.db')]
    await using api = await served(at.base, { argv: argv('api') })
    const headers = { authorization: `Bearer ${api.token}`, 'content-type': 'application/json' }
    const ask = (path: string, body?: object) => answered(`${api.url}${path}`, headers, body)
    const { session_id } = await ask('/api/sessions', { question: QUESTION, extractive: true })
    await ask(`/api/sessions/${session_id}/start`, {})
    expect((await ask(`/api/sessions/${session_id}`)).status).toBe('queued')
    await using worker = await served(at.base, { argv: argv('worker') })
    await until(async () => (await ask(`/api/sessions/${session_id}`)).status === 'completed')
    expect((await worker.ended('SIGTERM')).code).toBe(0)
  }, 600_000)

  it('lets two servers work on eight runs of an owner together, and on those of others meanwhile', async () => {
    const { server, env } = await hanging()
    await using _server = server
    const AMBIT_TOKEN = 'correct-horse-battery-staple'
    const start = () =>
      served(at.base, { argv: ['--jobs', '8', '--db', at.at('eight.db')], env: { ...env, AMBIT_TOKEN } })
    await using one = await start()
    await using two = await start()
    const headersOf = (token: string) => ({ authorization: `Bearer ${token}`, 'content-type': 'application/json' })
    const ask = (path: string, body?: object, token = AMBIT_TOKEN) =>
      answered(`${(body ? one : two).url}${path}`, headersOf(token), body)
    const { token } = await ask('/api/token.create', { name: 'alice', scope: ['research'] })
    const begin = async (as = AMBIT_TOKEN) => {
      const asked = { question: QUESTION, models: ['synthesis=openai-compatible/m'] }
      const { session_id } = await ask('/api/sessions', asked, as)
      await ask(`/api/sessions/${session_id}/start`, {}, as)
      return session_id
    }
    for (let count = 0; count < 12; count++) await begin()
    const running = async (as = AMBIT_TOKEN): Promise<string[]> => {
      const { sessions } = await ask('/api/sessions', undefined, as)
      const all: { readonly session_id: string; readonly status: string }[] = sessions
      return all.filter(({ status }) => status === 'running').map(({ session_id }) => session_id)
    }
    await until(async () => (await running()).length === 8)
    const theirs = await begin(token)
    await until(async () => (await running(token)).includes(theirs))
    // Those that wait were tried by both meanwhile.
    expect(await running()).toHaveLength(8)
    const first = (await running())[0] ?? ''
    await ask(`/api/sessions/${first}/pause`, {})
    await until(async () => (await running()).length === 8)
    expect(await running()).not.toContain(first)
  }, 600_000)

  it('is gone on with by the next server, where one was killed in the middle of a run', async () => {
    const { server, env } = await hanging()
    await using _server = server
    const argv = ['--db', at.at('killed.db')]
    await using first = await served(at.base, { argv, env: { ...env, AMBIT_TOKEN: 'correct-horse-battery-staple' } })
    const headers = { authorization: 'Bearer correct-horse-battery-staple', 'content-type': 'application/json' }
    const ask = (url: string, path: string, body?: object) => answered(`${url}${path}`, headers, body)
    const { session_id } = await ask(first.url, '/api/sessions', {
      question: QUESTION,
      models: ['synthesis=openai-compatible/m'],
    })
    await ask(first.url, `/api/sessions/${session_id}/start`, {})
    await until(async () => server.asked.length > 0)
    await first.ended('SIGKILL')
    await using second = await served(at.base, { argv, env: { ...env, AMBIT_TOKEN: 'correct-horse-battery-staple' } })
    await until(async () => (await ask(second.url, `/api/sessions/${session_id}`)).seq > 0 && server.asked.length > 1)
    expect((await ask(second.url, `/api/sessions/${session_id}`)).status).toBe('running')
    expect((await ask(second.url, `/api/sessions/${session_id}/stop`, {})).status).toBe('stopped')
  }, 600_000)
})
