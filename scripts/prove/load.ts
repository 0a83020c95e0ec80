/** Sends requests over open connections, each as soon as the previous one is answered. */

import { readdirSync, readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import type { Served } from '../../test/reliability/served.ts'

export interface LoadOptions {
  readonly port: number
  readonly path: string
  /** Headers of the request, besides `Host`. */
  readonly headers?: Readonly<Record<string, string>>
  readonly connections: number
  readonly ms: number
}

export interface LoadResult {
  readonly requests: number
  /** How many answers of each status there were. */
  readonly statuses: Readonly<Record<string, number>>
  /** Number of connections that broke during an answer. */
  readonly broken: number
  /** Milliseconds of each answer. */
  readonly latencies: number[]
  readonly perSecond: number
}

export async function load({ port, path, headers = {}, connections, ms }: LoadOptions): Promise<LoadResult> {
  const lines = Object.entries({ Host: `127.0.0.1:${port}`, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  const request = `GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`
  const counts = { statuses: {} as Record<string, number>, broken: 0, latencies: [] as number[] }
  const began = performance.now()
  const end = began + ms
  const onAnswer = (status: string, took: number) => {
    counts.statuses[status] = (counts.statuses[status] ?? 0) + 1
    counts.latencies.push(took)
  }
  const runConnection = async () => {
    while (performance.now() < end) if (!(await sendRequests({ port, request, end, onAnswer }))) counts.broken++
  }
  await Promise.all(Array.from({ length: connections }, runConnection))
  const seconds = (performance.now() - began) / 1000
  const requests = counts.latencies.length
  return { requests, ...counts, perSecond: Math.round(requests / seconds) }
}

interface RequestLoop {
  readonly port: number
  readonly request: string
  /** The time of the last request, in milliseconds as of `performance.now()`. */
  readonly end: number
  onAnswer(status: string, ms: number): void
}

/** Sends requests over one connection until the time or the connection ends. Resolves to whether it ended between two answers. */
function sendRequests({ port, request, end, onAnswer }: RequestLoop): Promise<boolean> {
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
      if (!isComplete(received)) return
      isAsked = false
      onAnswer(received.slice(9, 12), performance.now() - began)
      const isLast = /\r\nconnection: close\r\n/i.test(received)
      received = ''
      if (isLast) socket.end()
      else ask()
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(!isAsked))
  })
}

/** Whether an answer is complete, with its body. */
function isComplete(received: string): boolean {
  const head = received.indexOf('\r\n\r\n')
  if (head < 0) return false
  const [, length] = /\r\ncontent-length: (\d+)/i.exec(received.slice(0, head + 2)) ?? []
  if (length !== undefined) return received.length >= head + 4 + Number(length)
  return received.endsWith('0\r\n\r\n')
}

/** Memory of a process in megabytes, and its number of open descriptors. Linux only. */
export function processSize(pid: number | undefined): { readonly megabytes: number; readonly descriptors: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1])
  return { megabytes: Math.round(kilobytes / 102.4) / 10, descriptors: readdirSync(`/proc/${pid}/fd`).length }
}

/** Sends a request with a token: by POST if it has a body, else by GET. */
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
