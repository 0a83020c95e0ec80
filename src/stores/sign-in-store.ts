/** The part of the port that keeps which browsers were let in. Of what a cookie holds only its hash is kept. */

/** A browser that was let in. Times are ISO 8601, UTC. */
export interface StoredSignIn {
  /** Whose it is; `''` is the local owner. */
  readonly name: string
  /** The id of the token that it came by: what that lets, it lets. */
  readonly token?: string
  /** What somebody may whom a provider vouches for. */
  readonly scopes?: readonly string[]
  /** What it came of, in a form that lets nobody in. It is good where that is still the same. */
  readonly basis: string
  /** What people know the browser by, such as `Firefox on Linux`; `''` where it does not tell. */
  readonly device: string
  readonly expiresAt: string
}

export type NewSignIn = StoredSignIn & {
  /** SHA-256 of what the cookie holds, hex. */
  readonly sha256: string
  /** What was begun elsewhere, and ends here: it ends once. */
  readonly began?: string
}

export interface SignInStore {
  /**
   * Keeps it, and ends all but the last `most` of the name that are not over `at` that time. What somebody may whom a provider
   * vouches for is from now on the same in all their browsers. Returns whether it was kept: not where what it began ended before.
   */
  add(signIn: NewSignIn, options: { readonly most: number; readonly at: string }): Promise<boolean>
  /** Also one that is over, until it is taken away: who asks judges it. */
  find(sha256: string): Promise<StoredSignIn | undefined>
  /** Of these names those that are not over at that time. */
  of(names: readonly string[], at: string): Promise<StoredSignIn[]>
  /** All that are not over at that time, the last to come first. */
  all(at: string): Promise<(StoredSignIn & Pick<NewSignIn, 'sha256'>)[]>
  /** Moves its end, where that is still `was`: one that was ended meanwhile stays so. */
  extend(sha256: string, was: string, to: string): Promise<void>
  /** Ends it, at once and for every process. */
  end(sha256: string, at: string): Promise<void>
  /** Ends all, of whom a provider vouches for, that came of something else than this. Returns how many it ended. */
  endOthers(basis: string, at: string): Promise<number>
  /** Takes away those that were over before. Returns how many. */
  forget(before: string): Promise<number>
  /** 256 random bits, hex, that all processes of this store have in common. Made once, when they are first asked for. */
  key(): Promise<string>
}
