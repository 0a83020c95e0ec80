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
import { parsed, type Sql } from './sql.ts'

const SIGN_INS = `SELECT ${SIGN_IN_COLUMNS} FROM ambit.sign_ins`

const ADD = `
  INSERT INTO ambit.sign_ins (${NEW_SIGN_IN_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7)
  ON CONFLICT (began) DO NOTHING`

const END_FIRST = `
  UPDATE ambit.sign_ins SET expires_at = least(expires_at, $1)
  WHERE name = $2 AND number <= (
    SELECT number FROM ambit.sign_ins WHERE name = $2 AND expires_at > $1 ORDER BY number DESC LIMIT 1 OFFSET $3)`

const KEY = "SELECT value FROM ambit.keys WHERE name = 'seal'"

/** Browsers that were let in, in PostgreSQL. */
export class PostgresSignIns implements SignInStore {
  readonly #sql: Sql

  constructor(sql: Sql) {
    this.#sql = sql
  }

  async add(signIn: NewSignIn, { most, at }: { most: number; at: string }): Promise<boolean> {
    const [{ name }, scopes] = [signIn, scopesText(signIn.scopes)]
    return this.#sql.write(`sign-in ${name}`, async (queries) => {
      if ((await queries.run(ADD, ...signInValues(signIn))) === 0) return false
      const update = 'UPDATE ambit.sign_ins SET scopes = $1 WHERE name = $2 AND scopes IS NOT NULL'
      if (scopes !== null) await queries.run(update, scopes, name)
      await queries.run(END_FIRST, at, name, most)
      return true
    })
  }

  async find(sha256: string): Promise<StoredSignIn | undefined> {
    const row = await this.#sql.get<SignInRow>(`${SIGN_INS} WHERE sha256 = $1`, sha256)
    return row && this.#of(row)
  }

  async of(names: readonly string[], at: string): Promise<StoredSignIn[]> {
    const select = `${SIGN_INS} WHERE name = ANY($1::text[]) AND expires_at > $2 ORDER BY number`
    return (await this.#sql.all<SignInRow>(select, names, at)).map((row) => this.#of(row))
  }

  async extend(sha256: string, was: string, to: string): Promise<void> {
    const update = 'UPDATE ambit.sign_ins SET expires_at = $1 WHERE sha256 = $2 AND expires_at = $3'
    await this.#sql.run(update, to, sha256, was)
  }

  async end(sha256: string, at: string): Promise<void> {
    const update = 'UPDATE ambit.sign_ins SET expires_at = least(expires_at, $1) WHERE sha256 = $2'
    await this.#sql.run(update, at, sha256)
  }

  async endOthers(basis: string, at: string): Promise<number> {
    const update = `
      UPDATE ambit.sign_ins SET expires_at = $1 WHERE scopes IS NOT NULL AND basis <> $2 AND expires_at > $1`
    return this.#sql.run(update, at, basis)
  }

  async forget(before: string): Promise<number> {
    return this.#sql.run('DELETE FROM ambit.sign_ins WHERE expires_at < $1', before)
  }

  async key(): Promise<string> {
    const [known] = await this.#sql.column<string>(KEY)
    if (known !== undefined) return known
    const insert = "INSERT INTO ambit.keys (name, value) VALUES ('seal', $1) ON CONFLICT DO NOTHING"
    await this.#sql.run(insert, randomBytes(32).toString('hex'))
    return (await this.#sql.column<string>(KEY))[0] ?? ''
  }

  #of(row: SignInRow): StoredSignIn {
    return signInOf(row, (json) => parsed(this.#sql.name, json))
  }
}
