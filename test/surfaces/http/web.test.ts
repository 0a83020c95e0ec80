import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { Auth } from '../../../src/surfaces/http/auth.ts'
import { SECURITY_HEADERS } from '../../../src/surfaces/http/guard.ts'
import { tree } from '../../support/tree.ts'
import { appOf, ask, BEARER, engine, HOST, TOKEN } from './support.ts'

const PAGE = '<!doctype html><title>Ambit</title>'
const SCRIPT = 'console.log("ambit")'

const built = tree({
  'web/index.html': PAGE,
  'web/assets/index-a1b2.js.br': brotliCompressSync(SCRIPT),
})
const app = appOf({ web: built.at('web') })

afterAll(() => built[Symbol.dispose]())

/** Asks as a browser does that has no session. */
function browse(path: string, headers: Record<string, string> = {}) {
  return app.fetch(
    new Request(`http://${HOST}${path}`, { headers: { host: HOST, accept: 'text/html,*/*;q=0.8', ...headers } }),
  )
}

describe('the page of the UI', () => {
  it('is asked for again each time, and given only when it changed', async () => {
    const first = await ask(app, '/')
    expect(first.headers.get('cache-control')).toBe('no-cache')
    const again = await ask(app, '/', { headers: { 'if-none-match': first.headers.get('etag') ?? '' } })
    expect([again.status, again.body]).toEqual([304, ''])
  })

  it('is whole and packed at an address that is none, whatever the browser has', async () => {
    using packed = tree({ 'web/index.html.br': brotliCompressSync(PAGE) })
    const all = appOf({ web: packed.at('web') })
    const asked = { accept: 'text/html', 'accept-encoding': 'br' }
    const { headers } = await ask(all, '/', { headers: asked })
    const none = await ask(all, '/nowhere', { headers: { ...asked, 'if-none-match': headers.get('etag') ?? '' } })
    expect([none.status, none.headers.get('content-encoding')]).toEqual([404, 'br'])
  })

  it('says in a sentence that it was not built', async () => {
    const { status, body } = await ask(appOf({ web: built.at('nothing') }), '/')
    expect([status, body]).toEqual([200, expect.stringMatching(/its web UI is not built: run "npm run build"/)])
    expect((await ask(appOf(), '/browse/docs')).body).toBe(body)
  })
})

describe('an asset', () => {
  it.each([
    ['br', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['gzip;q=0.5', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0.0', null],
    ['deflate', null],
    ['', null],
    ['brotli', null],
  ])('to who takes "%s" comes as %s', async (accepted, encoding) => {
    const { headers } = await ask(app, '/assets/index-a1b2.js', { headers: { 'accept-encoding': accepted } })
    expect(headers.get('content-encoding')).toBe(encoding)
  })

  it.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
    ['', (bytes: Buffer) => bytes],
  ])('is the same where "%s" is taken', async (accepted, unpack) => {
    const headers = { ...BEARER, 'accept-encoding': accepted }
    const response = await app.fetch(new Request(`http://${HOST}/assets/index-a1b2.js`, { headers }))
    expect(unpack(Buffer.from(await response.arrayBuffer())).toString()).toBe(SCRIPT)
  })

  it('has another ETag for each encoding', async () => {
    const tags = ['br', 'gzip', ''].map(async (accepted) => {
      const answer = await ask(app, '/assets/index-a1b2.js', { headers: { 'accept-encoding': accepted } })
      return answer.headers.get('etag')
    })
    const all = await Promise.all(tags)
    expect([new Set(all).size, all.every((tag) => /^"[\w-]{43}"$/.test(tag ?? ''))]).toEqual([3, true])
  })
})

describe('a browser without a session', () => {
  it.each(
    '/ /browse/docs/a.md /search?q="><script>x</script> /nowhere /a/b.html /files/docs/a.md /api/status'.split(' '),
  )('gets a page at %s that says how to get in', async (path) => {
    const response = await browse(path)
    const page = await response.text()
    expect(response.status).toBe(401)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('content-security-policy')).toBe(SECURITY_HEADERS['Content-Security-Policy'])
    expect(page).toContain('ambit serve')
    expect(page).not.toMatch(/<script|style=/)
  })

  it('gets the style of that page, and nothing else', async () => {
    const page = await (await browse('/')).text()
    const [, style = ''] = /rel="stylesheet" href="([^"]+)"/.exec(page) ?? []
    const response = await browse(style)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8'])
    for (const path of ['/openapi.json', '/api/status', '/mcp']) expect((await browse(path)).status).toBe(401)
  })

  it('is told on a page, too, that its link is used up', async () => {
    const auth = new Auth(TOKEN, engine)
    const code = auth.newCode()
    const own = appOf({ auth, web: built.at('web') })
    const open = () =>
      own.fetch(new Request(`http://${HOST}/login?code=${code}`, { headers: { host: HOST, accept: 'text/html' } }))
    expect((await open()).status).toBe(303)
    const again = await open()
    expect([again.status, again.headers.get('content-type')]).toEqual([403, 'text/html; charset=utf-8'])
    expect(await again.text()).toContain('it works once')
  })
})
