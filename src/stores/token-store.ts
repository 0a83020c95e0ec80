/** Stores the access tokens of a server, each with the hash of its secret instead of the secret. */

import { ContextError } from '../core/errors.ts'
import { type Database, queryRow, queryRows, readRow, selectColumn } from './statements/statement.ts'

/** A token, without its secret. */
export interface StoredToken {
  /** The name of the token in lists, logs and commands; not a secret. */
  readonly id: string
  /** The owner. Data of this owner is stored under this name. */
  readonly name: string
  readonly scopes: readonly string[]
  /** Names of the collections that the token may use; absent for all. */
  readonly collections?: readonly string[]
  /** ISO 8601, UTC, like all times of a token. */
  readonly createdAt: string
  /** Absent if the token never expires. */
  readonly expiresAt?: string
  /** Absent if the token was never used. */
  readonly usedAt?: string
  readonly revokedAt?: string
}

export type NewToken = Pick<StoredToken, 'id' | 'name' | 'scopes' | 'collections' | 'expiresAt'> & {
  /** SHA-256 of the secret, hex. */
  readonly sha256: string
}

const TOKENS = `
  SELECT id, name, created_at AS "createdAt", scopes, collections, expires_at AS "expiresAt", used_at AS "usedAt",
    revoked_at AS "revokedAt"
  FROM ambit.tokens`

const LIST = `${TOKENS} WHERE ? = '' OR name = ? ORDER BY number`

const ADD = `
  INSERT INTO ambit.tokens (id, sha256, name, scopes, collections, created_at, expires_at)
  VALUES (?, ?, ?, ?, ?, {isoNow}, ?) ON CONFLICT DO NOTHING RETURNING created_at`

const IS_USE_UNRECORDED = 'SELECT 1 FROM ambit.tokens WHERE id = ? AND (used_at IS NULL OR used_at <= ?)'
const RECORD_USE = 'UPDATE ambit.tokens SET used_at = {isoNow} WHERE id = ?'
const REVOKE = 'UPDATE ambit.tokens SET revoked_at = {isoNow} WHERE id = ? AND revoked_at IS NULL'

const tokenOf = (row: object): StoredToken => readRow(row, { json: ['scopes', 'collections'] })

export function createTokenStore(database: Database) {
  const findBy = (column: 'id' | 'sha256', value: string): Promise<StoredToken | undefined> =>
    database.read(queryRow<object>(`${TOKENS} WHERE ${column} = ?`, value), (row) => row && tokenOf(row))
  return {
    /** @throws ContextError `conflict` for an id or a hash that is taken. */
    add: async ({ sha256, ...token }: NewToken): Promise<StoredToken> => {
      const { id, name, scopes, collections, expiresAt = null } = token
      const lists = [JSON.stringify(scopes), collections === undefined ? null : JSON.stringify(collections)]
      const add = () => selectColumn<string>(ADD, id, sha256, name, ...lists, expiresAt)
      const [createdAt] = await database.write('tokens', add)
      if (createdAt !== undefined) return { ...token, createdAt }
      throw new ContextError('conflict', `There is a token ${id} already.`, { hint: 'Create another token.' })
    },
    /**
     * All tokens, even revoked or expired, the oldest first. `name`: only tokens of this owner. Default: all owners.
     */
    list: (name = '') => database.read(queryRows<object>(LIST, name, name), (rows) => rows.map(tokenOf)),
    /** As `find`, by the id of the token. */
    get: (id: string) => findBy('id', id),
    /** Finds a token. The caller must check that it is not revoked or expired. */
    find: (sha256: string) => findBy('sha256', sha256),
    /** Records a use of a token, unless a use after `since` (ISO 8601) is recorded, so that most uses write nothing. */
    recordUse: async (id: string, since: string): Promise<void> => {
      if (await database.read(queryRow(IS_USE_UNRECORDED, id, since))) await database.writeOne(RECORD_USE, id)
    },
    /** Revokes a token permanently. Returns false if it was revoked before, or is unknown. */
    revoke: async (id: string) => (await database.writeOne(REVOKE, id)) > 0,
  }
}

export type TokenStore = ReturnType<typeof createTokenStore>
