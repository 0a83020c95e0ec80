/** Browsers that were let in, as rows of a table. */

import type { NewSignIn, StoredSignIn } from './sign-in-store.ts'

export type SignInRow = Pick<StoredSignIn, 'name' | 'basis' | 'expiresAt'> &
  Readonly<Record<'token' | 'scopes', string | null>>

/** The columns of a row that is read. */
export const SIGN_IN_COLUMNS = 'name, token, scopes, basis, expires_at AS "expiresAt"'

/** Those of one that is written; see `signInValues`. */
export const NEW_SIGN_IN_COLUMNS = 'sha256, name, token, scopes, basis, began, expires_at'

export function signInValues(signIn: NewSignIn) {
  const { sha256, name, token = null, basis, began = null, expiresAt } = signIn
  return [sha256, name, token, scopesText(signIn.scopes), basis, began, expiresAt] as const
}

/** NULL where a token or a name says what is allowed. */
export function scopesText(scopes: readonly string[] | undefined): string | null {
  return scopes === undefined ? null : JSON.stringify(scopes)
}

export function signInOf({ token, scopes, ...row }: SignInRow, parsed: (json: string) => string[]): StoredSignIn {
  return { ...row, ...(token !== null && { token }), ...(scopes !== null && { scopes: parsed(scopes) }) }
}
