import { EventEmitter, once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import type { HttpApp } from '../../../src/surfaces/http/http-parts.ts'
import { bindAddress, CONNECTION_LIMITS, serveRequests, shareConnections } from '../../../src/surfaces/http/listen.ts'

const opened: { server?: Server; sockets: Socket[] } = { sockets: [] }

afterEach(() => {
  for (const socket of opened.sockets.splice(0)) socket.destroy()
  opened.server?.closeAllConnections()
  opened.server?.close()
})

/** Answers once the whole body is there. */
async function listening(limits: Partial<typeof CONNECTION_LIMITS>): Promise<number> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.end('done'))
  })
  opened.server = server
  shareConnections(server, { ...CONNECTION_LIMITS, ...limits })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

async function connected(port: number, localAddress: string, sent = ''): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  opened.sockets.push(socket)
  socket.on('error', () => {})
  await once(socket, 'connect')
  if (sent !== '') socket.write(sent)
  return socket
}

const PLAIN = 'Host: a\r\nConnection: close\r\n'

/** What comes of a request, to the end. */
async function answered(port: number, localAddress: string, request = `GET / HTTP/1.1\r\n${PLAIN}`): Promise<string> {
  const socket = await connected(port, localAddress, `${request}\r\n`)
  let text = ''
  for await (const chunk of socket) text += chunk
  return text
}

/** What comes of a request on a connection that stays. */
async function answeredOver(socket: Socket | undefined): Promise<string> {
  socket?.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  return String((await once(socket ?? new EventEmitter(), 'data'))[0])
}

/** A connection whose request has begun, and does not end. The server has said that it goes on. */
async function atWork(port: number, localAddress: string): Promise<Socket> {
  const head = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n'
  const socket = await connected(port, localAddress, head)
  expect(String((await once(socket, 'data'))[0])).toContain('100 Continue')
  return socket
}

describe('connections that ask nothing', () => {
  it('go, the oldest first, where one address has more than its share; who comes new is answered', async () => {
    const port = await listening({ idleEach: 5 })
    const half: Socket[] = []
    for (let at = 0; at < 12; at++) half.push(await connected(port, '127.0.0.2', 'GET / HTT'))
    await expect.poll(() => half.filter(({ closed }) => closed).length).toBe(7)
    expect(half.slice(0, 7).every(({ closed }) => closed)).toBe(true)
    expect(await answered(port, '127.0.0.2')).toContain('200 OK')
  })

  it('of one address cost no other one a connection', async () => {
    const port = await listening({ idle: 10, idleEach: 8 })
    const other = await connected(port, '127.0.0.3')
    for (let at = 0; at < 30; at++) await connected(port, '127.0.0.2')
    await sleep(50)
    expect(other.closed).toBe(false)
    expect(await answered(port, '127.0.0.4')).toContain('200 OK')
  })

  it('make room for others, however many there are altogether', async () => {
    const port = await listening({ all: 6 })
    for (let at = 0; at < 30; at++) await connected(port, `127.0.0.${2 + (at % 5)}`, 'POST / HTTP/1.1\r\nHost')
    expect(await answered(port, '127.0.0.9')).toContain('200 OK')
  })

  it.each([
    ['all that there may be', { all: 6 }],
    ['all that may be without a request', { idle: 6 }],
  ])('are as many as %s, and one goes for each that is more', async (_, limits) => {
    const port = await listening(limits)
    const sockets: Socket[] = []
    for (let at = 0; at < 6; at++) sockets.push(await connected(port, `127.0.0.${2 + at}`))
    expect(await answeredOver(sockets[0])).toContain('200 OK')
    expect(sockets.map(({ closed }) => closed)).toEqual(Array.from({ length: 6 }, () => false))
    for (let at = 0; at < 3; at++) sockets.push(await connected(port, `127.0.0.${8 + at}`))
    await expect.poll(() => sockets.filter(({ closed }) => closed).length).toBe(3)
    expect(sockets.slice(6).some(({ closed }) => closed)).toBe(false)
  })

  it('take no room any more when they are gone', async () => {
    const port = await listening({ idle: 4, idleEach: 3, each: 3, all: 5 })
    for (let at = 0; at < 12; at++) {
      const socket = await connected(port, '127.0.0.2')
      expect(await answeredOver(socket)).toContain('200 OK')
      socket.end()
      await once(socket, 'close')
    }
    const others: Socket[] = []
    for (let at = 0; at < 4; at++) others.push(await connected(port, `127.0.0.${3 + (at % 2)}`))
    expect(await answeredOver(others[3])).toContain('200 OK')
    expect(others.map(({ closed }) => closed)).toEqual([false, false, false, false])
  })

  it('are those, too, whose request was answered', async () => {
    const port = await listening({ idleEach: 5 })
    const sockets: Socket[] = []
    for (let at = 0; at < 12; at++) {
      const socket = await connected(port, '127.0.0.2')
      sockets.push(socket)
      expect(await answeredOver(socket)).toContain('200 OK')
    }
    await expect.poll(() => sockets.map(({ closed }) => closed)).toEqual(sockets.map((_, at) => at < 7))
  })

  it('go first, where one address has more connections than its share; those at work stay', async () => {
    const port = await listening({ each: 5 })
    const busy: Socket[] = []
    for (let at = 0; at < 4; at++) busy.push(await atWork(port, '127.0.0.2'))
    const idle: Socket[] = []
    for (let at = 0; at < 3; at++) idle.push(await connected(port, '127.0.0.2'))
    await expect.poll(() => idle.map(({ closed }) => closed)).toEqual([true, true, false])
    expect(busy.map(({ closed }) => closed)).toEqual([false, false, false, false])
  })
})

