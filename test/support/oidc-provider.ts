/** A small OpenID provider on loopback, which signs as a real one does, and can be told to do it wrongly. */

import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { exportJWK, type GenerateKeyPairResult, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { listenOnLoopback } from './loopback.ts'

/** What is done otherwise than it should be. */
export interface Twist {
  /** Claims of the token, over those that it has. */
  readonly claims?: Readonly<Record<string, unknown>>
  readonly alg?: 'none' | 'HS256'
  /** Signed by a key that the provider does not publish. */
  readonly isForged?: boolean
  /** Of the address that the browser is led back to. */
  readonly back?: Readonly<Record<string, string>>
  /** Of what the provider says of itself. */
  readonly metadata?: Readonly<Record<string, unknown>>
  /** A code is good more than once. */
  readonly isForgetful?: boolean
  /** The status of the token endpoint. */
  readonly status?: number
}

export interface OidcProvider extends AsyncDisposable {
  readonly issuer: string
  readonly client: { readonly id: string; readonly secret: string }
  /** Who is at the browser: claims. Those of `userinfo` are told there alone. */
  person: { claims: JWTPayload & { sub: string }; userinfo?: JWTPayload }
  twist: Twist
  /** Paths that were asked for, in order. */
  readonly asked: string[]
  /** How the client said who it is, each time. */
  readonly ways: string[]
  /** What the last code was asked with. */
  readonly last: URLSearchParams | undefined
}

interface Grant {
  readonly asked: URLSearchParams
  isUsed: boolean
}

const ALICE = { sub: 'alice-1', email: 'alice@example.org', email_verified: true }

/** One pair for all providers of a process, and one that none of them publishes: to make one takes long. */
let keys: Promise<[GenerateKeyPairResult, GenerateKeyPairResult]> | undefined

export async function oidcProvider(hostname = '127.0.0.1'): Promise<OidcProvider> {
  keys ??= Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')])
  const [{ publicKey, privateKey }, forged] = await keys
  const grants = new Map<string, Grant>()
  const client = { id: 'ambit', secret: 'canary-oidc-secret-0123456789' }
  const ways: string[] = []
  let last: URLSearchParams | undefined
  const server = createServer((request, response) => {
    handled(request, response).catch(() => response.writeHead(500).end())
  })
  const at = await listenOnLoopback(server)
  const issuer = `http://${hostname}:${at.port}`

  const provider: OidcProvider = {
    issuer,
    client,
    person: { claims: ALICE },
    twist: {},
    asked: [],
    ways,
    get last() {
      return last
    },
    [Symbol.asyncDispose]: () => at[Symbol.asyncDispose](),
  }

  async function handled(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', issuer)
    provider.asked.push(url.pathname)
    const json = (value: unknown, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    switch (url.pathname) {
      case '/.well-known/openid-configuration':
        return void json({ ...metadata(), ...provider.twist.metadata })
      case '/jwks':
        return void json({ keys: [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }] })
      case '/authorize':
        return void response.writeHead(302, { location: authorized(url.searchParams).href }).end()
      case '/token':
        return await told(request, json)
      case '/userinfo':
        return void json({ sub: provider.person.claims.sub, ...provider.person.userinfo })
      default:
        response.writeHead(404).end()
    }
  }

  function metadata() {
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    }
  }

  /** Everybody agrees at once. */
  function authorized(asked: URLSearchParams): URL {
    last = asked
    const code = randomBytes(16).toString('hex')
    grants.set(code, { asked, isUsed: false })
    const back = new URL(asked.get('redirect_uri') ?? issuer)
    const parameters = { code, state: asked.get('state') ?? '', iss: issuer, ...provider.twist.back }
    for (const [name, value] of Object.entries(parameters)) if (value !== '') back.searchParams.set(name, value)
    return back
  }

  async function told(request: IncomingMessage, json: (value: unknown, status?: number) => void): Promise<void> {
    const form = new URLSearchParams(Buffer.concat(await Array.fromAsync(request)).toString())
    const grant = grants.get(form.get('code') ?? '')
    const { twist } = provider
    if (twist.status !== undefined) return json({}, twist.status)
    if (!isClient(request, form)) return json({ error: 'invalid_client' }, 401)
    if (!grant || (grant.isUsed && !twist.isForgetful)) return json({ error: 'invalid_grant' }, 400)
    grant.isUsed = true
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const isSame = form.get('redirect_uri') === grant.asked.get('redirect_uri')
    if (challenge !== grant.asked.get('code_challenge') || !isSame) return json({ error: 'invalid_grant' }, 400)
    json({ access_token: 'access', token_type: 'Bearer', expires_in: 60, id_token: await signed(grant.asked) })
  }

  function isClient({ headers: { authorization = '' } }: IncomingMessage, form: URLSearchParams): boolean {
    const basic = Buffer.from(authorization.replace(/^Basic /, ''), 'base64').toString()
    const methods = provider.twist.metadata?.token_endpoint_auth_methods_supported
    const wanted = Array.isArray(methods) ? String(methods[0]) : 'client_secret_basic'
    ways.push(
      authorization === '' ? (form.has('client_secret') ? 'client_secret_post' : 'none') : 'client_secret_basic',
    )
    if (wanted === 'none') return ways.at(-1) === 'none'
    const [id, secret] =
      wanted === 'client_secret_post'
        ? [form.get('client_id'), form.get('client_secret')]
        : basic.split(':').map((one) => decodeURIComponent(one))
    return id === client.id && secret === client.secret
  }

  async function signed(asked: URLSearchParams): Promise<string> {
    const { twist, person } = provider
    const now = Math.floor(Date.now() / 1000)
    const own = { iss: issuer, aud: client.id, iat: now, exp: now + 300, nonce: asked.get('nonce') ?? '' }
    const claims = { ...own, ...person.claims, ...twist.claims }
    if (twist.alg === 'none') return new UnsecuredJWT(claims).encode()
    const token = new SignJWT(claims).setProtectedHeader({ alg: twist.alg ?? 'RS256', kid: 'one' })
    if (twist.alg === 'HS256') return token.sign(new TextEncoder().encode(client.secret))
    return token.sign(twist.isForged ? forged.privateKey : privateKey)
  }

  return provider
}
