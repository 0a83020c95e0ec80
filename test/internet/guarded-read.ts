import { connect } from 'node:net'
import type { Extractor } from '../../src/ingest/extractor.ts'
import { pageReader } from '../../src/research/web/page-reader.ts'
import { served } from './served.ts'

/** An address of the internet: nothing is dialled there. */
export const PUBLIC = '93.184.216.34'
/** What the server has. */
export const SECRET = 'sesame'

export type Answer = Parameters<typeof served>[0]

/** What the server is, and who is asked. */
export interface Setting {
  readonly url: string
  /** By request the answer. Default: a page with the secret. */
  readonly answer?: Answer
  /** What names lead to, one answer after the other; the last stays. */
  readonly addresses?: readonly (readonly string[])[]
  readonly timeMs?: number
}

/** Reads a page. Whatever is dialled is noted, and leads to a server on loopback. */
export async function read({ url, answer, addresses = [[PUBLIC]], timeMs = 5000 }: Setting, extractor: Extractor) {
  await using server = await served(
    answer ?? ((_, response) => response.writeHead(200, { 'content-type': 'text/plain' }).end(SECRET)),
  )
  const dialled: string[] = []
  let looked = 0
  const reader = pageReader({
    extractor,
    timeMs,
    resolve: async () => addresses[Math.min(looked++, addresses.length - 1)] ?? [],
    connect: (address) => {
      dialled.push(address)
      return connect({ host: '127.0.0.1', port: server.port })
    },
  })
  const found = await reader.read(url, AbortSignal.timeout(60_000)).catch((error: unknown) => error)
  return { found, dialled, asked: server.asked }
}

/** Sends on to these, one after the other; the last stays. */
export const redirect =
  (...places: readonly string[]): Answer =>
  (_, response, index) =>
    void response
      .writeHead(302, { location: (places[index] ?? places.at(-1) ?? '').replace(/[^\0-\x7f]+/g, encodeURIComponent) })
      .end()
