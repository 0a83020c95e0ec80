/** Sign-in through an OpenID provider: authorization code, PKCE, state, nonce and verified signatures. */

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import * as client from 'openid-client'
import { loadOnce } from '../../../core/steps.ts'
import type { SignOnConfig } from '../../../engine/config.ts'
import { cookieIn, cookieName } from '../auth.ts'
import type { Refusal } from '../problem.ts'
import { type Claims, displayName, needsMoreClaims, principalOf } from './person.ts'
import { CALLBACK_PATH, type Person, SIGN_ON_EXPIRED, type SignOn } from './sign-on.ts'

/** Milliseconds that a person may take at the provider; and for which the provider's configuration is cached. */
const SIGN_IN_TIMEOUT_MS = 600_000
const METADATA_CACHE_MS = 12 * 3_600_000

/** Time limit of each request to the provider, in seconds. */
const TIMEOUT_SECONDS = 10

interface OidcOptions {
  /** Called with the reason of a failed sign-in, without secrets. */
  onProblem?(problem: string): void
  /**
   * Returns the key that processes share, so that they can complete each other's sign-ins. Default: a key of this process alone.
   */
  key?(): Promise<Uint8Array>
  /** Returns milliseconds since 1970, by a clock that processes share. Default: the clock of this process. */
  readonly now?: () => number | Promise<number>
}

export function oidc(settings: SignOnConfig, { onProblem = () => {}, key, now = Date.now }: OidcOptions = {}): SignOn {
  const issuer = new URL(settings.issuer)
  const cipher = new StateCipher(key, settings.clientSecret)
  const loadConfig = loadOnce(
    async () => discoverProvider(issuer, settings, await now()),
    () => Math.floor(performance.now() / METADATA_CACHE_MS),
  )

  async function begin(request: Request, to: string): Promise<Response | Refusal> {
    const config = await loadConfig().catch((error: unknown) => {
      onProblem(providerProblem(error))
    })
    if (!config) return providerUnavailable(issuer)
    const [verifier, state, nonce] = [client.randomPKCECodeVerifier(), client.randomState(), client.randomNonce()]
    const signInUrl = client.buildAuthorizationUrl(config, {
      redirect_uri: callbackAddress(request, settings).href,
      scope: settings.scopes,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    })
    const pending = await cipher.encrypt({ verifier, state, nonce, at: await now(), to })
    const cookie = pendingCookie(request, pending, settings)
    return new Response(null, { status: 303, headers: { Location: signInUrl.href, 'Set-Cookie': cookie } })
  }

  async function end(request: Request): Promise<Person | Refusal> {
    const pending = await pendingSignIn(request)
    if (!pending) return SIGN_ON_EXPIRED
    try {
      const claims = await claimsOf(request, pending)
      const principal = principalOf(claims, settings)
      if (!principal) return signInDenied(displayName(claims))
      const cookies = [pendingCookie(request, '', settings)]
      const lastsMs = settings.hours * 3_600_000
      const isSecure = callbackAddress(request, settings).protocol === 'https:'
      return { principal, lastsMs, began: pending.state, to: pending.to, isSecure, cookies }
    } catch (error) {
      onProblem(providerProblem(error))
      return refusalOf(error, issuer)
    }
  }

  /**
   * The pending sign-in of this browser; undefined if it has expired or is unknown. The cookie may be sent twice, because the
   * store refuses to complete a sign-in twice.
   */
  async function pendingSignIn(request: Request): Promise<PendingSignIn | undefined> {
    const pending = await cipher.decrypt(cookieIn(request, 'oidc') ?? '')
    if (!pending || (await now()) > pending.at + SIGN_IN_TIMEOUT_MS) return undefined
    return pending.state === new URL(request.url).searchParams.get('state') ? pending : undefined
  }

  async function claimsOf(request: Request, { verifier, state, nonce }: PendingSignIn): Promise<Claims> {
    const config = await loadConfig()
    const callbackUrl = callbackAddress(request, settings)
    callbackUrl.search = new URL(request.url).search
    const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true }
    const tokens = await client.authorizationCodeGrant(config, callbackUrl, checks)
    const claims = tokens.claims()
    if (!claims) return {}
    if (!needsMoreClaims(claims, settings) || config.serverMetadata().userinfo_endpoint === undefined) return claims
    const { email, email_verified, ...more } = await client.fetchUserInfo(config, tokens.access_token, claims.sub)
    // `email_verified` must come from the same place as `email`.
    return { ...more, ...claims, ...(claims.email === undefined && { email, email_verified }) }
  }

  const { clientId, allow, everyone, grants, hours } = settings
  const rules = JSON.stringify([settings.issuer, clientId, allow, everyone, grants, hours])
  return { provider: issuer.host, rules, begin, end }
}

/**
 * Reads the configuration of the provider. Signatures are verified although tokens come directly from the provider, because a
 * provider on this machine may send tokens without TLS.
 */
function discoverProvider(issuer: URL, { clientId, clientSecret }: SignOnConfig, now: number) {
  const isPlain = issuer.protocol === 'http:'
  const execute = [client.enableNonRepudiationChecks, ...(isPlain ? [client.allowInsecureRequests] : [])]
  const authentication = clientSecret === undefined ? client.None() : authenticateBySecret(clientSecret)
  // Corrects for the difference between the clocks, because signatures are valid for only minutes.
  const metadata = { [client.clockSkew]: Math.round((now - Date.now()) / 1000) }
  return client.discovery(issuer, clientId, metadata, authentication, { execute, timeout: TIMEOUT_SECONDS })
}

/**
 * Sends the secret in the body if the provider accepts this, because all servers decode a body alike; else in the header, the
 * default of the protocol.
 */
