/** Signed-in browsers: all processes of a store know them by the hash of their cookie. */

import { createHash, createHmac, randomBytes } from 'node:crypto'
import { type AnswerOf, flag, object, oneOf, text, withDescription } from '../core/answer.ts'
import { SCOPES, type Scope } from '../core/choices.ts'
import type { NewSignIn, SignInStore, StoredSignIn } from '../stores/sign-in-store.ts'
import type { Tokens } from './auth/tokens.ts'
import { LOCAL_OWNER, type Principal } from './principal.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** How long a browser stays in that came by a link or a token and is not used, and how exactly its last use is kept. */
const IDLE_MS = 7 * DAY_MS
const USED_MS = DAY_MS

/** How long is known what was begun elsewhere and ended here: longer than a person may take for it. */
const REMEMBERED_MS = HOUR_MS

/** Ended sign-ins are invalid also for processes whose clock is a little behind. */
const BEHIND_MS = 60_000

/** Browsers of one name at once; the first to come is the first to go. */
const MOST = { owner: 100, other: 20 }

const FORM = /^[\w-]{43}$/

/** Store of the browsers that signed in at a process. */
export interface Door {
  /** The server's own token, where a person chose one. Absent: the store has a key instead, which outlives the process. */
  readonly token?: string | undefined
  /** The rules of the sign-in provider, as one text; absent where there is none. */
  readonly rules?: string | undefined
}

/** The device of a sign-in. */
interface Visit {
  /** Name of the browser for people, such as `Firefox on Linux`. Default: `''`, unknown. */
  readonly device?: string
}

/** A person whom a provider vouches for. */
export interface Vouched extends Visit {
  readonly principal: Principal
  /** Milliseconds from now. */
  readonly lastsMs: number
  /** Token of the pending sign-in, unique. */
  readonly began: string
}

/** A person with a token. */
interface Holder extends Visit {
  readonly id: string
  readonly name: string
}

export const signedInBrowser = () =>
  object({
    /** Hash of its cookie: it names the browser, and lets nobody in. */
    id: text,
    name: withDescription(text, "'' for whoever runs the server"),
    device: withDescription(text, "such as 'Firefox on Linux'; '' where it does not tell"),
    by: withDescription(oneOf('link', 'token', 'provider'), 'how it came in'),
    'usedAt?': withDescription(text, 'last use, to the day; absent where its end is fixed'),
    expiresAt: text,
    isThis: withDescription(flag, 'whether it is the one that asks'),
  })
export type SignedInBrowser = AnswerOf<typeof signedInBrowser>

/** Characters of a hash that name a browser. */
const ID_LENGTH = 16

interface SignInParts {
  readonly signIns: SignInStore
  readonly tokens: Tokens
  /** Milliseconds since 1970, by a clock that all processes have in common. */
  now(): Promise<number>
}

export class SignIns {
  readonly #store: SignInStore
  readonly #tokens: Tokens
  readonly now: () => Promise<number>

  constructor({ signIns, tokens, now }: SignInParts) {
    this.#store = signIns
    this.#tokens = tokens
    this.now = now
  }

  /** Signs the local owner in. Returns the value of the cookie, which is not stored. */
  async owner({ device = '', ...door }: Door & Visit, at?: number): Promise<string> {
    const [secret, now] = [newSecret(), at ?? (await this.now())]
    const basis = await this.#ownerProof(door, secret)
    await this.#add({ secret, name: '', basis, device, until: now + IDLE_MS }, now)
    return secret
  }

  /** Lets in who has a token, as long as that is good. */
  async holder({ id, name, device = '' }: Holder, at?: number): Promise<string> {
    const [secret, now] = [newSecret(), at ?? (await this.now())]
    await this.#add({ secret, name, token: id, basis: '', device, until: now + IDLE_MS }, now)
    return secret
  }

  /** Signs a person of a provider in; undefined where a process has ended that sign-in. */
  async vouched(person: Vouched, { rules }: Door, at?: number): Promise<string | undefined> {
    if (rules === undefined) throw new TypeError('This server does not accept sign-ins of a provider.')
    const [secret, now] = [newSecret(), at ?? (await this.now())]
    const { principal, lastsMs, device = '' } = person
    const { name, scopes } = principal
    const [basis, began, until] = [hashText(rules), hashText(person.began), now + lastsMs]
    const isNew = await this.#add({ secret, name, scopes, basis, began, device, until }, now)
    return isNew ? secret : undefined
  }

