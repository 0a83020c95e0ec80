import { getEventListeners } from 'node:events'
import type { ServerResponse } from 'node:http'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { type FetchOptions, guardedFetch } from '../../src/internet/fetch.ts'
import { addressesOf } from '../../src/internet/guard.ts'
import { rowsBy } from '../support/rows.ts'
import { SOON } from '../support/soon.ts'
import { diverted, served } from './served.ts'
import { HOSTS, SPELLINGS } from './spellings.ts'

const PUBLIC = '93.184.216.34'

/** Fetches as if the server were in the internet; names lead where `names` says, others to a public address. */
async function fetchFrom(port: number, url: string, options: FetchOptions & { names?: Record<string, string[]> } = {}) {
  const { dialled, dial } = diverted(port)
  const resolved: string[] = []
  const resolve = async (host: string) => {
    resolved.push(host)
    return options.names?.[host] ?? [PUBLIC]
  }
  const found = await guardedFetch(url, undefined, { resolve, connect: dial, ...options }).catch(
    (error: unknown) => error,
  )
  return { found, dialled, resolved }
}

/** As a header can hold it, and a browser reads it as the same. */
function inHeader(host: string): string {
  return host.replace(/[^\0-\x7f]+/g, encodeURIComponent)
}

describe('a place that is not public', () => {
  it('is one of more than 120 spellings', () => expect(new Set(HOSTS).size).toBeGreaterThanOrEqual(120))

  const isRefused = { name: 'ContextError', code: expect.stringMatching(/^(denied|invalid-input)$/) }

  it.each(Object.entries(SPELLINGS))(
    '%s: each is refused before its name is looked up or anything connects',
    async (_, hosts) => {
      await using server = await served((_, response) => response.end('secret'))
      for (const url of hosts.flatMap((host) => [`http://${host}/`, `https://${host}:8443/a?b`])) {
        const { found, dialled, resolved } = await fetchFrom(server.port, url)
        expect(found, url).toMatchObject(isRefused)
        expect([url, dialled, resolved]).toEqual([url, [], []])
      }
    },
  )

  it.each(Object.entries(SPELLINGS))(
    '%s: each is refused as the place of a redirect: at once, after one, after a permanent one',
    async (_, hosts) => {
      for (const status of [301, 302, 307]) {
        let host = ''
        await using server = await served(({ url }, response) => {
          const location = url === '/hop' || status === 301 ? `http://${inHeader(host)}/latest/meta-data` : '/hop'
          response.writeHead(status, { location }).end()
        })
        for (host of hosts) {
          server.asked.length = 0
          const { found, dialled } = await fetchFrom(server.port, 'http://a.example/')
          expect(found, host).toMatchObject(isRefused)
          expect(dialled.every((one) => one === `${PUBLIC} 80`)).toBe(true)
          expect(server.asked.map(({ path }) => path)).toEqual(status === 301 ? ['/'] : ['/', '/hop'])
        }
      }
    },
  )

  it.each([
    ['this machine', ['127.0.0.1']],
    ['a private network', ['10.1.2.3']],
    ['metadata', ['169.254.169.254']],
    ['IPv6 of this machine', ['::1']],
    ['IPv4 in IPv6', ['::ffff:10.0.0.1']],
    ['a zone', ['fe80::1%eth0']],
    ['a public place and a private one', [PUBLIC, '192.168.0.1']],
    ['a private place and a public one', ['192.168.0.1', PUBLIC]],
    ['what is not an address', ['a.example']],
  ])('is refused when a name leads to %s', async (_, addresses) => {
    await using server = await served((_, response) => response.end('secret'))
    const { found, dialled } = await fetchFrom(server.port, 'http://rebound.example/', {
      names: { 'rebound.example': addresses },
    })
    expect(found).toMatchObject({ code: 'denied', hint: expect.any(String) })
    expect(dialled).toEqual([])
  })

  it('is refused when a redirect leads to a name that leads there', async () => {
    await using server = await served((_, response) => response.writeHead(302, { location: '//b.example/' }).end())
    const { found, dialled } = await fetchFrom(server.port, 'http://a.example/', {
      names: { 'b.example': ['127.0.0.1'] },
    })
    expect(found).toMatchObject({ code: 'denied' })
    expect(dialled).toEqual([`${PUBLIC} 80`])
  })

  it('is not reached by a name that changes: it is looked up once, and the connection goes to what was checked', async () => {
    await using server = await served((_, response) => response.end('page'))
    const answers = [[PUBLIC], ['127.0.0.1']]
    const { dialled, dial } = diverted(server.port)
    const resolve = async () => answers.shift() ?? []
    expect((await guardedFetch('http://a.example/', undefined, { resolve, connect: dial })).bytes.toString()).toBe(
      'page',
    )
    expect([dialled, answers]).toEqual([[`${PUBLIC} 80`], [['127.0.0.1']]])
  })
})

