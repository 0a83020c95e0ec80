/**
 * Signing in by a provider, which is another site to the browser.
 *
 * @module-tag long
 */

import { afterAll, beforeAll, expect, it } from 'vitest'
import { oidc } from '../../src/surfaces/http/sign-on/oidc.ts'
import { type OidcProvider, oidcProvider } from '../support/oidc-provider.ts'
import { barriers } from './barriers.ts'
import { TEAM } from './corpus.ts'
import { inBrowser, lasting, visitUnknown } from './in-browser.ts'
import { CHROMIUM, named, type Served, serveCorpus, takePicture } from './support.ts'

let served: Served
let provider: OidcProvider

beforeAll(async () => {
  if (CHROMIUM === undefined) return
  provider = await oidcProvider('localhost')
  const { issuer, client } = provider
  const rules = { allow: ['@example.org'], everyone: ['read'], grants: {}, hours: 1, scopes: 'openid email' } as const
  const signOn = oidc({ issuer, clientId: client.id, clientSecret: client.secret, ...rules })
  served = await serveCorpus(TEAM, { signOn })
})

afterAll(async () => {
  await served?.[Symbol.asyncDispose]()
  await provider?.[Symbol.asyncDispose]()
})

const opened = ({ dark = false, path = '/' } = {}) => visitUnknown({ url: `${served.url}${path}` }, { dark })

const BUTTON = /^Sign in with localhost:/

inBrowser(named('a browser'), () => {
  it('signs in by the provider, goes on, and signs out', async () => {
    const { page } = lasting(await opened())
    await page.getByRole('link', { name: BUTTON }).click()
    await page.getByRole('heading', { name: 'Collections', level: 1 }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/')
    await page.goto(`${served.url}/settings`)
    await page.getByText(`oidc:${new URL(provider.issuer).host}:alice-1`).waitFor()
    await takePicture(page, 'sign-on-settings')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('link', { name: BUTTON }).waitFor()
    await page.goto(`${served.url}/settings`)
    await page.getByRole('heading', { name: 'This browser is not signed in' }).waitFor()
  })

  it('comes to the place of a link that it was sent, by the provider', async () => {
    await using seen = await opened({ path: '/search?q=berths' })
    await seen.page.getByRole('link', { name: BUTTON }).click()
    await seen.page.waitForURL(`${served.url}/search?q=berths`)
    await seen.page.getByRole('searchbox').waitFor()
  })

  it('is told why it may not come in', async () => {
    provider.person = { claims: { sub: 'eve-1', email: 'eve@example.com', email_verified: true } }
    await using seen = await opened()
    await seen.page.getByRole('link', { name: BUTTON }).click()
    await seen.page.getByRole('heading', { name: 'eve@example.com may not use this server.' }).waitFor()
    await takePicture(seen.page, 'sign-on-denied')
    expect(await seen.page.getByRole('link', { name: BUTTON }).count()).toBe(1)
  })

  it.each([false, true])('has a door that breaks no rule of accessibility, dark: %s', async (dark) => {
    await using seen = await opened({ dark })
    await takePicture(seen.page, `sign-on-door-${dark ? 'dark' : 'light'}`)
    expect(await barriers(seen.page)).toEqual([])
  })
})
