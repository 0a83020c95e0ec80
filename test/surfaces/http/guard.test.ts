import { describe, expect, it } from 'vitest'
import { appOf, ask, echo, HOST, post } from './support.ts'

const app = appOf({ operations: [echo] })

/** Asks with the token, so that only the guard can refuse. */
async function codeFor(headers: Record<string, string>) {
  const { status, json } = await ask(app, '/api/echo', post({ word: 'a' }, headers))
  return [status, json.code]
}

describe('a request with the token', () => {
  it.each([
    ['of a program, which has no origin', {}],
    ['of a page of this server', { origin: `http://${HOST}` }],
    ['of a page of this server, behind a proxy that speaks https', { origin: `https://${HOST}` }],
    ['of an origin in capitals', { origin: `HTTP://${HOST}` }],
  ])('%s is answered', async (_, headers) => {
    expect(await codeFor(headers)).toEqual([200, undefined])
  })

  it.each([
    ['of a page of another site', { origin: 'https://other.example' }],
    ['of a page without an origin of its own', { origin: 'null' }],
    ['of another port of this machine', { origin: 'http://127.0.0.1:1' }],
    ['of an origin that only ends in the address', { origin: `http://other.example/${HOST}` }],
    ['of an origin of another scheme', { origin: `app://${HOST}` }],
    ['for another name', { host: 'other.example' }],
  ])('%s is denied', async (_, headers) => {
    expect(await codeFor(headers)).toEqual([403, 'denied'])
  })
})