describe('a URL', () => {
  it('that is none, and of a scheme without end, is refused in a moment', async () => {
    const began = performance.now()
    for (const text of [`${'a'.repeat(200_000)}://[`, `${'a'.repeat(200_000)}:pw@host://[`]) {
      await expect(guardedFetch(text)).rejects.toMatchObject({ code: 'invalid-input' })
    }
    expect(performance.now() - began).toBeLessThan(SOON)
  })

  it.each([
    ...rowsBy({
      'invalid-input':
        'file:///etc/passwd data:text/html,x ftp://a.example/ gopher://a.example/ blob:https://a.example/x ' +
        'javascript:alert(1) ws://a.example/ //a.example/ a.example http:// http://user:sesame@a.example/ ' +
        'http://user@a.example/ http://:sesame@a.example/',
      denied:
        'http://a.example:22/ http://a.example:25/ https://a.example:6379/ http://a.example:11211/ http://8.8.8.8:5432/',
    }),
    ['', 'invalid-input'],
    [`http://a.example/${'x'.repeat(2049 - 'http://a.example/'.length)}`, 'invalid-input'],
  ])('%s is refused', async (url, code) => {
    const { found, dialled, resolved } = await fetchFrom(1, url)
    expect(found).toMatchObject({ name: 'ContextError', code, hint: expect.any(String) })
    expect(String(found)).not.toContain('sesame')
    expect([dialled, resolved]).toEqual([[], []])
  })

  it.each([
    ['http://a.example', '80'],
    ['http://a.example:8080/x', '8080'],
    ['http://A.EXAMPLE./x?y#z', '80'],
    [`http://a.example/${'x'.repeat(2048 - 'http://a.example/'.length)}`, '80'],
    ['http://8.8.8.8/', '80'],
    ['http://[2606:4700::1111]/', '80'],
    ['http://bücher.example/', '80'],
  ])('%s is asked for', async (url, port) => {
    await using server = await served((_, response) => response.end('page'))
    const { found, dialled } = await fetchFrom(server.port, url)
    expect(found).toMatchObject({ bytes: Buffer.from('page') })
    expect(dialled).toEqual([expect.stringMatching(new RegExp(` ${port}$`))])
  })
})

describe('a request', () => {
  it('says nothing of who asks: no cookie, no credentials, no referrer', async () => {
    await using server = await served(({ url }, response) => {
      response.writeHead(url === '/' ? 302 : 200, { location: 'http://b.example/next', 'set-cookie': 'a=b' }).end()
    })
    await fetchFrom(server.port, 'http://a.example/')
    const names = ['accept', 'accept-encoding', 'connection', 'host', 'user-agent']
    expect(server.asked.map(({ headers }) => Object.keys(headers).sort())).toEqual([names, names])
    expect(server.asked.map(({ headers }) => headers.host)).toEqual(['a.example', 'b.example'])
  })

  it.each([301, 302, 303, 307, 308])('follows %i', async (status) => {
    await using server = await served(({ url }, response) => {
      if (url === '/') response.writeHead(status, { location: 'next?x=1' }).end()
      else response.end('page')
    })
    const { found } = await fetchFrom(server.port, 'http://a.example/')
    expect(found).toMatchObject({ url: 'http://a.example/next?x=1', bytes: Buffer.from('page') })
  })

  it.each([
    [5, true],
    [6, false],
    [20, false],
  ])('follows %i redirects: %s', async (count, isFollowed) => {
    await using server = await served((_, response, index) => {
      if (index < count) response.writeHead(302, { location: `/${index}` }).end()
      else response.end('page')
    })
    const { found } = await fetchFrom(server.port, 'http://a.example/')
    expect(found).toMatchObject(isFollowed ? { bytes: Buffer.from('page') } : { code: 'unavailable' })
    expect(server.asked.length).toBe(6)
  })

  it('takes the next address of a name when one does not answer', async () => {
    await using server = await served((_, response) => response.end('page'))
    const { dialled, dial } = diverted(server.port)
    const failing = (address: string, port: number) => {
      const socket = dial(address, port)
      if (address === '8.8.8.8') socket.destroy(new Error('unreachable'))
      return socket
    }
    const { found } = await fetchFrom(server.port, 'http://a.example/', {
      connect: failing,
      names: { 'a.example': ['8.8.8.8', PUBLIC] },
    })
    expect(found).toMatchObject({ bytes: Buffer.from('page') })
    expect(dialled).toEqual(['8.8.8.8 80', `${PUBLIC} 80`])
  })

  it('of https goes no further than a certificate that is not there', async () => {
    await using server = await served((_, response) => response.end('page'))
    expect((await fetchFrom(server.port, 'https://a.example/')).found).toMatchObject({ code: 'unavailable' })
    expect(server.asked).toEqual([])
  })

  it.each([
    [404, 'not-found'],
    [410, 'not-found'],
    [403, 'unavailable'],
    [500, 'unavailable'],
    [300, 'unavailable'],
    [304, 'unavailable'],
  ])('that is answered with %i is %s', async (status, code) => {
    await using server = await served((_, response) => response.writeHead(status).end())
    expect((await fetchFrom(server.port, 'http://a.example/')).found).toMatchObject({ code })
  })

  it('for an unknown name is told', async () => {
    expect((await fetchFrom(1, 'http://a.example/', { names: { 'a.example': [] } })).found).toMatchObject({
      code: 'unavailable',
      message: 'The name a.example is not known.',
    })
  })
})

