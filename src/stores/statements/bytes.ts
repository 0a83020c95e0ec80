import { type ByteStore, type InObject, type KeptObject, lacksIdentity, NO_BYTES } from '../byte-store.ts'
import { type Database, execute, queryColumn, queryRow, queryRows } from './statement.ts'

interface BytesRow {
  readonly data: Uint8Array
  readonly key: string | null
}

const BYTES = 'SELECT data, key FROM ambit.research_bytes WHERE sha256 = ?'

const MOVE = 'UPDATE ambit.research_bytes SET key = ?, data = ? WHERE sha256 = ? AND key IS NOT DISTINCT FROM ?'

const IN_DATABASE = 'SELECT sha256 FROM ambit.research_bytes WHERE key IS NULL AND sha256 > ? ORDER BY sha256 LIMIT ?'

const IN_OBJECTS = `
  SELECT sha256, key, coalesce(
    (SELECT name FROM ambit.research_files f WHERE f.sha256 = b.sha256 ORDER BY number LIMIT 1), '') AS name
  FROM ambit.research_bytes b WHERE key IS NOT NULL AND sha256 > ? ORDER BY sha256 LIMIT ?`

const USED = 'SELECT key FROM ambit.research_bytes WHERE key {anyOf text}'

const LEFT = `
  SELECT key FROM ambit.research_gone g WHERE NOT EXISTS (SELECT 1 FROM ambit.research_bytes b WHERE b.key = g.key)
  ORDER BY key LIMIT ?`

const FORGET = 'DELETE FROM ambit.research_gone WHERE key {anyOf text}'

/** The location of the bytes of files, in a database. */
export function createByteStore(database: Database): ByteStore {
  return {
    id: () =>
      database.read(queryColumn<string>('SELECT id FROM ambit.identity'), ([id]) => {
        if (id !== undefined) return id
        throw lacksIdentity(database.name)
      }),
    find: (sha256) =>
      database.read(
        queryRow<BytesRow>(BYTES, sha256),
        (row) => row && (row.key === null ? row.data : { key: row.key }),
      ),
    move: (sha256, { key }, from: InObject | 'database') =>
      database.write('research', function* () {
        const known = from === 'database' ? null : from.key
        return (yield* execute(MOVE, key, NO_BYTES, sha256, known)) > 0
      }),
    inDatabase: (after, limit) => database.read(queryColumn<string>(IN_DATABASE, after, limit)),
    inObjects: (after, limit) => database.read(queryRows<KeptObject>(IN_OBJECTS, after, limit)),
    used: (keys) => database.read(queryColumn<string>(USED, keys), (used) => new Set(used)),
    left: (limit) => database.read(queryColumn<string>(LEFT, limit)),
    forget: async (keys) => {
      await database.writeOne(FORGET, keys)
    },
  }
}
