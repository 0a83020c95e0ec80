/**
 * Processes of one database whose clocks are wrong by an hour: what ends, ends by the clock of the server.
 *
 * @module-tag long
 */

import { expect, it } from 'vitest'
import { HOUR, offBy } from '../../support/clock.ts'
import { asked, withPostgres } from '../../support/postgres.ts'
import { FILES, logProblems, QUESTION, undisturbed, until } from './runs.ts'
import type { Team } from './team.ts'
import { teams } from './teams.ts'

const own = teams()

/** Right, ahead, behind. */
const CLOCKS = [0, HOUR, -HOUR]

/** With an API and a worker of each clock. */
const teamOf = async () => {
  const { url, team } = await own.of(0, 0)
  for (const ms of CLOCKS) await Promise.all([team.add('api', offBy(ms)), team.add('worker', offBy(ms))])
  return { url, team }
}

/** How each of the APIs answers who has this token. */
const statuses = (team: Team, token: string) => {
  const headers = { authorization: `Bearer ${token}` }
  return Promise.all(team.apis.map(async ({ url }) => (await fetch(`${url}/api/me`, { headers })).status))
}

withPostgres('processes whose clocks are wrong', () => {
  it('E9: take nobody’s research while who works on it lives, and go on with it when they are dead', async () => {
    const expected = await undisturbed()
    const { url, team } = await teamOf()
    await using _ = team
    const ids: string[] = []
    for (let count = 0; count < 4; count++) ids.push(await team.session({ question: QUESTION }, FILES))
    const followed = ids.map((id) => team.follow(id))
    await Promise.all(ids.map((id, at) => team.post(`/api/sessions/${id}/start`, {}, team.apis[at % 3]?.url)))
    await Promise.all(followed.map(({ done }) => done))
    for (const [at, id] of ids.entries()) {
      const types = followed[at]?.heard.types ?? []
      expect(types.at(-1)).toBe('run_completed')
      for (const wrong of ['run_resumed', 'budget_exhausted']) expect(types).not.toContain(wrong)
      expect((await team.ask(`/api/sessions/${id}/report?format=json`)).markdown).toBe(expected)
      expect(await logProblems(url, id)).toEqual([])
    }
    // Those who may work on it are killed, and another one goes on.
    const id = await team.session({ question: QUESTION }, FILES)
    const { heard, done } = team.follow(id)
    await team.post(`/api/sessions/${id}/start`)
    for (const events of [3, 9]) {
      await until(() => heard.ids.length >= events)
      const [dead] = team.workers
      if (dead) await team.kill(dead)
    }
    await done
    expect(heard.types.at(-1)).toBe('run_completed')
    expect(heard.types).not.toContain('budget_exhausted')
    expect((await team.ask(`/api/sessions/${id}/report?format=json`)).markdown).toBe(expected)
    expect(await logProblems(url, id)).toEqual([])
  }, 600_000)

  it('E9: let in who has a token until it is over by the clock of the server, and no longer', async () => {
    const { url, team } = await teamOf()
    await using _ = team
    const created = await Promise.all(
      team.apis.map(async ({ url }) => (await team.post('/api/sessions', { question: 'What?' }, url)).created_at),
    )
    const [right = 0, ahead = 0, behind = 0] = created.map((at) => Date.parse(at))
    expect([Math.round((ahead - right) / HOUR), Math.round((behind - right) / HOUR)]).toEqual([1, -1])
    const day = 24 * HOUR
    for (const api of team.apis) {
      const made = await team.post('/api/token.create', { name: 'alice', scope: ['read'], expires: 1 }, api.url)
      const ends = (sql: string) => asked(url, (client) => client.query(sql, [made.id]))
      const { rows } = await ends(
        `SELECT extract(epoch FROM expires_at::timestamptz - clock_timestamp()) * 1000 AS left,
          extract(epoch FROM clock_timestamp() - created_at::timestamptz) * 1000 AS ago FROM ambit.tokens WHERE id = $1`,
      )
      // Half an hour is more than any machine takes for it, and less than the clocks are off.
      expect(Math.abs(Number(rows[0].left) - day)).toBeLessThan(HOUR / 2)
      expect(Math.abs(Number(rows[0].ago))).toBeLessThan(HOUR / 2)
      const set = (from: string) =>
        ends(`UPDATE ambit.tokens SET expires_at = to_char((clock_timestamp() ${from}) AT TIME ZONE 'UTC',
          'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') WHERE id = $1`)
      await set("+ interval '30 minutes'")
      expect(await statuses(team, made.token)).toEqual([200, 200, 200])
      await set("- interval '30 minutes'")
      expect(await statuses(team, made.token)).toEqual([401, 401, 401])
    }
  }, 600_000)
})
