import { afterAll, expect, it } from 'vitest'
import { withPostgres } from '../support/postgres.ts'
import { FILES, logProblems, QUESTION, undisturbed, until } from './runs.ts'
import { teams } from './teams.ts'

const own = teams()
const teamOf = own.of
afterAll(own.dispose, 120_000)

withPostgres('many processes', () => {
  it('any of two API processes and two workers may be killed at any time: all runs finish as if nothing had been', async () => {
    const expected = await undisturbed()
    const { url, team } = await teamOf(2, 2)
    await using _ = team
    const ids = await Promise.all(Array.from({ length: 10 }, () => team.session({ question: QUESTION }, FILES)))
    const followed = ids.map((id) => team.follow(id))
    await Promise.all(ids.map((id) => team.post(`/api/sessions/${id}/start`)))
    const told = () => followed.reduce((sum, { heard }) => sum + heard.ids.length, 0)
    const isOver = () => followed.every(({ heard }) => heard.types.at(-1) === 'run_completed')
    // After so many events, one of each.
    for (const [events, role] of [
      [30, 'worker'],
      [120, 'api'],
      [220, 'worker'],
      [330, 'api'],
      [430, 'worker'],
    ] as const) {
      await until(() => told() >= events || isOver())
      const [victim] = role === 'api' ? team.apis : team.workers
      if (!victim) throw new Error(`There is no ${role}.`)
      await team.kill(victim)
      await team.add(role)
    }
    await Promise.all(followed.map(({ done }) => done))
    for (const [index, id] of ids.entries()) {
      const { heard } = followed[index] ?? { heard: { ids: [], types: [] } }
      expect(heard.ids, `the events of run ${index}`).toEqual(heard.ids.map((_, position) => position + 1))
      expect((await team.ask(`/api/sessions/${id}/report?format=json`)).markdown).toBe(expected)
      expect(await logProblems(url, id)).toEqual([])
      expect((await team.ask(`/api/sessions/${id}`)).seq).toBe(heard.ids.length)
    }
  }, 600_000)
})
