/** Stores where the bytes of an uploaded file are: in the database, or in an object of a directory or bucket. */

import { ContextError } from '../core/errors.ts'
import { type Database, execute, queryColumn, queryRow, queryRows } from './statements/statement.ts'

/**
 * The object that contains the bytes of a file. A key is never reused, so that a late deletion cannot delete the bytes
 * of another file.
 */
export interface ObjectLocation {
  readonly key: string
}

export interface StoredObject extends ObjectLocation {
  readonly sha256: string
  readonly name: string
}

/** The content of a row whose bytes are in an object. */
export const NO_BYTES = new Uint8Array()

const LOCATION = 'SELECT data, key FROM ambit.research_bytes WHERE sha256 = ?'

const SET_LOCATION = 'UPDATE ambit.research_bytes SET key = ?, data = ? WHERE sha256 = ? AND key IS NOT DISTINCT FROM ?'

const IN_DATABASE = 'SELECT sha256 FROM ambit.research_bytes WHERE key IS NULL AND sha256 > ? ORDER BY sha256 LIMIT ?'

const IN_OBJECTS = `
  SELECT sha256, key, coalesce(
    (SELECT name FROM ambit.research_files f WHERE f.sha256 = b.sha256 ORDER BY number LIMIT 1), '') AS name
  FROM ambit.research_bytes b WHERE key IS NOT NULL AND sha256 > ? ORDER BY sha256 LIMIT ?`

const USED_KEYS = 'SELECT key FROM ambit.research_bytes WHERE key {anyOf text}'

const KEYS_TO_DELETE = `
  SELECT key FROM ambit.research_gone g WHERE NOT EXISTS (SELECT * FROM ambit.research_bytes b WHERE b.key = g.key)
  ORDER BY key LIMIT ?`

const FORGET_KEYS = 'DELETE FROM ambit.research_gone WHERE key {anyOf text}'

export function createByteStore(database: Database) {
  return {
    /**
     * The id of this database: 128 random bits in hex digits. Databases that share a directory or bucket differ by it.
     */
    id: () =>
      database.read(queryColumn<string>('SELECT id FROM ambit.identity'), ([id]) => {
        if (id !== undefined) return id
        const hint = 'Restore a backup.'
        throw new ContextError('unavailable', `The database ${database.name} is damaged: it has no id.`, { hint })
      }),
    /** The bytes with a hash, or the object that contains them; undefined if no session has a file with the hash. */
    find: (sha256: string): Promise<Uint8Array | ObjectLocation | undefined> =>
      database.read(
        queryRow<{ readonly data: Uint8Array; readonly key: string | null }>(LOCATION, sha256),
        (row) => row && (row.key === null ? row.data : { key: row.key }),
      ),
    /**
     * Records that bytes are in an object now, and removes them from the database.
     *
     * @param oldLocation where the bytes must be before. If they are elsewhere, nothing changes, and the result is
     * false.
     */
    move: (sha256: string, { key }: ObjectLocation, oldLocation: ObjectLocation | 'database'): Promise<boolean> =>
      database.write('research', function* () {
        const oldKey = oldLocation === 'database' ? null : oldLocation.key
        return (yield* execute(SET_LOCATION, key, NO_BYTES, sha256, oldKey)) > 0
      }),
    /** The first `limit` hashes after `after` of bytes in the database itself, in order. */
    listInDatabase: (after: string, limit: number) => database.read(queryColumn<string>(IN_DATABASE, after, limit)),
    /** The first `limit` objects with bytes, by hash, after the hash `after`. Each has the name of one of its files. */
    listInObjects: (after: string, limit: number) => database.read(queryRows<StoredObject>(IN_OBJECTS, after, limit)),
    /** The subset of `keys` that is in use. */
    findUsedKeys: (keys: readonly string[]) =>
      database.read(queryColumn<string>(USED_KEYS, keys), (used) => new Set(used)),
    listKeysToDelete: (limit: number) => database.read(queryColumn<string>(KEYS_TO_DELETE, limit)),
    /** Removes these keys from the list of objects to delete. Call it after the objects are deleted. */
    forgetKeys: (keys: readonly string[]) => database.writeOne(FORGET_KEYS, keys),
  }
}

export type ByteStore = ReturnType<typeof createByteStore>

/** The error for bytes in an object, when the database was opened without its place of uploads. */
export function bytesInObjectError({ key }: ObjectLocation): ContextError {
  const hint = 'Open the database with the place of uploads that it was used with (AMBIT_OBJECTS).'
  return new ContextError('unavailable', `The bytes are in the object ${key}, beside the database.`, { hint })
}

export function noBytesError(sha256: string): ContextError {
  return new ContextError('not-found', `There are no bytes of ${sha256}.`, { hint: 'Add the file again.' })
}
