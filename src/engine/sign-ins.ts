/** Signed-in browsers. All processes of a store recognize them by the hash of their cookie. */

import { createHmac } from 'node:crypto'
import { type AnswerOf, flag, object, oneOf, text, withDescription } from '../core/answer.ts'
import type { NewSignIn, SignInStore, StoredSignIn } from '../stores/sign-in-store.ts'
import type { Store } from '../stores/store.ts'
import { hashText, isSecret, newSecret } from './auth/secrets.ts'
import type { Tokens } from './auth/tokens.ts'
import { knownScopes, LOCAL_OWNER, type Principal } from './principal.ts'

export { newSecret } from './auth/secrets.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Milliseconds that an unused browser stays signed in after a sign-in by link or token, and the precision of its last use. */
const LASTS_MS = 7 * DAY_MS
const USE_PRECISION_MS = DAY_MS

/**
 * Milliseconds that the store keeps expired sign-ins, so that nobody completes the same sign-in by a provider twice. Longer than
 * the time limit to complete one.
 */
const EXPIRED_KEPT_MS = HOUR_MS

/**
 * Ending a sign-in sets its expiry this many milliseconds in the past, so that it is invalid for processes with a slow clock,
 * too.
 */
const CLOCK_MARGIN_MS = 60_000

/** Maximum number of signed-in browsers of a name. A further sign-in signs the oldest browser out. */
const MAX_BROWSERS = { owner: 100, other: 20 }

/** The settings of a server that decide which sign-ins are valid. */
export interface SignInSettings {
  /** The server's own token, if a person chose one. Default: a key in the store, which survives the process. */
  readonly token?: string | undefined
  /** The rules of the identity provider, as one text; absent without a provider. */
  readonly rules?: string | undefined
}

/** The device of a sign-in. */
interface Device {
  /** Name of the browser for people, such as `Firefox on Linux`. Default: `''`, unknown. */
  readonly device?: string
}

/** A person who signed in by an identity provider. */
export interface ProviderSignIn extends Device {
  readonly principal: Principal
  /** Milliseconds from now until the sign-in expires. */
  readonly lastsMs: number
  /** Unique id of the pending sign-in. */
  readonly began: string
}

export const signedInBrowser = () =>
  object({
    /** The beginning of the hash of the browser's cookie: a name, not a secret. */
    id: text,
    name: withDescription(text, "'' for the owner of the server"),
    device: withDescription(text, "such as 'Firefox on Linux'; '' if it is not known"),
    by: withDescription(oneOf('link', 'token', 'provider'), 'how the person signed in'),
    'usedAt?': withDescription(text, 'last use, to the day; absent for a fixed end'),
    expiresAt: text,
    isThis: withDescription(flag, 'whether it sent this request'),
  })
export type SignedInBrowser = AnswerOf<typeof signedInBrowser>

/** Number of characters of a hash that name a browser. */
const ID_LENGTH = 16

type ValidTokens = Pick<Tokens, 'principalOfToken'>

export class SignIns {
  readonly #store: SignInStore
  readonly #tokens: ValidTokens
  readonly now: () => Promise<number>

  constructor({ signIns, tokens, now }: Pick<Store, 'signIns' | 'now'> & { readonly tokens: ValidTokens }) {
    this.#store = signIns
    this.#tokens = tokens
    this.now = now
  }

  /** Signs the local owner in. Returns the value of the cookie, which is not stored. */
  async signInOwner({ device = '', ...settings }: SignInSettings & Device, at?: number): Promise<string> {
    const [secret, now] = [newSecret(), at ?? (await this.now())]
    const basis = await this.#ownerProof(settings, secret)
    await this.#add({ secret, name: '', basis, device, until: now + LASTS_MS }, now)
    return secret
  }

  /** Signs the holder of a token in, while the token is valid. */
  async signInHolder({ id, name, device = '' }: Device & Record<'id' | 'name', string>, at?: number): Promise<string> {
    const [secret, now] = [newSecret(), at ?? (await this.now())]
    await this.#add({ secret, name, token: id, basis: '', device, until: now + LASTS_MS }, now)
    return secret
  }

