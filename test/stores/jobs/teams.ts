import { type Databases, databases } from '../../support/postgres.ts'
import { tree } from '../../support/tree.ts'
import { Team, type TeamOptions } from './team.ts'

/** Teams of a file of tests, each on a database of its own. */
export function teams() {
  const at = tree({ 'here/': '' })
  let made: Databases | undefined
  const database = async () => {
    made ??= await databases()
    return made.create()
  }
  return {
    /** Where they run. */
    at,
    /** A new, empty one. */
    database,
    async of(apis: number, workers: number, told: Partial<TeamOptions> = {}) {
      const url = await database()
      return { url, team: await Team.of(apis, workers, { cwd: at.base, database: url, ...told }) }
    },
    async dispose(): Promise<void> {
      await made?.drop()
      at[Symbol.dispose]()
    },
  }
}
