import { createHash, timingSafeEqual } from 'node:crypto'
import type { Engine } from '../../engine/engine.ts'
import { LOCAL_OWNER, type Principal } from '../../engine/principal.ts'
import { newSecret, type SignedInBrowser, type SignInSettings } from '../../engine/sign-ins.ts'
import { FailureCounter, type Refusal } from './problem.ts'
import { type Person, SIGN_ON_EXPIRED } from './sign-on/sign-on.ts'

/** Milliseconds that a sign-in link is valid: an hour. */
const CODE_LIFETIME_MS = 3_600_000

/** Stored tokens and sign-ins, shared with other processes. */
type SignInStores = Pick<Engine, 'tokens' | 'signIns'>

interface AuthOptions {
  /** The rules for people of an identity provider. Default: none, and such people cannot sign in. */
  readonly rules?: string | undefined
  /**
   * Whether the server generated the token when it started. If so, the local owner's browsers stay signed in after a restart.
   * Default: false.
   */
  readonly isGenerated?: boolean
}

/**
 * Finds the principal of a request. The token of the server belongs to the local owner; other tokens are stored with their
 * principal. A cookie belongs to the principal who signed in with the browser, by a one-time code, a token or an identity
 * provider, at any process. Secrets are stored as digests and compared in constant time.
 */
export class Auth {
  readonly #token: Buffer
  readonly #settings: SignInSettings
  readonly #stores: SignInStores
  readonly #failures = new FailureCounter()
  #code: { readonly digest: Buffer; readonly until: number } | undefined

  constructor(token: string, stores: SignInStores, { rules, isGenerated = false }: AuthOptions = {}) {
    this.#token = digest(token)
    this.#settings = { token: isGenerated ? undefined : token, rules }
    this.#stores = stores
  }

  /** Creates the code of a sign-in link to this process. It replaces the previous code. */
  newCode(): string {
    const code = newSecret()
    this.#code = { digest: digest(code), until: Date.now() + CODE_LIFETIME_MS }
    return code
  }

