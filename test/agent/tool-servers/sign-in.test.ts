import { statSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { toolServers } from '../../../src/agent/mcp-servers.ts'
import { signInProvider } from '../../../src/agent/tool-servers/sign-in.ts'
import type { SigningPerson, ToolServerConfig } from '../../../src/agent/tool-servers.ts'
import { openToolSignIns } from '../../../src/engine/config/tool-sign-ins.ts'
import { listenForBrowser } from '../../../src/surfaces/cli/chat-commands.ts'
import { ROOT } from '../../source-files.ts'
import { FIXTURE } from '../../support/mcp-fixture.ts'
import { oauthAuthority } from '../../support/oauth-authority.ts'
import { tree } from '../../support/tree.ts'

const soon = () => AbortSignal.timeout(20_000)

/** A browser on this machine: it goes where it is sent, and back. */
const browser: SigningPerson = {
  listen: listenForBrowser,
  show: (address) => {
    void fetch(address)
  },
  pasted: () => new Promise(() => {}),
}

/** A browser on another machine: the person copies where it ended. */
function elsewhere(change = (address: string) => address): SigningPerson {
  const shown = Promise.withResolvers<string>()
  return {
    listen: listenForBrowser,
    show: shown.resolve,
    pasted: async () => {
      const { headers } = await fetch(await shown.promise, { redirect: 'manual' })
      return change(headers.get('location') ?? '')
    },
  }
}

function opened(wiki: ToolServerConfig, file: string) {
  const servers = toolServers({ wiki }, { home: ROOT, signIns: openToolSignIns(file) })
  return Object.assign(servers, { [Symbol.asyncDispose]: () => servers.close() })
}

it.each([
  ['on this machine', browser],
  ['on another machine', elsewhere()],
])('a server that asks for it is signed in with by a browser %s, and remembered', async (_, person) => {
  using planted = tree({})
  const file = planted.at('config.yaml')
  await using authority = await oauthAuthority()
  await using servers = opened({ url: authority.url }, file)
  expect(await servers.settled()).toMatchObject([
    { state: 'failed', problem: expect.stringContaining('type "/sign-in wiki"') },
  ])
  expect(authority.log.registered).toBe(0)
  await servers.signIn('wiki', person, soon())
  expect(servers.states()).toMatchObject([{ state: 'ready' }])
  expect(statSync(planted.at('mcp-sign-ins.json')).mode & 0o777).toBe(0o600)
  await using later = opened({ url: authority.url }, file)
  expect(await later.settled()).toMatchObject([{ state: 'ready' }])
  // A token that is over is made new without the person; one that cannot be asks for them.
  authority.log.valid.clear()
  await using after = opened({ url: authority.url }, file)
  expect(await after.settled()).toMatchObject([{ state: 'ready' }])
  expect([authority.log.registered, authority.log.grants]).toEqual([1, ['authorization_code', 'refresh_token']])
  // Of another address nothing is sent there, and a token that cannot be made new asks for the person.
  const old = { tokens: { access_token: 'old', token_type: 'Bearer' } }
  for (const stored of [{ 'http://127.0.0.1:9/mcp': { tokens: 'x' } }, { [authority.url]: old }]) {
    writeFileSync(planted.at('mcp-sign-ins.json'), JSON.stringify(stored))
    await using other = opened({ url: authority.url }, file)
    expect(await other.settled()).toMatchObject([{ state: 'failed', problem: expect.stringContaining('sign in') }])
  }
  writeFileSync(planted.at('mcp-sign-ins.json'), '{"http')
  await using damaged = opened({ url: authority.url }, file)
  const path = planted.at('mcp-sign-ins.json')
  expect(await damaged.settled()).toMatchObject([
    { problem: expect.stringContaining(`${path} cannot be read: remove it`) },
  ])
})

it.each<[string, (address: string) => string, string]>([
  ['of another sign-in', (address) => address.replace(/state=[^&]*/, 'state=x'), 'denied'],
  ['that is none', () => 'yes', 'invalid-input'],
  ['with a code that was not given', (address) => address.replace(/code=[^&]*/, 'code=x'), 'denied'],
])('an answer %s signs nobody in', async (_, change, code) => {
  using planted = tree({})
  await using authority = await oauthAuthority()
  await using servers = opened({ url: authority.url }, planted.at('config.yaml'))
  await expect(servers.signIn('wiki', elsewhere(change), soon())).rejects.toMatchObject({ code })
  expect(openToolSignIns(planted.at('config.yaml')).read(authority.url)?.tokens).toBeUndefined()
})

it.each([
  ['that is a program', FIXTURE, 'wiki needs no sign-in'],
  ['that has its token', { url: 'http://127.0.0.1:9/mcp', headers: { Authorization: 'x' } }, 'wiki needs no sign-in'],
  ['that does not answer', { url: 'http://127.0.0.1:9/mcp' }, 'did not sign you in: '],
])('nobody signs in with a server %s', async (_, settings, message) => {
  using planted = tree({})
  await using servers = opened(settings, planted.at('config.yaml'))
  await expect(servers.signIn('wiki', browser, soon())).rejects.toThrow(message)
})

it.each([
  ['all', ['port'], false],
  ['client', ['port'], true],
  ['tokens', ['port', 'client'], true],
  ['verifier', ['port', 'client', 'tokens'], true],
  ['discovery', ['port', 'client', 'tokens'], false],
] as const)('what the server refuses is forgotten, and no more: %s', (scope, kept, isKnown) => {
  using planted = tree({})
  const signIns = openToolSignIns(planted.at('config.yaml'))
  signIns.write('http://a', { port: 1, client: { client_id: 'c' }, tokens: { access_token: 't' } })
  const provider = signInProvider({ url: 'http://a', signIns })
  provider.saveDiscoveryState({ authorizationServerUrl: 'http://b' })
  provider.invalidateCredentials(scope)
  expect(Object.keys({ ...signIns.read('http://a') })).toEqual(kept)
  expect(provider.discoveryState() !== undefined).toBe(isKnown)
})