  /** Signs a person of a provider in; undefined if the sign-in was completed before. */
  async signInPerson(person: ProviderSignIn, { rules }: SignInSettings, at?: number): Promise<string | undefined> {
    if (rules === undefined) throw new TypeError('This server does not accept sign-ins of a provider.')
    const [secret, now] = [newSecret(), at ?? (await this.now())]
    const { principal, lastsMs, device = '' } = person
    const { name, scopes } = principal
    const [basis, began, until] = [hashText(rules), hashText(person.began), now + lastsMs]
    return (await this.#add({ secret, name, scopes, basis, began, device, until }, now)) ? secret : undefined
  }

  /** The principal of a browser, by the secret in its cookie; undefined if it is not signed in. */
  async principalOf(secret: string, settings: SignInSettings, at?: number): Promise<Principal | undefined> {
    if (!isSecret(secret)) return undefined
    const [sha256, now] = [hashText(secret), at ?? (await this.now())]
    const signIn = await this.#store.find(sha256)
    if (!signIn || Date.parse(signIn.expiresAt) <= now) return undefined
    if (signIn.scopes !== undefined) return isAdmittedBy(signIn, settings) ? personOf(signIn) : undefined
    const { name, token, basis } = signIn
    if (token === undefined && basis !== (await this.#ownerProof(settings, secret))) return undefined
    const principal = token === undefined ? LOCAL_OWNER : await this.#tokens.principalOfToken(token, now)
    if (principal?.name !== name) return undefined
    this.#recordUse(sha256, signIn, now)
    return principal
  }

  /** Signs a browser out, at once for every process. */
  async signOut(secret: string, at?: number): Promise<void> {
    if (isSecret(secret)) await this.#store.end(hashText(secret), expiryTime(at ?? (await this.now())))
  }

  /** All signed-in browsers, the newest first. `secret`: the cookie of the browser that asks, which `isThis` marks. */
  async browsers(secret: string | undefined, at?: number): Promise<SignedInBrowser[]> {
    const [ownSha256, now] = [secret === undefined ? '' : hashText(secret), at ?? (await this.now())]
    const signIns = await this.#store.listValid(isoTime(now))
    const isValid = async ({ token }: StoredSignIn) =>
      token === undefined || (await this.#tokens.principalOfToken(token, now)) !== undefined
    const valid = await Promise.all(signIns.map(isValid))
    return signIns
      .filter((_, index) => valid[index])
      .map(({ sha256, name, token, scopes, device, expiresAt }) => ({
        id: sha256.slice(0, ID_LENGTH),
        name,
        device,
        by: scopes !== undefined ? 'provider' : token !== undefined ? 'token' : 'link',
        ...(scopes === undefined && { usedAt: isoTime(Date.parse(expiresAt) - LASTS_MS) }),
        expiresAt,
        isThis: sha256 === ownSha256,
      }))
  }

  /** Signs a browser out by its id, at once for every process. Returns whether there was such a browser. */
  async endBrowser(id: string, at?: number): Promise<boolean> {
    const now = at ?? (await this.now())
    const signIn = (await this.#store.listValid(isoTime(now))).find(({ sha256 }) => sha256.slice(0, ID_LENGTH) === id)
    if (signIn) await this.#store.end(signIn.sha256, expiryTime(now))
    return signIn !== undefined
  }

  /** Signed-in principals of the provider, by their names. `rules`: only people whom these rules admitted. */
  async people(names: readonly string[], rules?: string, at?: number): Promise<Principal[]> {
    if (names.length === 0) return []
    const signIns = await this.#store.listOfNames(names, isoTime(at ?? (await this.now())))
    return signIns.filter((one) => one.scopes && (rules === undefined || isAdmittedBy(one, { rules }))).map(personOf)
  }

  /** Signs out all people of a provider whom other rules admitted, and ends what they started, in every process. Returns the number of browsers. */
  async endOthers({ rules }: SignInSettings, at?: number): Promise<number> {
    return rules === undefined ? 0 : this.#store.endOthers(hashText(rules), expiryTime(at ?? (await this.now())))
  }

  /** Deletes expired sign-ins. Returns how many. */
  async forget(at?: number): Promise<number> {
    return this.#store.deleteExpired(isoTime((at ?? (await this.now())) - EXPIRED_KEPT_MS))
  }

  /** The key with which all processes of the store seal pending sign-ins. */
  async key(): Promise<Buffer> {
    return Buffer.from(await this.#store.key(), 'hex')
  }

  /**
   * The `basis` of an owner's sign-in. It proves that the browser signed in with the current token of the server. The
   * secret of the cookie is its key, so a reader of the database cannot use it to guess the token.
   */
  async #ownerProof({ token }: SignInSettings, secret: string): Promise<string> {
    const provenToken = token ?? hashText(`owner ${await this.#store.key()}`)
    return createHmac('sha256', secret).update(provenToken).digest('hex')
  }

  async #add(
    { secret, until, ...signIn }: Omit<NewSignIn, 'sha256' | 'expiresAt'> & { secret: string; until: number },
    now: number,
  ): Promise<boolean> {
    // A failure does not matter: the next sign-in tries again.
    await this.forget(now).catch(() => {})
    const maximum = signIn.name === '' ? MAX_BROWSERS.owner : MAX_BROWSERS.other
    const newSignIn = { ...signIn, sha256: hashText(secret), expiresAt: isoTime(until) }
    return this.#store.add(newSignIn, { maximum, at: expiryTime(now) })
  }

  /** Stores a use, at most once a day, in the background. */
  #recordUse(sha256: string, { expiresAt }: StoredSignIn, now: number): void {
    if (Date.parse(expiresAt) > now + LASTS_MS - USE_PRECISION_MS) return
    this.#store.extend(sha256, expiresAt, isoTime(now + LASTS_MS)).catch(() => {})
  }
}

/** A time in ISO 8601, UTC. */
function isoTime(ms: number): string {
  return new Date(ms).toISOString()
}

function expiryTime(now: number): string {
  return isoTime(now - CLOCK_MARGIN_MS)
}

function isAdmittedBy({ basis }: StoredSignIn, { rules }: Pick<SignInSettings, 'rules'>): boolean {
  return rules !== undefined && basis === hashText(rules)
}

function personOf({ name, scopes = [] }: StoredSignIn): Principal {
  return { name, scopes: knownScopes(scopes) }
}