function authenticateBySecret(secret: string): client.ClientAuth {
  const [postAuth, basicAuth] = [client.ClientSecretPost(secret), client.ClientSecretBasic(secret)]
  return (provider, ...rest) => {
    const isPosted = provider.token_endpoint_auth_methods_supported?.includes('client_secret_post')
    return (isPosted ? postAuth : basicAuth)(provider, ...rest)
  }
}

/**
 * The address to which the provider returns a browser: the configured URL, else the host of the request, which was checked
 * before.
 */
function callbackAddress(request: Request, { url }: SignOnConfig): URL {
  const host = request.headers.get('host') ?? ''
  const isLoopbackHost = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i.test(host)
  return new URL(CALLBACK_PATH, url ?? `${isLoopbackHost ? 'http' : 'https'}://${host}`)
}

/** The cookie of a pending sign-in. SameSite=Lax, so that a browser sends it on the return from the provider's site. */
function pendingCookie(request: Request, value: string, settings: SignOnConfig): string {
  const secure = callbackAddress(request, settings).protocol === 'https:' ? '; Secure' : ''
  const age = value === '' ? 0 : SIGN_IN_TIMEOUT_MS / 1000
  return `${cookieName(request, 'oidc')}=${value}; HttpOnly; SameSite=Lax; Path=/login; Max-Age=${age}${secure}`
}

/** The message of a library error, without its causes, which may contain tokens. */
function providerProblem(error: unknown): string {
  const { code = '', error: reason = '' } = Object(error) as { code?: unknown; error?: unknown }
  const message = error instanceof Error ? error.message : String(error)
  return [message, code, reason].filter((one) => typeof one === 'string' && one !== '').join('; ')
}

/** The refusal for an error: 503 if the provider does not answer correctly, else 403. */
function refusalOf(error: unknown, issuer: URL): Refusal {
  const code = Object(error).code
  const isDown = error instanceof TypeError || code === 'OAUTH_TIMEOUT' || code === 'OAUTH_RESPONSE_IS_NOT_CONFORM'
  if (isDown) return providerUnavailable(issuer)
  const reason = Object(error).error
  const why = typeof reason === 'string' && /^[a-z_]{1,60}$/.test(reason) ? `: ${reason}` : ''
  const hint = 'Sign in again; if that does not help, ask the administrator of the server.'
  return { status: 403, detail: `${issuer.host} did not say who you are${why}.`, hint }
}

function providerUnavailable({ host }: URL): Refusal {
  return { status: 503, detail: `${host} does not answer correctly.`, hint: 'Try again in a moment, or use a token.' }
}

function signInDenied(name: string): Refusal {
  const hint = 'Ask the administrator of the server to let you in, or sign in at the provider as somebody else.'
  return { status: 403, detail: `${name} may not use this server.`, hint }
}

/** The state of a pending sign-in. The browser stores it encrypted, so only the server can read or change it. */
interface PendingSignIn {
  readonly state: string
  readonly nonce: string
  /** The secret half of PKCE. */
  readonly verifier: string
  /** Milliseconds since 1970. */
  readonly at: number
  /** The page to return to. */
  readonly to: string
}

const ALGORITHM = 'aes-256-gcm'
const KEY_BYTES = 32
const IV_BYTES = 12
const TAG_BYTES = 16
const SALT_BYTES = 32
const PURPOSE = 'ambit: a sign-in that was begun'

/**
 * Encrypts pending sign-ins with keys derived from a shared key and the client secret. Each sign-in has its own key, because a
 * single key is safe for a limited number of encryptions.
 */
export class StateCipher {
  readonly #key: () => Promise<Uint8Array>
  readonly #secret: string

  /** `key`: 256 random bits. Default: a key of this object alone. */
  constructor(key?: () => Promise<Uint8Array>, secret = '') {
    const ownKey = randomBytes(KEY_BYTES)
    this.#key = key ?? (async () => ownKey)
    this.#secret = secret
  }

  async encrypt(pending: PendingSignIn): Promise<string> {
    const salt = randomBytes(SALT_BYTES)
    const [key, iv] = await this.#keysOf(salt)
    const cipher = createCipheriv(ALGORITHM, key, iv)
    const body = Buffer.concat([cipher.update(JSON.stringify(pending), 'utf8'), cipher.final()])
    return Buffer.concat([salt, cipher.getAuthTag(), body]).toString('base64url')
  }

  /** The pending sign-in; undefined for a text that was not encrypted with this key, or was changed. */
  async decrypt(text: string): Promise<PendingSignIn | undefined> {
    const bytes = Buffer.from(text, 'base64url')
    if (bytes.length <= SALT_BYTES + TAG_BYTES) return undefined
    const [key, iv] = await this.#keysOf(bytes.subarray(0, SALT_BYTES))
    try {
      const decipher = createDecipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES })
      decipher.setAuthTag(bytes.subarray(SALT_BYTES, SALT_BYTES + TAG_BYTES))
      const plainText = decipher.update(bytes.subarray(SALT_BYTES + TAG_BYTES), undefined, 'utf8')
      return JSON.parse(`${plainText}${decipher.final('utf8')}`)
    } catch {
      return undefined
    }
  }

  async #keysOf(salt: Uint8Array): Promise<readonly [key: Buffer, iv: Buffer]> {
    const keyMaterial = Buffer.concat([await this.#key(), Buffer.from(this.#secret)])
    const bytes = Buffer.from(hkdfSync('sha256', keyMaterial, salt, PURPOSE, KEY_BYTES + IV_BYTES))
    return [bytes.subarray(0, KEY_BYTES), bytes.subarray(KEY_BYTES)]
  }
}
