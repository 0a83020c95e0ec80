import { createServer, type ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { SECURITY_HEADERS, SecureResponse } from '../../../src/surfaces/http/guard.ts'
import { listenOnLoopback } from '../../support/loopback.ts'

const OWN = 'max-age=60'

describe('the head of an answer', () => {
  it.each<[string, (response: ServerResponse) => unknown]>([
    ['is written with a record', (response) => response.writeHead(200, { 'Content-Type': 'text/plain' })],
    ['is written with a list', (response) => response.writeHead(200, ['Content-Type', 'text/plain'])],
    ['is written with a message', (response) => response.writeHead(200, 'Fine', { 'Content-Type': 'text/plain' })],
    ['is written without headers', (response) => response.writeHead(200)],
    ['is not written before the body', () => {}],
    ['is written after a header was set', (response) => response.setHeader('X-One', '1').writeHead(200, {})],
  ])('carries every security header where it %s', async (_, write) => {
    expect(Object.fromEntries(await headersOf(write))).toMatchObject(lowerCased(SECURITY_HEADERS))
  })

  it.each<[string, (response: ServerResponse) => unknown]>([
    ['a record', (response) => response.writeHead(200, { 'cache-control': OWN })],
    ['a record in another case', (response) => response.writeHead(200, { 'CACHE-Control': OWN })],
    ['a list', (response) => response.writeHead(200, ['cache-control', OWN])],
    ['a header set before', (response) => response.setHeader('cache-control', OWN).writeHead(200, { 'X-One': '1' })],
    ['a header set before the body', (response) => response.setHeader('cache-control', OWN)],
  ])('keeps what the answer says itself in %s, and says it once', async (_, write) => {
    const headers = await headersOf(write)
    expect(headers.get('cache-control')).toBe(OWN)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })
})

async function headersOf(write: (response: ServerResponse) => unknown): Promise<Headers> {
  const server = createServer({ ServerResponse: SecureResponse }, (_, response) => {
    write(response)
    response.end('yes')
  })
  await using at = await listenOnLoopback(server)
  const response = await fetch(at.url)
  expect(await response.text()).toBe('yes')
  return response.headers
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
