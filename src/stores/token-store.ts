/** The part of the port that keeps who may ask a server. Of a secret only its hash is kept. */

/** A token, without its secret. */
export interface StoredToken {
  /** What it is called in lists, logs and commands; it lets nobody in. */
  readonly id: string
  /** Whose it is: what they keep is kept under this name. */
  readonly name: string
  readonly scopes: readonly string[]
  /** Names of the collections that it is for; absent for all. */
  readonly collections?: readonly string[]
  /** ISO 8601, UTC, as the others. */
  readonly createdAt: string
  /** Absent where it never expires. */
  readonly expiresAt?: string
  /** Absent where it was never used. */
  readonly usedAt?: string
  readonly revokedAt?: string
}

export type NewToken = Pick<StoredToken, 'id' | 'name' | 'scopes' | 'collections' | 'expiresAt'> & {
  /** SHA-256 of the secret, hex. */
  readonly sha256: string
}

export interface TokenStore {
  /** @throws ContextError `conflict` for an id or a hash that there is. */
  add(token: NewToken): Promise<StoredToken>
  /** By when they were made; also those that are revoked or expired. `name`: whose; all without. */
  list(name?: string): Promise<StoredToken[]>
  /** By its id; as `find`. */
  get(id: string): Promise<StoredToken | undefined>
  /** Also one that is revoked or expired: who asks judges it. */
  find(sha256: string): Promise<StoredToken | undefined>
  /** Notes that it was used now, unless it is noted already for after `since` (ISO 8601): not every use is a write. */
  used(id: string, since: string): Promise<void>
  /** For good. Returns whether there was one that was not revoked. */
  revoke(id: string): Promise<boolean>
}
