/** Access tokens of a server. */

import { randomBytes } from 'node:crypto'
import { BOUNDS } from '../../core/bounds.ts'
import { SCOPES } from '../../core/choices.ts'
import { ContextError, invalidInput } from '../../core/errors.ts'
import type { CollectionStore, Store } from '../../stores/store.ts'
import type { StoredToken, TokenStore } from '../../stores/token-store.ts'
import type { CreatedToken, TokenLine, TokenState } from '../config/answers.ts'
import type { Principal } from '../principal.ts'
import { hashText, newSecret } from '../sign-ins.ts'

/** A new token. */
interface TokenRequest {
  /** The name of its owner. */
  readonly name: string
  /** Default: `read`. */
  readonly scopes?: readonly string[] | undefined
  /** Default: all collections. */
  readonly collections?: readonly string[] | undefined
  /** Days until it expires. Default: it does not. */
  readonly expires?: number | undefined
}

/** ASCII alone, because names are compared, printed and logged. */
const NAME = /^[A-Za-z0-9][\w.@+-]{0,63}$/

const DAY_MS = 86_400_000

/** Precision of a token's last use, in milliseconds, so that few uses are writes. */
const USED_MS = 60_000

export class Tokens {
  readonly #store: TokenStore
  readonly #collections: CollectionStore
  readonly #now: () => Promise<number>

  constructor({ tokens, collections, now }: Pick<Store, 'tokens' | 'collections' | 'now'>) {
    this.#store = tokens
    this.#collections = collections
    this.#now = now
  }

