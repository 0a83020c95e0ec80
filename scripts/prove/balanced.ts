import { runsAmongKills } from '../../test/stores/jobs/many-runs.ts'
import { undisturbed } from '../../test/stores/jobs/runs.ts'
import { Team } from '../../test/stores/jobs/team.ts'
import { OwnPostgres } from '../../test/support/own-postgres.ts'
import { lacksPostgres } from '../../test/support/postgres-server.ts'
import { tree } from '../../test/support/tree.ts'
import type { Part } from './proving.ts'

export const balanced: Part = {
  name: 'balanced',
  claim:
    'of two API processes and two workers behind a balancer any one is killed at any time during ten runs of research: all finish, each with the report of an undisturbed run, and who follows them misses nothing',
  // Once at each change is a test of its own: test/stores/jobs/many.test.ts.
  tiers: ['quick', 'full'],
  lacks: lacksPostgres,
  async prove(proving) {
    await using server = await OwnPostgres.start()
    const expected = await undisturbed()
    await proving.rounds('times', proving.of({ ci: 1, quick: 3, full: 30 }), async (random) => {
      using files = tree({})
      const url = await server.database()
      await using team = await Team.of(2, 2, { cwd: files.base, database: url })
      const { problems, killed } = await runsAmongKills({ team, url, random, expected })
      for (const problem of problems) proving.lose(`${problem}; killed: ${killed}`)
      for (const one of killed) proving.add(one.startsWith('api') ? 'API processes killed' : 'workers killed')
      proving.add('runs', 10)
    })
  },
}
