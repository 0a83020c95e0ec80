/** @module-tag long */

import { expect, it } from 'vitest'
import { withPostgres } from '../../support/postgres.ts'
import { seeded } from '../../support/seed.ts'
import { runsAmongKills } from './many-runs.ts'
import { undisturbed } from './runs.ts'
import { teams } from './teams.ts'

const own = teams()

withPostgres('many processes', () => {
  it('any of two API processes and two workers may be killed at any time: all runs finish as if nothing had been', async () => {
    const expected = await undisturbed()
    const { url, team } = await own.of(2, 2)
    await using _ = team
    const random = seeded('jobs/many')
    const { problems, killed } = await runsAmongKills({ team, url, random, expected })
    expect(problems, `killed: ${killed}`).toEqual([])
    expect(killed.length).toBeGreaterThan(0)
  }, 600_000)
})