  /**
   * Creates a token. A name may have several, so that a new one can replace an old one without a gap.
   *
   * @throws ContextError `invalid-input`; `not-found` for an unknown collection; `conflict` if a valid token of that name is for other collections:
   * data stored under the name may contain their texts.
   */
  async create({ name, scopes = ['read'], collections, expires }: TokenRequest): Promise<CreatedToken> {
    if (!NAME.test(name)) throw badName(name)
    const wanted = SCOPES.filter((scope) => scopes.includes(scope))
    const strange = scopes.find((one) => !wanted.some((scope) => scope === one))
    if (strange !== undefined)
      throw invalidInput(`${JSON.stringify(strange.slice(0, 50))} is not a scope.`, `Scopes: ${SCOPES.join(', ')}.`)
    if (wanted.length === 0) throw invalidInput('A token needs a scope.', `Scopes: ${SCOPES.join(', ')}.`)
    const limited = collections === undefined || collections.length === 0 ? undefined : [...new Set(collections)].sort()
    if (limited && wanted.includes('admin')) throw adminOfSome()
    for (const one of limited ?? []) if (!(await this.#collections.get(one))) throw noCollection(one)
    await this.#assertAlike(name, limited)
    const [secret, now] = [newTokenSecret(), await this.#now()]
    const stored = await this.#store.add({
      id: randomBytes(16).toString('hex'),
      name,
      scopes: wanted,
      sha256: hashText(secret),
      ...(limited && { collections: limited }),
      ...(expires !== undefined && { expiresAt: expiryOf(expires, now) }),
    })
    return { ...toTokenLine(stored, now), token: secret }
  }

  /** In the order of their creation. */
  async list(): Promise<TokenLine[]> {
    const now = await this.#now()
    return (await this.#store.list()).map((one) => toTokenLine(one, now))
  }

  /** Revokes a token by its id, or all tokens of a name. @throws ContextError `not-found` if there is none to revoke. */
  async revoke(which: string): Promise<TokenLine[]> {
    const known = (await this.list()).filter(({ id, name, state }) => state !== 'revoked' && [id, name].includes(which))
    if (known.length === 0) {
      const hint = 'See "ambit token list".'
      throw new ContextError('not-found', `There is no token ${JSON.stringify(which.slice(0, 100))}.`, { hint })
    }
    for (const { id } of known) await this.#store.revoke(id)
    const ids = new Set(known.map(({ id }) => id))
    return (await this.list()).filter(({ id }) => ids.has(id))
  }

  /** The principal of a secret; undefined for an invalid one. Stores the use. */
  async principalOf(secret: string, at?: number): Promise<(Principal & { readonly id: string }) | undefined> {
    if (!isTokenSecret(secret)) return undefined
    const now = at ?? (await this.#now())
    const found = await this.#store.find(hashText(secret))
    if (!found || tokenState(found, now) !== 'good') return undefined
    await this.#store.recordUse(found.id, new Date(now - USED_MS).toISOString())
    return principalIn(found)
  }

  /** The principal of an id while its token is valid: for sign-ins that used it before. */
  async principalOfToken(id: string, at?: number): Promise<(Principal & { readonly id: string }) | undefined> {
    const now = at ?? (await this.#now())
    const found = await this.#store.get(id)
    return found && tokenState(found, now) === 'good' ? principalIn(found) : undefined
  }

  /** Number of tokens that a name ever had, and the principals of the valid ones. */
  async of(name: string): Promise<{ readonly known: number; readonly good: readonly Principal[] }> {
    const now = await this.#now()
    const all = await this.#store.list(name)
    return { known: all.length, good: all.filter((one) => tokenState(one, now) === 'good').map(principalIn) }
  }

  /** The principals of all valid tokens. */
  async principals(): Promise<Principal[]> {
    const now = await this.#now()
    return (await this.#store.list()).filter((one) => tokenState(one, now) === 'good').map(principalIn)
  }

  async #assertAlike(name: string, collections: readonly string[] | undefined): Promise<void> {
    const others = (await this.list()).filter((one) => one.name === name && one.state === 'good')
    const other = others.find((one) => JSON.stringify(one.collections) !== JSON.stringify(collections))
    if (!other) return
    const hint = `Revoke it first (ambit token revoke ${other.id}), or choose another name.`
    throw new ContextError('conflict', `${name} has a token for other collections.`, { hint })
  }
}

function principalIn({ id, name, scopes, collections }: StoredToken): Principal & { readonly id: string } {
  const known = SCOPES.filter((scope) => scopes.includes(scope))
  return { id, name, scopes: known, ...(collections && { collections }) }
}

function toTokenLine(stored: StoredToken, now: number): TokenLine {
  const scopes = SCOPES.filter((scope) => stored.scopes.includes(scope))
  return { ...stored, scopes, state: tokenState(stored, now) }
}

function tokenState({ revokedAt, expiresAt }: StoredToken, now: number): TokenState {
  if (revokedAt !== undefined) return 'revoked'
  return expiresAt !== undefined && Date.parse(expiresAt) <= now ? 'expired' : 'good'
}

function expiryOf(days: number, now: number): string {
  if (Number.isFinite(days) && days > 0 && days <= BOUNDS.tokenDays) return new Date(now + days * DAY_MS).toISOString()
  throw invalidInput(`A token cannot expire in ${days} days.`, `Give 1 to ${BOUNDS.tokenDays} days.`)
}

function badName(name: string): ContextError {
  const hint = 'A name begins with an ASCII letter or digit, and has up to 63 letters, digits and _ - . @ + after it.'
  return invalidInput(`${JSON.stringify(name.slice(0, 100))} cannot be the name of a token.`, hint)
}

function adminOfSome(): ContextError {
  const hint = 'Leave out --collection, or the scope admin.'
  return invalidInput('A token that is limited to collections cannot have the scope admin.', hint)
}

function noCollection(name: string): ContextError {
  const hint = 'See "ambit collection list".'
  return new ContextError('not-found', `There is no collection ${JSON.stringify(name.slice(0, 100))}.`, { hint })
}

/** Prefix of every secret: scanners of repositories know it, and other strings are refused without a look-up. */
const PREFIX = 'ambit_'

const FORM = /^ambit_[\w-]{43}$/

export function newTokenSecret(): string {
  return `${PREFIX}${newSecret()}`
}

/** Whether a text has the form of a secret. */
export function isTokenSecret(text: string): boolean {
  return FORM.test(text)
}
