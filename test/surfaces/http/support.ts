import { connect } from 'node:net'
import { object, text } from '../../../src/core/answer.ts'
import { defineInputs } from '../../../src/core/define-inputs.ts'
import { ContextError, type ErrorCode } from '../../../src/core/errors.ts'
import type { Run } from '../../../src/core/flow.ts'
import type { InputOf } from '../../../src/core/input.ts'
import { openServedRoots, type ServedRoots } from '../../../src/files/roots.ts'
import { openWith } from '../../../src/open.ts'
import { type AnyOperation, operations } from '../../../src/operations/index.ts'
import { createHttpApp } from '../../../src/surfaces/http/app.ts'
import { Auth } from '../../../src/surfaces/http/auth.ts'
import type { HttpApp, HttpParts } from '../../../src/surfaces/http/http-parts.ts'
import { bindAddress, serveRequests } from '../../../src/surfaces/http/listen.ts'
import { hostsFor } from '../../../src/surfaces/http/options.ts'
import { serveOptions } from '../../support/serve-options.ts'

export const TOKEN = 'canary-3f1d5c0b9a7e4d2f8b6a1c3e5d7f9b0a'
export const HOST = '127.0.0.1:7377'
export const engine = openWith({ file: undefined, unknown: [], home: false, db: ':memory:' })

const input = {
  word: { is: 'text', description: 'a word' },
  words: { is: 'text', list: true, description: 'several' },
  count: { is: 'integer', minimum: 0, default: 1, description: 'how many' },
  loud: { is: 'flag', default: false, description: 'whether' },
} as const

type Given = InputOf<typeof input>

/** An operation for tests: what a real one would do slowly or by chance, it does when told. */
/** What the operation of that name is as a tool of MCP. */
export const toolNamed = (name: string) => {
  const tool = operations.find((one) => one.name === name)?.tool
  return tool && { tool }
}

export function operation(
  name: string,
  run: (given: Given, run: Run) => unknown,
  effect: 'read' | 'write' = 'read',
): AnyOperation {
  return {
    name,
    summary: `Do what ${name} does`,
    effect,
    examples: {},
    input: defineInputs(input),
    output: () => object({ 'said?': text }),
    run: async (_, given, running) => run(given as Given, running),
    text: (output) => JSON.stringify(output),
    ...toolNamed(name),
  }
}

/** Says what it was given. */
export const echo = operation('echo', (given) => ({ said: given }))
export const write = operation('things.write', (given) => ({ said: given }), 'write')

/** Fails with the code that it is told, or with an error that is none of ours. */
export const fail = operation('fail', ({ word = '' }) => {
  if (word === 'bug') throw new TypeError(`SELECT * FROM secrets at ${import.meta.filename}`)
  throw new ContextError(word as ErrorCode, `It is ${word}.`, { hint: 'Do otherwise.' })
})

/** Waits until it is stopped, and tells when that was. */
export function waiter() {
  const seen = { started: 0, stopped: 0 }
  const wait = operation('wait', (_, { signal }) => {
    seen.started++
    return new Promise((_, reject) => {
      const stop = () => {
        seen.stopped++
        reject(new ContextError('cancelled', 'It was stopped.'))
      }
      if (signal?.aborted) stop()
      signal?.addEventListener('abort', stop, { once: true })
    })
  })
  return { seen, wait }
}

export const NOWHERE: ServedRoots = { paths: [], real: [] }

export function appOf(parts: Partial<HttpParts> = {}): HttpApp {
  const auth = new Auth(TOKEN, parts.engine ?? engine, { rules: parts.signOn?.rules })
  const common = { engine, auth, hosts: [HOST], roots: NOWHERE, version: '0.0.0' }
  return createHttpApp({ ...common, operations: [...operations, echo, write, fail], ...parts })
}

export const BEARER = { host: HOST, authorization: `Bearer ${TOKEN}` }

/** Asks an app without a socket, as somebody who has the token. */
/** `from`: as Node tells where it comes from. Default: from nowhere. */
export async function ask(
  app: HttpApp,
  path: string,
  init: RequestInit & { headers?: Record<string, string> } = {},
  from?: object,
) {
  const headers = { ...BEARER, ...init.headers }
  const response = await app.fetch(new Request(`http://${HOST}${path}`, { ...init, headers }), from)
  const body = await response.text()
  const isJson = body !== '' && /json/.test(response.headers.get('content-type') ?? '')
  return { status: response.status, headers: response.headers, body, json: isJson ? JSON.parse(body) : undefined }
}

export function post(value: unknown, headers: Record<string, string> = {}) {
  const body = typeof value === 'string' ? value : JSON.stringify(value)
  return { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } }
}

/** A server on a port of its own; `await using` ends it. */
export async function listening(parts: Partial<HttpParts> & { readonly roots?: ServedRoots } = {}) {
  const { server, port } = await bindAddress('127.0.0.1', 0)
  const hosts = hostsFor(serveOptions([]), '127.0.0.1', port)
  serveRequests(server, appOf({ ...parts, hosts: [...hosts, ...(parts.hosts ?? [])] }), () => false)
  return {
    server,
    port,
    url: `http://127.0.0.1:${port}`,
    headers: { authorization: `Bearer ${TOKEN}` },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** What comes back for bytes on a socket, until the other end closes it or the time is over. */
export function raw(port: number, bytes: string | Buffer, ms = 2000): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let received = ''
    const timer = setTimeout(() => socket.destroy(), ms)
    socket.on('data', (chunk) => {
      received += chunk
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(timer)
      resolve(received)
    })
    socket.write(bytes)
  })
}

export function rootsOf(...directories: string[]): ServedRoots {
  return openServedRoots(directories)
}

/** The events in what a stream sent, in order; comments apart. */
export function eventsIn(text: string) {
  return text.split('\n\n').flatMap((block) => {
    const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2)))
    return 'event' in fields ? [{ id: fields.id, event: fields.event, data: JSON.parse(fields.data) }] : []
  })
}

/** The number of an event in its run. */
export function seqOf(id: string): number {
  return Number(id.split('.')[1])
}
