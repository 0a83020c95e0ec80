/** The part of the port for the tokens of a server. It stores only the hash of a secret. */

/** A token, without its secret. */
export interface StoredToken {
  /** Its name in lists, logs and commands; not a secret. */
  readonly id: string
  /** The owner: their data is stored under this name. */
  readonly name: string
  readonly scopes: readonly string[]
  /** Names of the collections that it may use; absent for all. */
  readonly collections?: readonly string[]
  /** ISO 8601, UTC, as the others. */
  readonly createdAt: string
  /** Absent when it never expires. */
  readonly expiresAt?: string
  /** Absent when it was never used. */
  readonly usedAt?: string
  readonly revokedAt?: string
}

export type NewToken = Pick<StoredToken, 'id' | 'name' | 'scopes' | 'collections' | 'expiresAt'> & {
  /** SHA-256 of the secret, hex. */
  readonly sha256: string
}

export interface TokenStore {
  /** @throws ContextError `conflict` for an id or a hash that is taken. */
  add(token: NewToken): Promise<StoredToken>
  /** The oldest first, with revoked and expired ones. `name`: of this owner. Default: of all. */
  list(name?: string): Promise<StoredToken[]>
  /** By its id; as `find`. */
  get(id: string): Promise<StoredToken | undefined>
  /** Also a revoked or expired one: the caller judges it. */
  find(sha256: string): Promise<StoredToken | undefined>
  /** Stores that it was used now, unless a use after `since` (ISO 8601) is stored: not every use is a write. */
  used(id: string, since: string): Promise<void>
  /** Permanent. Returns whether there was a valid one. */
  revoke(id: string): Promise<boolean>
}
