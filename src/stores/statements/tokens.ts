import { ContextError } from '../../core/errors.ts'
import type { NewToken, StoredToken, TokenStore } from '../token-store.ts'
import { type Database, queryRow, queryRows, type Statements, selectColumn } from './statement.ts'

type TokenRow = Pick<StoredToken, 'id' | 'name' | 'createdAt'> &
  Readonly<Record<'scopes', string>> &
  Readonly<Record<'collections' | 'expiresAt' | 'usedAt' | 'revokedAt', string | null>>

const TOKENS = `
  SELECT id, name, scopes, collections, created_at AS "createdAt", expires_at AS "expiresAt", used_at AS "usedAt",
    revoked_at AS "revokedAt"
  FROM ambit.tokens`

const LIST = `${TOKENS} WHERE ? = '' OR name = ? ORDER BY number`

const ADD = `
  INSERT INTO ambit.tokens (id, sha256, name, scopes, collections, created_at, expires_at)
  VALUES (?, ?, ?, ?, ?, {isoNow}, ?) ON CONFLICT DO NOTHING RETURNING created_at`

const UNNOTED = 'SELECT 1 FROM ambit.tokens WHERE id = ? AND (used_at IS NULL OR used_at <= ?)'
const NOTE = 'UPDATE ambit.tokens SET used_at = {isoNow} WHERE id = ?'
const REVOKE = 'UPDATE ambit.tokens SET revoked_at = {isoNow} WHERE id = ? AND revoked_at IS NULL'

/** Tokens in a database. */
export function createTokenStore(database: Database): TokenStore {
  const findBy = (column: 'id' | 'sha256', value: string) =>
    database.read(queryRow<TokenRow>(`${TOKENS} WHERE ${column} = ?`, value), (row) => row && tokenOf(row))
  return {
    add: async ({ sha256, ...token }) => {
      const createdAt = await database.write('tokens', () => insertToken(sha256, token))
      if (createdAt !== undefined) return { ...token, createdAt }
      throw new ContextError('conflict', `There is a token ${token.id} already.`, { hint: 'Make another.' })
    },
    list: (name = '') => database.read(queryRows<TokenRow>(LIST, name, name), (rows) => rows.map(tokenOf)),
    get: (id) => findBy('id', id),
    find: (sha256) => findBy('sha256', sha256),
    used: async (id, since) => {
      const isUnnoted = await database.read(queryRow(UNNOTED, id, since))
      if (isUnnoted) await database.writeOne(NOTE, id)
    },
    revoke: async (id) => (await database.writeOne(REVOKE, id)) > 0,
  }
}

/** Returns the time of its creation; undefined when its id or hash is taken. */
function* insertToken(sha256: string, token: Omit<NewToken, 'sha256'>): Statements<string | undefined> {
  const { id, name, scopes, collections, expiresAt = null } = token
  const lists = [JSON.stringify(scopes), collections === undefined ? null : JSON.stringify(collections)]
  return (yield* selectColumn<string>(ADD, id, sha256, name, ...lists, expiresAt))[0]
}

function tokenOf({ id, name, scopes, collections, createdAt, expiresAt, usedAt, revokedAt }: TokenRow): StoredToken {
  return {
    id,
    name,
    createdAt,
    scopes: JSON.parse(scopes),
    ...(collections !== null && { collections: JSON.parse(collections) }),
    ...(expiresAt !== null && { expiresAt }),
    ...(usedAt !== null && { usedAt }),
    ...(revokedAt !== null && { revokedAt }),
  }
}