  /** Whose browser it is, by what its cookie holds; undefined for one that is not in, or not any more. */
  async principalOf(secret: string, door: Door, at?: number): Promise<Principal | undefined> {
    if (!FORM.test(secret)) return undefined
    const [sha256, now] = [hashText(secret), at ?? (await this.now())]
    const found = await this.#store.find(sha256)
    if (!found || Date.parse(found.expiresAt) <= now) return undefined
    if (found.scopes !== undefined) return isBy(found, door) ? personIn(found) : undefined
    const { name, token } = found
    const principal =
      token === undefined
        ? ownerIn(found, await this.#ownerProof(door, secret))
        : await this.#tokens.principalBehind(token, now)
    if (principal?.name !== name) return undefined
    this.#used(sha256, found, now)
    return principal
  }

  /** Ends it, for every process at once. */
  async leave(secret: string, at?: number): Promise<void> {
    if (FORM.test(secret)) await this.#store.end(hashText(secret), expiryTime(at ?? (await this.now())))
  }

  /** All that are in, the last to come first. `secret`: what the cookie of the one that asks holds. */
  async browsers(secret: string | undefined, at?: number): Promise<SignedInBrowser[]> {
    const [own, now] = [secret === undefined ? '' : hashText(secret), at ?? (await this.now())]
    const all = await this.#store.all(isoTime(now))
    const isIn = await Promise.all(
      all.map(
        async ({ token }) => token === undefined || (await this.#tokens.principalBehind(token, now)) !== undefined,
      ),
    )
    return all
      .filter((_, index) => isIn[index])
      .map(({ sha256, name, token, scopes, device, expiresAt }) => ({
        id: sha256.slice(0, ID_LENGTH),
        name,
        device,
        by: scopes !== undefined ? 'provider' : token !== undefined ? 'token' : 'link',
        ...(scopes === undefined && { usedAt: isoTime(Date.parse(expiresAt) - IDLE_MS) }),
        expiresAt,
        isThis: sha256 === own,
      }))
  }

  /** Ends one of them, for every process at once. Returns whether there was one. */
  async endBrowser(id: string, at?: number): Promise<boolean> {
    const now = at ?? (await this.now())
    const found = (await this.#store.all(isoTime(now))).find(({ sha256 }) => sha256.slice(0, ID_LENGTH) === id)
    if (found) await this.#store.end(found.sha256, expiryTime(now))
    return found !== undefined
  }

  /** Principals that a provider vouches for, by these names. `rules`: only those admitted by these. */
  async people(names: readonly string[], rules?: string, at?: number): Promise<Principal[]> {
    if (names.length === 0) return []
    const all = await this.#store.of(names, isoTime(at ?? (await this.now())))
    return all.filter((one) => one.scopes && (rules === undefined || isBy(one, { rules }))).map(personIn)
  }

  /**
   * Ends all whom a provider vouches for and who came in by other rules: what they began ends, too, wherever it is worked on.
   * Returns in how many browsers they were.
   */
  async endOthers({ rules }: Door, at?: number): Promise<number> {
    return rules === undefined ? 0 : this.#store.endOthers(hashText(rules), expiryTime(at ?? (await this.now())))
  }

  /** Takes away what is over. Returns how many. */
  async forget(at?: number): Promise<number> {
    return this.#store.forget(isoTime((at ?? (await this.now())) - REMEMBERED_MS))
  }

  /** Key with which all processes of the store seal and open. */
  async key(): Promise<Buffer> {
    return Buffer.from(await this.#store.key(), 'hex')
  }

  async #ownerProof({ token }: Door, secret: string): Promise<string> {
    return proofOf(token ?? hashText(`owner ${await this.#store.key()}`), secret)
  }

  async #add(
    { secret, until, ...signIn }: Omit<NewSignIn, 'sha256' | 'expiresAt'> & { secret: string; until: number },
    now: number,
  ): Promise<boolean> {
    // If that fails, the next sign-in does it.
    await this.forget(now).catch(() => {})
    const most = signIn.name === '' ? MOST.owner : MOST.other
    const kept = { ...signIn, sha256: hashText(secret), expiresAt: isoTime(until) }
    return this.#store.add(kept, { most, at: expiryTime(now) })
  }

  /** Uses are written at most once a day, in the background. */
  #used(sha256: string, { expiresAt }: StoredSignIn, now: number): void {
    if (Date.parse(expiresAt) > now + IDLE_MS - USED_MS) return
    this.#store.extend(sha256, expiresAt, isoTime(now + IDLE_MS)).catch(() => {})
  }
}

/** As it is kept: ISO 8601, UTC. */
function isoTime(ms: number): string {
  return new Date(ms).toISOString()
}

function expiryTime(now: number): string {
  return isoTime(now - BEHIND_MS)
}

/** 256 random bits that can stand in a cookie. */
function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Of 256 random bits, or of what is not a secret. */
function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/**
 * Tells whether a browser came by the token that the server has now. Whoever reads the database can try no token with it: that
 * takes what the cookie holds.
 */
function proofOf(token: string, secret: string): string {
  return createHmac('sha256', secret).update(token).digest('hex')
}

function ownerIn({ basis }: StoredSignIn, proof: string): Principal | undefined {
  return basis === proof ? LOCAL_OWNER : undefined
}

function isBy({ basis }: StoredSignIn, { rules }: Pick<Door, 'rules'>): boolean {
  return rules !== undefined && basis === hashText(rules)
}

function personIn({ name, scopes = [] }: StoredSignIn): Principal {
  const known: readonly Scope[] = SCOPES.filter((scope) => scopes.includes(scope))
  return { name, scopes: known }
}
