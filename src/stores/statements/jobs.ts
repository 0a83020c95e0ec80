import type { JobStore, OpenJob } from '../jobs.ts'
import { isAlive } from './lease.ts'
import { type Database, notify, queryRows } from './statement.ts'

/** The name that all workers watch. */
export const JOBS = 'jobs'

/**
 * Each with the holder of its lease, unless that has expired. Also sessions with a command to stop or pause whose process died
 * before it read the command.
 */
const OPEN = `
  SELECT 'research' AS kind, s.id AS key, s.owner, l.holder, s.number FROM ambit.research_sessions s
  LEFT JOIN ambit.leases l ON l.name = 'research ' || s.id AND l.expires > {now}
  WHERE s.wanted = 'run' OR s.wanted <> '' AND s.status IN ('running', 'queued')
  UNION ALL
  SELECT 'index', c.name, j.owner, l.holder, c.id FROM ambit.index_jobs j
  JOIN ambit.collections c ON c.id = j.collection_id
  LEFT JOIN ambit.leases l ON l.name = 'indexing ' || c.name AND l.expires > {now}
  WHERE j.state IN ('queued', 'running')
  ORDER BY number`

type JobRow = Omit<OpenJob, 'isHeld'> & { readonly holder: string | null; readonly number: number }

/** Jobs of all owners, in a database. */
export function createJobStore(database: Database): JobStore {
  return {
    open: () =>
      database.read(queryRows<JobRow>(OPEN), (rows) =>
        rows.map(({ kind, key, owner, holder }) => ({ kind, key, owner, isHeld: holder !== null && isAlive(holder) })),
      ),
    watch: () => database.watch(JOBS),
    notify: () => database.write('jobs', () => notify(JOBS)),
  }
}
