/** A server as it is installed, and a provider that it was told of by the environment. */

import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect, it } from 'vitest'
import { oidcProvider } from '../support/oidc-provider.ts'
import { startAmbit } from '../support/program.ts'
import { tree } from '../support/tree.ts'

async function serving(cwd: string, env: Readonly<Record<string, string>>) {
  const { child, said, ended } = startAmbit(['serve', '--port', '0', '--json', '--log', 'json'], { cwd, env })
  const [line] = await once(createInterface(child.stdout), 'line')
  const { url, token } = JSON.parse(String(line)) as { url: string; token: string }
  return {
    url,
    token,
    log: () => said.stderr,
    async [Symbol.asyncDispose]() {
      child.kill()
      await ended
    },
  }
}

it('people sign in to a server that was told of a provider, and its log tells nothing of theirs', async () => {
  using files = tree({})
  await using provider = await oidcProvider()
  await using served = await serving(files.base, {
    AMBIT_OIDC_ISSUER: provider.issuer,
    AMBIT_OIDC_CLIENT_ID: provider.client.id,
    AMBIT_OIDC_CLIENT_SECRET: provider.client.secret,
    AMBIT_OIDC_ALLOW: '@example.org',
  })
  const get = (url: string, cookie = '') => fetch(url, { redirect: 'manual', headers: { cookie } })
  const signIn = async () => {
    const begun = await get(`${served.url}/login/oidc`)
    const there = await get(begun.headers.get('location') ?? '')
    const back = there.headers.get('location') ?? ''
    return { back, page: await get(back, begun.headers.get('set-cookie')?.split(';')[0]) }
  }
  const { back, page } = await signIn()
  expect(page.status).toBe(200)
  const [session = ''] = page.headers.getSetCookie()[0]?.split(';') ?? []
  const me = await (await get(`${served.url}/api/me`, session)).json()
  expect(me).toMatchObject({ name: `oidc:${new URL(provider.issuer).host}:alice-1`, scopes: ['read', 'research'] })
  provider.twist = { isForged: true }
  expect((await signIn()).page.status).toBe(403)
  await expect.poll(served.log, { timeout: 60_000 }).toContain('"event":"sign-in failed"')
  const secrets = [provider.client.secret, served.token, session.split('=')[1], new URL(back).searchParams.get('code')]
  for (const secret of secrets) expect(served.log()).not.toContain(secret)
})

it('a server that was told of a provider wrongly says so, and does not start', async () => {
  using files = tree({})
  const env = { AMBIT_OIDC_ISSUER: 'http://id.example', AMBIT_OIDC_CLIENT_ID: 'ambit', AMBIT_OIDC_ALLOW: '*' }
  const { status, stderr } = await startAmbit(['serve'], { cwd: files.base, env }).ended
  expect([status, stderr]).toEqual([2, expect.stringContaining('http://id.example, which must be of https')])
})
