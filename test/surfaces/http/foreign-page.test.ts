import { describe, expect, it } from 'vitest'
import { appOf, ask, HOST, post } from './support.ts'

/** Every kind of route. */
const ROUTES = ['/', '/healthz', '/login', '/openapi.json', '/api/echo', '/api/things.write', '/mcp', '/nothing']

const app = appOf({ mcp: () => ({ fetch: async () => new Response('{}') }) })

describe('G3, G4 a page of another site', () => {
  const hosts = [
    ['foreign', 'attacker.example', 403],
    ['foreign, with the port', 'attacker.example:7377', 403],
    ['that begins like ours', '127.0.0.1:7377.attacker.example', 403],
    ['of all addresses', '0.0.0.0:7377', 403],
    ['null', 'null', 403],
    ['ours with another port', '127.0.0.1:7378', 403],
    ['ours without the port', '127.0.0.1', 403],
    ['ours with a user', 'a@127.0.0.1:7377', 403],
    ['ours with a dot at the end', '127.0.0.1.:7377', 403],
    ['ours twice', `${HOST}, ${HOST}`, 403],
    ['missing', '', 400],
  ] as const

  describe.each(ROUTES)('on %s', (path) => {
    it.each(hosts)('G3 is refused when the host is %s', async (_, host, status) => {
      expect((await ask(app, path, { headers: { host } })).status).toBe(status)
      expect((await ask(app, path, post({}, { host }))).status).toBe(status)
    })

    it.each([
      ['origin', 'http://attacker.example'],
      ['origin', 'null'],
      ['origin', 'http://127.0.0.1:7378'],
      ['origin', 'http://127.0.0.1'],
      ['origin', `file://${HOST}`],
      ['origin', `http://attacker.example/${HOST}`],
      ['origin', ''],
      ['sec-fetch-site', 'cross-site'],
      ['sec-fetch-site', 'same-site'],
      ['sec-fetch-site', 'whatever'],
    ])('G4 is refused when its %s is %j', async (name, value) => {
      expect((await ask(app, path, { headers: { [name]: value } })).status).toBe(403)
      expect((await ask(app, path, post({}, { [name]: value }))).status).toBe(403)
    })
  })

  it('is told that it is denied', async () => {
    for (const headers of [{ origin: 'null' }, { host: 'attacker.example' }])
      expect((await ask(app, '/api/echo', post({ word: 'a' }, headers))).json.code).toBe('denied')
  })

  it('G4 is told from our own page', async () => {
    for (const headers of [
      {},
      { origin: `http://${HOST}` },
      // Behind a proxy that speaks https.
      { origin: `https://${HOST}` },
      { origin: `HTTP://${HOST}` },
      { 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'none' },
    ]) {
      expect((await ask(app, '/api/echo', post({ word: 'a' }, headers))).status).toBe(200)
    }
  })
})
