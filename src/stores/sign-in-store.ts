/** Stores signed-in browsers, each with the hash of its cookie instead of the cookie. */

import { randomBytes } from 'node:crypto'
import { type Database, execute, queryColumn, queryRow, queryRows, readRow } from './statements/statement.ts'

/** A signed-in browser. Times are ISO 8601, UTC. */
export interface StoredSignIn {
  /** The name of the owner; `''` is the local owner. */
  readonly name: string
  /** The id of the token that was used to sign in. The browser has the rights of the token. */
  readonly token?: string
  /** The rights of a user of an identity provider; absent if a token or the name decides. */
  readonly scopes?: readonly string[]
  /** A fingerprint of the settings that allowed the sign-in. The sign-in is valid while these settings are the same. */
  readonly basis: string
  /** The name of the browser, such as `Firefox on Linux`; `''` when unknown. */
  readonly device: string
  readonly expiresAt: string
}

export type NewSignIn = StoredSignIn & {
  /** SHA-256 of the value of the cookie, hex. */
  readonly sha256: string
  /**
   * A hash of the pending sign-in at an identity provider that this sign-in completes. Each can be completed only once.
   */
  readonly began?: string
}

const COLUMNS = 'name, token, scopes, basis, device, expires_at AS "expiresAt"'
const SIGN_INS = `SELECT ${COLUMNS} FROM ambit.sign_ins`

const ADD = `
  INSERT INTO ambit.sign_ins (sha256, name, token, scopes, basis, began, device, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (began) DO NOTHING`

const SET_SCOPES = 'UPDATE ambit.sign_ins SET scopes = ? WHERE name = ? AND scopes IS NOT NULL'

const END_OLDEST = `
  UPDATE ambit.sign_ins SET expires_at = {least}(expires_at, ?)
  WHERE name = ? AND number <= (
    SELECT number FROM ambit.sign_ins WHERE name = ? AND expires_at > ? ORDER BY number DESC LIMIT 1 OFFSET ?)`

const VALID_OF_NAMES = `${SIGN_INS} WHERE name {anyOf text} AND expires_at > ? ORDER BY number`
const ALL_VALID = `SELECT sha256, ${COLUMNS} FROM ambit.sign_ins WHERE expires_at > ? ORDER BY number DESC`

const EXTEND = 'UPDATE ambit.sign_ins SET expires_at = ? WHERE sha256 = ? AND expires_at = ?'
const END = 'UPDATE ambit.sign_ins SET expires_at = {least}(expires_at, ?) WHERE sha256 = ?'
const END_OTHERS = 'UPDATE ambit.sign_ins SET expires_at = ? WHERE scopes IS NOT NULL AND basis <> ? AND expires_at > ?'
const FORGET = 'DELETE FROM ambit.sign_ins WHERE expires_at < ?'

const KEY = "SELECT value FROM ambit.keys WHERE name = 'seal'"
const ADD_KEY = "INSERT INTO ambit.keys (name, value) VALUES ('seal', ?) ON CONFLICT DO NOTHING"

const signInOf = <Row extends StoredSignIn>(row: object): Row => readRow(row, { json: ['scopes'] })

export function createSignInStore(database: Database) {
  const readKey = () => database.read(queryColumn<string>(KEY))
  return {
    /**
     * Adds a sign-in, and ends all but the last `maximum` valid sign-ins of the same name. With `scopes`, all browsers
     * of the name get these scopes. If the pending sign-in `began` was completed before, adds nothing and returns
     * false.
     */
    add: (signIn: NewSignIn, { maximum, at }: { readonly maximum: number; readonly at: string }): Promise<boolean> =>
      database.write(`sign-in ${signIn.name}`, function* () {
        const { sha256, name, token = null, basis, began = null, device, expiresAt } = signIn
        // NULL: the token or the name decides the rights.
        const scopes = signIn.scopes === undefined ? null : JSON.stringify(signIn.scopes)
        if ((yield* execute(ADD, sha256, name, token, scopes, basis, began, device, expiresAt)) === 0) return false
        if (scopes !== null) yield* execute(SET_SCOPES, scopes, name)
        yield* execute(END_OLDEST, at, name, name, at, maximum)
        return true
      }),
    /** Finds a sign-in. The caller must check that it has not expired. */
    find: (sha256: string): Promise<StoredSignIn | undefined> =>
      database.read(queryRow<object>(`${SIGN_INS} WHERE sha256 = ?`, sha256), (row) => row && signInOf(row)),
    /** The sign-ins of these names that are valid at the time `at`. */
    listOfNames: (names: readonly string[], at: string): Promise<StoredSignIn[]> =>
      database.read(queryRows<object>(VALID_OF_NAMES, names, at), (rows) => rows.map(signInOf)),
    /** All sign-ins that are valid at the time `at`, the newest first. */
    listValid: (at: string): Promise<(StoredSignIn & Pick<NewSignIn, 'sha256'>)[]> =>
      database.read(queryRows<object>(ALL_VALID, at), (rows) => rows.map((row) => signInOf(row))),
    /** Changes the end of a sign-in from `oldEnd` to `newEnd`. A sign-in that ended meanwhile stays ended. */
    extend: (sha256: string, oldEnd: string, newEnd: string) => database.writeOne(EXTEND, newEnd, sha256, oldEnd),
    /** Ends a sign-in at once, for every process. */
    end: (sha256: string, at: string) => database.writeOne(END, at, sha256),
    /** Ends all sign-ins through an identity provider with a fingerprint other than `basis`. Returns their number. */
    endOthers: (basis: string, at: string) => database.writeOne(END_OTHERS, at, basis, at),
    /** Deletes sign-ins that expired before this time. Returns their number. */
    deleteExpired: (before: string) => database.writeOne(FORGET, before),
    /** The secret key that all processes of this store share: 256 random bits, hex. The first call creates the key. */
    key: async (): Promise<string> => {
      const [knownKey] = await readKey()
      if (knownKey !== undefined) return knownKey
      await database.writeOne(ADD_KEY, randomBytes(32).toString('hex'))
      return (await readKey())[0] ?? ''
    },
  }
}

export type SignInStore = ReturnType<typeof createSignInStore>
