/** Sign-in with a server by OAuth 2.1 through the MCP SDK: the browser returns to a port of this machine. */

import { randomBytes } from 'node:crypto'
import {
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { ContextError, invalidInput } from '../../core/errors.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { untilAborted } from '../../core/steps.ts'
import type { OAuthStore, SigningPerson, ToolServerConfig, ToolSignIn } from '../tool-servers.ts'
import { boundedFetch } from './transport.ts'

/** Dependencies of a sign-in with one server. */
export interface SignInParts {
  readonly url: string
  readonly oauth?: ToolServerConfig['oauth']
  readonly signIns: OAuthStore
}

/** The OAuth provider of one server for the SDK. Without `show`, it throws instead of starting a sign-in. */
export function signInProvider(
  { url, oauth = {}, signIns }: SignInParts,
  { port = 0, show }: { readonly port?: number; show?(address: URL): void } = {},
) {
  const { clientId, clientSecret, scope } = oauth
  const state = randomBytes(16).toString('base64url')
  const session: { verifier: string; discovered?: OAuthDiscoveryState } = { verifier: '' }
  const redirectUrl = `http://127.0.0.1:${port}/callback`
  const stored = (): ToolSignIn => ({ ...signIns.read(url) })
  const store = (signedIn: ToolSignIn) => signIns.write(url, signedIn)
  const registered = clientId !== undefined && omitUndefined({ client_id: clientId, client_secret: clientSecret })
  return {
    redirectUrl,
    clientMetadata: {
      client_name: 'Ambit',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: clientSecret === undefined ? 'none' : 'client_secret_post',
      ...omitUndefined({ scope }),
    },
    state: () => state,
    clientInformation: () => registered || (stored().client as StoredOAuthClientInformation | undefined),
    saveClientInformation: (client) => store({ ...stored(), client }),
    tokens: () => stored().tokens as StoredOAuthTokens | undefined,
    saveTokens: (tokens) => store({ ...stored(), tokens }),
    redirectToAuthorization: (address) => {
      if (!show) throw new UnauthorizedError()
      show(address)
    },
    saveCodeVerifier: (verifier) => void Object.assign(session, { verifier }),
    codeVerifier: () => session.verifier,
    saveDiscoveryState: (discovered) => void Object.assign(session, { discovered }),
    discoveryState: () => session.discovered,
    invalidateCredentials: (scope) => {
      const { client, tokens: _, ...others } = stored()
      if (scope === 'all' || scope === 'discovery') delete session.discovered
      if (scope === 'all' || scope === 'client') store(others)
      if (scope === 'tokens') store({ ...others, client })
    },
  } satisfies OAuthClientProvider
}

/** Signs in with a server, and stores its tokens. @throws ContextError `denied`, `invalid-input`; errors of the SDK. */
export async function signIn(parts: SignInParts, person: SigningPerson, signal: AbortSignal): Promise<void> {
  const { url, oauth, signIns } = parts
  const { tokens: _, ...storedSignIn }: ToolSignIn = { ...signIns.read(url) }
  const ended = new AbortController()
  const waiting = AbortSignal.any([signal, ended.signal])
  await using listener = await person.listen(oauth?.port ?? storedSignIn.port ?? 0)
  const { port } = listener
  // A client is registered for one return address: a new port needs a new registration.
  signIns.write(url, storedSignIn.port === port ? storedSignIn : { port })
  let address: URL | undefined
  const provider = signInProvider(parts, {
    port,
    show: (to) => {
      address = to
    },
  })
  const transport = new StreamableHTTPClientTransport(new URL(url), { authProvider: provider, fetch: boundedFetch })
  const client = new Client({ name: 'ambit', version: '0' })
  try {
    await client.connect(transport, { signal: waiting }).catch((error: unknown) => {
      if (address === undefined) throw error
    })
    if (address === undefined) throw invalidInput('The server needs no sign-in.')
    person.show(address.href)
    const pasted = person.pasted(waiting).then((line) => parametersIn(line.trim()))
    const answer = await untilAborted(Promise.race([listener.parameters, pasted]), signal)
    if (answer.get('state') !== provider.state())
      throw new ContextError('denied', 'The answer belongs to another sign-in.')
    await transport.finishAuth(answer)
  } finally {
    ended.abort()
    await client.close().catch(() => {})
  }
}

function parametersIn(address: string): URLSearchParams {
  if (URL.canParse(address)) return new URL(address).searchParams
  const hint = 'Copy all of it: http://127.0.0.1:…/callback?code=…'
  throw invalidInput('This is not the address at which the browser ended.', hint)
}
