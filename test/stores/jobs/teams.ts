import { own } from '../../support/own.ts'
import { ownDatabases } from '../../support/postgres.ts'
import { tree } from '../../support/tree.ts'
import { Team, type TeamOptions } from './team.ts'

/** Teams of a file of tests, each on a database of its own. */
export function teams() {
  /** Where they run. */
  const at = own(tree({ 'here/': '' }))
  const database = ownDatabases()
  return {
    at,
    /** A new, empty one. */
    database,
    async of(apis: number, workers: number, told: Partial<TeamOptions> = {}) {
      const url = await database()
      return { url, team: await Team.of(apis, workers, { cwd: at.base, database: url, ...told }) }
    },
  }
}
