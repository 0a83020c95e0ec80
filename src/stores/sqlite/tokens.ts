import { ContextError } from '../../core/errors.ts'
import type { NewToken, StoredToken, TokenStore } from '../token-store.ts'
import type { Sql } from './sql.ts'

interface TokenRow {
  readonly id: string
  readonly name: string
  readonly scopes: string
  readonly collections: string | null
  readonly created_at: string
  readonly expires_at: string | null
  readonly used_at: string | null
  readonly revoked_at: string | null
}

const ADD = `
  INSERT INTO tokens (id, sha256, name, scopes, collections, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT DO NOTHING`

/** Tokens in SQLite. */
export class SqliteTokens implements TokenStore {
  readonly #sql: Sql

  constructor(sql: Sql) {
    this.#sql = sql
  }

  async add({ sha256, ...token }: NewToken): Promise<StoredToken> {
    const { id, name, scopes, collections, expiresAt } = token
    const createdAt = new Date().toISOString()
    const lists = [JSON.stringify(scopes), collections === undefined ? null : JSON.stringify(collections)]
    const added = this.#sql.write(() => this.#sql.run(ADD, id, sha256, name, ...lists, createdAt, expiresAt ?? null))
    if (added > 0) return { ...token, createdAt }
    throw new ContextError('conflict', `There is a token ${id} already.`, { hint: 'Make another.' })
  }

  async list(name: string | null = null): Promise<StoredToken[]> {
    const select = 'SELECT * FROM tokens WHERE ? IS NULL OR name = ? ORDER BY number'
    return this.#sql.all<TokenRow>(select, name, name).map((row) => this.#of(row))
  }

  async get(id: string): Promise<StoredToken | undefined> {
    const row = this.#sql.get<TokenRow>('SELECT * FROM tokens WHERE id = ?', id)
    return row && this.#of(row)
  }

  async find(sha256: string): Promise<StoredToken | undefined> {
    const row = this.#sql.get<TokenRow>('SELECT * FROM tokens WHERE sha256 = ?', sha256)
    return row && this.#of(row)
  }

  async used(id: string, since: string): Promise<void> {
    const select = 'SELECT 1 FROM tokens WHERE id = ? AND (used_at IS NULL OR used_at <= ?)'
    if (!this.#sql.get(select, id, since)) return
    const update = 'UPDATE tokens SET used_at = ? WHERE id = ?'
    this.#sql.write(() => this.#sql.run(update, new Date().toISOString(), id))
  }

  async revoke(id: string): Promise<boolean> {
    const update = 'UPDATE tokens SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL'
    return this.#sql.write(() => this.#sql.run(update, new Date().toISOString(), id) > 0)
  }

  #of(row: TokenRow): StoredToken {
    const { id, name, scopes, collections, created_at, expires_at, used_at, revoked_at } = row
    return {
      id,
      name,
      scopes: this.#sql.parsed(scopes),
      ...(collections !== null && { collections: this.#sql.parsed<string[]>(collections) }),
      createdAt: created_at,
      ...(expires_at !== null && { expiresAt: expires_at }),
      ...(used_at !== null && { usedAt: used_at }),
      ...(revoked_at !== null && { revokedAt: revoked_at }),
    }
  }
}
