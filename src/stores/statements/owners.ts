import type { WaitingSession } from '../run-store.ts'
import type { Store } from '../store.ts'
import { isAlive } from './lease.ts'
import { type Database, queryColumn, queryRows } from './statement.ts'

const OWNERS = `
  SELECT owner FROM ambit.conversations UNION SELECT owner FROM ambit.research_sessions ORDER BY owner`

/** With who held it last, where that has not run out; those, too, that were to be ended and whose process died before it did. */
const WAITING = `
  SELECT s.owner, s.id, l.holder FROM ambit.research_sessions s
  LEFT JOIN ambit.leases l ON l.name = 'research ' || s.id AND l.expires > {now}
  WHERE s.wanted = 'run' OR s.wanted <> '' AND s.status IN ('running', 'queued') ORDER BY s.number`

/** What a store says of all owners together. */
export function createOwnerLists(database: Database): Pick<Store, 'owners' | 'waiting'> {
  return {
    owners: () => database.read(queryColumn<string>(OWNERS)),
    waiting: () =>
      database.read(queryRows<WaitingSession & { readonly holder: string | null }>(WAITING), (rows) =>
        rows.filter(({ holder }) => holder === null || !isAlive(holder)).map(({ owner, id }) => ({ owner, id })),
      ),
  }
}
