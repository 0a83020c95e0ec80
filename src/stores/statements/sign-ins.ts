import { randomBytes } from 'node:crypto'
import type { NewSignIn, SignInStore, StoredSignIn } from '../sign-in-store.ts'
import { type Database, execute, queryColumn, queryRow, queryRows, type Statements } from './statement.ts'

type SignInRow = Pick<StoredSignIn, 'name' | 'basis' | 'device' | 'expiresAt'> &
  Readonly<Record<'token' | 'scopes', string | null>>

const SIGN_INS = 'SELECT name, token, scopes, basis, device, expires_at AS "expiresAt" FROM ambit.sign_ins'

const ADD = `
  INSERT INTO ambit.sign_ins (sha256, name, token, scopes, basis, began, device, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (began) DO NOTHING`

const SET_SCOPES = 'UPDATE ambit.sign_ins SET scopes = ? WHERE name = ? AND scopes IS NOT NULL'

const END_FIRST = `
  UPDATE ambit.sign_ins SET expires_at = {least}(expires_at, ?)
  WHERE name = ? AND number <= (
    SELECT number FROM ambit.sign_ins WHERE name = ? AND expires_at > ? ORDER BY number DESC LIMIT 1 OFFSET ?)`

const OF_NAMES = `${SIGN_INS} WHERE name {anyOf text} AND expires_at > ? ORDER BY number`

const ALL = `
  SELECT sha256, name, token, scopes, basis, device, expires_at AS "expiresAt" FROM ambit.sign_ins
  WHERE expires_at > ? ORDER BY number DESC`

const EXTEND = 'UPDATE ambit.sign_ins SET expires_at = ? WHERE sha256 = ? AND expires_at = ?'
const END = 'UPDATE ambit.sign_ins SET expires_at = {least}(expires_at, ?) WHERE sha256 = ?'
const END_OTHERS = 'UPDATE ambit.sign_ins SET expires_at = ? WHERE scopes IS NOT NULL AND basis <> ? AND expires_at > ?'
const FORGET = 'DELETE FROM ambit.sign_ins WHERE expires_at < ?'

const KEY = "SELECT value FROM ambit.keys WHERE name = 'seal'"
const ADD_KEY = "INSERT INTO ambit.keys (name, value) VALUES ('seal', ?) ON CONFLICT DO NOTHING"

/** Signed-in browsers, in a database. */
export function createSignInStore(database: Database): SignInStore {
  const readKey = () => database.read(queryColumn<string>(KEY))
  return {
    add: (signIn, options) => database.write(`sign-in ${signIn.name}`, () => insertSignIn(signIn, options)),
    find: (sha256) =>
      database.read(queryRow<SignInRow>(`${SIGN_INS} WHERE sha256 = ?`, sha256), (row) => row && signInOf(row)),
    of: (names, at) => database.read(queryRows<SignInRow>(OF_NAMES, names, at), (rows) => rows.map(signInOf)),
    all: (at) =>
      database.read(queryRows<SignInRow & Pick<NewSignIn, 'sha256'>>(ALL, at), (rows) =>
        rows.map(({ sha256, ...row }) => ({ sha256, ...signInOf(row) })),
      ),
    extend: async (sha256, was, to) => {
      await database.writeOne(EXTEND, to, sha256, was)
    },
    end: async (sha256, at) => {
      await database.writeOne(END, at, sha256)
    },
    endOthers: (basis, at) => database.writeOne(END_OTHERS, at, basis, at),
    forget: (before) => database.writeOne(FORGET, before),
    key: async () => {
      const [known] = await readKey()
      if (known !== undefined) return known
      await database.writeOne(ADD_KEY, randomBytes(32).toString('hex'))
      return (await readKey())[0] ?? ''
    },
  }
}

function* insertSignIn(signIn: NewSignIn, { most, at }: Parameters<SignInStore['add']>[1]): Statements<boolean> {
  const { sha256, name, token = null, basis, began = null, device, expiresAt } = signIn
  // NULL: a token or a name decides the rights.
  const scopes = signIn.scopes === undefined ? null : JSON.stringify(signIn.scopes)
  if ((yield* execute(ADD, sha256, name, token, scopes, basis, began, device, expiresAt)) === 0) return false
  if (scopes !== null) yield* execute(SET_SCOPES, scopes, name)
  yield* execute(END_FIRST, at, name, name, at, most)
  return true
}

function signInOf({ token, scopes, ...row }: SignInRow): StoredSignIn {
  return { ...row, ...(token !== null && { token }), ...(scopes !== null && { scopes: JSON.parse(scopes) }) }
}
