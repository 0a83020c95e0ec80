import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { LOCAL_OWNER, type Principal } from '../../auth/principal.ts'
import type { Tokens } from '../../auth/tokens.ts'
import { Failures } from './failures.ts'
import type { Refusal } from './problem.ts'
import type { Person } from './sign-on.ts'
import { SignedIn } from './signed-in.ts'

/** How long the link for the browser is good, in milliseconds: an hour. */
const CODE_MS = 3_600_000

/** Browsers that are signed in at once; the first to come is the first to go. */
const MAX_SESSIONS = 100

/** 256 random bits that can stand in a URL, a header and a cookie. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** What stands for the local owner among those who are signed in: the others have the id of their token. */
const OWNER = ''

/**
 * Who asks: the local owner by the server's own token, others by theirs, and browsers that came by a link with a code, which
 * is good once, or signed in with a token. Secrets are kept and compared as digests, in a time that tells nothing.
 */
export class Auth {
  readonly #token: Buffer
  readonly #tokens: (() => Promise<Tokens>) | undefined
  /** Who is signed in: the id of their token, by the digest of the cookie. */
  readonly #sessions = new Map<string, string>()
  readonly #people = new SignedIn()
  readonly #failures = new Failures()
  #code: { readonly digest: Buffer; readonly until: number } | undefined

  /** `tokens`: those of others. Default: there are none. */
  constructor(token: string, tokens?: () => Promise<Tokens>) {
    this.#token = digest(token)
    this.#tokens = tokens
  }

  /** A new code for a link; the one before is good no more. */
  newCode(): string {
    const code = newSecret()
    this.#code = { digest: digest(code), until: Date.now() + CODE_MS }
    return code
  }

  /** The value of the cookie `Set-Cookie` for a code; or why there is none. */
  redeem(code: string, request: Request, address: string): { readonly cookie: string } | Refusal {
    const known = this.#code
    if (!known || Date.now() > known.until || !timingSafeEqual(digest(code), known.digest)) {
      return this.#failed(address, BAD_CODE)
    }
    this.#code = undefined
    return this.#signedIn(OWNER, request)
  }

  /** As `redeem`, for a token that a person typed. */
  async signIn(token: string, request: Request, address: string): Promise<{ readonly cookie: string } | Refusal> {
    if (this.#isOwn(token)) return this.#signedIn(OWNER, request)
    const known = await (await this.#tokens?.())?.principalOf(token)
    return known ? this.#signedIn(known.id, request) : this.#failed(address, BAD)
  }

  /** A cookie for somebody whom a provider vouches for. */
  enter({ principal, until, isSecure }: Person, request: Request): { readonly cookie: string } {
    const session = newSecret()
    this.#people.add(keyOf(session), principal, until)
    const seconds = Math.max(0, Math.floor((until - Date.now()) / 1000))
    return { cookie: `${cookieFor(request, session)}; Max-Age=${seconds}${isSecure ? '; Secure' : ''}` }
  }

  /** Ends the session of a browser; the cookie that takes its cookie away. */
  leave(request: Request): { readonly cookie: string } {
    const key = keyOf(cookieOf(request) ?? '')
    this.#sessions.delete(key)
    this.#people.remove(key)
    return { cookie: `${cookieFor(request, '')}; Max-Age=0` }
  }

  /** Whom a provider vouches for, and who is still signed in. */
  people(): readonly Principal[] {
    return this.#people.principals()
  }

  /** A sign-in that failed: as if a token had been wrong. */
  failed(address: string, refusal: Refusal): Refusal {
    return this.#failed(address, refusal)
  }

  #signedIn(who: string, request: Request): { readonly cookie: string } {
    const session = newSecret()
    this.#sessions.set(keyOf(session), who)
    const [oldest] = this.#sessions.keys()
    if (this.#sessions.size > MAX_SESSIONS && oldest !== undefined) this.#sessions.delete(oldest)
    return { cookie: cookieFor(request, session) }
  }

  /** Whoever sent the token or the cookie is let in however often others failed. @throws ContextError `unavailable`. */
  async principalOf(request: Request, address: string): Promise<Principal | Refusal> {
    const given = /^bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
    if (given !== undefined) {
      if (this.#isOwn(given)) return LOCAL_OWNER
      return (await (await this.#tokens?.())?.principalOf(given)) ?? this.#failed(address, BAD)
    }
    const session = cookieOf(request)
    if (session === undefined) return MISSING
    const key = keyOf(session)
    const who = this.#sessions.get(key)
    if (who === OWNER) return LOCAL_OWNER
    const person = this.#people.of(key)
    if (person) return person
    const known = who === undefined ? undefined : await (await this.#tokens?.())?.principalBehind(who)
    return known ?? this.#failed(address, BAD)
  }

  #isOwn(token: string): boolean {
    return timingSafeEqual(digest(token), this.#token)
  }

  #failed(address: string, refusal: Refusal): Refusal {
    const wait = this.#failures.count(address)
    return wait === 0 ? refusal : { ...TOO_MANY, headers: { 'Retry-After': String(wait) } }
  }
}

function digest(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

function keyOf(session: string): string {
  return digest(session).toString('hex')
}

function cookieFor(request: Request, session: string): string {
  return `${cookieName(request)}=${session}; HttpOnly; SameSite=Strict; Path=/`
}

/** Cookies are not told apart by port: two servers on one machine must not take each other's. */
function cookieName(request: Request): string {
  const port = /:(\d+)$/.exec(request.headers.get('host') ?? '')?.[1] ?? '0'
  return `ambit-session-${port}`
}

function cookieOf(request: Request): string | undefined {
  const prefix = `${cookieName(request)}=`
  const cookies = (request.headers.get('cookie') ?? '').split(/; */)
  return cookies.find((cookie) => cookie.startsWith(prefix))?.slice(prefix.length)
}

const CHALLENGE = { 'WWW-Authenticate': 'Bearer realm="ambit"' }

const MISSING: Refusal = {
  status: 401,
  code: 'denied',
  detail: 'The request has no token.',
  hint: 'Send Authorization: Bearer TOKEN, or open the link that the server printed.',
  headers: CHALLENGE,
}

const BAD: Refusal = {
  status: 401,
  code: 'denied',
  detail: 'The token is none of this server, or not any more.',
  hint: 'Use the token of this start (AMBIT_TOKEN, or what "ambit serve --json" printed), or one of "ambit token create".',
  headers: CHALLENGE,
}

const BAD_CODE: Refusal = {
  status: 403,
  code: 'denied',
  detail: 'The link is not good, or not any more: it works once.',
  hint: 'Start the server again for a new one.',
}

const TOO_MANY: Refusal = {
  status: 429,
  code: 'over-limit',
  detail: 'There were too many wrong tokens from this address.',
  hint: 'Wait, and use the right one.',
}