describe('a body that comes too slowly', () => {
  const head = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n'

  it.each([
    ['whose length is known', head, 'x'],
    ['in chunks', 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n', '1\r\nx\r\n'],
  ])('is not waited for, %s', async (_, begun, drop) => {
    const port = await listening({ slowMs: 600, slowBytes: 1000 })
    const socket = await connected(port, '127.0.0.1', begun)
    const dripping = setInterval(() => socket.write(drop), 100)
    // A drop that meets the closed end resets the connection.
    socket.on('error', () => {})
    await new Promise((resolve) => socket.resume().once('close', resolve)).finally(() => clearInterval(dripping))
    expect(socket.closed).toBe(true)
  })

  it('is, where it comes in time though it takes long', async () => {
    const port = await listening({ slowMs: 600, slowBytes: 1000 })
    const socket = await connected(port, '127.0.0.1', head)
    for (let sent = 0; sent < 100_000; sent += 5000) {
      socket.write('x'.repeat(5000))
      await sleep(60)
    }
    expect(String((await once(socket, 'data'))[0])).toContain('200 OK')
  })
})

describe('a server', () => {
  const pathOf = (length: number) => '/'.padEnd(length, 'x')

  it.each([
    ['the longest address', pathOf(8192), PLAIN, '200'],
    ['a longer one', pathOf(8193), PLAIN, '414'],
    ['a hundred headers', '/', PLAIN + 'a: b\r\n'.repeat(98), '200'],
    ['one more', '/', PLAIN + 'a: b\r\n'.repeat(99), '431'],
    ['two hosts', '/', `${PLAIN}HOST: b\r\n`, '400'],
    ['a host in the address', 'http://b/', PLAIN, '400'],
    ['whatever, while it ends', '/ending', PLAIN, '503'],
  ])('that is sent %s', async (_, path, headers, status) => {
    const { server, port } = await bindAddress('127.0.0.1', 0)
    opened.server = server
    serveRequests(server, { fetch: () => new Response('done') } as unknown as HttpApp, () => path === '/ending')
    expect(await answered(port, '127.0.0.1', `GET ${path} HTTP/1.1\r\n${headers}`)).toContain(`HTTP/1.1 ${status} `)
    await expect(bindAddress('127.0.0.1', port)).rejects.toMatchObject({ code: 'conflict', hint: /--port/ })
    await expect(bindAddress('192.0.2.1', 0)).rejects.toMatchObject({ code: 'unavailable', hint: /--host/ })
  })
})
