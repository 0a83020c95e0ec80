/**
 * What was begun with a token ends when that is revoked, wherever it was begun and whoever works on it.
 *
 * @module-tag long
 */

import { describe, expect, it } from 'vitest'
import { openWith } from '../../../src/open.ts'
import { type Served, served } from '../../reliability/served.ts'
import { languageServer } from '../../support/language-server.ts'
import { withPostgres } from '../../support/postgres.ts'
import { FILES, QUESTION, until } from './runs.ts'
import { TOKEN } from './team.ts'
import { teams } from './teams.ts'

const own = teams()

type Body = Readonly<Record<string, unknown>>

// biome-ignore lint/suspicious/noExplicitAny: what answers hold is the matter of the tests.
async function asked(url: string, token: string, body?: Body): Promise<any> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', connection: 'close' }
  const response = await fetch(url, { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) })
  const text = await response.text()
  return text.startsWith('{') ? JSON.parse(text) : text
}

const running = async (worker: Served) =>
  Number(/^ambit_research_running (\d+)$/m.exec(await asked(`${worker.url}/metrics`, TOKEN))?.[1])

/** A run that does not end by itself. */
async function begun(url: string, token: string): Promise<string> {
  const models = ['synthesis=openai-compatible/m']
  const { session_id } = await asked(`${url}/api/sessions`, token, { question: QUESTION, models })
  for (const [name, text] of Object.entries(FILES)) {
    const form = new FormData()
    form.append('file', new File([text], name))
    await fetch(`${url}/api/sessions/${session_id}/files`, {
      method: 'POST',
      body: form,
      headers: { authorization: `Bearer ${token}` },
    })
  }
  await asked(`${url}/api/sessions/${session_id}/start`, token, {})
  return session_id
}

type Start = (role: string, env: object) => Promise<Served>

/** `revoke`: as another process does it. */
function revoking(start: Start, revoke: (id: string) => Promise<void>): void {
  it('is paused where it runs, though the process is gone where it was begun; that of others goes on', async () => {
    await using model = await languageServer('chat', [{ fault: 'hang' }])
    const env = { AMBIT_TOKEN: TOKEN, AMBIT_MODEL: 'openai-compatible/m', AMBIT_MODEL_URL: `${model.url}/v1` }
    await using first = await start('api', env)
    await using second = await start('api', env)
    await using worker = await start('worker', env)
    const create = (name: string) =>
      asked(`${first.url}/api/token.create`, TOKEN, { name, scope: ['read', 'research'] })
    const [alice, bob] = [await create('alice'), await create('bob')]
    const id = await begun(first.url, alice.token)
    const other = await begun(first.url, bob.token)
    await until(async () => (await running(worker)) === 2)
    await first.ended('SIGKILL')
    await revoke(alice.id)
    await until(async () => (await running(worker)) === 1)
    const again = await asked(`${second.url}/api/token.create`, TOKEN, { name: 'alice', scope: ['read', 'research'] })
    const statusOf = async (session: string, token: string) =>
      (await asked(`${second.url}/api/sessions/${session}`, token)).status
    expect([await statusOf(id, again.token), await statusOf(other, bob.token)]).toEqual(['paused', 'running'])
    // Whoever has another token of the name can go on with it.
    expect((await asked(`${second.url}/api/sessions/${id}/resume`, again.token, {})).status).toBe('queued')
    await until(async () => (await running(worker)) === 2)
  }, 600_000)
}

describe('on a file, research of a token that is revoked', () => {
  const db = () => own.at.at('revoked.db')
  revoking(
    (role, env) => served(own.at.base, { argv: ['--role', role, '--db', db()], env }),
    async (id) => {
      const engine = openWith({ file: undefined, unknown: [], home: false, db: db() })
      await (await engine.tokens()).revoke(id)
      await engine.close()
    },
  )
})

withPostgres('on a database, research of a token that is revoked', () => {
  let url: string | undefined
  const database = async () => {
    url ??= await own.database()
    return url
  }
  revoking(
    async (role, env) => {
      const AMBIT_DATABASE_URL = `${await database()}?pool=3`
      return served(own.at.base, { argv: ['--role', role], env: { AMBIT_DATABASE_URL, ...env } })
    },
    async (id) => {
      const engine = openWith({ file: undefined, unknown: [], home: false, database: { url: await database() } })
      await (await engine.tokens()).revoke(id)
      await engine.close()
    },
  )
})
