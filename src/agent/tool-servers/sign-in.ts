/** Sign-in with a server by OAuth 2.1 through the SDK: the browser returns to a port of this machine. */

import { randomBytes } from 'node:crypto'
import {
  Client,
  type OAuthClientMetadata,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { ContextError, invalidInput } from '../../core/errors.ts'
import { untilAborted } from '../../core/steps.ts'
import type { OAuthStore, SignedIn, SigningPerson, ToolServerConfig } from '../tool-servers.ts'
import { boundedFetch } from './transport.ts'

/** Of one server, by its address. */
export interface SignInParts {
  readonly url: string
  readonly oauth?: ToolServerConfig['oauth']
  readonly signIns: OAuthStore
}

/** The OAuth provider of one server for the SDK. It starts a sign-in only if it has `show`. */
export class SignInProvider implements OAuthClientProvider {
  readonly #parts: SignInParts
  readonly #show: ((address: URL) => void) | undefined
  readonly redirectUrl: string
  readonly #state = randomBytes(16).toString('base64url')
  #verifier = ''
  #discovered: OAuthDiscoveryState | undefined

  constructor(parts: SignInParts, { port = 0, show }: { readonly port?: number; show?(address: URL): void } = {}) {
    this.#parts = parts
    this.#show = show
    this.redirectUrl = `http://127.0.0.1:${port}/callback`
  }

  get clientMetadata(): OAuthClientMetadata {
    const { scope, clientSecret } = this.#parts.oauth ?? {}
    return {
      client_name: 'Ambit',
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: clientSecret === undefined ? 'none' : 'client_secret_post',
      ...(scope !== undefined && { scope }),
    }
  }

  state(): string {
    return this.#state
  }

  clientInformation(): StoredOAuthClientInformation | undefined {
    const { clientId, clientSecret } = this.#parts.oauth ?? {}
    if (clientId === undefined) return this.#kept.client as StoredOAuthClientInformation | undefined
    return { client_id: clientId, ...(clientSecret !== undefined && { client_secret: clientSecret }) }
  }

  saveClientInformation(client: StoredOAuthClientInformation): void {
    this.#keep({ ...this.#kept, client })
  }

  tokens(): StoredOAuthTokens | undefined {
    return this.#kept.tokens as StoredOAuthTokens | undefined
  }

  saveTokens(tokens: StoredOAuthTokens): void {
    this.#keep({ ...this.#kept, tokens })
  }

  redirectToAuthorization(address: URL): void {
    if (!this.#show) throw new UnauthorizedError()
    this.#show(address)
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier
  }

  codeVerifier(): string {
    return this.#verifier
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovered = state
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovered
  }

  invalidateCredentials(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): void {
    const { client, tokens, ...rest } = this.#kept
    if (scope === 'all' || scope === 'client') this.#keep(rest)
    if (scope === 'tokens') this.#keep({ ...rest, client })
  }

  get #kept(): SignedIn {
    return this.#parts.signIns.read(this.#parts.url) ?? {}
  }

  #keep(kept: SignedIn): void {
    this.#parts.signIns.write(this.#parts.url, kept)
  }
}

/** Signs in, and stores the tokens of a server. @throws ContextError `denied`, `invalid-input`; errors of the SDK. */
export async function signIn(parts: SignInParts, person: SigningPerson, signal: AbortSignal): Promise<void> {
  const { url, oauth, signIns } = parts
  const { tokens: _, ...kept } = signIns.read(url) ?? {}
  const ended = new AbortController()
  const within = AbortSignal.any([signal, ended.signal])
  await using listener = await person.listen(oauth?.port ?? kept.port ?? 0)
  const { port } = listener
  // A client is registered for one address of return; a new port needs a new registration.
  signIns.write(url, kept.port === port ? kept : { port })
  let address: URL | undefined
  const provider = new SignInProvider(parts, {
    port,
    show: (to) => {
      address = to
    },
  })
  const transport = new StreamableHTTPClientTransport(new URL(url), { authProvider: provider, fetch: boundedFetch })
  const client = new Client({ name: 'ambit', version: '0' })
  try {
    await client.connect(transport, { signal: within }).catch((error: unknown) => {
      if (address === undefined) throw error
    })
    if (address === undefined) throw invalidInput('The server asks nobody to sign in.')
    person.show(address.href)
    const pasted = person.pasted(within).then((line) => parametersIn(line.trim()))
    const coming = Promise.race([listener.parameters, pasted])
    const parameters = await untilAborted(coming, signal)
    if (parameters.get('state') !== provider.state())
      throw new ContextError('denied', 'The answer is of another sign-in.')
    await transport.finishAuth(parameters)
  } finally {
    ended.abort()
    await client.close().catch(() => {})
  }
}

function parametersIn(address: string): URLSearchParams {
  if (URL.canParse(address)) return new URL(address).searchParams
  throw invalidInput(
    'The browser did not end at such an address.',
    'Copy all of it: http://127.0.0.1:…/callback?code=…',
  )
}
