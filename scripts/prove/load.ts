/** Requests over connections that stay open, each as soon as the one before is answered. */

import { readdirSync, readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import type { Served } from '../../test/reliability/served.ts'

export interface Loading {
  readonly port: number
  readonly path: string
  /** Of the request, without those that every one has. */
  readonly headers?: Readonly<Record<string, string>>
  readonly connections: number
  readonly ms: number
}

export interface Loaded {
  readonly requests: number
  /** How many answers of each status there were. */
  readonly statuses: Readonly<Record<string, number>>
  /** Connections that broke in the midst of an answer. */
  readonly broken: number
  /** Milliseconds of each answer. */
  readonly latencies: number[]
  readonly perSecond: number
}

export async function load({ port, path, headers = {}, connections, ms }: Loading): Promise<Loaded> {
  const lines = Object.entries({ Host: `127.0.0.1:${port}`, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  const request = `GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`
  const counts = { statuses: {} as Record<string, number>, broken: 0, latencies: [] as number[] }
  const began = performance.now()
  const end = began + ms
  const told = (status: string, took: number) => {
    counts.statuses[status] = (counts.statuses[status] ?? 0) + 1
    counts.latencies.push(took)
  }
  const one = async () => {
    while (performance.now() < end) if (!(await asking({ port, request, end, told }))) counts.broken++
  }
  await Promise.all(Array.from({ length: connections }, one))
  const seconds = (performance.now() - began) / 1000
  const requests = counts.latencies.length
  return { requests, ...counts, perSecond: Math.round(requests / seconds) }
}

interface Asking {
  readonly port: number
  readonly request: string
  /** When no more is asked. */
  readonly end: number
  told(status: string, ms: number): void
}

/** Asks on one connection until the end of the time or of the connection; gives whether that was between two answers. */
function asking({ port, request, end, told }: Asking): Promise<boolean> {
  return new Promise((resolve) => {
    const socket: Socket = connect(port, '127.0.0.1').setNoDelay()
    let [received, began, isAsked] = ['', 0, false]
    const ask = () => {
      if (performance.now() >= end) return socket.end()
      began = performance.now()
      isAsked = true
      return socket.write(request)
    }
    socket.on('connect', ask)
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
      if (!isWhole(received)) return
      isAsked = false
      told(received.slice(9, 12), performance.now() - began)
      const isLast = /\r\nconnection: close\r\n/i.test(received)
      received = ''
      if (isLast) socket.end()
      else ask()
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(!isAsked))
  })
}

/** Whether an answer is there with its body. */
function isWhole(received: string): boolean {
  const head = received.indexOf('\r\n\r\n')
  if (head < 0) return false
  const [, length] = /\r\ncontent-length: (\d+)/i.exec(received.slice(0, head + 2)) ?? []
  if (length !== undefined) return received.length >= head + 4 + Number(length)
  return received.endsWith('0\r\n\r\n')
}

/** Megabytes that a process holds, and its descriptors. Linux only. */
export function sizeOf(pid: number | undefined): { readonly megabytes: number; readonly descriptors: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1])
  return { megabytes: Math.round(kilobytes / 102.4) / 10, descriptors: readdirSync(`/proc/${pid}/fd`).length }
}

/** Asks a server as its owner, or as whoever has another token: with a body by POST, else by GET. */
export function ask(
  { url, token }: Pick<Served, 'url' | 'token'>,
  path: string,
  { body, method = body === undefined ? 'GET' : 'POST' }: { readonly body?: object; readonly method?: string } = {},
): Promise<Response> {
  const isForm = body instanceof FormData
  const headers = { authorization: `Bearer ${token}`, ...(body && !isForm && { 'content-type': 'application/json' }) }
  const sent = body && { body: isForm ? body : JSON.stringify(body) }
  return fetch(new URL(path, url), { method, headers, ...sent })
}