  /**
   * Exchanges a code for a cookie, or returns a refusal. @throws ContextError `unavailable`, as all methods do; then the code
   * stays valid.
   */
  async redeem(code: string, request: Request, address: string): Promise<string | Refusal> {
    const pendingCode = this.#code
    if (!pendingCode || Date.now() > pendingCode.until || !timingSafeEqual(digest(code), pendingCode.digest)) {
      return this.countFailure(address, BAD_CODE)
    }
    this.#code = undefined
    return this.#signInOwner(request).catch((error: unknown) => {
      this.#code ??= pendingCode
      throw error
    })
  }

  /** As `redeem`, for a token that a person typed. */
  async signIn(token: string, request: Request, address: string): Promise<string | Refusal> {
    if (this.#isOwn(token)) return this.#signInOwner(request)
    const holder = await (await this.#stores.tokens()).principalOf(token)
    if (!holder) return this.countFailure(address, BAD_TOKEN)
    const session = await (await this.#stores.signIns()).signInHolder({ ...holder, device: deviceOf(request) })
    return cookieOfPage(request, session)
  }

  /** Returns a cookie for a person of an identity provider, once for each sign-in. */
  async signInPerson({ isSecure, ...person }: Person, request: Request, address: string): Promise<string | Refusal> {
    const signIns = await this.#stores.signIns()
    const session = await signIns.signInPerson({ ...person, device: deviceOf(request) }, this.#settings)
    if (session === undefined) return this.countFailure(address, SIGN_ON_EXPIRED)
    return `${cookieFor(request, session)}; Max-Age=${Math.floor(person.lastsMs / 1000)}${isSecure ? SECURE : ''}`
  }

  /** Signs a browser out in all processes. Returns a `Set-Cookie` value that deletes the browser's cookie. */
  async signOut(request: Request): Promise<string> {
    const session = cookieIn(request, 'session')
    if (session !== undefined) await (await this.#stores.signIns()).signOut(session)
    return `${cookieFor(request, '')}; Max-Age=0`
  }

  /** The signed-in browsers. The browser that sent the request is marked. */
  async browsers(request: Request): Promise<readonly SignedInBrowser[]> {
    return (await this.#stores.signIns()).browsers(cookieIn(request, 'session'))
  }

  /** Signs a browser out by its id. Returns whether it was signed in. */
  async signOutBrowser(id: string): Promise<boolean> {
    return (await this.#stores.signIns()).endBrowser(id)
  }

  /** Signs out people whom earlier rules admitted. */
  async signOutOthers(): Promise<void> {
    await (await this.#stores.signIns()).endOthers(this.#settings)
  }

  async people(names: readonly string[]): Promise<readonly Principal[]> {
    const { rules } = this.#settings
    return rules === undefined ? [] : (await this.#stores.signIns()).people(names, rules)
  }

  async #signInOwner(request: Request): Promise<string> {
    const signIns = await this.#stores.signIns()
    return cookieOfPage(request, await signIns.signInOwner({ ...this.#settings, device: deviceOf(request) }))
  }

  /**
   * The principal of a request. A valid token or cookie is accepted after any number of failures. @throws ContextError
   * `unavailable`.
   */
  async principalOf(request: Request, address: string): Promise<Principal | Refusal> {
    const token = /^bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
    if (token !== undefined) {
      if (this.#isOwn(token)) return LOCAL_OWNER
      return (await (await this.#stores.tokens()).principalOf(token)) ?? this.countFailure(address, BAD_TOKEN)
    }
    const session = cookieIn(request, 'session')
    if (session === undefined) return NO_TOKEN
    const signIns = await this.#stores.signIns()
    return (await signIns.principalOf(session, this.#settings)) ?? this.countFailure(address, BAD_TOKEN)
  }

  #isOwn(token: string): boolean {
    return timingSafeEqual(digest(token), this.#token)
  }

  /** Counts a failed sign-in. Returns `refusal`, or after too many failures a refusal that says to wait. */
  countFailure(address: string, refusal: Refusal): Refusal {
    const waitSeconds = this.#failures.count(address)
    return waitSeconds === 0 ? refusal : { ...TOO_MANY_FAILURES, headers: { 'Retry-After': String(waitSeconds) } }
  }
}

function digest(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

/** A cookie that browsers send only to this site, and that scripts cannot read. */
function cookieFor(request: Request, session: string): string {
  return `${cookieName(request, 'session')}=${session}; HttpOnly; SameSite=Strict; Path=/`
}

const SECURE = '; Secure'

/**
 * A cookie that is `Secure` if the page came over https. The origin of the page shows this even behind a proxy that terminates
 * https.
 */
function cookieOfPage(request: Request, session: string): string {
  const isSecure = request.headers.get('origin')?.startsWith('https:')
  return `${cookieFor(request, session)}${isSecure ? SECURE : ''}`
}

/**
 * The name of a cookie. It contains the port, because browsers share cookies between ports, and a server must not overwrite a
 * cookie of another server on the machine.
 */
export function cookieName(request: Request, kind: 'session' | 'oidc'): string {
  return `ambit-${kind}-${/:(\d+)$/.exec(request.headers.get('host') ?? '')?.[1] ?? '0'}`
}

export function cookieIn(request: Request, kind: 'session' | 'oidc'): string | undefined {
  const prefix = `${cookieName(request, kind)}=`
  const cookies = (request.headers.get('cookie') ?? '').split(/; */)
  return cookies.find((cookie) => cookie.startsWith(prefix))?.slice(prefix.length)
}

const CHALLENGE = { 'WWW-Authenticate': 'Bearer realm="ambit"' }

const NO_TOKEN: Refusal = {
  status: 401,
  detail: 'The request has no token.',
  hint: 'Send Authorization: Bearer TOKEN, or open the link that the server printed.',
  headers: CHALLENGE,
}

const BAD_TOKEN: Refusal = {
  status: 401,
  detail: 'The token is not valid here, or was revoked.',
  hint: 'Use AMBIT_TOKEN, the token that "ambit serve --json" printed when the server started, or one of "ambit token create".',
  headers: CHALLENGE,
}

const BAD_CODE: Refusal = {
  status: 403,
  detail: 'The link is not valid, or was used before: it works once.',
  hint: 'Make a new one in Settings, in a browser that is signed in; or start the server again.',
}

const TOO_MANY_FAILURES: Refusal = {
  status: 429,
  detail: 'There were too many wrong tokens from this address.',
  hint: 'Wait, and use the right token.',
}

/** Patterns of browsers, derived browsers first. */
const BROWSERS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|OPT)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|HeadlessChrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bVersion\/[\d.]+ .*\bSafari\//, 'Safari'],
]

const SYSTEMS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

/** Maximum characters of a header that are read. */
const MAX_HEADER_LENGTH = 500

/**
 * The name of a request's browser to show to people, such as `Firefox on Linux`; `''` for an unknown browser. Contains only fixed
 * words, never text of the request.
 */
export function deviceOf(request: Request): string {
  const agent = (request.headers.get('user-agent') ?? '').slice(0, MAX_HEADER_LENGTH)
  return [BROWSERS, SYSTEMS].flatMap((table) => table.find(([pattern]) => pattern.test(agent))?.[1] ?? []).join(' on ')
}
