/** An MCP server on loopback that asks who it is by OAuth 2.1, and its authority: both do what a script would. */

import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { listenOnLoopback } from './loopback.ts'
import { fixtureServer } from './mcp-fixture.ts'
import { PHRASE } from './model-server.ts'

/** What was asked of the authority. */
export interface AuthorityLog {
  registered: number
  readonly grants: string[]
  /** The tokens that hold from now on. */
  valid: Set<string>
}

export async function oauthAuthority() {
  const handler = createMcpHandler(fixtureServer)
  const log: AuthorityLog = { registered: 0, grants: [], valid: new Set() }
  const codes = new Map<string, string>()
  let origin = ''
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const body = Buffer.concat(parts)
    const { pathname, searchParams } = new URL(request.url ?? '/', origin)
    const json = (value: object, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    switch (pathname) {
      case '/.well-known/oauth-protected-resource/mcp':
        return json({ resource: `${origin}/mcp`, authorization_servers: [origin] })
      case '/.well-known/oauth-authorization-server':
        return json({
          issuer: origin,
          authorization_endpoint: `${origin}/authorize`,
          token_endpoint: `${origin}/token`,
          registration_endpoint: `${origin}/register`,
          response_types_supported: ['code'],
          grant_types_supported: ['authorization_code', 'refresh_token'],
          code_challenge_methods_supported: ['S256'],
          token_endpoint_auth_methods_supported: ['none'],
        })
      case '/register':
        log.registered++
        return json({ ...JSON.parse(body.toString()), client_id: `client-${log.registered}` }, 201)
      case '/authorize': {
        const code = `code-${codes.size}`
        codes.set(code, searchParams.get('code_challenge') ?? '')
        const back = new URL(searchParams.get('redirect_uri') ?? '')
        back.search = new URLSearchParams({ code, state: searchParams.get('state') ?? '' }).toString()
        return response.writeHead(302, { location: back.href }).end()
      }
      case '/token': {
        const given = new URLSearchParams(body.toString())
        const grant = given.get('grant_type') ?? ''
        log.grants.push(grant)
        const challenge = createHash('sha256')
          .update(given.get('code_verifier') ?? '')
          .digest('base64url')
        const isGood = grant === 'refresh_token' || codes.get(given.get('code') ?? '') === challenge
        if (!isGood) return json({ error: 'invalid_grant' }, 400)
        const token = `token-${log.grants.length}`
        log.valid = new Set([token])
        return json({ access_token: token, token_type: 'Bearer', expires_in: 3600, refresh_token: 'again' })
      }
      case '/mcp': {
        const token = request.headers.authorization?.replace(/^Bearer /, '') ?? ''
        if (!log.valid.has(token)) {
          const where = `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`
          return response.writeHead(401, { 'www-authenticate': where }).end()
        }
        const given = await handler.fetch(
          new Request(`${origin}/mcp`, {
            method: request.method ?? 'GET',
            headers: Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
            ...(body.length > 0 && { body }),
          }),
        )
        response.statusMessage = PHRASE
        response.writeHead(given.status, Object.fromEntries(given.headers))
        for await (const part of given.body ?? []) response.write(part)
        return response.end()
      }
      default:
        return response.writeHead(404).end()
    }
  })
  const at = await listenOnLoopback(server)
  origin = at.url
  return {
    url: `${origin}/mcp`,
    log,
    [Symbol.asyncDispose]: async () => {
      await at[Symbol.asyncDispose]()
      await handler.close()
    },
  }
}
