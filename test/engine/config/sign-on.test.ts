import { describe, expect, it } from 'vitest'
import { readConfig, readSignOn } from '../../../src/engine/config.ts'
import { homeWith } from './home.ts'

const ISSUER = 'https://id.example/realms/one'
const LEAST = { issuer: ISSUER, clientId: 'ambit', allow: ['@example.org'] }
const yaml = (oidc: object) => JSON.stringify({ oidc })

async function signOnOf(environment: Readonly<Record<string, string>>, file = '', mode?: number) {
  using planted = homeWith(file, mode)
  const told = { HOME: planted.base, ...environment }
  expect((await readConfig(told)).unknown).toEqual([])
  return await readSignOn(told)
}

const SET = { AMBIT_OIDC_ISSUER: ISSUER, AMBIT_OIDC_CLIENT_ID: 'ambit', AMBIT_OIDC_ALLOW: '@example.org, a@b.example' }
const WHOLE = {
  issuer: ISSUER,
  clientId: 'ambit',
  scopes: 'openid email profile',
  allow: ['@example.org'],
  everyone: ['read', 'research'],
  grants: {},
  hours: 12,
}

describe('the sign-in by a provider', () => {
  it.each<[string, Record<string, string>, string, object | undefined]>([
    ['none where none is set', {}, '', undefined],
    ['none where only its secret is', { AMBIT_OIDC_CLIENT_SECRET: 's' }, 'token: x\n', undefined],
    ['one of the environment', SET, '', { ...WHOLE, allow: ['@example.org', 'a@b.example'] }],
    ['one of the file', {}, yaml(LEAST), WHOLE],
    [
      'that of the environment before that of the file',
      { ...SET, AMBIT_OIDC_CLIENT_SECRET: 's', AMBIT_OIDC_URL: 'https://ambit.example' },
      yaml({ ...LEAST, issuer: 'https://other.example', clientSecret: 'filed', allow: ['sub:1'] }),
      { ...WHOLE, allow: ['@example.org', 'a@b.example'], clientSecret: 's', url: 'https://ambit.example' },
    ],
    ['one of this host', {}, yaml({ ...LEAST, issuer: 'http://127.0.0.1:8080' }), { issuer: 'http://127.0.0.1:8080' }],
    ['one for thirty days', {}, yaml({ ...LEAST, hours: 720 }), { hours: 720 }],
    ['one here, by name', {}, yaml({ ...LEAST, issuer: 'http://localhost:1' }), { issuer: 'http://localhost:1' }],
    [
      'one with all there is',
      {},
      yaml({
        ...LEAST,
        scopes: ['groups'],
        grants: { '*': ['read'], groups: { admins: ['admin', 'read'] } },
        hours: 1,
        url: 'http://127.0.0.1:7377',
      }),
      {
        scopes: 'openid groups',
        everyone: ['read'],
        grants: { groups: { admins: ['read', 'admin'] } },
        hours: 1,
        url: 'http://127.0.0.1:7377',
      },
    ],
  ])('is %s', async (_, environment, file, expected) => {
    const found = await signOnOf(environment, file)
    if (expected === undefined) expect(found).toBeUndefined()
    else expect(found).toMatchObject(expected)
  })

  it.each<[string, object]>([
    ['no issuer', { issuer: undefined }],
    ['an issuer without encryption', { issuer: 'http://id.example' }],
    ['an issuer that only looks like this machine', { issuer: 'http://127.0.0.1.evil.example' }],
    ['an issuer with a password', { issuer: 'https://a:b@id.example' }],
    ['an issuer with a query', { issuer: 'https://id.example/?a' }],
    ['an issuer that is not a URL', { issuer: 'id.example' }],
    ['no client', { clientId: undefined }],
    ['nobody who is allowed', { allow: undefined }],
    ['an empty list of who is allowed', { allow: [] }],
    ['one name for who is allowed', { allow: '@example.org' }],
    ['scopes that are none', { scopes: [7] }],
    ['a grant of a scope that is none', { grants: { groups: { a: ['root'] } } }],
    ['grants to everybody that are no list', { grants: { '*': 'read' } }],
    ['grants without values', { grants: { groups: ['admin'] } }],
    ['hours without end', { hours: 720.1 }],
    ['a url with a path', { url: 'https://ambit.example/ui' }],
    ['a url without encryption', { url: 'http://ambit.example' }],
    ['a url that is none', { url: 'ambit' }],
    ['a client that is no text', { clientId: 7 }],
    ['a name that means nothing', { secret: 'x' }],
  ])('is refused with %s', async (_, change) => {
    await expect(signOnOf({}, yaml({ ...LEAST, ...change }))).rejects.toMatchObject({
      code: 'invalid-input',
      hint: expect.stringContaining('For example'),
    })
  })

  it('is refused where others may read its secret, and not where it is in the environment', async () => {
    const file = yaml({ ...LEAST, clientSecret: 'canary' })
    const refused = signOnOf({}, file, 0o644)
    await expect(refused).rejects.toMatchObject({ code: 'denied', hint: expect.stringContaining('chmod 600') })
    await expect(refused).rejects.not.toThrow(/canary/)
    expect(await signOnOf({ AMBIT_OIDC_CLIENT_SECRET: 's' }, file, 0o644)).toMatchObject({ clientSecret: 's' })
  })
})
