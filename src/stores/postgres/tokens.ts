import { ContextError } from '../../core/errors.ts'
import type { NewToken, StoredToken, TokenStore } from '../token-store.ts'
import { ISO_NOW } from './lease.ts'
import { parsed, type Sql } from './sql.ts'

type TokenRow = Pick<StoredToken, 'id' | 'name' | 'createdAt'> &
  Readonly<Record<'scopes', string>> &
  Readonly<Record<'collections' | 'expiresAt' | 'usedAt' | 'revokedAt', string | null>>

const TOKENS = `
  SELECT id, name, scopes, collections, created_at AS "createdAt", expires_at AS "expiresAt", used_at AS "usedAt",
    revoked_at AS "revokedAt"
  FROM ambit.tokens`

const ADD = `
  INSERT INTO ambit.tokens (id, sha256, name, scopes, collections, created_at, expires_at)
  VALUES ($1, $2, $3, $4, $5, ${ISO_NOW}, $6) ON CONFLICT DO NOTHING RETURNING created_at`

/** Tokens in PostgreSQL. */
export class PostgresTokens implements TokenStore {
  readonly #sql: Sql

  constructor(sql: Sql) {
    this.#sql = sql
  }

  async add({ sha256, ...token }: NewToken): Promise<StoredToken> {
    const { id, name, scopes, collections, expiresAt } = token
    const lists = [JSON.stringify(scopes), collections === undefined ? null : JSON.stringify(collections)]
    const [createdAt] = await this.#sql.write('tokens', (queries) =>
      queries.column<string>(ADD, id, sha256, name, ...lists, expiresAt ?? null),
    )
    if (createdAt !== undefined) return { ...token, createdAt }
    throw new ContextError('conflict', `There is a token ${id} already.`, { hint: 'Make another.' })
  }

  async list(name: string | null = null): Promise<StoredToken[]> {
    const select = `${TOKENS} WHERE $1::text IS NULL OR name = $1 ORDER BY number`
    return (await this.#sql.all<TokenRow>(select, name)).map((row) => this.#of(row))
  }

  async get(id: string): Promise<StoredToken | undefined> {
    const row = await this.#sql.get<TokenRow>(`${TOKENS} WHERE id = $1`, id)
    return row && this.#of(row)
  }

  async find(sha256: string): Promise<StoredToken | undefined> {
    const row = await this.#sql.get<TokenRow>(`${TOKENS} WHERE sha256 = $1`, sha256)
    return row && this.#of(row)
  }

  async used(id: string, since: string): Promise<void> {
    const update = `UPDATE ambit.tokens SET used_at = ${ISO_NOW} WHERE id = $1 AND (used_at IS NULL OR used_at <= $2)`
    await this.#sql.run(update, id, since)
  }

  async revoke(id: string): Promise<boolean> {
    const update = `UPDATE ambit.tokens SET revoked_at = ${ISO_NOW} WHERE id = $1 AND revoked_at IS NULL`
    return (await this.#sql.run(update, id)) > 0
  }

  #of({ scopes, collections, expiresAt, usedAt, revokedAt, ...row }: TokenRow): StoredToken {
    const { name } = this.#sql
    return {
      ...row,
      scopes: parsed(name, scopes),
      ...(collections !== null && { collections: parsed<string[]>(name, collections) }),
      ...(expiresAt !== null && { expiresAt }),
      ...(usedAt !== null && { usedAt }),
      ...(revokedAt !== null && { revokedAt }),
    }
  }
}