const CUT = gzipSync('a'.repeat(9999)).subarray(0, 30)

describe('a body', () => {
  const limit = { mostBytes: () => 1000 }

  it.each([
    ['plain', {}, (text: Buffer) => text],
    ['gzip', { 'content-encoding': 'gzip' }, gzipSync],
    ['x-gzip', { 'content-encoding': 'X-GZIP' }, gzipSync],
    ['deflate', { 'content-encoding': 'deflate' }, deflateSync],
    ['br', { 'content-encoding': 'br' }, brotliCompressSync],
    ['gzip in br', { 'content-encoding': 'gzip, br' }, (text: Buffer) => brotliCompressSync(gzipSync(text))],
    ['identity', { 'content-encoding': 'identity' }, (text: Buffer) => text],
  ])('in %s is decoded, up to the limit after it', async (_, headers, encode) => {
    for (const size of [999, 1000, 1001]) {
      await using server = await served((_, response) =>
        response.setHeaders(new Headers(headers)).end(encode(Buffer.alloc(size, 'a'))),
      )
      const { found } = await fetchFrom(server.port, 'http://a.example/', limit)
      expect(found).toMatchObject(size <= 1000 ? { bytes: Buffer.alloc(size, 'a') } : { code: 'over-limit' })
    }
  })

  it.each([
    ['gzip', gzipSync(Buffer.alloc(100_000_000))],
    ['br', brotliCompressSync(Buffer.alloc(100_000_000))],
    ['gzip, gzip', gzipSync(gzipSync(Buffer.alloc(100_000_000)))],
  ])('that is a bomb in %s is left in little memory', async (encoding, bomb) => {
    await using server = await served((_, response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end(bomb),
    )
    const before = process.memoryUsage().arrayBuffers
    expect((await fetchFrom(server.port, 'http://a.example/')).found).toMatchObject({ code: 'over-limit' })
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64_000_000)
  })

  it.each([
    ['a third encoding', { 'content-encoding': 'gzip, gzip, gzip' }],
    ['one that is not known', { 'content-encoding': 'zstd' }],
    ['one that is a name of objects', { 'content-encoding': 'constructor' }],
  ])('with %s is not read', async (_, headers) => {
    await using server = await served((_, response) => response.writeHead(200, headers).end('x'))
    expect((await fetchFrom(server.port, 'http://a.example/')).found).toMatchObject({ code: 'unavailable' })
  })

  it.each([
    ['declares too much', 200, { 'content-length': 10 ** 10 }, 'over-limit'],
    ['is refused', 403, {}, 'unavailable'],
    ['leads to this machine', 302, { location: 'http://127.0.0.1/' }, 'denied'],
  ])('that %s is not even begun, and its connection ends', async (_, status, headers, code) => {
    const closed = Promise.withResolvers<void>()
    await using server = await served((_, response) =>
      response.once('close', closed.resolve).writeHead(status, headers).write('x'),
    )
    expect((await fetchFrom(server.port, 'http://a.example/')).found).toMatchObject({ code })
    await closed.promise
  })

  it('without end is left at the limit', async () => {
    await using server = await served((_, response) => {
      const more = () => {
        if (!response.destroyed) response.write(Buffer.alloc(65_536), () => setImmediate(more))
      }
      more()
    })
    expect((await fetchFrom(server.port, 'http://a.example/')).found).toMatchObject({ code: 'over-limit' })
  })

  it.each([
    ['cut off', { 'content-length': 100 }, (sent: ServerResponse) => sent.write('x', () => sent.destroy())],
    ['no gzip', { 'content-encoding': 'gzip' }, (sent: ServerResponse) => sent.end('no gzip')],
    ['gzip that is cut off', { 'content-encoding': 'gzip' }, (sent: ServerResponse) => sent.end(CUT)],
  ])('that is %s is told', async (_, headers, answer) => {
    await using server = await served((_, response) => void answer(response.writeHead(200, headers)))
    expect((await fetchFrom(server.port, 'http://a.example/')).found).toMatchObject({ code: 'unavailable' })
  })

  it.each([
    ['never begins', () => {}],
    [
      'trickles',
      (response: ServerResponse) => {
        const timer = setInterval(() => response.write('x'), 20)
        response.on('close', () => clearInterval(timer))
      },
    ],
  ])('that %s is waited for only so long', async (_, answer) => {
    await using server = await served((_, response) => answer(response))
    const { found } = await fetchFrom(server.port, 'http://a.example/', { timeMs: 200 })
    expect(found).toMatchObject({ code: 'unavailable', message: expect.stringContaining('0.2 seconds') })
  })

  it.each([
    ['speaks another protocol', 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'],
    ['ends before it begins', 'HTTP/1.1 100 Continue\r\n\r\n'],
    ['is no answer', 'SSH-2.0-OpenSSH_9.6\r\n'],
  ])('of an answer that %s is not waited for without end', async (_, answer) => {
    await using server = await served(({ socket }) => {
      socket.end(answer)
    })
    const { found } = await fetchFrom(server.port, 'http://a.example/')
    expect(found).toMatchObject({ code: 'unavailable', message: expect.stringContaining('did not answer') })
  })

  it('comes with its type and encoding', async () => {
    await using server = await served((_, response) =>
      response.writeHead(200, { 'content-type': 'Text/HTML; a=b; Charset="ISO-8859-1"' }).end(),
    )
    expect((await fetchFrom(server.port, 'http://a.example/')).found).toMatchObject({
      type: 'text/html',
      charset: 'iso-8859-1',
    })
  })
})

describe('a fetch', () => {
  it.each(['before', 'while names are looked up', 'while it waits', 'within the body'])(
    'is cancelled %s',
    async (when) => {
      const controller = new AbortController()
      const stop = () => void setTimeout(() => controller.abort(), 20)
      await using server = await served((_, response) => {
        if (when === 'within the body') response.write('x')
        stop()
      })
      if (when === 'before') controller.abort()
      if (when === 'while names are looked up') stop()
      const resolve =
        when === 'while names are looked up' ? () => new Promise<string[]>(() => {}) : async () => [PUBLIC]
      const { dial } = diverted(server.port)
      await expect(
        guardedFetch('http://a.example/', controller.signal, { resolve, connect: dial }),
      ).rejects.toMatchObject({
        code: 'cancelled',
      })
    },
  )

  it('leaves nothing on its signal when a name has been looked up', async () => {
    const { signal } = new AbortController()
    const resolve = async () => [PUBLIC]
    expect(await addressesOf(new URL('http://a.example/'), { resolve }, signal)).toEqual([PUBLIC])
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('reaches this machine only where that is allowed', async () => {
    await using server = await served((_, response) => response.end('page'))
    await expect(guardedFetch(server.url)).rejects.toMatchObject({ code: 'denied' })
    expect((await guardedFetch(server.url, undefined, { allowLoopback: true })).bytes.toString()).toBe('page')
    const named = server.url.replace('127.0.0.1', 'localhost')
    expect((await guardedFetch(named, undefined, { allowLoopback: true })).bytes.toString()).toBe('page')
    await expect(guardedFetch('http://10.0.0.1/', undefined, { allowLoopback: true })).rejects.toMatchObject({
      code: 'denied',
    })
  })
})
