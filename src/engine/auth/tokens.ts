import { randomBytes } from 'node:crypto'
import { BOUNDS } from '../../core/bounds.ts'
import { SCOPES } from '../../core/choices.ts'
import { ContextError, invalidInput, quoteValue } from '../../core/errors.ts'
import type { CollectionStore, Store } from '../../stores/store.ts'
import type { StoredToken, TokenStore } from '../../stores/token-store.ts'
import type { CreatedToken, TokenLine } from '../config/answers.ts'
import { knownScopes, type Principal } from '../principal.ts'
import { hashText, isTokenSecret, newTokenSecret } from './secrets.ts'

interface TokenRequest {
  /** The name of the token's owner. */
  readonly name: string
  /** Default: `read`. */
  readonly scopes?: readonly string[] | undefined
  /** Default: all collections. */
  readonly collections?: readonly string[] | undefined
  /** Days until the token expires. Default: never. */
  readonly expires?: number | undefined
}

type TokenPrincipal = Principal & { readonly id: string }

/** Only ASCII, because names are compared, printed and logged. */
const NAME_PATTERN = /^[A-Za-z0-9][\w.@+-]{0,63}$/

const DAY_MS = 86_400_000

/** Precision of a token's last use, in milliseconds. The store writes at most one use in this time. */
const USE_PRECISION_MS = 60_000

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
   * Creates a token. A name may have several tokens, so that a new token can replace an old one without a gap.
   *
   * @throws ContextError `invalid-input`; `not-found` for an unknown collection; `conflict` if a valid token of that name is for
   * other collections: data stored under the name may contain their texts.
   */
  async create({ name, scopes = ['read'], collections, expires }: TokenRequest): Promise<CreatedToken> {
    if (!NAME_PATTERN.test(name)) throw invalidName(name)
    const grantedScopes = knownScopes(scopes)
    const unknownScope = scopes.find((one) => !grantedScopes.some((scope) => scope === one))
    const hint = `Scopes: ${SCOPES.join(', ')}.`
    if (unknownScope !== undefined) throw invalidInput(`${quoteValue(unknownScope)} is not a scope.`, hint)
    if (grantedScopes.length === 0) throw invalidInput('A token needs a scope.', hint)
    const collectionNames = collections?.length ? [...new Set(collections)].sort() : undefined
    if (collectionNames && grantedScopes.includes('admin')) throw limitedAdmin()
    for (const one of collectionNames ?? []) if (!(await this.#collections.get(one))) throw noCollection(one)
    await this.#assertSameCollections(name, collectionNames)
    const [secret, now] = [newTokenSecret(), await this.#now()]
    const storedToken = await this.#store.add({
      id: randomBytes(16).toString('hex'),
      name,
      scopes: grantedScopes,
      sha256: hashText(secret),
      ...(collectionNames && { collections: collectionNames }),
      ...(expires !== undefined && { expiresAt: expiryOf(expires, now) }),
    })
    return { ...toTokenLine(storedToken, now), token: secret }
  }

  /** All tokens, in the order of their creation. */
  async list(): Promise<TokenLine[]> {
    const now = await this.#now()
    return (await this.#store.list()).map((one) => toTokenLine(one, now))
  }

  /** Revokes a token by its id, or all tokens of a name. @throws ContextError `not-found` if there is no token to revoke. */
  async revoke(idOrName: string): Promise<TokenLine[]> {
    const namedTokens = (await this.list()).filter(({ id, name }) => [id, name].includes(idOrName))
    const tokens = namedTokens.filter(({ state }) => state !== 'revoked')
    if (tokens.length === 0) {
      const hint = 'See "ambit token list".'
      throw new ContextError('not-found', `There is no token ${quoteValue(idOrName)}.`, { hint })
    }
    for (const { id } of tokens) await this.#store.revoke(id)
    const ids = new Set(tokens.map(({ id }) => id))
    return (await this.list()).filter(({ id }) => ids.has(id))
  }

  /** The principal (name and rights) of a token, by its secret; undefined for an invalid secret. Stores the time. */
  async principalOf(secret: string, at?: number): Promise<TokenPrincipal | undefined> {
    if (!isTokenSecret(secret)) return undefined
    const now = at ?? (await this.#now())
    const principal = principalOfToken(await this.#store.find(hashText(secret)), now)
    if (principal) await this.#store.recordUse(principal.id, new Date(now - USE_PRECISION_MS).toISOString())
    return principal
  }

  /** The principal of a token by its id, while it is valid. Browsers that signed in with the token need it. */
  async principalOfToken(id: string, at?: number): Promise<TokenPrincipal | undefined> {
    return principalOfToken(await this.#store.get(id), at ?? (await this.#now()))
  }

  /** Number of tokens that a name ever had, and the principals of its valid tokens. `''`: of all names. */
  async tokensOf(name: string) {
    const tokens = await this.#store.list(name)
    const now = await this.#now()
    return { tokenCount: tokens.length, validPrincipals: tokens.flatMap((token) => principalOfToken(token, now) ?? []) }
  }

  /** The principals of all valid tokens. */
  async principals(): Promise<readonly Principal[]> {
    return (await this.tokensOf('')).validPrincipals
  }

  async #assertSameCollections(name: string, collections: readonly string[] | undefined): Promise<void> {
    const otherTokens = (await this.list()).filter((one) => one.name === name && one.state === 'good')
    const otherToken = otherTokens.find((one) => JSON.stringify(one.collections) !== JSON.stringify(collections))
    if (!otherToken) return
    const hint = `Revoke it first (ambit token revoke ${otherToken.id}), or choose another name.`
    throw new ContextError('conflict', `${name} has a token for other collections.`, { hint })
  }
}

/** The principal of a token; undefined for an invalid token. */
function principalOfToken(token: StoredToken | undefined, now: number): TokenPrincipal | undefined {
  if (!token || tokenState(token, now) !== 'good') return undefined
  const { id, name, scopes, collections } = token
  return { id, name, scopes: knownScopes(scopes), ...(collections && { collections }) }
}

function toTokenLine(stored: StoredToken, now: number): TokenLine {
  return { ...stored, scopes: knownScopes(stored.scopes), state: tokenState(stored, now) }
}

function tokenState({ revokedAt, expiresAt }: StoredToken, now: number): TokenLine['state'] {
  if (revokedAt !== undefined) return 'revoked'
  return expiresAt !== undefined && Date.parse(expiresAt) <= now ? 'expired' : 'good'
}

function expiryOf(days: number, now: number): string {
  if (Number.isFinite(days) && days > 0 && days <= BOUNDS.tokenDays) return new Date(now + days * DAY_MS).toISOString()
  throw invalidInput(`A token cannot expire in ${days} days.`, `Give 1 to ${BOUNDS.tokenDays} days.`)
}

function invalidName(name: string): ContextError {
  const hint = 'A name begins with an ASCII letter or digit, and has up to 63 letters, digits and _ - . @ + after it.'
  return invalidInput(`${quoteValue(name)} cannot be the name of a token.`, hint)
}

function limitedAdmin(): ContextError {
  const hint = 'Leave out --collection, or the scope admin.'
  return invalidInput('A token that is limited to collections cannot have the scope admin.', hint)
}

function noCollection(name: string): ContextError {
  const hint = 'See "ambit collection list".'
  return new ContextError('not-found', `There is no collection ${quoteValue(name)}.`, { hint })
}
