/** The part of the port for signed-in browsers. It stores only the hash of a cookie. */

/** A signed-in browser. Times are ISO 8601, UTC. */
export interface StoredSignIn {
  /** The name of the owner; `''` is the local one. */
  readonly name: string
  /** The id of the token that it signed in with, whose rights it has. */
  readonly token?: string
  /** The rights of a user of an identity provider. */
  readonly scopes?: readonly string[]
  /** A fingerprint of the settings that allowed it; it is valid while they are the same. */
  readonly basis: string
  /** The name of the browser, such as `Firefox on Linux`; `''` when unknown. */
  readonly device: string
  readonly expiresAt: string
}

export type NewSignIn = StoredSignIn & {
  /** SHA-256 of what the cookie holds, hex. */
  readonly sha256: string
  /** The sign-in that another process began and this one completes; it completes once. */
  readonly began?: string
}

export interface SignInStore {
  /**
   * Adds a sign-in, and ends all but the last `most` valid ones of the name. All browsers of a user of an identity provider get
   * the same rights. Returns whether it was added: not when `began` was completed before.
   */
  add(signIn: NewSignIn, options: { readonly most: number; readonly at: string }): Promise<boolean>
  /** Also an expired one, until it is deleted: the caller judges it. */
  find(sha256: string): Promise<StoredSignIn | undefined>
  /** The valid sign-ins of these names at that time. */
  of(names: readonly string[], at: string): Promise<StoredSignIn[]>
  /** All valid sign-ins at that time, the newest first. */
  all(at: string): Promise<(StoredSignIn & Pick<NewSignIn, 'sha256'>)[]>
  /** Moves its end when that is still `was`: a sign-in that ended meanwhile stays ended. */
  extend(sha256: string, was: string, to: string): Promise<void>
  /** Ends it at once, for every process. */
  end(sha256: string, at: string): Promise<void>
  /** Ends all sign-ins by an identity provider with another fingerprint. Returns how many. */
  endOthers(basis: string, at: string): Promise<number>
  /** Deletes those that expired before. Returns how many. */
  forget(before: string): Promise<number>
  /** 256 random bits, hex, shared by all processes of this store. Made at the first call. */
  key(): Promise<string>
}
