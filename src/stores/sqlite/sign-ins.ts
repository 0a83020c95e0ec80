import { randomBytes } from 'node:crypto'
import {
  NEW_SIGN_IN_COLUMNS,
  SIGN_IN_COLUMNS,
  type SignInRow,
  scopesText,
  signInOf,
  signInValues,
} from '../sign-in-rows.ts'
import type { NewSignIn, SignInStore, StoredSignIn } from '../sign-in-store.ts'
import type { Sql } from './sql.ts'

const SIGN_INS = `SELECT ${SIGN_IN_COLUMNS} FROM sign_ins`

const ADD = `
  INSERT INTO sign_ins (${NEW_SIGN_IN_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (began) DO NOTHING`

const END_FIRST = `
  UPDATE sign_ins SET expires_at = min(expires_at, ?)
  WHERE name = ? AND number <= (
    SELECT number FROM sign_ins WHERE name = ? AND expires_at > ? ORDER BY number DESC LIMIT 1 OFFSET ?)`

const OF = `${SIGN_INS} WHERE name IN (SELECT value FROM json_each(?)) AND expires_at > ? ORDER BY number`

/** Browsers that were let in, in SQLite. */
export class SqliteSignIns implements SignInStore {
  readonly #sql: Sql

  constructor(sql: Sql) {
    this.#sql = sql
  }

  async add(signIn: NewSignIn, { most, at }: { most: number; at: string }): Promise<boolean> {
    const [{ name }, scopes] = [signIn, scopesText(signIn.scopes)]
    return this.#sql.write(() => {
      if (this.#sql.run(ADD, ...signInValues(signIn)) === 0) return false
      const update = 'UPDATE sign_ins SET scopes = ? WHERE name = ? AND scopes IS NOT NULL'
      if (scopes !== null) this.#sql.run(update, scopes, name)
      this.#sql.run(END_FIRST, at, name, name, at, most)
      return true
    })
  }

  async find(sha256: string): Promise<StoredSignIn | undefined> {
    const row = this.#sql.get<SignInRow>(`${SIGN_INS} WHERE sha256 = ?`, sha256)
    return row && this.#of(row)
  }

  async of(names: readonly string[], at: string): Promise<StoredSignIn[]> {
    return this.#sql.all<SignInRow>(OF, JSON.stringify(names), at).map((row) => this.#of(row))
  }

  async extend(sha256: string, was: string, to: string): Promise<void> {
    const update = 'UPDATE sign_ins SET expires_at = ? WHERE sha256 = ? AND expires_at = ?'
    this.#sql.write(() => this.#sql.run(update, to, sha256, was))
  }

  async end(sha256: string, at: string): Promise<void> {
    const update = 'UPDATE sign_ins SET expires_at = min(expires_at, ?) WHERE sha256 = ?'
    this.#sql.write(() => this.#sql.run(update, at, sha256))
  }

  async endOthers(basis: string, at: string): Promise<number> {
    const update = 'UPDATE sign_ins SET expires_at = ? WHERE scopes IS NOT NULL AND basis <> ? AND expires_at > ?'
    return this.#sql.write(() => this.#sql.run(update, at, basis, at))
  }

  async forget(before: string): Promise<number> {
    return this.#sql.write(() => this.#sql.run('DELETE FROM sign_ins WHERE expires_at < ?', before))
  }

  async key(): Promise<string> {
    const select = "SELECT value FROM keys WHERE name = 'seal'"
    const known = this.#sql.column<string>(select)[0]
    if (known !== undefined) return known
    return this.#sql.write(() => {
      const insert = "INSERT INTO keys (name, value) VALUES ('seal', ?) ON CONFLICT DO NOTHING"
      this.#sql.run(insert, randomBytes(32).toString('hex'))
      return this.#sql.column<string>(select)[0] ?? ''
    })
  }

  #of(row: SignInRow): StoredSignIn {
    return signInOf(row, (json) => this.#sql.parsed(json))
  }
}
